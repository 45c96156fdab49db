"""Sections and suggestions side by side, and which of them the keys act on.

The list that had the focus last leads; a section with a suggestion to extract it stands for that suggestion.
"""

from __future__ import annotations

from typing import Any

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.events import DescendantFocus
from textual.message import Message

from recall_tui.tui.memory_view import Trouble
from recall_tui.tui.screens.distill.section_list import PartList
from recall_tui.tui.screens.distill.suggestion_list import OfferList
from recall_tui.tui.screens.distill.view import Choice, Part, Weighed
from recall_tui.tui.widgets.row_list import Rows


class Weights(Horizontal):
    """What weighs on MEMORY.md."""

    class Moved(Message):
        """Something else is under the cursor that leads."""

    def __init__(self) -> None:
        super().__init__(id="weights")
        self._source: Rows[Any] | None = None

    def compose(self) -> ComposeResult:
        """The two lists."""
        yield PartList()
        yield OfferList()

    @property
    def parts(self) -> PartList:
        """The sections."""
        return self.query_one(PartList)

    @property
    def offers(self) -> OfferList:
        """The suggestions."""
        return self.query_one(OfferList)

    @property
    def place(self) -> Choice | None:
        """What is under the cursor that leads."""
        place: Choice | None = self._source.current if self._source is not None else self.offers.current
        return place

    @property
    def current(self) -> Choice | None:
        """What the keys act on; None when the section under the cursor is too short to be extracted."""
        part = self.place
        if not isinstance(part, Part):
            return part
        for offer in self.offers.items:
            first, last = offer.suggestion.lines
            if offer.suggestion.kind == "extract" and first <= part.end and part.start <= last:
                return offer
        return part if part.saves > 0 else None

    def show(self, weighed: Weighed | Trouble) -> None:
        """Show both lists as they are now; the cursors stay on their things."""
        self.offers.show_offers(weighed)
        self.parts.show_parts(weighed if isinstance(weighed, Trouble) else weighed.parts)

    def mark(self) -> tuple[int, int] | None:
        """Mark the section of what is under the cursor; the lines, from 1, that this is about."""
        place = self.place
        lines = None if place is None else (place.start, place.end)
        self.parts.mark(lines[0] if lines else 0)
        return lines

    @on(Rows.Moved)
    def _moved(self, message: Rows.Moved) -> None:
        message.stop()
        if message.rows is (self._source or self.offers):
            self.post_message(self.Moved())

    @on(DescendantFocus)
    def _focused(self, event: DescendantFocus) -> None:
        if isinstance(event.widget, Rows) and event.widget is not self._source:
            self._source = event.widget
            self.post_message(self.Moved())
