"""What is not memory stays out of commits where the whole home is a repository, such as one of dotfiles."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.environment import Environment
from tests.cli.conftest import Recall
from tests.hooks import called, said
from tests.processes import Machine
from tests.repositories import git, repository, session, uncommitted, with_git

WORD = "ZEBRAWORD"
USUAL = ".local/state/recall-tui"


def at_home(environment: Environment, state: str) -> Environment:
    """The places with a state folder in the home, which is a repository."""
    repository(environment.home)
    return Environment(
        environment.home,
        environment.home,
        {"HOME": str(environment.home), "RECALL_STATE": str(environment.home / state)},
    )


@pytest.mark.long
@with_git
@pytest.mark.parametrize("state", [USUAL, "own/state"])
def test_no_file_of_the_state_is_staged_with_a_home(environment: Environment, state: str) -> None:
    environment = at_home(environment, state)
    root = environment.claude
    file = session(environment, "claude", 1, environment.home / "work", WORD)
    machine = Machine(environment, root)
    assert machine.run("init", "--no-install").code == 0
    called(machine, said("SessionStart", file.stem, file, source="startup", cwd=str(environment.home)))
    called(machine, said("SessionEnd", file.stem, file, cwd=str(environment.home)))
    assert machine.run("search", WORD).code == 0
    assert any(environment.state.rglob("*.jsonl"))
    git(environment.home, "add", "-A")
    staged = git(environment.home, "diff", "--cached", "--name-only").splitlines()
    inside = environment.state.relative_to(environment.home).as_posix()
    assert [name for name in staged if name.startswith(inside)] == []


@with_git
def test_what_hooks_write_down_where_there_is_no_memory_is_not_staged(environment: Environment) -> None:
    environment = at_home(environment, USUAL)
    called(Machine(environment, environment.home), said("SessionEnd", "00000000-1", cwd=str(environment.home)))
    assert (environment.state / "hooks.jsonl").is_file()
    assert not {name for name in uncommitted(environment.home) if "recall-tui" in name}


def test_a_state_that_there_was_before_is_kept_out_too(environment: Environment, recall: Recall) -> None:
    root = environment.home / "own"
    assert recall("init", root).code == 0
    file = Path(environment.env["RECALL_STATE"]) / ".gitignore"
    assert file.read_text().endswith("\n*\n")
    file.unlink()
    assert recall("--root", root, "catch-up").code == 0
    assert file.read_text().endswith("\n*\n")
    file.write_text("own\n")
    assert recall("--root", root, "catch-up").code == 0
    assert file.read_text() == "own\n"
