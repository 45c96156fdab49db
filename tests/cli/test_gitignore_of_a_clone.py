"""Lines of a repository's own `.gitignore` files let nothing private into its commits, judged by git itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.environment import Places
from tests.cli.conftest import Recall
from tests.hooks import called
from tests.processes import Machine
from tests.repositories import git, repository, session, uncommitted, with_git

WORD = "ZEBRAWORD"
BASES = {"entity": "memory", "hierarchical": "memory", "project": "_memory"}
LINES = ("!*", "!**", "!conversations", "!/conversations/**", "!EPHEMERAL.md\n!ARCHIVE.md", "!*.md", "*\n!*/\n!*.md")
PLACES = ("", "{base}", "{base}/conversations", "both")


@pytest.fixture
def repo(places: Places, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(places.home))
    root = repository(places.home / "work" / "api", "git@github.com:acme/api.git")
    for number, agent in enumerate(("claude", "codex", "gemini")):
        session(places, agent, 10 * number + 3, root / "src", WORD)
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
    shared = {f"{base}/MEMORY.md", f"{base}/.gitignore", *shipped}
    found = uncommitted(root) - shared
    return {name for name in found if not (base == "_memory" and name.startswith(f"{base}/conversations/"))}


@with_git
@pytest.mark.long
@pytest.mark.parametrize("lines", LINES)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("layout", BASES)
def test_no_line_of_a_clone_lets_sessions_into_commits(
    places: Places, repo: Path, recall: Recall, layout: str, place: str, lines: str
) -> None:
    shipped = committed(repo, place, BASES[layout], lines)
    recall("init", repo, "--layout", layout)
    recall("--root", repo, "archive", "--all-unarchived")
    assert WORD in "".join(path.read_text() for path in repo.rglob("*.md"))
    assert leaked(repo, BASES[layout], shipped) == set()


@with_git
@pytest.mark.parametrize("lines", ["!*", "!conversations"])
def test_no_line_of_a_clone_lets_in_what_a_hook_captures(
    places: Places, repo: Path, recall: Recall, lines: str
) -> None:
    shipped = committed(repo, "{base}", "memory", lines)
    recall("init", repo)
    git(repo, "add", "memory")
    git(repo, "commit", "-qm", "memory")
    file = next(places.claude.rglob("*.jsonl"))
    told = {"hook_event_name": "SessionEnd", "session_id": file.stem, "transcript_path": str(file), "cwd": str(repo)}
    called(Machine(Places(places.home, repo, places.env), repo), told)
    assert list((repo / "memory" / "conversations").glob("*.md"))
    assert leaked(repo, "memory", shipped) == set()


@with_git
def test_the_lines_come_once_and_a_person_may_let_a_part_in(places: Places, repo: Path, recall: Recall) -> None:
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
