"""Finding inside one document: the lines that hold what was typed, and walking from one to the next.

What was typed is found as it stands, whatever the case and the white space.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right

from recall_tui.tui.widgets.markdown_lines import Rendered


def literal(text: str) -> re.Pattern[str] | None:
    """What finds a text as it was typed; None for a blank one."""
    words = text.split()
    return re.compile(r"\s+".join(map(re.escape, words)), re.IGNORECASE) if words else None


def lines_with(document: Rendered, pattern: re.Pattern[str]) -> array[int]:
    """The lines of a document, from 0, in which the pattern is found."""
    return array("L", (at for at, line in enumerate(document.source) if pattern.search(line)))


class Matches:
    """The lines that were found, and at which of them one is."""

    def __init__(self, lines: array[int]) -> None:
        self._lines = lines
        self._place = -1

    def __len__(self) -> int:
        return len(self._lines)

    @property
    def said(self) -> str:
        """`3 of 17`; how many there are before one is visited."""
        if not len(self):
            return "no match"
        if self._place >= 0:
            return f"{self._place + 1} of {len(self)}"
        return f"{len(self)} {'match' if len(self) == 1 else 'matches'}"

    def step(self, here: int, by: int) -> int | None:
        """The next line from line `here` on, or the one before; None when there is none."""
        place = bisect_right(self._lines, here) if by > 0 else bisect_left(self._lines, here) - 1
        if not 0 <= place < len(self._lines):
            return None
        self._place = place
        return self._lines[place]

    def first_from(self, here: int) -> int | None:
        """The first line from line `here` on, that one included, else the first of all."""
        if not len(self):
            return None
        place = bisect_left(self._lines, here)
        self._place = place if place < len(self._lines) else 0
        return self._lines[self._place]
