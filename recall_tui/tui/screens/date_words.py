"""Asks for a date in words, over the screen it was asked for on; as one types it says what the words mean.

Nothing is gone to here; the days that were meant are handed back.
"""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Label

from recall_tui.lifecycle.timeline import Timeline
from recall_tui.search.day_words import UNDERSTOOD, bounds, days_of
from recall_tui.search.when import When
from recall_tui.tui.screens.modal import Modal
from recall_tui.tui.time_lines import sums, when_name
from recall_tui.tui.widgets.key_line import KeyLine


class DateBox(Input):
    """Where the date is typed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Go", tooltip="Go to this date", id="go_to_words"),
        Binding("escape", "screen.close", "Back", tooltip="Back to where you were", id="close_date"),
    ]


class DateWords(Modal[When | None]):
    """A date in words; dismissed with the days that are meant, or with nothing."""

    AUTO_FOCUS = "#date"

    def __init__(self, timeline: Timeline, now: datetime) -> None:
        super().__init__()
        self._timeline = timeline
        self._now = now

    def compose(self) -> ComposeResult:
        """The words and what can be said."""
        panel = Vertical(id="date-words", classes="panel")
        panel.border_title = "Go to a date"
        with panel:
            box = DateBox(id="date", placeholder="last tuesday", max_length=100)
            box.cursor_blink = False
            yield box
            yield Label(Content(f"such as {UNDERSTOOD}"), id="understood")
        yield KeyLine(has_palette=False)

    @on(Input.Changed, "#date")
    def _typed(self, event: Input.Changed) -> None:
        """Say what the words mean."""
        event.stop()
        self._say(self._meaning(event.value) if event.value.strip() else "")

    def _days(self, words: str) -> When | None:
        found = days_of(words, self._now)
        days = self._timeline.days
        return found.resolve(min(days)) if found and days else found

    def _meaning(self, words: str) -> str:
        found = self._days(words)
        if found is None:
            return "▲ not understood yet"
        some = self._timeline.within(*bounds(found))
        what = sums(sum(day.count for day in some), sum(day.messages for day in some)) if some else "nothing is known"
        return f"{when_name(found)} · {what}"

    @on(Input.Submitted, "#date")
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if found := self._days(event.value):
            self.dismiss(found)
        else:
            self._say("▲ this names no date; below is what does")

    def _say(self, words: str) -> None:
        self.query_one("#date-words").border_subtitle = Content(words)

    def action_close(self) -> None:
        """Go nowhere."""
        self.dismiss(None)
