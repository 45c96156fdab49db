"""What is not memory stays out of commits where the whole home is a repository, such as one of dotfiles."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.environment import Places
from tests.cli.conftest import Recall
from tests.hooks import called, said
from tests.processes import Machine
from tests.repositories import git, repository, session, uncommitted, with_git

WORD = "ZEBRAWORD"
USUAL = ".local/state/recall-tui"


def at_home(places: Places, state: str) -> Places:
    """The places with a state folder in the home, which is a repository."""
    repository(places.home)
    return Places(places.home, places.home, {"HOME": str(places.home), "RECALL_STATE": str(places.home / state)})


@with_git
@pytest.mark.parametrize("state", [USUAL, "own/state"])
def test_no_file_of_the_state_is_staged_with_a_home(places: Places, state: str) -> None:
    places = at_home(places, state)
    root = places.claude
    file = session(places, "claude", 1, places.home / "work", WORD)
    machine = Machine(places, root)
    assert machine.run("init", "--no-install").code == 0
    called(machine, said("SessionStart", file.stem, file, source="startup", cwd=str(places.home)))
    called(machine, said("SessionEnd", file.stem, file, cwd=str(places.home)))
    assert machine.run("search", WORD).code == 0
    assert any(places.state.rglob("*.jsonl"))
    git(places.home, "add", "-A")
    staged = git(places.home, "diff", "--cached", "--name-only").splitlines()
    inside = places.state.relative_to(places.home).as_posix()
    assert [name for name in staged if name.startswith(inside)] == []


@with_git
def test_what_hooks_write_down_where_there_is_no_memory_is_not_staged(places: Places) -> None:
    places = at_home(places, USUAL)
    called(Machine(places, places.home), said("SessionEnd", "00000000-1", cwd=str(places.home)))
    assert (places.state / "hooks.jsonl").is_file()
    assert not {name for name in uncommitted(places.home) if "recall-tui" in name}


def test_a_state_that_there_was_before_is_kept_out_too(places: Places, recall: Recall) -> None:
    root = places.home / "own"
    assert recall("init", root).code == 0
    file = Path(places.env["RECALL_STATE"]) / ".gitignore"
    assert file.read_text().endswith("\n*\n")
    file.unlink()
    assert recall("--root", root, "catch-up").code == 0
    assert file.read_text().endswith("\n*\n")
    file.write_text("own\n")
    assert recall("--root", root, "catch-up").code == 0
    assert file.read_text() == "own\n"
