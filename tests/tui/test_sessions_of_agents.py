"""A session of every agent opens in the app at its own words."""

from __future__ import annotations

import pytest

from recall_tui.domain import Conversation
from recall_tui.transcripts.registry import discover_all, read_transcript
from recall_tui.tui.document_pointer import DocumentPointer
from recall_tui.tui.screens.reader.screen import ReaderScreen
from recall_tui.workbench import Workbench
from tests.transcripts.agent_samples import NEEDS_SAMPLES, READ, WORKED_IN, copied_home
from tests.tui.piloting import AppMaker, settled, shown

pytestmark = [NEEDS_SAMPLES, pytest.mark.long]


@pytest.mark.parametrize("agent", READ)
async def test_a_session_opens(app_on: AppMaker, bare: Workbench, agent: str) -> None:
    environment = bare.store.environment
    copied_home(agent, environment.home, str(environment.cwd))
    sessions = {}
    for file in discover_all(environment._replace(cwd=environment.home / WORKED_IN)):
        read = read_transcript(file.path)
        if isinstance(read, Conversation):
            bare.capture(file.path)
            sessions[file.session_id] = next(one.text for one in read.messages() if one.kind == "prompt")
    assert sessions
    app = app_on(bare)
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        for id, prompt in sessions.items():
            app.push_screen(reader := ReaderScreen(bare, DocumentPointer(id, ""), None))
            await settled(pilot)
            assert any(prompt.split()[0] in line for line in shown(reader)), shown(reader)
            await pilot.press("escape")
            await settled(pilot)
