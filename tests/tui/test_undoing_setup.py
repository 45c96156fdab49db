"""`u` again and again: what removes the memory or an agent's hooks is asked about first, by its name."""

from __future__ import annotations

from textual.widgets import Static

from recall_tui.features.curation.remember import remember
from recall_tui.tui.app import CHOOSE_AGAIN
from recall_tui.tui.screens.home.screen import Home
from recall_tui.tui.screens.reversal_modal import ReversalModal
from recall_tui.workbench import Workbench
from tests.tui.piloting import AppMaker, pressed, settled


async def test_undo_asks_before_it_removes_the_memory(app_on: AppMaker, bare: Workbench) -> None:
    bare.apply(remember, "A fact")
    app = app_on(bare)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pressed(pilot, "u")
        await settled(pilot)
        assert isinstance(app.screen, Home)
        for key in ("escape", "enter"):
            await pressed(pilot, "u")
            await settled(pilot)
            assert isinstance(app.screen, ReversalModal)
            assert "This removes the memory in ~/agent/memory." in str(
                app.screen.query_one("#said Static", Static).content
            )
            assert bare.layout.memory_file.exists()
            await pressed(pilot, key)
            await settled(pilot)
    assert app.return_value == CHOOSE_AGAIN and not bare.layout.base.exists()
