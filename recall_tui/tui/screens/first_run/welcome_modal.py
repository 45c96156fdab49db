"""The first look at a memory that came from elsewhere: whose it is, whom one trusts with it, and the keys to go on."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from recall_tui.features.health.report import describe_sharing
from recall_tui.storage.git_exclusion import publishes_sessions
from recall_tui.tui.keys.key_labels import key_label
from recall_tui.tui.screens.first_run.messages import SessionsCounted
from recall_tui.tui.screens.first_run.steps import find_waiting
from recall_tui.tui.screens.text_modal import TextModal
from recall_tui.tui.text import plain_line, plain_text
from recall_tui.tui.workers import run_in_thread

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench


class WelcomeModal(TextModal):
    """Words on the memory; the person's sessions that are not in it are counted meanwhile."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open", tooltip="Open the memory", id="open_received"),
    ]

    def __init__(self, bench: Workbench) -> None:
        is_team = publishes_sessions(bench.store)
        title = "A team's memory" if is_team else "A memory from elsewhere"
        super().__init__(title, _describe(bench, "", is_team=is_team))
        self._bench = bench
        self._is_team = is_team

    def action_open(self) -> None:
        """Go on to the memory."""
        self.dismiss(True)

    def on_mount(self) -> None:
        """Let the arrows scroll, and have the sessions counted."""
        super().on_mount()
        bench = self._bench
        run_in_thread(self, lambda: SessionsCounted(bench, find_waiting(bench)), "count")

    @on(SessionsCounted)
    def _counted(self, message: SessionsCounted) -> None:
        if count := len(message.waiting.paths):
            waiting = f"{count:,} sessions of yours are" if count > 1 else "1 session of yours is"
            words = _describe(self._bench, f"{waiting} not in it.", is_team=self._is_team)
            self.query_one("#said Static", Static).update(words)


def _describe(bench: Workbench, waiting: str, *, is_team: bool) -> Content:
    """Whose it is, whom one trusts, and the keys; `waiting` is a sentence on the person's own sessions."""
    search, add = key_label(bench, "search", "slash"), key_label(bench, "remember", "plus")
    shared = "; the team has it once you commit and push" if is_team else ""
    readers = ", after a preview; the team reads them" if is_team else ""
    keys = [
        (search, "search it"),
        (add, f"add a lesson to MEMORY.md{shared}"),
        ("6 A", f"add sessions of yours{readers}"),
        ("6 i", "connect your agents to it"),
    ]
    parts = [
        plain_text(plain_line(f"{describe_sharing(bench.store)}.")),
        Content(""),
        Content(
            "Trust it as far as you trust those who write it: an agent that you connect is given MEMORY.md and what a "
            "search finds. Its settings that run programs or reach other folders wait for your confirmation."
        ),
        Content(""),
        *([plain_text(waiting)] if waiting else []),
        Content("What you can do now:"),
        *(plain_text(f"  {key:<4} {words}") for key, words in keys),
        Content(""),
        Content("For sessions that only you read, make a memory of your own: recall-tui init ~/.claude").stylize(
            "$text-muted"
        ),
    ]
    return Content("\n").join(parts)
