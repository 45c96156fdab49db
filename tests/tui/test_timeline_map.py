"""The timeline's year of days: keys and pointer take its cursor to a day, and the tree follows."""

from __future__ import annotations

from datetime import date

import pytest

from recall_tui.workbench import Workbench
from tests.tui.piloting import AppMaker, settled, toasts
from tests.tui.timelines import TODAY, opened, row_of, rows_of, screen_of, shown, where, with_a_past

pytestmark = pytest.mark.long

WIDE = (120, 36)


@pytest.fixture
def bench(sample: Workbench) -> Workbench:
    """The sample memory with a past."""
    return with_a_past(sample)


async def test_the_arrows_walk_the_map_and_the_tree_follows(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "shift+tab", "up")
        assert where(app) == "Thu 5 Mar 2026 · 1 session · 5 messages"
        assert row_of(app).startswith("▸ Thu 5 Mar") and "The staging keys moved." in shown(app)
        await pilot.press("left")
        await settled(pilot)
        assert where(app) == "Thu 26 Feb 2026 · nothing"
        assert "Nothing is recorded for this day." in shown(app) and row_of(app).startswith("▾ W09  23–28 Feb")
        await pilot.press("right", "down")
        await settled(pilot)
        assert where(app).startswith("Fri 6 Mar") and "February 2026" in rows_of(app)[-3]
        assert not any("W09" in row for row in rows_of(app)), "what was unfolded on the way is folded again"
        await pilot.press("right", "down")
        assert where(app).startswith("Fri 6 Mar"), "today is the last day"


async def test_letters_walk_the_map_as_well(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "shift+tab")
        for key, day in (("k", "Thu 5 Mar"), ("h", "Thu 26 Feb"), ("l", "Thu 5 Mar"), ("j", "Fri 6 Mar")):
            await pilot.press(key)
            assert where(app).startswith(day)


async def test_home_and_end_go_to_the_first_and_the_last_day_of_the_map(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "shift+tab", "home")
        first = min(day for day in screen_of(app).time_tree.timeline.days if day.year == 2026)
        assert screen_of(app).heat.cursor == first
        await pilot.press("end")
        assert screen_of(app).heat.cursor == TODAY


async def test_enter_on_the_map_goes_to_the_day_in_the_tree(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "shift+tab", "up", "enter")
        assert app.screen.focused is screen_of(app).time_tree and row_of(app).startswith("▸ Thu 5 Mar")


async def test_other_years_that_hold_something_are_gone_to(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "shift+tab", "<")
        heat = screen_of(app).heat
        assert heat.cursor == date(2024, 8, 25) and heat.border_title == "Feb 2024 – Mar 2025"
        assert row_of(app).startswith("▸ Sun 25 Aug")
        await pilot.press("<")
        assert toasts(app)[-1] == "No entries in any year before this one"
        for forth, back in ((">", "pageup"), ("pagedown", "<")):
            await pilot.press(forth)
            assert heat.border_title == "Mar 2025 – Mar 2026"
            await pilot.press(back)
            assert heat.border_title == "Feb 2024 – Mar 2025"


async def test_the_tree_goes_to_other_years_as_well(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "<")
        assert row_of(app).startswith("▸ Sun 25 Aug") and where(app).startswith("Sun 25 Aug 2024")
        await pilot.press("home")
        await settled(pilot)
        assert where(app).startswith("March 2026")


async def test_the_pointer_shows_a_day_and_a_click_goes_there(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        heat = screen_of(app).heat
        x = 2 + 4 + 2 * 52
        await pilot.hover(heat, offset=(x, 5))
        await settled(pilot)
        assert where(app) == "Thu 5 Mar 2026 · 1 session · 5 messages" and heat.cursor == TODAY
        await pilot.hover(screen_of(app).time_tree)
        await settled(pilot)
        assert where(app).startswith("Fri 6 Mar")
        await pilot.click(heat, offset=(x, 5))
        await settled(pilot)
        assert heat.cursor == date(2026, 3, 5) and row_of(app).startswith("▸ Thu 5 Mar")
        await pilot.click(heat, offset=(x, 5), times=2)
        await settled(pilot)
        assert app.screen.focused is screen_of(app).time_tree
