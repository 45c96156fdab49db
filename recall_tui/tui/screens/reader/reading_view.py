"""A document that is read with a cursor: line by line, by chapters, by what was found, with folds.

The cursor is always on a line that is shown and in view; opening a fold or breaking the lines anew does not move it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from recall_tui.domain.documents import SourceRef
from recall_tui.storage.archives.folds import Fold
from recall_tui.text.secrets.redact import redact
from recall_tui.text.session_line import fit_line
from recall_tui.tui.text import plain_line, plain_text, strip_controls
from recall_tui.tui.widgets.document_view import CONTEXT_ROWS, DocumentView
from recall_tui.tui.widgets.markdown_lines import RenderedDocument

if TYPE_CHECKING:
    from recall_tui.features.documents.lookup import Document
    from recall_tui.workbench import Workbench


_TITLE_FRAME_CELLS = 6
"""Cells of the border's corners and of the gaps beside its title."""


class ReaderDocument(DocumentView):
    """The document of the reader."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "line(1)", "Down", show=False, id="line_down"),
        Binding("up,k", "line(-1)", "Up", show=False, id="line_up"),
        Binding("home,g", "edge(-1)", "Start of the document", show=False, id="document_start"),
        Binding("end,G", "edge(1)", "End of the document", show=False, id="document_end"),
        Binding("enter", "turn_fold", "Unfold", show=False, tooltip="Unfold or fold this part", id="fold"),
    ]

    class Moved(Message):
        """The cursor is on another line, or other lines are shown."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.cursor = 0
        """The line, from 0, that is read."""
        self.is_folded = True
        """Folds are closed, but for those that were turned one by one."""
        self._turned: set[int] = set()
        """First lines of the folds that are not as the others."""
        self._title = ""

    def entitle(self, title: str) -> None:
        """Show the title in the border; a long one is cut, so that the facts of its session stay."""
        self._title = title
        room = self.outer_size.width - _TITLE_FRAME_CELLS
        self.border_title = plain_text(fit_line(plain_line(title), room))

    def on_resize(self, event: events.Resize) -> None:
        """Fit the title to the new width."""
        self.entitle(self._title)

    def show(
        self,
        document: RenderedDocument,
        passage: tuple[int, int] | None = None,
        pattern: re.Pattern[str] | None = None,
        at: int = 0,
    ) -> None:
        """Show a document with the cursor where the passage is, everything else folded."""
        self.document = document
        self._turned.clear()
        self.cursor = max(0, (at or passage[0]) - 1) if passage else 0
        if passage:
            self._turned = {fold.start for line in (self.cursor, passage[0]) for fold in document.folds_around(line)}
        super().show(document, passage, pattern, at)
        if self._has_room:
            self._keep_on_lines()

    def show_again(self, document: RenderedDocument) -> None:
        """Show the same document after it changed, with the cursor where it was."""
        super().show_again(document)
        self._keep_on_lines()

    def is_closed(self, fold: Fold) -> bool:
        """Whether a fold is folded away."""
        return (fold.start in self._turned) != self.is_folded

    def is_cursor(self, at: int) -> bool:
        """Whether the cursor is on a line, and the document has the focus."""
        return at == self.cursor and self.has_focus

    @property
    def chapter(self) -> int:
        """Which chapter the cursor is in, from 1; 0 before the first."""
        return bisect_right(self.document.chapters, self.cursor)

    @property
    def fold(self) -> Fold | None:
        """The fold whose first line the cursor is on, else the innermost one that it is in."""
        document = self.document
        return document.fold_at.get(self.cursor) or next(reversed(document.folds_around(self.cursor)), None)

    def move_to(self, line: int) -> None:
        """Take the cursor to a line, which is unfolded and brought into view when it is not."""
        folds = [fold for fold in self.document.folds_around(line) if self.is_closed(fold)]
        self._turned ^= {fold.start for fold in folds}
        if folds:
            self._lay_out(force=True)
        self.cursor = line
        self._keep_on_lines()
        row, height = self.map.row_of(self.cursor), self.scrollable_content_region.height
        if not self.scroll_offset.y <= row < self.scroll_offset.y + height:
            self._fit()
            self.scroll_to_row(row - max(CONTEXT_ROWS, height // 3))
        self._moved()

    def move_to_chapter(self, by: int) -> None:
        """Take the cursor to the next chapter or the one before, and that to the top."""
        chapters = self.document.chapters
        place = bisect_right(chapters, self.cursor) if by > 0 else bisect_left(chapters, self.cursor) - 1
        if 0 <= place < len(chapters):
            self.cursor = chapters[place]
            self._keep_on_lines()
            self.scroll_to_line(self.cursor)
            self._moved()

    def turn_all(self) -> None:
        """Fold everything, or unfold it."""
        self.is_folded = not self.is_folded
        self._turned.clear()
        self._after_turning()

    def action_turn_fold(self) -> None:
        """Unfold what the cursor is on, or fold what it is in."""
        fold = self.fold
        if fold is not None:
            self._turned ^= {fold.start}
            self.cursor = fold.start
            self._after_turning()

    def _after_turning(self) -> None:
        """Place the lines anew, with the cursor on the row of the screen that it was on."""
        place = self.map.row_of(self.cursor) - self.scroll_offset.y
        self._lay_out(force=True)
        self._keep_on_lines()
        row = self.map.row_of(self.cursor)
        self._fit()
        self.scroll_to_row(row - max(0, min(place, self.scrollable_content_region.height - 1)))
        self._moved()

    def action_line(self, by: int) -> None:
        """Take the cursor a line on or back, or scroll a row while its line goes on outside the view."""
        row, height = self.map.row_of(self.cursor), self.scrollable_content_region.height
        top = self.scroll_offset.y
        if by > 0 and row + self.map.height_of(self.cursor) > top + height:
            self.scroll_to_row(top + 1)
        elif by < 0 and row < top:
            self.scroll_to_row(top - 1)
        else:
            self.cursor = self.map.beside(self.cursor, by)
            row = self.map.row_of(self.cursor)
            last = row + self.map.height_of(self.cursor) - 1
            if by > 0 and last >= top + height:
                self.scroll_to_row(min(row, last - height + 1))
            elif by < 0 and row < top:
                self.scroll_to_row(max(row, top - 1) if self.map.height_of(self.cursor) > height else row)
            self._moved()

    def action_edge(self, by: int) -> None:
        """Go to the start or the end of the document."""
        self.scroll_to_row(self.map.total if by > 0 else 0)
        # What was measured on the way may have made the document longer.
        self.scroll_to_row(self.map.total if by > 0 else 0)
        self.cursor = self.map.beside(self.cursor, by * len(self.document))
        self._moved()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Take the cursor along when its line leaves the view."""
        super().watch_scroll_y(old_value, new_value)
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        if round(old_value) == round(new_value) or height <= 0 or not len(self.document) or not self._has_room:
            return
        row = self.map.row_of(self.cursor)
        if row + self.map.height_of(self.cursor) <= top:
            self.cursor = self.map.place_of(top)[0]
        elif row >= top + height:
            self.cursor = self.map.place_of(top + height - 1)[0]
        else:
            return
        self._moved()

    def on_click(self, event: events.Click) -> None:
        """Take the cursor to what was clicked; a fold is opened or closed."""
        offset = event.get_content_offset(self)
        row = self.scroll_offset.y + offset.y if offset is not None else -1
        if not len(self.document) or not 0 <= row < self.map.total:
            return
        self.cursor = self.map.place_of(row)[0]
        if self.cursor in self.document.fold_at:
            self.action_turn_fold()
        else:
            self._moved()

    def on_focus(self) -> None:
        """Show the cursor."""
        self.refresh()

    def on_blur(self) -> None:
        """Show none."""
        self.refresh()

    def _keep_on_lines(self) -> None:
        self.cursor = self.map.beside(self.cursor, 0)

    def _moved(self) -> None:
        self.refresh()
        self.post_message(self.Moved())


def passage_at(shown: RenderedDocument, at: int) -> tuple[int, int]:
    """The first and last line, from 1, of what belongs together around line `at`, from 0.

    That is a fold, or what stands under a heading up to the next heading, fold or rule.
    """
    if fold := shown.fold_at.get(at) or next(reversed(shown.folds_around(at)), None):
        return fold.start + 1, fold.end
    first = at
    while first > 0 and not _starts_block(shown, first) and not shown.folds_around(first - 1):
        first -= 1
    last = at + 1
    while last < len(shown) and not _starts_block(shown, last):
        last += 1
    while last > first + 1 and not shown.source[last - 1].strip():
        last -= 1
    return first + 1, last


def _starts_block(shown: RenderedDocument, at: int) -> bool:
    """Something else begins on the line."""
    return at < shown.ready and (
        shown.kinds[at] == "heading" or at in shown.fold_at or (shown.source[at].rstrip() == "---" and at > 0)
    )


def cite_lines(bench: Workbench, source: Document, lines: tuple[int, int]) -> str:
    """Lines of a document, from 1, and where they stand: in the file, or for a transcript on which of its lines."""
    words = "\n".join(source.text.split("\n")[lines[0] - 1 : lines[1]])
    first, last = lines
    if source.spots:
        spot = max(0, bisect_right(source.spots, last, key=lambda spot: spot.start) - 1)
        first = last = source.spots[spot].line
    place = str(SourceRef(plain_line(bench.store.relative(source.path)), first, last))
    return f"{redact(strip_controls(words)).strip()}\n— {place}"
