"""Real sessions in the app: the largest and a sample of the others open, whole, and can be left again."""

from __future__ import annotations

from pathlib import Path

from recall_tui.tui.screens.reader import Reader
from recall_tui.workbench import Workbench
from tests.tui.piloting import AppMaker, settled


async def test_real_sessions_open_and_close(app_on: AppMaker, bare: Workbench, test_data: Path) -> None:
    for path in sorted((test_data / "transcripts").glob("*/*.jsonl")):
        bare.capture(path)
    rows = bare.rows
    assert len(rows) >= 40
    app = app_on(bare)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        largest = max(rows, key=lambda row: row.messages)
        for place, row in enumerate(reversed(rows)):
            if row == largest or place % 5 == 0:
                await pilot.press("enter")
                await settled(pilot)
                assert isinstance(app.screen, Reader), row
                assert app.screen.sub_title or app.screen.query("DocumentView"), row
                await pilot.press("end", "escape")
                await settled(pilot)
                assert not isinstance(app.screen, Reader), row
            await pilot.press("down")
