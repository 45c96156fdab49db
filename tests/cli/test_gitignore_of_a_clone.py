"""Lines of a repository's own `.gitignore` files let nothing private into its commits, judged by git itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.storage import git_exclusion
from tests.cli.conftest import Recall
from tests.hooks import called, said
from tests.processes import Machine
from tests.repositories import git, holding, repository, session, uncommitted, with_git

WORD = "ZEBRAWORD"
BASES = {"entity": "memory", "hierarchical": "memory", "project": "_memory"}
LINES = ("!*", "!**", "!conversations", "!/conversations/**", "!EPHEMERAL.md\n!ARCHIVE.md", "!*.md", "*\n!*/\n!*.md")
_OWN = (
    "conversations", "days", "EPHEMERAL.md", "ARCHIVE.md", "DREAMS.md", "WISDOM.md", "master.md", "weekly", "monthly",
    ".recall-*", "*.saved-*", "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9].md",
)  # fmt: skip
"""What is kept out of commits, as lines name it."""
_LONG = "#\n" * 600_000
# The texts as the program writes them: a clone may hold them to the byte, and they have no public name.
PROJECT_IGNORE, EXCLUDE_ALL = git_exclusion._PROJECT_IGNORE, git_exclusion._EXCLUDE_ALL
DECEIVING = {
    "a mark of UTF-8": {"{base}/.gitignore": "\ufeff!*\n"},
    "a mark of UTF-8 above": {".gitignore": "\ufeff!*\n", "{base}/.gitignore": "x\n"},
    "our lines behind a carriage return": {"{base}/.gitignore": "!*\n" + "".join(f"x\r/{name}\n" for name in _OWN)},
    "our lines behind a form feed": {"{base}/.gitignore": "!*\n" + "".join(f"x\f/{name}\n" for name in _OWN)},
    "our lines behind U+2028": {"{base}/.gitignore": "!*\n" + "".join(f"x\u2028/{name}\n" for name in _OWN)},
    "the text of another layout": {"{base}/.gitignore": PROJECT_IGNORE},
    "the text of another layout, and a file below": {
        "{base}/.gitignore": PROJECT_IGNORE,
        "{base}/conversations/.gitignore": "!*\n",
    },
    "files below": {"{base}/conversations/.gitignore": "!*\n", "{base}/days/.gitignore": "!*\n"},
}
"""Files of a clone that git reads otherwise than they look."""
PLACES = ("", "{base}", "{base}/conversations", "both")


@pytest.fixture
def repo(environment: Environment, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(environment.home))
    root = repository(environment.home / "work" / "api", "git@github.com:acme/api.git")
    for number, agent in enumerate(("claude", "codex", "gemini")):
        session(environment, agent, 10 * number + 3, root / "src", WORD)
    return root


def committed(root: Path, place: str, base: str, lines: str) -> set[str]:
    """Commit ignore files with these lines, and say which."""
    folders = ["", base] if place == "both" else [place.format(base=base)]
    for folder in folders:
        (root / folder).mkdir(parents=True, exist_ok=True)
        (root / folder / ".gitignore").write_text(f"{lines}\n")
    git(root, "add", "-f", ".")
    git(root, "commit", "-qm", "ignore")
    return {f"{folder}/.gitignore".lstrip("/") for folder in folders}


def leaked(root: Path, base: str, shipped: set[str]) -> set[str]:
    """What git would take in that came from sessions."""
    shared = {f"{base}/MEMORY.md", f"{base}/.gitignore", "_memory/ARCHITECTURE.md", *shipped}
    found = uncommitted(root) - shared
    return {name for name in found if not (base == "_memory" and name.startswith(f"{base}/conversations/"))}


@with_git
@pytest.mark.long
@pytest.mark.parametrize("lines", LINES)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("layout", BASES)
def test_no_line_of_a_clone_lets_sessions_into_commits(
    environment: Environment, repo: Path, recall: Recall, layout: str, place: str, lines: str
) -> None:
    shipped = committed(repo, place, BASES[layout], lines)
    recall("init", repo, "--layout", layout)
    recall("--root", repo, "archive", "--all-unarchived")
    assert WORD in "".join(path.read_text() for path in repo.rglob("*.md"))
    assert leaked(repo, BASES[layout], shipped) == set()


def cloned(root: Path, base: str, files: dict[str, str]) -> set[str]:
    """Commit these files and a memory's first page, and say which."""
    held = {path.format(base=base): text for path, text in files.items()} | {f"{base}/MEMORY.md": "# Memory\n"}
    for name, text in held.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, newline="")
    git(root, "add", "-f", ".")
    git(root, "commit", "-qm", "memory")
    return set(held)


@pytest.mark.long
@with_git
@pytest.mark.parametrize("held", DECEIVING.values(), ids=DECEIVING)
def test_no_file_that_git_reads_otherwise_lets_sessions_into_commits(
    environment: Environment, repo: Path, recall: Recall, held: dict[str, str]
) -> None:
    shipped = cloned(repo, "memory", held)
    recall("--root", repo, "archive", "--all-unarchived")
    assert list((repo / "memory" / "conversations").glob("*.md"))
    assert leaked(repo, "memory", shipped) == set()


@with_git
@pytest.mark.long
@pytest.mark.parametrize("held", DECEIVING.values(), ids=DECEIVING)
@pytest.mark.parametrize("layout", BASES)
def test_no_layout_is_deceived_by_a_file_of_a_clone(
    environment: Environment, repo: Path, recall: Recall, layout: str, held: dict[str, str]
) -> None:
    shipped = cloned(repo, BASES[layout], held)
    recall("init", repo, "--layout", layout)
    recall("--root", repo, "archive", "--all-unarchived")
    assert WORD in "".join(path.read_text() for path in repo.rglob("*.md"))
    assert leaked(repo, BASES[layout], shipped) == set()


@with_git
def test_a_link_to_a_text_of_ours_keeps_nothing_out_of_commits(
    environment: Environment, repo: Path, recall: Recall
) -> None:
    shipped = cloned(repo, "memory", {".gitignore": "!*\n", "memory/own.txt": EXCLUDE_ALL})
    (repo / "memory" / ".gitignore").symlink_to("own.txt")
    recall("--root", repo, "archive", "--all-unarchived")
    assert list((repo / "memory" / "conversations").glob("*.md"))
    assert leaked(repo, "memory", shipped) == set()


@pytest.mark.long
@with_git
def test_a_long_file_above_lets_no_sessions_into_commits(environment: Environment, repo: Path, recall: Recall) -> None:
    shipped = cloned(repo, "memory", {".gitignore": f"{_LONG}!*\n", "memory/.gitignore": "x\n"})
    recall("--root", repo, "archive", "--all-unarchived")
    assert holding(repo, WORD) and leaked(repo, "memory", shipped) == set()


@pytest.mark.long
@with_git
def test_nothing_is_archived_where_a_clones_file_is_too_long_to_be_added_to(
    environment: Environment, repo: Path, recall: Recall
) -> None:
    shipped = cloned(repo, "memory", {"memory/.gitignore": f"{_LONG}!*\n"})
    file = next(environment.claude.rglob("*.jsonl"))
    told = {"hook_event_name": "SessionEnd", "session_id": file.stem, "transcript_path": str(file), "cwd": str(repo)}
    machine = Machine(Environment(environment.home, repo, environment.env), repo)
    called(machine, told)
    assert holding(repo, WORD) == []
    assert "memory/.gitignore" in called(machine, said("SessionStart", "00000000-1", cwd=str(repo))).out.decode()
    assert "memory/.gitignore" in recall("--root", repo, "archive", "--all-unarchived").err
    (problem,) = [one for one in recall("--root", repo, "doctor", "--json").json["problems"] if one["kind"] == "let in"]
    assert "memory/.gitignore" in problem["message"] and holding(repo, WORD) == []
    (repo / "memory" / ".gitignore").write_text("!*\n")
    recall("--root", repo, "archive", "--all-unarchived")
    assert holding(repo, WORD) and leaked(repo, "memory", shipped) == set()


@with_git
def test_it_is_said_that_git_tracks_what_sessions_are_written_into(
    environment: Environment, repo: Path, recall: Recall
) -> None:
    cloned(repo, "memory", {"memory/EPHEMERAL.md": "# Recent\n"})
    assert "which commits text written into memory/EPHEMERAL.md" in recall("init", repo).err


@pytest.mark.long
@with_git
@pytest.mark.parametrize("lines", ["!*", "!conversations"])
def test_no_line_of_a_clone_lets_in_what_a_hook_captures(
    environment: Environment, repo: Path, recall: Recall, lines: str
) -> None:
    shipped = committed(repo, "{base}", "memory", lines)
    recall("init", repo)
    git(repo, "add", "memory")
    git(repo, "commit", "-qm", "memory")
    file = next(environment.claude.rglob("*.jsonl"))
    told = {"hook_event_name": "SessionEnd", "session_id": file.stem, "transcript_path": str(file), "cwd": str(repo)}
    called(Machine(Environment(environment.home, repo, environment.env), repo), told)
    assert list((repo / "memory" / "conversations").glob("*.md"))
    assert leaked(repo, "memory", shipped) == set()


@with_git
def test_the_lines_come_once_and_a_person_may_let_a_part_in(
    environment: Environment, repo: Path, recall: Recall
) -> None:
    committed(repo, "{base}", "memory", "!*")
    recall("init", repo)
    recall("--root", repo, "archive", "--all-unarchived")
    file, exclude = repo / "memory" / ".gitignore", repo / ".git" / "info" / "exclude"
    held = file.read_text()
    assert held.startswith("!*\n") and held.count("\n/conversations\n") == 1
    recall("--root", repo, "remember", "Deploys are on Tuesdays")
    assert file.read_text() == held
    exclude.write_text(exclude.read_text().replace("/memory/conversations", "#/memory/conversations"))
    file.write_text("!*\n")
    recall("--root", repo, "remember", "Releases are on Mondays")
    assert "/conversations" not in file.read_text() and "/EPHEMERAL.md" in file.read_text()
    assert any(name.startswith("memory/conversations/") for name in uncommitted(repo))


@with_git
def test_a_fresh_clone_lacks_nothing(recall: Recall, repo: Path) -> None:
    recall("init", repo, "--layout", "project", "--no-install")
    recall("--root", repo, "archive", "--all-unarchived")
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "memory")
    other = repo.parent / "clone"
    git(repo.parent, "clone", "-q", str(repo), str(other))
    assert not (other / "_memory" / "ARCHIVE.md").exists() and (other / "_memory" / "MEMORY.md").exists()
    told = recall("--root", other, "doctor")
    assert told.code == 0 and not {"missing", "rows", "mode"} & set(told.out.split())
