"""A key that does nothing says why, wherever it is asked: by itself, in the footer, in the palette."""

from __future__ import annotations

import pytest

from recall_tui.tui.app import RecallApp
from recall_tui.tui.keys.keymap import ExplainsDisabledKeys, disabled_key_reason
from recall_tui.tui.screens.reader.screen import ReaderScreen
from recall_tui.tui.widgets.footer import KeyFooter
from recall_tui.tui.widgets.row_list import NO_ROW
from recall_tui.workbench import Workbench
from tests.tui.piloting import AppMaker, footer_of, pressed, search, settled, toasts, typed

SIZE = (120, 36)


@pytest.mark.long
@pytest.mark.parametrize(
    ("keys", "words"),
    [
        (("y",), NO_ROW),
        (("o",), NO_ROW),
        (("enter",), NO_ROW),
        (("slash", "ctrl+s"), "The search is empty"),
        (("ctrl+r", "ctrl+s"), "No search is selected"),
        (("ctrl+r", "ctrl+z"), "Nothing was removed"),
        (("ctrl+r", "enter"), "No search is selected"),
        (("2", "e"), NO_ROW),
        (("2", "A"), "No suggestion is marked safe"),
        (("6", "A"), "No ended session waits to be archived"),
        (("6", "tab", "tab", "a"), NO_ROW),
        (("7", "down", "backspace"), "inject.tokens is not set in the file"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
async def test_a_key_of_a_memory_with_nothing_in_it(
    app_on: AppMaker, bare: Workbench, keys: tuple[str, ...], words: str
) -> None:
    app = app_on(bare)
    async with app.run_test(size=SIZE) as pilot:
        await pressed(pilot, *keys)
        assert toasts(app) == [words]


@pytest.mark.long
async def test_a_key_of_the_reader(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=SIZE) as pilot:
        await pressed(pilot, "enter", "R")
        assert isinstance(demo_app.screen, ReaderScreen)
        assert toasts(demo_app)[-1].startswith("Not resumed: ")
        assert "Resume" in footer_of(demo_app), "it is dim, not gone"
        dim = [key.description for key in demo_app.screen.query_one(KeyFooter).keys if not key.is_enabled]
        assert dim == ["Resume"]


@pytest.mark.long
async def test_a_dim_key_is_clicked_in_the_footer(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=SIZE) as pilot:
        await pressed(pilot, "enter")
        line = demo_app.screen.query_one(KeyFooter)
        key = next(key for key in line.keys if key.description == "Resume")
        await pilot.click(line, offset=(line.gutter.left + key.start + 1, 0))
        await settled(pilot)
        assert [words.startswith("Not resumed: ") for words in toasts(demo_app)] == [True]


@pytest.mark.long
async def test_a_dim_command_of_the_palette(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=SIZE) as pilot:
        await pressed(pilot, "enter", "ctrl+p")
        await typed(pilot, "resume this session")
        await settled(pilot)
        await pressed(pilot, "enter")
        assert toasts(demo_app)[-1].startswith("Not resumed: ")


@pytest.mark.long
async def test_a_key_that_works_says_nothing_of_it(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=SIZE) as pilot:
        await pressed(pilot, "down", "up", "2", "down", "7", "1", "z")
        assert toasts(demo_app) == []


@pytest.mark.long
async def test_letters_of_a_question_are_no_keys(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=SIZE) as pilot:
        await search(pilot, "nothing is like this at all zzzz")
        await pressed(pilot, "m", "y")
        assert toasts(demo_app) == []


@pytest.mark.long
async def test_every_disabled_key_of_every_screen_has_a_reason(app_on: AppMaker, bare: Workbench) -> None:
    app = app_on(bare)
    async with app.run_test(size=SIZE) as pilot:
        for screen in ("1", "2", "6", "7"):
            await pressed(pilot, screen)
            for key, active in app.screen.active_bindings.items():
                if isinstance(active.node, ExplainsDisabledKeys) and not active.enabled:
                    assert disabled_key_reason(app.screen, key), f"{screen}: {key}"
