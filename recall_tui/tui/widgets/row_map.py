"""Map the rows of a document to its lines: measured around the view, estimated elsewhere.

Measured rows are exact relative to each other; later measurements move only the rows below.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recall_tui.storage.archives.folds import Fold
    from recall_tui.tui.widgets.markdown_lines import RenderedDocument

CHUNK_LINES = 64
"""Lines that are measured together."""


class RowMap:
    """The visible lines of a document at a given width, in rows."""

    def __init__(
        self, document: RenderedDocument, width: int, is_closed: Callable[[Fold], bool] = lambda fold: False
    ) -> None:
        self.width = width
        self.document = document
        self._is_closed = is_closed
        self._lines = array("L")
        self._totals: list[int] = []
        """The rows of each chunk."""
        self._heights: dict[int, list[int]] = {}
        """Of each measured chunk: the first row of each line within the chunk, and the total."""
        self._starts: list[int] = [0]
        self._known = 0
        self.grow()

    def grow(self) -> None:
        """Add the lines classified since the last call."""
        ready = self.document.ready
        self._lines += self.document.shown(self._known, ready, self._is_closed)
        self._known = ready
        whole = len(self._totals) - 1 if self._totals else 0
        self._heights.pop(whole, None)
        del self._totals[whole:]
        source, width = self.document.source, self.width
        for first in range(whole * CHUNK_LINES, len(self._lines), CHUNK_LINES):
            lengths = [len(source[at]) for at in self._lines[first : first + CHUNK_LINES]]
            longer = sum(length // width for length in lengths if length > width)
            self._totals.append(len(lengths) + longer)
        self._add_up()

    def _add_up(self) -> None:
        self._starts = [0, *accumulate(self._totals)]

    @property
    def total(self) -> int:
        """Return the number of rows, partly estimated."""
        return self._starts[-1]

    def place_of(self, row: int) -> tuple[int, int]:
        """Return the line at a row and the row's index in it; the last one beyond the end; (-1, 0) without lines."""
        if not len(self._lines):
            return -1, 0
        row = max(0, row)
        while True:
            chunk = min(bisect_right(self._starts, row) - 1, len(self._totals) - 1)
            heights = self._measured(chunk)
            inside = row - self._starts[chunk]
            if inside < heights[-1] or chunk == len(self._totals) - 1:
                inside = min(inside, heights[-1] - 1)
                place = bisect_right(heights, inside) - 1
                return self._lines[chunk * CHUNK_LINES + place], inside - heights[place]

    def row_of(self, line: int) -> int:
        """Return the first row of a line; of a hidden line, that of the visible line before it."""
        place = self.position(line)
        if place < 0:
            return 0
        chunk = place // CHUNK_LINES
        return self._starts[chunk] + self._measured(chunk)[place % CHUNK_LINES]

    def height_of(self, line: int) -> int:
        """Return the number of rows of a visible line."""
        place = self.position(line)
        if place < 0:
            return 0
        heights = self._measured(place // CHUNK_LINES)
        return heights[place % CHUNK_LINES + 1] - heights[place % CHUNK_LINES]

    def position(self, line: int) -> int:
        """Return the index of a line among the visible ones, or of the one before it; -1 when there are none."""
        return min(max(bisect_right(self._lines, line) - 1, 0), len(self._lines) - 1)

    def beside(self, line: int, by: int) -> int:
        """Return the visible line `by` lines further on, or back if negative, clamped to the ends."""
        if not len(self._lines):
            return line
        return self._lines[max(0, min(self.position(line) + by, len(self._lines) - 1))]

    def has(self, line: int) -> bool:
        """Return whether the line is visible."""
        place = bisect_left(self._lines, line)
        return place < len(self._lines) and self._lines[place] == line

    def measure(self, first: int, last: int) -> bool:
        """Measure the lines on these rows; return whether any row below has moved."""
        before = self.total
        chunk = max(0, bisect_right(self._starts, first) - 1)
        is_new = False
        while chunk < len(self._totals) and self._starts[chunk] <= last:
            is_new = is_new or chunk not in self._heights
            self._measured(chunk)
            chunk += 1
        return is_new and self.total != before

    def _measured(self, chunk: int) -> list[int]:
        heights = self._heights.get(chunk)
        if heights is None:
            of_chunk = self._lines[chunk * CHUNK_LINES : (chunk + 1) * CHUNK_LINES]
            heights = self._heights[chunk] = [
                0,
                *accumulate(self.document.height(at, self.width) for at in of_chunk),
            ]
            if heights[-1] != self._totals[chunk]:
                self._totals[chunk] = heights[-1]
                self._add_up()
        return heights
