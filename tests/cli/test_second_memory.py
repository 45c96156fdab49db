"""A folder that has a memory: one of another layout never hides it, and a new one inside says what stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from tests import tmux
from tests.cli.conftest import Said, Stand
from tests.first_start import in_terminal
from tests.makers import tree

FACT = "The staging cluster is eu-west"
PAIRS = [(first, second) for first in LAYOUT_NAMES for second in LAYOUT_NAMES if first != second]


@pytest.fixture
def shop(environment: Environment) -> Path:
    """A project that nobody set anything up in."""
    folder = environment.home / "shop"
    (folder / ".git").mkdir(parents=True)
    return folder


def place_of(environment: Environment, shop: Path, layout: str) -> Path:
    """Where a person stands with a memory of the layout."""
    return environment.claude if layout == "user" else shop


def set_up(stand: Stand, place: Path, layout: str) -> None:
    """A memory that holds a fact."""
    assert stand(place, "init", "--layout", layout, "--no-install", "--yes").code == 0
    assert stand(place, "remember", FACT).code == 0
    # Two layouts of one base folder read the same MEMORY.md, but not the same day logs.
    assert stand(place, "log", FACT).code == 0


def assert_named(said: Said, layout: str) -> None:
    assert said.code == 3, said
    assert f"layout {layout}" in said.err and "continue with it: recall-tui init" in said.err


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_a_second_layout_never_hides_the_memory_that_is_there(
    environment: Environment, shop: Path, stand: Stand, first: str, second: str
) -> None:
    place = place_of(environment, shop, first)
    set_up(stand, place, first)
    before = tree(environment.home)
    if second == "user" and first != "user":
        # Another folder: nothing of the project's is hidden.
        assert stand(place, "init", "--layout", second, "--no-install", "--yes").code == 0
    else:
        for words in (["--yes"], ["--dry-run"], ["--json"]):
            assert_named(stand(place, "init", ".", "--layout", second, "--no-install", *words), first)
        assert tree(environment.home) == before
    found = stand(place, "search", "staging cluster")
    assert found.code == 0 and "eu-west" in found.out, found.err


@pytest.mark.parametrize(("first", "second"), [("entity", "project"), ("hierarchical", "project")])
def test_no_command_starts_a_second_layout_unasked(
    environment: Environment, shop: Path, stand: Stand, first: str, second: str
) -> None:
    set_up(stand, shop, first)
    before = tree(shop)
    assert_named(stand(shop, "remember", "--layout", second, "Another fact"), first)
    assert tree(shop) == before


@pytest.mark.parametrize("first", ["entity", "hierarchical"])
def test_who_wants_to_share_is_told_how(environment: Environment, shop: Path, stand: Stand, first: str) -> None:
    set_up(stand, shop, first)
    said = stand(shop, "init", ".", "--layout", "project", "--no-install")
    assert "~/shop/memory/.gitignore" in said.err and "would hide it" in said.err


def test_a_memory_in_which_nothing_was_written_says_so(shop: Path, stand: Stand) -> None:
    assert stand(shop, "init", "--layout", "entity", "--no-install").code == 0
    said = stand(shop, "init", ".", "--layout", "project", "--no-install")
    assert said.code == 3 and "nothing written yet" in said.err and "recall-tui undo" in said.err


def test_moving_the_first_away_makes_room_for_the_second(shop: Path, stand: Stand, tmp_path: Path) -> None:
    set_up(stand, shop, "entity")
    (tmp_path / "kept").mkdir()
    (shop / "memory").rename(tmp_path / "kept" / "memory")
    assert stand(shop, "init", ".", "--layout", "project", "--no-install").code == 0
    assert "eu-west" in stand(shop, "search", "staging cluster", "--root", str(tmp_path / "kept")).out


def test_a_memory_inside_a_project_with_one_says_which_stays(shop: Path, stand: Stand) -> None:
    set_up(stand, shop, "project")
    inner = shop / "lib"
    inner.mkdir()
    for words in (["--dry-run"], []):
        said = stand(inner, "init", ".", "--layout", "entity", "--no-install", *words)
        assert "the memory in ~/shop (layout project) stays as it is; in ~/shop/lib, this one is used" in said.err
    assert "stays as it is" not in stand(inner, "init", ".", "--no-install").err


def test_the_memory_of_all_projects_is_named_beside_a_projects(
    environment: Environment, shop: Path, stand: Stand
) -> None:
    set_up(stand, environment.claude, "user")
    said = stand(shop, "init", ".", "--no-install")
    assert "the memory in ~/.claude (layout user) stays as it is; in ~/shop, this one is used instead" in said.err


@pytest.mark.skipif(not tmux.is_installed(), reason="tmux is not installed")
def test_a_terminal_offers_to_go_on_with_the_first(environment: Environment, shop: Path, stand: Stand) -> None:
    set_up(stand, shop, "entity")
    with in_terminal(environment._replace(cwd=shop), (80, 60), "init", ".", "--layout", "project") as terminal:
        assert "holds a memory already" in terminal.wait_for("Continue with the memory that is there? [Y/n]")
        terminal.press("Enter")
        assert "layout entity" in terminal.wait_for("recall-tui opens it")
    assert not (shop / "_memory").exists()


def test_help_and_a_wrong_name_tell_what_a_layout_is_for(shop: Path, stand: Stand) -> None:
    shown = stand(shop, "init", "--help").out.partition("Layouts:")[2]
    for name in LAYOUT_NAMES:
        assert f"  {name} " in shown
    assert "a team's, in the project's _memory/" in shown
    assert "init --help" in stand(shop, "init", "--layout", "team").err
