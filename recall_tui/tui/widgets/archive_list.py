"""The archive's index, or what a search found in its place.

The index comes back as it was left when the search is over.
"""

from __future__ import annotations

import re
from datetime import tzinfo

from textual.content import Content

from recall_tui.domain import Answer, Hit, IndexRow
from recall_tui.tui.lines import hit_line, index_line
from recall_tui.tui.seen import Trouble
from recall_tui.tui.text import one_line, plain
from recall_tui.tui.widgets.rows import Rows

_EMPTY = Content(
    "No session archived yet. They appear here by themselves when an agent's hooks are installed, "
    "or all at once with: recall-tui archive --all-unarchived"
)


class ArchiveList(Rows[IndexRow | Hit]):
    """The index or the hits in their panel."""

    def __init__(self, zone: tzinfo | None) -> None:
        super().__init__(id="archive", classes="panel")
        self._zone = zone
        self._rows: tuple[IndexRow, ...] = ()
        self._trouble: Trouble | None = None
        self._left_at: object = None
        self._is_counted = False
        self.pattern: re.Pattern[str] | None = None
        self.is_answering = False
        self.border_title = "Archive"

    def take_rows(self, rows: tuple[IndexRow, ...] | Trouble, *, are_all: bool = True) -> None:
        """Take the index as it is now; shown unless an answer is. Only all of it is counted."""
        self._is_counted = are_all
        self._trouble = rows if isinstance(rows, Trouble) else None
        self._rows = () if isinstance(rows, Trouble) else rows
        if not self.is_answering:
            self._show_rows()

    def show_answer(self, answer: Answer, nothing: Content, pattern: re.Pattern[str] | None, *, keep: bool) -> None:
        """Show hits in place of the index, or what is to be said when there is none."""
        if not self.is_answering:
            self._left_at = self.key_of(self.current) if self.current is not None else None
            self.is_answering = True
        self.pattern = pattern
        self.border_title = "Archive → Hits"
        shown, found = len(answer.hits), answer.total
        self.border_subtitle = f"{shown} of {found}" if found > shown else str(found)
        self.show(answer.hits, nothing, keep=keep)

    def show_trouble(self, trouble: Trouble) -> None:
        """Say why there are no hits."""
        self.is_answering = True
        self.border_title = "Archive → Hits"
        self.border_subtitle = "▲ search failed"
        self.show((), plain(str(trouble)), keep=False)

    def end_answer(self) -> None:
        """Bring the index back."""
        if not self.is_answering:
            return
        self.is_answering = False
        self.pattern = None
        self.items = ()
        self._show_rows()
        places = [at for at, row in enumerate(self._rows) if self.key_of(row) == self._left_at]
        self.cursor = places[0] if places else 0

    def _show_rows(self) -> None:
        self.border_title = "Archive"
        if self._trouble is not None:
            self.border_subtitle = "▲ unreadable"
            self.show((), plain(str(self._trouble)))
            return
        self.border_subtitle = f"{len(self._rows):,}".replace(",", " ") if self._rows and self._is_counted else ""
        self.show(self._rows, _EMPTY)

    def draw(self, item: IndexRow | Hit, width: int) -> Content:
        """A row of the index, or a hit's."""
        if isinstance(item, Hit):
            return hit_line(item, self.pattern, self._zone, width)
        return index_line(item, width)

    def key_of(self, item: IndexRow | Hit) -> object:
        """The archive's number, or the passage."""
        return one_line(item.id) if isinstance(item, Hit) else (item.number, item.session_id)
