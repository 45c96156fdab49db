"""Text from disk is data: nothing in it steers the terminal or breaks the app."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.domain import Hit, IndexRow
from recall_tui.paths import Places
from recall_tui.storage.layout import Found, layout_at
from recall_tui.tui import demo
from recall_tui.tui.app import RecallApp
from recall_tui.tui.lines import hit_line, index_line
from recall_tui.tui.text import clean, excerpt, lit, one_line, pattern_of, plain
from recall_tui.workbench import Workbench
from tests.tui.piloting import AppMaker, settled, typed

NAME = "[/x] [b"
NASTY = "[/] [b]bold[/b] [@click=app.quit]x[/] \x1b[31mred\x1b[0m \x1b]52;c;aGk=\x07 \u202eabc\u202c \x9b2J İstanbul ẞ 日本語 👩‍👩‍👧 \ud800 $accent {x}"


@pytest.fixture
def hostile(tmp_path: Path) -> Workbench:
    """A memory that means no good."""
    return hostile_memory(tmp_path / "home")


def hostile_memory(home: Path) -> Workbench:
    """A memory with markup, escapes and marks of direction in every field."""
    root = home / NAME
    places = Places(home=home, cwd=home, env={"RECALL_STATE": str(home / "state"), "HOME": str(home)})
    layout = layout_at(root, "entity")
    folder = layout.archives[0].folder
    folder.mkdir(parents=True)
    nasty = NASTY.encode("utf-8", "replace") + b" \xff\xfe"
    layout.memory_file.write_bytes(b"# Memory\n\n## " + nasty + b"\n\n" + nasty + b"\n")
    row = b"| 001 | 2026-03-05 | [/s] | [/t] [red], \x1b[2J, " + "\u202eevil".encode() + b" | 3 | [/d] |\n"
    head = (
        b"# Conversation Archive\n\n| # | Date | Session | Topics | Messages | Duration |\n|---|---|---|---|---|---|\n"
    )
    layout.rows.write_bytes(head + row)
    entry = (
        b"## Session [/s] \xe2\x80\x94 2026-03-05 09:14:03 UTC\n**Duration**: ~[/d] | **Messages**: 3 | **Archive**: conversation-001.md\n**Summary**: "
        + nasty
        + b"\n"
    )
    layout.window.write_bytes(entry)
    body = (
        b'---\nlog: 1\ndate: "2026-03-05T09:14:03Z"\nsession_id: "[/s]"\ntitle: "[/t]"\n---\n\n## Summary\n\n' + nasty
    )
    body += (
        b"\n\n# Conversation 001\n\n### User\n\n> "
        + nasty
        + b"\n\n- [ ] "
        + nasty
        + b"\n\n```\n"
        + nasty
        + b"\n```\n\n| a | "
        + nasty
        + b" |\n|---|---|\n\n[link](javascript:x) ![i](y) <b>h</b>\n"
    )
    (folder / "conversation-001.md").write_bytes(body)
    return Workbench.at(Found(layout, "made"), places, demo.now)


async def _whole_screen(app: RecallApp) -> str:
    return app.export_screenshot()


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
    async with app.run_test(size=(80, 24)) as pilot:
        app.say(NASTY)
        await settled(pilot)
        assert "[/]" in app.export_screenshot().replace("&#91;", "[").replace("&#93;", "]")


def test_plain_keeps_brackets_and_drops_what_a_terminal_obeys() -> None:
    assert plain("[/x] [b\x1b[31m\u202e").plain == "[/x] [b"
    assert clean("a\x07b") == "ab"
    assert one_line(" a\n\tb ") == "a b"


def test_rows_of_any_text_fit_their_width() -> None:
    row = IndexRow(1, "2026-03-05", "s", ("日本語" * 40, NASTY), 3, "9" * 50)
    hit = Hit("i", "x.md", NASTY, "raw", NASTY, 1.0, NASTY * 9, (1, 2))
    for width in (28, 46, 80):
        assert hit_line(hit, pattern_of(["bold"]), None, width).cell_length <= width
        index_line(row, width)


def test_words_are_lit_where_they_stand_although_letters_change_their_length() -> None:
    content = lit(plain("İİİ ẞß jwt"), pattern_of(["jwt"]))
    assert [content.plain[span.start : span.end] for span in content.spans] == ["jwt"]


def test_an_excerpt_shows_the_first_match() -> None:
    text = "word " * 100 + "needle " + "word " * 100
    assert "needle" in excerpt(text, pattern_of(["needle"]), 40)
    assert len(excerpt(text, pattern_of(["needle"]), 40)) <= 40
