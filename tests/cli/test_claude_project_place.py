"""Layout claude-project from the project: its folder leads to the memory in Claude Code's folder, and back."""

from __future__ import annotations

import json
from pathlib import Path
from time import monotonic, sleep

import pytest

from recall_tui.environment import Places
from tests.cli.test_every_folder import Stand, stand
from tests.makers import tree, write_files
from tests.repositories import git, repository, session, with_git

__all__ = ["stand"]
pytestmark = with_git


@pytest.fixture
def project(places: Places) -> Path:
    """A repository with a second work tree beside it, and a folder inside."""
    made = repository(places.home / "my.proj")
    git(made, "worktree", "add", "--quiet", str(places.home / "fix"))
    (made / "src").mkdir()
    return made


def memory_of(places: Places, project: Path) -> Path:
    """Claude Code's folder for a project."""
    return places.claude / "projects" / str(project).replace("/", "-").replace(".", "-").replace("_", "-")


@pytest.mark.parametrize("place", ["my.proj", "my.proj/src", "fix"])
def test_init_in_a_project_makes_the_memory_in_claudes_folder(
    places: Places, stand: Stand, project: Path, place: str
) -> None:
    before = tree(project)
    said = stand(places.home / place, "init", "--layout", "claude-project", "--yes")
    root = memory_of(places, project)
    assert said.code == 0 and f"{root}  (layout claude-project)" in said.out
    assert "it takes the sessions held in ~/my.proj alone" in said.err
    assert (root / "memory" / "MEMORY.md").is_file() and tree(project) == before
    for folder in (project, project / "src", places.home / "fix"):
        shown = stand(folder, "status").out
        assert f"memory      {root}\n" in shown and "Claude Code's folder for " in shown
        if folder == project / "src":
            continue
        assert f"memory      {root}\n" in stand(places.home, "status", "--root", str(folder)).out
        assert f"{root}  (layout claude-project)" in stand(folder, "init", "--yes", "--no-install").out
    assert stand(project, "recall", "words").code in (0, 1)
    assert stand(places.home, "status").code == 1
    assert tree(project) == before


def test_a_session_of_any_work_tree_is_captured_and_found_from_the_project(
    places: Places, stand: Stand, project: Path
) -> None:
    stand(project, "init", "--layout", "claude-project")
    installed = stand(project, "install", "claude", "--yes")
    assert installed.code == 0, installed.err
    assert (project / ".claude" / "rules" / "recall-echo.md").is_file()
    for number, folder in enumerate((project, places.home / "fix", project / "src"), 1):
        transcript = session(places, "claude", number, folder, f"heron{number}")
        event = {
            "hook_event_name": "SessionEnd",
            "session_id": transcript.stem,
            "transcript_path": str(transcript),
            "cwd": str(folder),
        }
        stand(places.home, "hook", stdin=json.dumps(event))
        assert transcript.stem in (memory_of(places, project) / "memory" / "ARCHIVE.md").read_text(), folder
        # The hook leaves the index to a process of its own, which may still be at it.
        deadline = monotonic() + 60
        while f"heron{number}" not in stand(project, "search", "--ranked", f"heron{number}").out:
            assert monotonic() < deadline, folder
            sleep(0.2)


def test_transcripts_and_what_claude_remembers_make_no_memory(places: Places, stand: Stand, project: Path) -> None:
    session(places, "claude", 1, project, "heron")
    write_files(memory_of(places, project), {"memory/MEMORY.md": "# Of Claude\n"})
    assert stand(project, "status").code == 1
    stand(places.home, "init", str(places.claude), "--no-install")
    assert f"memory      {places.claude}\n" in stand(project, "status").out


def test_a_repository_below_the_project_does_not_lead_to_its_memory(
    places: Places, stand: Stand, project: Path
) -> None:
    stand(project, "init", "--layout", "claude-project")
    other = repository(project / "vendor")
    assert stand(other, "status").code == 1


def test_lessons_of_session_recall_are_a_memory_of_the_project(places: Places, stand: Stand, project: Path) -> None:
    write_files(memory_of(places, project), {"memory/sessions/2026-03-05.md": "# 2026-03-05\n\n- a lesson\n"})
    assert f"memory      {memory_of(places, project)}\n" in stand(project / "src", "status").out


def test_a_memory_in_the_project_itself_is_nearer(places: Places, stand: Stand, project: Path) -> None:
    stand(project, "init", "--layout", "claude-project")
    stand(project, "init", str(project / "src"), "--layout", "project")
    assert f"memory      {project / 'src'}\n" in stand(project / "src", "status").out


@pytest.mark.parametrize("place", ["proj", "."])
@pytest.mark.parametrize("words", [("--layout", "user"), ("--target", "claude")])
def test_a_fresh_accounts_user_memory_is_made_in_the_agents_home(
    places: Places, stand: Stand, place: str, words: tuple[str, str]
) -> None:
    here = places.home / place
    here.mkdir(exist_ok=True)
    said = stand(here, "init", *words, "--yes")
    assert said.code == 0 and f"{places.claude}  (layout user)" in said.out, said.err
    assert f"hook --root {places.claude}" in (places.claude / "settings.json").read_text()
    assert {path.parts[0] for path in map(Path, tree(places.home))} == {".claude"}
    assert f"memory      {places.claude}\n" in stand(here, "status").out
