"""A rendered document, scrolled to a passage, with matches highlighted.

Only the visible rows are rendered, so the length of a document does not matter.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from recall_tui.tui.messages import DocumentExtended
from recall_tui.tui.text import line_strip
from recall_tui.tui.widgets.markdown_lines import RenderedDocument
from recall_tui.tui.widgets.row_map import RowMap
from recall_tui.tui.workers import run_in_thread

if TYPE_CHECKING:
    from recall_tui.storage.archives.folds import Fold
    from recall_tui.tui.widgets.turn_rows import TimeMode

GUTTER_CELLS = 2
"""Cells left of the text, where a bar marks the passage."""
MAX_TEXT_CELLS = 100
"""The maximum cells of text in a line; longer lines are hard to read."""
CONTEXT_ROWS = 2
"""Rows kept visible above a passage that was scrolled to."""
GROWTH_LINES = 5_000
"""Lines of a long document classified per step in the background; the first page waits for none of them."""
MAX_CACHED_LINES = 400
"""The maximum of cached rendered lines; more than any screen shows."""
_EMPTY = Content("This document is empty.")


class DocumentView(ScrollView, can_focus=True, inherit_bindings=False):
    """A document, or a message instead of it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "scroll_down", "Down", show=False, id="scroll_down"),
        Binding("up,k", "scroll_up", "Up", show=False, id="scroll_up"),
        Binding("pagedown,space", "page_down", "Next page", show=False, id="page_down"),
        Binding("pageup", "page_up", "Previous page", show=False, id="page_up"),
        Binding("home,g", "scroll_home", "Start of the document", show=False, id="scroll_home"),
        Binding("end,G", "scroll_end", "End of the document", show=False, id="scroll_end"),
    ]
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "document--code",
        "document--passage",
        "document--cursor",
        "document--empty",
    }

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.document = RenderedDocument("")
        self.pattern: re.Pattern[str] | None = None
        self.passage: tuple[int, int] | None = None
        self.words = _EMPTY
        self.map = RowMap(self.document, MAX_TEXT_CELLS)
        """The position of the lines; invalid before the widget has a size."""
        self._has_room = False
        self._aim: tuple[int, int, int] | None = None
        """The passage to scroll to once the widget has a size: first line, last line and the line to keep in view."""
        self._made: dict[int, list[Content]] = {}
        """Cached rendered lines, as rows."""

    def show(
        self,
        document: RenderedDocument,
        passage: tuple[int, int] | None = None,
        pattern: re.Pattern[str] | None = None,
        at: int = 0,
    ) -> None:
        """Show a document scrolled to a passage, given by its first and last line, from 1.

        Of a passage taller than the view, line `at` is kept in view.
        """
        self.document, self.passage, self.pattern = document, passage, pattern
        self.words = _EMPTY
        self._aim = (*passage, at or passage[0]) if passage else None
        self._lay_out(force=True)
        self.scroll_to_row(0)
        self._scroll_to_aim()
        # Paint the first page first: the background work would compete with it.
        self.call_after_refresh(self._grow)

    def show_again(self, document: RenderedDocument) -> None:
        """Show the same document after a change, at the same scroll position."""
        self.document = document
        self._lay_out(force=True)
        self._settle()
        self._grow()

    def say(self, words: Content) -> None:
        """Show a message instead of a document."""
        self.show(RenderedDocument(""))
        self.words = words

    def is_closed(self, fold: Fold) -> bool:
        """Return whether a fold is closed; False in this class."""
        return False

    def light(self, pattern: re.Pattern[str] | None) -> None:
        """Highlight the matches of the pattern and no others."""
        self.pattern = pattern
        self._made.clear()
        self.refresh()

    def show_times(self, mode: TimeMode) -> None:
        """Show the times of a conversation's turns in another way."""
        self.document.times = mode
        self.light(self.pattern)

    def scroll_to_row(self, row: int) -> None:
        """Scroll a row to the top of the view."""
        self.scroll_to(y=max(0, row), animate=False, force=True)
        self._settle()

    def scroll_to_line(self, at: int) -> None:
        """Scroll a source line, from 0, to the top of the view."""
        row = self.map.row_of(at) - CONTEXT_ROWS
        self._fit()
        self.scroll_to_row(row)

    def _scroll_to_aim(self) -> None:
        height = self.scrollable_content_region.height
        if self._aim is None or height <= 0 or not self._has_room:
            return
        lines = (self._aim[0] - 1, self._aim[1], self._aim[2] - 1)
        # Measuring one line moves those below it; the second pass returns the final rows.
        for _ in range(2):
            first, last, at = (self.map.row_of(line) for line in lines)
        self._aim = None
        self._fit()
        top = first - CONTEXT_ROWS
        if last - top > height and at - top >= height * 2 // 3:
            top = at - height // 3
        self.scroll_to_row(top)

    @property
    def line(self) -> int:
        """Return the source line, from 1, at the top of the view."""
        return max(0, self.map.place_of(self.scroll_offset.y)[0]) + 1

    def on_resize(self, event: events.Resize) -> None:
        """Rewrap the lines and keep the top line."""
        self.lay_out_again(force=False)
        self._scroll_to_aim()

    def lay_out_again(self, *, force: bool = True) -> None:
        """Lay out the lines again and keep the line at the top."""
        line, offset = self.map.place_of(self.scroll_offset.y)
        if self._lay_out(force=force) and line >= 0:
            row = self.map.row_of(line) + (offset if self.map.has(line) else 0)
            self._fit()
            self.scroll_to_row(row)

    def _lay_out(self, *, force: bool = False) -> bool:
        width = min(MAX_TEXT_CELLS, self.scrollable_content_region.width - GUTTER_CELLS)
        if width <= 0:
            # Rows of the previous document are invalid for this one.
            self._has_room = False
            return False
        if self._has_room and width == self.map.width and self.map.document is self.document and not force:
            return False
        self.map = RowMap(self.document, width, self.is_closed)
        self._has_room = True
        self._made.clear()
        self._fit()
        self.refresh()
        return True

    def _fit(self) -> None:
        """Set the scrollable height to the number of rows."""
        if self.virtual_size.height != self.map.total:
            self.virtual_size = Size(0, self.map.total)

    def _settle(self) -> None:
        """Measure the lines around the view, so that scrolling finds every row where it was laid out."""
        height = self.scrollable_content_region.height
        if height <= 0 or not self._has_room:
            return
        row = self.scroll_offset.y
        self.map.measure(row, row + 2 * height)
        line, offset = self.map.place_of(row)
        if self.map.measure(row - 2 * height, row - 1) and line >= 0:
            row = self.map.row_of(line) + offset
        self._fit()
        if row != self.scroll_offset.y:
            # Not with scroll_to: it would stop the animation that may be setting this very position, and fail the app.
            self.scroll_target_y = self.scroll_y = row

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Keep the lines around the view measured."""
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self._settle()

    def _grow(self) -> None:
        """Classify the remaining lines in the background."""
        document = self.document
        if document.is_whole:
            return

        def grow() -> DocumentExtended:
            document.grow(GROWTH_LINES)
            return DocumentExtended(document)

        run_in_thread(self, grow, "grow")

    @on(DocumentExtended)
    def _grew(self, message: DocumentExtended) -> None:
        message.stop()
        if message.document is self.document:
            self.map.grow()
            self._fit()
            self._grow()

    def render_line(self, y: int) -> Strip:
        """Render a line of the screen."""
        width = self.scrollable_content_region.width
        base = self.visual_style
        if not len(self.document):
            lines = self.words.wrap(max(1, width - GUTTER_CELLS))
            return self._strip(Content(" ") + lines[y] if y < len(lines) else Content(""), "document--empty")
        row = y + self.scroll_offset.y
        if not self._has_room or row >= self.map.total:
            return Strip.blank(width, base.rich_style)
        at, offset = self.map.place_of(row)
        rows = self._rows(at)
        body = rows[offset] if offset < len(rows) else Content("")
        mark = Content("▎ ").stylize("$accent") if self._is_passage(at) else Content("  ")
        code = "document--cursor" if self.is_cursor(at) else "document--code" if self.document.is_code(at) else None
        head = self._strip(mark, "document--cursor" if self.is_cursor(at) else "document--passage", GUTTER_CELLS)
        return Strip.join([head, self._strip(body, code, width - GUTTER_CELLS)])

    def _rows(self, at: int) -> list[Content]:
        """Return a line as rows, from the cache if possible."""
        rows = self._made.get(at)
        if rows is None:
            if len(self._made) >= MAX_CACHED_LINES:
                self._made.clear()
            fold = self.document.fold_at.get(at)
            is_closed = fold is not None and self.is_closed(fold)
            rows = self._made[at] = self.document.rows(at, self.map.width, self.pattern, is_closed=is_closed)
        return rows

    def is_cursor(self, at: int) -> bool:
        """Return whether the cursor is on a line; False in this class."""
        return False

    def _is_passage(self, at: int) -> bool:
        return self.passage is not None and self.passage[0] <= at + 1 <= self.passage[1]

    def _strip(self, content: Content, component: str | None, width: int | None = None) -> Strip:
        width = self.scrollable_content_region.width if width is None else width
        style = self.get_visual_style(component) if component else self.visual_style
        return line_strip(content, width, style)
