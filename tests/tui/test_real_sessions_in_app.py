"""Real sessions in the app: the largest and a sample of the others open, whole or at what was found in them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from recall_tui.tui.document_pointer import find_snippet_line
from recall_tui.tui.screens.reader.screen import ReaderScreen
from recall_tui.workbench import Workbench
from tests.tui.piloting import AppMaker, settled

pytestmark = pytest.mark.long


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
                assert isinstance(app.screen, ReaderScreen), row
                assert app.screen.sub_title or app.screen.query("DocumentView"), row
                await pilot.press("end", "escape")
                await settled(pilot)
                assert not isinstance(app.screen, ReaderScreen), row
            await pilot.press("down")


QUESTIONS = ("linter warnings", "failing integration test", "merge the branch", "session state file", "read the spec")


async def test_hits_in_real_transcripts_open_at_their_passage(
    app_on: AppMaker, bare: Workbench, test_data: Path
) -> None:
    for path in sorted((test_data / "transcripts").glob("*/*.jsonl")):
        folder = bare.store.environment.claude / "projects" / path.parent.name
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, folder / path.name)
    bare.sync()
    app = app_on(bare)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        opened = 0
        for question in QUESTIONS:
            hits = bare.search(question, passages=True, limit=12, sync=False).hits
            for hit in hits[::4]:
                app.push_screen(reader := ReaderScreen(bare, hit, None))
                await settled(pilot)
                page = reader.page
                rows = [page.render_line(y).text for y in range(page.scrollable_content_region.height)]
                assert page.passage is not None, hit
                assert any(row.startswith("▎") for row in rows), hit
                assert find_snippet_line(rows, hit.snippet) is not None, (hit, rows)
                await pilot.press("escape")
                opened += 1
        assert opened >= 12
