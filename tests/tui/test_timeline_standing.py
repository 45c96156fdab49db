"""Timeline: which weeks and months are due, behind or in review, and the key that proposes one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from recall_tui.features.consolidation.periods import plan_pages, week_results
from recall_tui.features.consolidation.timeline import propose_period
from recall_tui.storage.state import proposals
from recall_tui.storage.state.proposals import DocumentChange, Proposal
from recall_tui.tui.screens.review.screen import Review
from recall_tui.workbench import Workbench
from tests.days import write_days
from tests.tui.hostile import NAME, NASTY
from tests.tui.piloting import AppMaker, footer_of, settled, toasts
from tests.tui.timelines import gone_to, opened, row_of, rows_of, screen_of, shown

SIZES = [(80, 24), (120, 36)]
WIDE = SIZES[1]
Snap = Callable[..., bool]


def with_weeks(sample: Workbench) -> Workbench:
    """The sample memory with logs of two months: some weeks have pages, one is behind, one in review, one is due."""
    layout = sample.layout
    layout.days.mkdir(parents=True, exist_ok=True)
    write_days(sample.store, date(2026, 1, 5), 56)
    sample.apply(
        lambda store: plan_pages(store, tuple(one for one in week_results(store) if one.period.key < "2026-W08"))
    )
    path = layout.days / "2026-02-11.md"
    path.write_text(path.read_text() + "\n- A late entry.\n", encoding="utf-8")
    propose_period(sample.store, "2026-W08")
    return sample


def with_nasty_weeks(sample: Workbench) -> Workbench:
    """Logs, a page and a proposal that mean no good."""
    layout = sample.layout
    layout.days.mkdir(parents=True, exist_ok=True)
    layout.weekly.mkdir(parents=True)
    for day in (9, 10, 11):
        (layout.days / f"2026-02-{day:02d}.md").write_bytes(NASTY.encode("utf-8", "replace") + b" \xff\n")
    (layout.weekly / "2026-W06.md").write_text(f"---\npointers: [{NAME}]\n---\n{NAME}\n", encoding="utf-8")
    change = (DocumentChange("memory/weekly/2026-W05.md", NAME + "\n"),)
    proposals.save(sample.store, Proposal("weekly", "2026-W05", f"{NAME} 2026-W05", "", change))
    proposals.save(sample.store, Proposal("weekly", NAME, NAME, "", change))
    return sample


@pytest.fixture
def bench(sample: Workbench) -> Workbench:
    return with_weeks(sample)


@pytest.mark.long
async def test_rows_say_what_is_to_be_done_and_the_border_how_much(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await gone_to(pilot, "2026-02-17")
        rows = {row.split()[1]: row for row in rows_of(app)}
        assert "▲ due" in rows["W09"] and "◆" not in rows["W09"]
        assert "● review" in rows["W08"]
        assert "▲ behind" in rows["W07"]
        assert "◆ weekly" in rows["W06"] and "▲" not in rows["W06"]
        border = str(screen_of(app).time_tree.border_subtitle)
        assert border.endswith("▲ 4 due · ● 1 in review"), border


@pytest.mark.long
async def test_w_proposes_the_week_under_the_cursor_and_review_shows_it(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await gone_to(pilot, "2026-02-24")
        assert "Write" not in footer_of(app)
        await pilot.press("h")
        await settled(pilot)
        assert row_of(app).startswith("▾ W09") and "can be proposed now" in shown(app)
        assert "Write" in footer_of(app)
        await pilot.press("w")
        await settled(pilot)
        assert "● review" in row_of(app) and "waits in Review" in shown(app)
        assert "In Review: Write week 2026-W09   5 opens it" in toasts(app)
        assert not (bench.layout.weekly / "2026-W09.md").exists()
        await pilot.press("w")
        await settled(pilot)
        assert "Its page is in Review already" in toasts(app)[-1]
        await pilot.press("5")
        await settled(pilot)
        assert isinstance(app.screen, Review)
        assert "Write week 2026-W09" in [one.title for one in proposals.list_open(bench.store)]


@pytest.mark.long
async def test_a_page_that_is_behind_is_proposed_anew_and_a_day_is_not(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await gone_to(pilot, "2026-02-11")
        await pilot.press("w")
        await settled(pilot)
        assert toasts(app)[-1] == "Select a week or a month first"
        await pilot.press("h", "w")
        await settled(pilot)
        assert "Rewrite week 2026-W07" in toasts(app)[-1]


@pytest.mark.long
async def test_a_month_is_due_as_soon_as_its_weeks_have_pages(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await gone_to(pilot, "2026-01")
        assert "▲ due" in row_of(app)
        await pilot.press("w")
        await settled(pilot)
        assert "● review" in row_of(app)


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES, ids=["80x24", "120x36"])
@pytest.mark.parametrize("state", ["full", "hostile"])
def test_it_looks_as_it_should(
    snap_compare: Snap, sample: Workbench, app_on: AppMaker, size: tuple[int, int], state: str
) -> None:
    bench = (with_weeks if state == "full" else with_nasty_weeks)(sample)
    app = app_on(bench)

    async def go_there(pilot: Any) -> None:
        await opened(pilot)
        await gone_to(pilot, "2026-02-24" if state == "full" else "2026-02-10")
        await pilot.press("h")
        await settled(pilot)
        app.clear_notifications()
        await settled(pilot)

    assert snap_compare(app, terminal_size=size, run_before=go_there)


def test_a_memory_without_days_has_nothing_to_do(bare: Workbench) -> None:
    from recall_tui.features.consolidation.timeline import load_timeline

    found = load_timeline(bare.store, bare.archive)
    assert found.standing("due", "behind", "waits") == 0 and not Path(bare.layout.weekly).exists()
