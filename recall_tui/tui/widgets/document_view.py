"""A document as one reads it: rendered, scrolled to a passage, with the words that were looked for lit.

Only the rows on the screen are made, so the length of a document does not matter.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual

from recall_tui.tui.rendered import Rendered

GUTTER = 2
"""Cells left of the text, where a bar marks the passage."""
MEASURE = 100
"""Cells of text in a line at most; longer ones are hard to read."""
CONTEXT = 2
"""Rows kept visible above a passage that was scrolled to."""
_EMPTY = Content("This document is empty.")


class DocumentView(ScrollView, can_focus=True, inherit_bindings=False):
    """One document, or the words that say why there is none."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "scroll_down", "Down", show=False, id="scroll_down"),
        Binding("up,k", "scroll_up", "Up", show=False, id="scroll_up"),
        Binding("pagedown,space", "page_down", "Next page", show=False, id="page_down"),
        Binding("pageup", "page_up", "Previous page", show=False, id="page_up"),
        Binding("home,g", "scroll_home", "Start of the document", show=False, id="scroll_home"),
        Binding("end,G", "scroll_end", "End of the document", show=False, id="scroll_end"),
    ]
    COMPONENT_CLASSES: ClassVar[set[str]] = {"document--code", "document--passage", "document--empty"}

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.document = Rendered("")
        self.pattern: re.Pattern[str] | None = None
        self.passage: tuple[int, int] | None = None
        self.words = _EMPTY
        self._starts: list[int] = [0]
        self._laid_out = 0
        self._found: int | None = None
        self._aim: tuple[int, int, int] | None = None
        """Lines of a passage that is to be scrolled to as soon as there is room for it."""

    def show(
        self,
        document: Rendered,
        passage: tuple[int, int] | None = None,
        pattern: re.Pattern[str] | None = None,
        at: int = 0,
    ) -> None:
        """Show a document scrolled to a passage, given by its first and last line, from 1.

        Of a passage that is higher than the view, line `at` is in view whatever else is.
        """
        self.document, self.passage, self.pattern = document, passage, pattern
        self._found = None
        self.words = _EMPTY
        self._aim = (*passage, at or passage[0]) if passage else None
        self._lay_out(force=True)
        self.scroll_to(y=0, animate=False, force=True)
        self._scroll_to_aim()
        self.refresh()

    def show_again(self, document: Rendered) -> None:
        """Show the same document after it changed, where it was scrolled to."""
        self.document = document
        self._lay_out(force=True)
        self.refresh()

    def say(self, words: Content) -> None:
        """Show words instead of a document."""
        self.show(Rendered(""))
        self.words = words

    def scroll_to_line(self, at: int) -> None:
        """Bring a line of the source, from 0, to the top of the view."""
        at = max(0, min(at, len(self._starts) - 1))
        self.scroll_to(y=max(0, self._starts[at] - CONTEXT), animate=False, force=True)

    def _scroll_to_aim(self) -> None:
        height = self.scrollable_content_region.height
        if self._aim is None or height <= 0 or self._laid_out <= 0:
            return
        first, last, at = (self._starts[max(0, min(line, len(self._starts) - 1))] for line in self._lines_aimed_at())
        self._aim = None
        top = first - CONTEXT
        if last - top > height and at - top >= height * 2 // 3:
            top = at - height // 3
        self.scroll_to(y=max(0, top), animate=False, force=True)

    def _lines_aimed_at(self) -> tuple[int, int, int]:
        """From 0: the first line of the passage, the line after it, and the one to be seen."""
        first, last, at = self._aim or (1, 1, 1)
        return first - 1, last, at - 1

    def move_to_heading(self, by: int) -> None:
        """Scroll to the next heading, or the one before."""
        places = [max(0, self._starts[at] - CONTEXT) for at in self.document.headings]
        here = self.scroll_offset.y
        ahead = [y for y in places if (y > here if by > 0 else y < here)]
        if ahead:
            self.scroll_to(y=ahead[0] if by > 0 else ahead[-1], animate=False, force=True)

    def move_to_match(self, by: int) -> bool:
        """Scroll to the next line with a match, or the one before; whether there is one."""
        if self.pattern is None:
            return False
        here = self._line_at(min(self.scroll_offset.y + CONTEXT, max(0, self._starts[-1] - 1)))
        start = here if self._found is None else self._found
        ahead = range(start + 1, len(self.document)) if by > 0 else range(start - 1, -1, -1)
        self._found = next((at for at in ahead if self.pattern.search(self.document.raw(at))), None)
        if self._found is not None:
            self.scroll_to_line(self._found)
        self.refresh()
        return self._found is not None

    @property
    def line(self) -> int:
        """The line of the source, from 1, that the view starts with."""
        return self._line_at(self.scroll_offset.y) + 1

    def on_resize(self, event: events.Resize) -> None:
        """Break the lines anew and stay at the same one."""
        at = self._line_at(self.scroll_offset.y)
        if self._lay_out():
            self.scroll_to(y=self._starts[at], animate=False, force=True)
        self._scroll_to_aim()

    def _lay_out(self, *, force: bool = False) -> bool:
        width = min(MEASURE, self.scrollable_content_region.width - GUTTER)
        if width <= 0 or (width == self._laid_out and not force):
            return False
        self._laid_out = width
        heights = (self.document.height(at, width) for at in range(len(self.document)))
        self._starts = [0, *accumulate(heights)]
        self.virtual_size = Size(0, self._starts[-1])
        return True

    def _line_at(self, row: int) -> int:
        return max(0, min(bisect_right(self._starts, row) - 1, len(self.document) - 1))

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        width = self.scrollable_content_region.width
        base = self.visual_style
        if not len(self.document):
            lines = self.words.wrap(max(1, width - GUTTER))
            return self._strip(Content(" ") + lines[y] if y < len(lines) else Content(""), "document--empty")
        row = y + self.scroll_offset.y
        if row >= self._starts[-1] or self._laid_out <= 0:
            return Strip.blank(width, base.rich_style)
        at = self._line_at(row)
        rows = self.document.rows(at, self._laid_out, self.pattern)
        offset = row - self._starts[at]
        body = rows[offset] if offset < len(rows) else Content("")
        mark = Content("▎ ").stylize("$accent") if self._is_passage(at) else Content("  ")
        code = "document--code" if self.document.is_code(at) else None
        head = self._strip(mark, "document--passage", GUTTER)
        return Strip.join([head, self._strip(body, code, width - GUTTER)])

    def _is_passage(self, at: int) -> bool:
        return self.passage is not None and self.passage[0] <= at + 1 <= self.passage[1]

    def _strip(self, content: Content, component: str | None, width: int | None = None) -> Strip:
        width = self.scrollable_content_region.width if width is None else width
        style = self.get_visual_style(component) if component else self.visual_style
        strips = Visual.to_strips(self, content, width, 1, style, apply_selection=False)
        return strips[0].adjust_cell_length(width, style.rich_style) if strips else Strip.blank(width, style.rich_style)
