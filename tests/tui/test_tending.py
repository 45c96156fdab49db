"""What the app does by itself: it says how far the index is, and never brings it up to date twice at once."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from recall_tui.index.refresh import Refreshed
from recall_tui.tui.widgets.archive_list import ArchiveList
from recall_tui.tui.widgets.top_bar import TopBar
from recall_tui.workbench import Workbench
from tests.tui.piloting import AppMaker, search, settled, until

WIDE = (120, 36)
LET_GO = threading.Event()
SYNCS: list[int] = []


class Gate(Workbench):
    """A workbench whose index stands at 41 of 100 until it is let go."""

    def sync(self, progress: Callable[[int, int], None] | None = None) -> Refreshed:
        SYNCS.append(1)
        assert progress is not None
        if not LET_GO.is_set():
            for done in (40, 40, 41):
                progress(done, 100)
            assert LET_GO.wait(30)
        return super().sync(progress)


@pytest.fixture
def gated(sample: Workbench) -> Workbench:
    """The sample memory, whose index waits."""
    LET_GO.clear()
    SYNCS.clear()
    return Gate(sample.store, sample.why)


async def test_the_bar_says_how_far_the_index_is(app_on: AppMaker, gated: Workbench) -> None:
    app = app_on(gated)
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: bool(app.busy))
        assert app.busy == "indexing 41 %"
        assert "◌ indexing 41 %" in app.screen.query_one(TopBar).render().plain
        LET_GO.set()
        await settled(pilot)
        assert app.busy == ""
        assert "healthy" in app.screen.query_one(TopBar).render().plain


async def test_nothing_found_while_indexing_says_that_more_is_to_come(app_on: AppMaker, gated: Workbench) -> None:
    app = app_on(gated)
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: bool(app.busy))
        await pilot.press("slash", "j", "w", "t")
        archive = app.screen.query_one(ArchiveList)
        await until(pilot, lambda: archive.is_answering)
        assert "Nothing is indexed yet" in archive.empty.plain
        assert "the question is asked again when it is" in archive.empty.plain
        LET_GO.set()
        await settled(pilot)
        assert archive.items, "it was asked again"


async def test_a_refresh_that_is_asked_for_meanwhile_follows_when_the_first_is_done(
    app_on: AppMaker, gated: Workbench
) -> None:
    app = app_on(gated)
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: bool(SYNCS))
        await pilot.press("r", "r", "r")
        await pilot.pause()
        assert len(SYNCS) == 1
        LET_GO.set()
        await settled(pilot)
        assert len(SYNCS) == 2
        await search(pilot, "jwt")
        assert app.screen.query_one(ArchiveList).items
