"""Asks for a date in words.

Nothing is gone to here; the days that were meant are handed back.
"""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input, Label

from recall_tui.errors import UsageError
from recall_tui.features.consolidation.timeline import MemoryTimeline
from recall_tui.search.time.interpret import DATE_EXAMPLES, TimeConstraint, closed_range, parse_days
from recall_tui.tui.screens.prompt_modal import PromptModal
from recall_tui.tui.screens.timeline.labels import format_days, totals_text


class DateBox(Input):
    """Where the date is typed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Go", tooltip="Go to this date", id="go_to_words"),
        Binding("escape", "screen.close", "Back", tooltip="Back to where you were", id="close_date"),
    ]


class DateModal(PromptModal[TimeConstraint]):
    """A date in words; dismissed with the days that are meant."""

    PANEL = "date-words"

    def __init__(self, timeline: MemoryTimeline, now: datetime) -> None:
        super().__init__()
        self._timeline = timeline
        self._now = now

    def title_words(self) -> str:
        """What is asked for."""
        return "Go to a date"

    def box(self) -> Input:
        """The words."""
        return DateBox(id="date", placeholder="last tuesday", max_length=100)

    def below(self) -> Label:
        """What can be said."""
        return Label(Content(f"such as {DATE_EXAMPLES}"), id="understood")

    def meaning(self, text: str) -> str:
        """The days, and what was said on them."""
        if not text.strip():
            return ""
        found = self._days(text)
        if found is None:
            raise UsageError("not understood yet")
        some = self._timeline.within(*closed_range(found))
        what = (
            totals_text(sum(day.count for day in some), sum(day.messages for day in some))
            if some
            else "nothing recorded"
        )
        return f"{format_days(found)} · {what}"

    def value(self, text: str) -> TimeConstraint:
        """The days."""
        found = self._days(text)
        if not found:
            raise UsageError("not a date; examples are below")
        return found

    def _days(self, words: str) -> TimeConstraint | None:
        found = parse_days(words, self._now)
        days = self._timeline.days
        return found.resolve(min(days)) if found and days else found
