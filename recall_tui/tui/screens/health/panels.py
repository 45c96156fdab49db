"""The panels of the health screen: each part is looked at in the background and shown in its own.

Where there is little room the panel with the focus takes it, and of the others the first rows are seen. Nothing is
changed here; while another screen is shown nothing is looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.message import Message

from recall_tui.domain import HealthReport
from recall_tui.tui import messages
from recall_tui.tui.page import Page
from recall_tui.tui.runtime.background_tasks import BUSY_AFTER
from recall_tui.tui.screens.health.agents_view import of_agents, of_injection
from recall_tui.tui.screens.health.health_list import AgentList, CaptureList, StateList
from recall_tui.tui.screens.health.view import (
    Looked,
    Part,
    StateRow,
    looked,
    of_capture,
    of_index,
    of_problems,
    of_report,
    of_spending,
)
from recall_tui.tui.screens.text_modal import Words
from recall_tui.tui.text import one_line, plain
from recall_tui.tui.widgets.row_list import Rows
from recall_tui.tui.workers import Delays, in_thread

if TYPE_CHECKING:
    from recall_tui.index.maintenance.verify import Proof
    from recall_tui.workbench import Workbench


class HealthPanels(Page):
    """Memory, index, capture, agents, injection, spend and doctor, as they are."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self.delays = Delays(self)
        self.skipped: dict[Path, str] = {}
        """Transcripts that hold nothing to archive, and why."""
        self.proof: Proof | None = None
        self._is_stale = False

    def panels(self) -> ComposeResult:
        """Memory and index above, what goes in and what comes out below, problems last."""
        with Container(id="parts"):
            yield StateList("state", "Memory")
            yield StateList("index", "Index")
            yield CaptureList("capture", "Capture")
            yield AgentList("agents", "Agents")
            yield StateList("injection", "Injection")
            yield StateList("spend", "Spend")
            yield StateList("doctor", "Doctor")

    def on_mount(self) -> None:
        """Show what the app knows, and look at the rest."""
        self.watch(self.app, "health", self._health_taken)
        self.look_again()

    def list_of(self, part: Part) -> StateList:
        """The panel of a part."""
        return self.query_one(f"#{part}", StateList)

    def look_again(self) -> None:
        """Look at every part; what was proven of other files counts no more."""
        self.proof = None
        self.look("capture", "index", "agents", "injection", "spend", "doctor")

    def _health_taken(self, report: HealthReport | None) -> None:
        if report is not None:
            self.list_of("state").take(looked(lambda: of_report(report), self.bench.store.places.home))
            self.look("capture", "index", "agents", "injection", "spend", "doctor")

    def look(self, *parts: Part) -> None:
        """Look at some parts in the background, or later when another screen is shown."""
        self._is_stale = not self.is_current
        if self._is_stale:
            return
        bench, skipped, proof = self.bench, dict(self.skipped), self.proof
        looks: dict[Part, Callable[[], Looked]] = {
            "capture": lambda: of_capture(bench, skipped),
            "index": lambda: of_index(bench),
            "agents": lambda: of_agents(bench),
            "injection": lambda: of_injection(bench),
            "spend": lambda: of_spending(bench),
            "doctor": lambda: of_problems(bench, proof),
        }
        self.delays.after("busy", BUSY_AFTER, self._say_looking)
        for part in parts:
            in_thread(self, partial(_look_at, part, looks[part], bench.store.places.home), part)

    def on_screen_resume(self) -> None:
        """Look at what changed while another screen was shown."""
        if self._is_stale:
            self.look_again()

    def _say_looking(self) -> None:
        for panel in self.query(StateList):
            if not panel.items and not panel.empty.plain:
                panel.say("looking …")

    @on(messages.PartSeen)
    def _part_seen(self, message: messages.PartSeen) -> None:
        self.list_of(message.part).take(message.looked)
        self.refresh_bindings()

    @on(Rows.Opened)
    def _opened(self, message: Rows.Opened) -> None:
        row = message.rows.current
        # A second key may come before the first one's screen is there.
        if isinstance(row, StateRow) and self.is_active:
            text = row.whole or " ".join(filter(None, (row.lead, row.text)))
            words = Content.assemble((f"{one_line(row.word)}\n\n", "bold"), plain(text))
            self.app.push_screen(Words(str(message.rows.border_title), words))


def _look_at(part: Part, look: Callable[[], Looked], home: Path) -> Message:
    return messages.PartSeen(part, looked(look, home))
