"""What the app does by itself: it says how far the index is, updates it once at a time, and stops when it is left."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from recall_tui.index.build_progress import BuildProgress
from recall_tui.index.ingest.refresh import RefreshResult
from recall_tui.index.opener import Index
from recall_tui.storage.files.lock import acquire
from recall_tui.tui.screens.home.archive_list import ArchiveList
from recall_tui.tui.widgets.top_bar import TopBar
from recall_tui.workbench import Workbench
from tests.qa.bench import corpus
from tests.tui.piloting import STEPS, AppMaker, search, settled, until

WIDE = (120, 36)
PATIENCE_SECONDS = 60.0
LET_GO = threading.Event()
SYNCS: list[int] = []


class Gate(Workbench):
    """A workbench whose index stands at 41 of 100 until it is let go."""

    def sync(self, progress: Callable[[int, int], None] | None = None, **options: Any) -> RefreshResult:
        SYNCS.append(1)
        assert progress is not None
        if not LET_GO.is_set():
            for done in (40, 40, 41):
                progress(done, 100)
            assert LET_GO.wait(30)
        return super().sync(progress, **options)


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


async def test_what_is_committed_meanwhile_is_found_and_its_extent_told(
    app_on: AppMaker, gated: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached = int((gated.store.now() - timedelta(weeks=3)).timestamp())
    monkeypatch.setattr(Index, "build_progress", lambda _: BuildProgress(41, 100, reached))
    app = app_on(gated)
    changes: list[None] = []
    publish = app.index_changed.publish
    monkeypatch.setattr(app.index_changed, "publish", lambda data: (changes.append(data), publish(data)))
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: "weeks" in app.busy)
        assert app.busy == "indexing 41 % · newest 3 weeks searchable"
        assert len(changes) == 1, "published once for what was committed once"
        await pilot.resize_terminal(80, 36)
        await pilot.pause()
        assert "◌ 41 %" in app.screen.query_one(TopBar).render().plain
        LET_GO.set()
        await settled(pilot)
        assert len(changes) == 2


@pytest.mark.long
async def test_nothing_found_while_indexing_says_that_more_is_to_come(app_on: AppMaker, gated: Workbench) -> None:
    app = app_on(gated)
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: bool(app.busy))
        await pilot.press("slash", "j", "w", "t")
        archive = app.screen.query_one(ArchiveList)
        await until(pilot, lambda: archive.is_answering)
        assert "Nothing is indexed yet" in archive.empty.plain
        assert "the search repeats when it is done" in archive.empty.plain
        LET_GO.set()
        await settled(pilot)
        assert archive.items, "it was asked again"


@pytest.mark.long
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


@pytest.mark.long
async def test_an_index_in_the_making_stops_when_the_app_is_left(app_on: AppMaker, bare: Workbench) -> None:
    sources = 8
    corpus.write(bare.store.environment.home, 6000, sources, 1, corpus.made_up_language(1), lambda _: None)
    writes = bare.index.passages_path / "speech" / ".tantivy-writer.lock"
    async with app_on(bare).run_test(size=WIDE):
        for _ in range(STEPS):
            if writes.exists():
                break
            await asyncio.sleep(0.005)
    with acquire(bare.index.lock_path, "test", PATIENCE_SECONDS):
        covered = bare.index.totals(bare.store)
    assert 0 < covered.passages < 6000 and covered.sources < sources
    assert not bare.sync().is_cancelled and bare.index.totals(bare.store).sources > sources
