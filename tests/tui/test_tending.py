"""What the app does by itself ends with the app."""

from __future__ import annotations

import asyncio

from recall_tui.storage.lock import held
from recall_tui.workbench import Workbench
from tests.bench import corpus
from tests.tui.piloting import STEPS, AppMaker

PATIENCE_SECONDS = 60.0


async def test_an_index_in_the_making_stops_when_the_app_is_left(app_on: AppMaker, bare: Workbench) -> None:
    sources = 8
    corpus.write(bare.store.places.home, 6000, sources, 1, corpus.made_up_language(1), lambda _: None)
    writes = bare.index.passages_path / "speech" / ".tantivy-writer.lock"
    async with app_on(bare).run_test(size=(120, 36)):
        for _ in range(STEPS):
            if writes.exists():
                break
            await asyncio.sleep(0.005)
    with held(bare.index.lock_path, "test", PATIENCE_SECONDS):
        covered = bare.index.totals(bare.store)
    assert 0 < covered.passages < 6000 and covered.sources < sources
    assert not bare.sync().is_cancelled and bare.index.totals(bare.store).sources > sources
