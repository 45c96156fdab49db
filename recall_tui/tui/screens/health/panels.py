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
from recall_tui.tui.runtime.background_tasks import BUSY_AFTER_SECONDS
from recall_tui.tui.screens.health.agents_view_model import agent_rows, context_rows
from recall_tui.tui.screens.health.health_list import AgentList, CaptureList, HealthList
from recall_tui.tui.screens.health.view_model import (
    HealthPart,
    HealthRow,
    PartName,
    capture_rows,
    index_rows,
    load_part,
    problem_rows,
    report_rows,
    usage_rows,
)
from recall_tui.tui.screens.text_modal import TextModal
from recall_tui.tui.text import plain_line, plain_text
from recall_tui.tui.widgets.row_list import RowList
from recall_tui.tui.workers import Debouncer, run_in_thread

if TYPE_CHECKING:
    from recall_tui.index.maintenance.verify import VerifyResult
    from recall_tui.workbench import Workbench


class HealthPanels(Page):
    """Memory, index, capture, agents, injection, spend and doctor, as they are."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self.delays = Debouncer(self)
        self.skipped: dict[Path, str] = {}
        """Transcripts that hold nothing to archive, and why."""
        self.proof: VerifyResult | None = None
        self._is_stale = False

    def panels(self) -> ComposeResult:
        """Memory and index above, what goes in and what comes out below, problems last."""
        with Container(id="parts"):
            yield HealthList("state", "Memory")
            yield HealthList("index", "Index")
            yield CaptureList("capture", "Capture")
            yield AgentList("agents", "Agents")
            yield HealthList("injection", "Injection")
            yield HealthList("spend", "Spend")
            yield HealthList("doctor", "Doctor")

    def on_mount(self) -> None:
        """Show what the app knows, and look at the rest."""
        self.watch(self.app, "health", self._health_taken)
        self.look_again()

    def list_of(self, part: PartName) -> HealthList:
        """The panel of a part."""
        return self.query_one(f"#{part}", HealthList)

    def look_again(self) -> None:
        """Look at every part; what was proven of other files counts no more."""
        self.proof = None
        self.look("capture", "index", "agents", "injection", "spend", "doctor")

    def _health_taken(self, report: HealthReport | None) -> None:
        if report is not None:
            self.list_of("state").take(load_part(lambda: report_rows(report), self.bench.store.places.home))
            self.look("capture", "index", "agents", "injection", "spend", "doctor")

    def look(self, *parts: PartName) -> None:
        """Look at some parts in the background, or later when another screen is shown."""
        self._is_stale = not self.is_current
        if self._is_stale:
            return
        bench, skipped, proof = self.bench, dict(self.skipped), self.proof
        looks: dict[PartName, Callable[[], HealthPart]] = {
            "capture": lambda: capture_rows(bench, skipped),
            "index": lambda: index_rows(bench),
            "agents": lambda: agent_rows(bench),
            "injection": lambda: context_rows(bench),
            "spend": lambda: usage_rows(bench),
            "doctor": lambda: problem_rows(bench, proof),
        }
        self.delays.after("busy", BUSY_AFTER_SECONDS, self._say_looking)
        for part in parts:
            run_in_thread(self, partial(_load_part, part, looks[part], bench.store.places.home), part)

    def on_screen_resume(self) -> None:
        """Look at what changed while another screen was shown."""
        if self._is_stale:
            self.look_again()

    def _say_looking(self) -> None:
        for panel in self.query(HealthList):
            if not panel.items and not panel.empty.plain:
                panel.say("looking …")

    @on(messages.HealthPartLoaded)
    def _part_seen(self, message: messages.HealthPartLoaded) -> None:
        self.list_of(message.part).take(message.looked)
        self.refresh_bindings()

    @on(RowList.Opened)
    def _opened(self, message: RowList.Opened) -> None:
        row = message.rows.current
        # A second key may come before the first one's screen is there.
        if isinstance(row, HealthRow) and self.is_active:
            text = row.whole or " ".join(filter(None, (row.lead, row.text)))
            words = Content.assemble((f"{plain_line(row.word)}\n\n", "bold"), plain_text(text))
            self.app.push_screen(TextModal(str(message.rows.border_title), words))


def _load_part(part: PartName, look: Callable[[], HealthPart], home: Path) -> Message:
    return messages.HealthPartLoaded(part, load_part(look, home))
