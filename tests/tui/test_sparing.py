"""What was drawn of a widget goes with it, and caches hold no more than a screen asks for.

The caches are private to Textual, and nothing else shows how much they hold.
"""

from __future__ import annotations

import gc
import weakref

import pytest
from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual.css.scalar import Scalar
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widgets import Static

from recall_tui.tui.runtime import textual_repairs
from recall_tui.tui.screens.key_help import KeyHelp
from recall_tui.tui.widgets.preview import PreviewView
from recall_tui.workbench import Workbench
from tests.tui.piloting import AppMaker, settled


@pytest.mark.long
async def test_what_was_drawn_of_a_widget_goes_with_it(app_on: AppMaker, sample: Workbench) -> None:
    app = app_on(sample)
    async with app.run_test() as pilot:
        await settled(pilot)
        await pilot.press("question_mark")
        await settled(pilot)
        assert isinstance(app.screen, KeyHelp)
        drawn = [weakref.ref(widget._styles_cache) for widget in app.screen.query("*")]
        assert any(one()._cache for one in drawn)
        await pilot.press("escape", "2", "1")
        await settled(pilot)
        gc.collect()
        assert not any(one() for one in drawn)


async def test_what_was_asked_once_of_a_style_is_not_kept_for_long(app_on: AppMaker, sample: Workbench) -> None:
    async with app_on(sample).run_test():
        for column in range(2 * textual_repairs.MAX_CACHED_CELLS):
            style = Style.from_meta({"offset": (column, 0)}) + Style(bold=True)
            assert Strip.render_ansi(style, ColorSystem.TRUECOLOR) == "1"
            assert [part.text for part in Segment("日本 two", style).split_cells(4)] == ["日本", " two"]
        for cached in (Strip.render_ansi, Segment._split_cells):
            assert cached.cache_info().currsize == textual_repairs.MAX_CACHED_CELLS  # type: ignore[attr-defined]


async def test_what_was_asked_of_places_and_sizes_is_not_kept_for_long(app_on: AppMaker, sample: Workbench) -> None:
    async with app_on(sample).run_test():
        screen, half = Region(0, 0, 160, 50), Scalar.parse("50%")
        for row in range(2 * textual_repairs.MAX_CACHED_REGIONS):
            assert screen.intersection(Region(0, row, 9, 20)).height == max(0, min(20, 50 - row))
            assert half.resolve(Size(2 * row, 1), Size(160, 50)) == row
        for cached in (Region.intersection, Scalar.resolve):
            assert cached.cache_info().currsize == textual_repairs.MAX_CACHED_REGIONS  # type: ignore[attr-defined]


async def test_what_was_found_before_a_change_is_not_kept_for_long(app_on: AppMaker, sample: Workbench) -> None:
    app = app_on(sample)
    async with app.run_test() as pilot:
        await settled(pilot)
        for _ in range(2 * textual_repairs.MAX_CACHED_QUERIES):
            more = Static()
            await app.screen.mount(more)
            assert app.screen.query_one(PreviewView).is_attached
            await more.remove()
        assert len(app.screen._query_one_cache) == textual_repairs.MAX_CACHED_QUERIES
