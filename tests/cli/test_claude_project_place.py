"""Layout claude-project from the project: its folder leads to the memory in Claude Code's folder, and back."""

from __future__ import annotations

import json
from pathlib import Path
from time import monotonic, sleep

import pytest

from recall_tui.environment import Environment
from tests.cli.conftest import Stand
from tests.makers import tree, write_files
from tests.repositories import git, repository, session, with_git

pytestmark = with_git


@pytest.fixture
def project(environment: Environment) -> Path:
    """A repository with a second work tree beside it, and a folder inside."""
    made = repository(environment.home / "my.proj")
    git(made, "worktree", "add", "--quiet", str(environment.home / "fix"))
    (made / "src").mkdir()
    return made


def memory_of(environment: Environment, project: Path) -> Path:
    """Claude Code's folder for a project."""
    return environment.claude / "projects" / str(project).replace("/", "-").replace(".", "-").replace("_", "-")


@pytest.mark.long
@pytest.mark.parametrize("place", ["my.proj", "my.proj/src", "fix"])
def test_init_in_a_project_makes_the_memory_in_claudes_folder(
    environment: Environment, stand: Stand, project: Path, place: str
) -> None:
    before = tree(project)
    said = stand(environment.home / place, "init", "--layout", "claude-project", "--yes")
    root = memory_of(environment, project)
    assert said.code == 0 and f"{root}  (layout claude-project)" in said.out
    assert "it keeps only the sessions held in ~/my.proj" in said.err
    assert (root / "memory" / "MEMORY.md").is_file() and tree(project) == before
    for folder in (project, project / "src", environment.home / "fix"):
        shown = stand(folder, "status").out
        assert f"memory      {root}\n" in shown and "Claude Code's folder for " in shown
        if folder == project / "src":
            continue
        assert f"memory      {root}\n" in stand(environment.home, "status", "--root", str(folder)).out
        assert f"{root}  (layout claude-project)" in stand(folder, "init", "--yes", "--no-install").out
    assert stand(project, "recall", "words").code in (0, 1)
    assert stand(environment.home, "status").code == 1
    assert tree(project) == before


@pytest.mark.long
def test_a_session_of_any_work_tree_is_captured_and_found_from_the_project(
    environment: Environment, stand: Stand, project: Path
) -> None:
    stand(project, "init", "--layout", "claude-project")
    installed = stand(project, "install", "claude", "--yes")
    assert installed.code == 0, installed.err
    assert (project / ".claude" / "rules" / "recall-echo.md").is_file()
    for number, folder in enumerate((project, environment.home / "fix", project / "src"), 1):
        transcript = session(environment, "claude", number, folder, f"heron{number}")
        event = {
            "hook_event_name": "SessionEnd",
            "session_id": transcript.stem,
            "transcript_path": str(transcript),
            "cwd": str(folder),
        }
        stand(environment.home, "hook", stdin=json.dumps(event))
        assert transcript.stem in (memory_of(environment, project) / "memory" / "ARCHIVE.md").read_text(), folder
        # The hook leaves the index to a process of its own, which may still be at it.
        deadline = monotonic() + 60
        while f"heron{number}" not in stand(project, "search", "--ranked", f"heron{number}").out:
            assert monotonic() < deadline, folder
            sleep(0.2)


def test_transcripts_and_what_claude_remembers_make_no_memory(
    environment: Environment, stand: Stand, project: Path
) -> None:
    session(environment, "claude", 1, project, "heron")
    write_files(memory_of(environment, project), {"memory/MEMORY.md": "# Of Claude\n"})
    assert stand(project, "status").code == 1
    stand(environment.home, "init", str(environment.claude), "--no-install")
    assert f"memory      {environment.claude}\n" in stand(project, "status").out


def test_a_repository_below_the_project_does_not_lead_to_its_memory(
    environment: Environment, stand: Stand, project: Path
) -> None:
    stand(project, "init", "--layout", "claude-project")
    other = repository(project / "vendor")
    assert stand(other, "status").code == 1


def test_lessons_of_session_recall_are_a_memory_of_the_project(
    environment: Environment, stand: Stand, project: Path
) -> None:
    write_files(memory_of(environment, project), {"memory/sessions/2026-03-05.md": "# 2026-03-05\n\n- a lesson\n"})
    assert f"memory      {memory_of(environment, project)}\n" in stand(project / "src", "status").out


def test_a_memory_in_the_project_itself_is_nearer(environment: Environment, stand: Stand, project: Path) -> None:
    stand(project, "init", "--layout", "claude-project")
    stand(project, "init", str(project / "src"), "--layout", "project")
    assert f"memory      {project / 'src'}\n" in stand(project / "src", "status").out


@pytest.mark.long
@pytest.mark.parametrize("place", ["proj", "."])
@pytest.mark.parametrize("words", [("--layout", "user"), ("--target", "claude")])
def test_a_fresh_accounts_user_memory_is_made_in_the_agents_home(
    environment: Environment, stand: Stand, place: str, words: tuple[str, str]
) -> None:
    here = environment.home / place
    here.mkdir(exist_ok=True)
    said = stand(here, "init", *words, "--yes")
    assert said.code == 0 and f"{environment.claude}  (layout user)" in said.out, said.err
    assert f"hook --root {environment.claude}" in (environment.claude / "settings.json").read_text()
    assert {path.parts[0] for path in map(Path, tree(environment.home))} == {".claude", ".claude.json"}
    assert f"memory      {environment.claude}\n" in stand(here, "status").out
