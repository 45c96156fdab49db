"""Text from disk is data: nothing in it steers the terminal or breaks the app."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.domain import Hit, IndexRow
from recall_tui.text.session_line import fit_columns
from recall_tui.tui.app import RecallApp
from recall_tui.tui.text import highlight, match_excerpt, plain_line, plain_text, strip_controls, word_pattern
from recall_tui.tui.widgets.session_row import EDGE_CELLS, hit_row, label_row, session_row
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.tui.hostile import NASTY, hostile_memory
from tests.tui.piloting import AppMaker, settled, typed, until


@pytest.fixture
def hostile(tmp_path: Path) -> Workbench:
    """A memory that means no good."""
    return hostile_memory(tmp_path / "home")


async def _whole_screen(app: RecallApp) -> str:
    return app.export_screenshot()


@pytest.mark.long
@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_no_screen_is_broken_by_it(app_on: AppMaker, hostile: Workbench, size: tuple[int, int]) -> None:
    app = app_on(hostile)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        svg = await _whole_screen(app)
        assert "\x1b" not in svg and "\u202e" not in svg
        await pilot.press("tab", "tab", "enter")
        await settled(pilot)
        await pilot.press("question_mark", "escape", "escape")
        await settled(pilot)
        await pilot.press("y", "ctrl+o", "escape", "ctrl+p", "escape", "slash")
        await typed(pilot, "bold[/x]")
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
        assert "\x1b" not in await _whole_screen(app)
        assert "\x1b" not in app.clipboard


async def test_a_toast_is_not_markup(app_on: AppMaker, hostile: Workbench) -> None:
    app = app_on(hostile)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settled(pilot)
        app.say(NASTY)

        def is_shown() -> bool:
            return "[b]bold[/b]" in "".join(strip.text for strip in app.screen._compositor.render_strips())

        await until(pilot, is_shown)


def test_plain_keeps_brackets_and_drops_what_a_terminal_obeys() -> None:
    assert plain_text("[/x] [b\x1b[31m\u202e").plain == "[/x] [b"
    assert strip_controls("a\x07b") == "ab"
    assert plain_line(" a\n\tb ") == "a b"


def test_rows_of_any_text_fit_their_width() -> None:
    row = IndexRow(1, "2026-03-05", "s", ("日本語" * 40, NASTY), 3, "9" * 50)
    hit = Hit("i", "x.md", NASTY, "raw", NASTY, 1.0, NASTY * 9, (1, 2))
    for width in (28, 46, 80):
        columns = fit_columns(width - EDGE_CELLS)
        assert hit_row(hit, columns, NOON, word_pattern(["bold"])).cell_length <= max(width, EDGE_CELLS)
        assert session_row(label_row(row), columns, NOON).cell_length <= max(width, EDGE_CELLS)


def test_words_are_lit_where_they_stand_although_letters_change_their_length() -> None:
    content = highlight(plain_text("İİİ ẞß jwt"), word_pattern(["jwt"]))
    assert [content.plain[span.start : span.end] for span in content.spans] == ["jwt"]


def test_an_excerpt_shows_the_first_match() -> None:
    text = "word " * 100 + "needle " + "word " * 100
    assert "needle" in match_excerpt(text, word_pattern(["needle"]), 40)
    assert len(match_excerpt(text, word_pattern(["needle"]), 40)) <= 40
