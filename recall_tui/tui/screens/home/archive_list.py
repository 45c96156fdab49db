"""The archive's index, or what a search found in its place; rows of either can be marked.

The index comes back as it was left when the search is over. What is marked is always among the rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from recall_tui.domain import Hit, IndexRow, SearchResult, SessionLabel
from recall_tui.text.session_line import SessionColumns, fit_columns
from recall_tui.tui.memory_view_model import DisplayError, Labels
from recall_tui.tui.text import plain_line, plain_text
from recall_tui.tui.widgets.preview import Preview
from recall_tui.tui.widgets.row_list import RowList
from recall_tui.tui.widgets.search_status import reason_lines
from recall_tui.tui.widgets.session_row import (
    EDGE_CELLS,
    heads_row,
    hit_row,
    label_day,
    label_hit,
    label_row,
    no_sessions_text,
    session_row,
)


class ArchiveList(RowList[IndexRow | Hit]):
    """The index or the hits in their panel."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "mark", "Mark", show=False, tooltip="Mark or unmark the row", id="mark"),
        Binding("asterisk", "mark_all", "Mark all", show=False, tooltip="Mark every row, or none", id="mark_all"),
        Binding("w", "why", "Why", show=False, tooltip="Show or hide the reasons for a hit's rank", id="why"),
    ]

    HEAD_ROWS = 1

    def __init__(self, now: Callable[[], datetime], *, fills_itself: bool = True) -> None:
        super().__init__(id="archive", classes="panel")
        self._empty = Content(no_sessions_text("here", fills_itself=fills_itself))
        self._now = now
        self._has_years = False
        self._rows: tuple[IndexRow, ...] = ()
        self._labels: Labels = {}
        self._trouble: DisplayError | None = None
        self._left_at: object = None
        self._is_counted = False
        self._count = ""
        self._marks: set[object] = set()
        self.pattern: re.Pattern[str] | None = None
        self.is_answering = False
        self.border_title = "Sessions"

    def action_why(self) -> None:
        """Show or hide the reasons for the rank of the selected hit: in the preview, else over the screen."""
        from recall_tui.tui.screens.text_modal import TextModal

        preview = self.screen.query_one(Preview)
        if preview.display:
            preview.toggle_reasons()
        elif isinstance(hit := self.current, Hit):
            self.app.push_screen(TextModal("Why ranked here", reason_lines(hit)))

    def take_rows(
        self, rows: tuple[IndexRow, ...] | DisplayError, labels: Labels = MappingProxyType({}), *, are_all: bool = True
    ) -> None:
        """Take the index as it is now; shown unless an answer is. Only all of it is counted."""
        self._labels = labels
        self._is_counted = are_all
        self._trouble = rows if isinstance(rows, DisplayError) else None
        self._rows = () if isinstance(rows, DisplayError) else rows
        if not self.is_answering:
            self._show_rows()

    def show_answer(
        self, answer: SearchResult, nothing: Content, pattern: re.Pattern[str] | None, *, keep: bool
    ) -> None:
        """Show hits in place of the index, or what is to be said when there is none."""
        if not self.is_answering:
            self._left_at = self.key_of(self.current) if self.current is not None else None
            self.is_answering = True
        self.pattern = pattern
        self.border_title = "Sessions → Hits"
        shown, found = len(answer.hits), answer.total
        self._count = f"{shown} of {found}" if found > shown else str(found)
        self.show(answer.hits, nothing, keep=keep)

    def show_trouble(self, trouble: DisplayError) -> None:
        """Say why there are no hits."""
        self.is_answering = True
        self.border_title = "Sessions → Hits"
        self._count = "▲ search failed"
        self.show((), plain_text(str(trouble)), keep=False)

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
        self.border_title = "Sessions"
        if self._trouble is not None:
            self._count = "▲ unreadable"
            self.show((), plain_text(str(self._trouble)))
            return
        self._count = f"{len(self._rows):,}" if self._rows and self._is_counted else ""
        self.show(self._rows, self._empty)

    def show(self, items: Sequence[IndexRow | Hit], empty: Content | None = None, *, keep: bool = True) -> None:
        """Show other rows; marks stay on what is still there."""
        self._marks &= {self.key_of(item) for item in items} if self._marks else set()
        now = self._now()
        days = (label_day(self._label(item), now) for item in items)
        self._has_years = any(day is not None and day.year != now.year for day in days)
        super().show(items, empty, keep=keep)
        self.tell("")

    def heads(self, width: int) -> Content:
        """The names of the columns."""
        return heads_row(self._columns(width))

    def _columns(self, width: int) -> SessionColumns:
        return fit_columns(width - EDGE_CELLS, has_years=self._has_years)

    def draw_at(self, index: int, width: int) -> Content:
        """A row of the index, or a hit's; a marked one begins with a dot, and a day is shown on its first row."""
        item, now, columns = self.items[index], self._now(), self._columns(width)
        label = self._label(item)
        if isinstance(item, Hit):
            line = hit_row(item, columns, now, self.pattern)
        else:
            is_first = index == self.scroll_offset.y
            above = None if is_first else label_day(self._label(self.items[index - 1]), now)
            is_same_day = above is not None and above == label_day(label, now)
            line = session_row(label, columns, now, is_same_day=is_same_day)
        is_marked = bool(self._marks) and self.key_of(item) in self._marks
        return Content.assemble(("●", "$accent"), line[1:]) if is_marked else line

    def _label(self, item: IndexRow | Hit) -> SessionLabel:
        if isinstance(item, Hit):
            return label_hit(item)
        return self._labels.get((item.number, item.session_id)) or label_row(item)

    @property
    def marked(self) -> list[IndexRow | Hit]:
        """What is marked, in the order of the rows."""
        return [item for item in self.items if self.key_of(item) in self._marks] if self._marks else []

    def unmark(self) -> None:
        """Take all marks off."""
        self._mark(set())

    def action_mark(self) -> None:
        """Mark what is under the cursor, or take its mark off, and go on to the next row."""
        if (item := self.current) is not None:
            self._mark(self._marks ^ {self.key_of(item)})
            self.cursor += 1

    def action_mark_all(self) -> None:
        """Mark every row; when all are marked, none."""
        keys = {self.key_of(item) for item in self.items}
        self._mark(set() if keys == self._marks else keys)

    def _mark(self, marks: set[object]) -> None:
        self._marks = marks
        self.refresh()
        self.tell("")

    def tell(self, words: str) -> None:
        """Say how far a work is with what is marked; empty for how many are marked, and of how many."""
        marked = f"{len(self._marks)} marked · a e F" if self._marks else ""
        self.border_subtitle = words or " · ".join(filter(None, (marked, self._count)))

    def key_of(self, item: IndexRow | Hit) -> object:
        """The archive's number, or the passage."""
        return plain_line(item.id) if isinstance(item, Hit) else (item.number, item.session_id)
