"""Finding inside one document: where the words are typed, and what was found of them.

The document is looked through in the background; only the newest words are heard of. They are found as they stand,
whatever the case and the white space.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input

from recall_tui.tui.messages import MatchesFound
from recall_tui.tui.runtime.background_tasks import BUSY_AFTER_SECONDS
from recall_tui.tui.widgets.markdown_lines import RenderedDocument
from recall_tui.tui.workers import Debouncer, run_in_thread


class FindBox(Input):
    """The line at the foot of a document, there while one types."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "find", "Find", tooltip="Find the next match", id="find_now"),
        Binding("escape", "leave", "Leave", tooltip="Back to the document", id="leave_find"),
    ]

    class Left(Message):
        """The document is to have the focus again."""

    class Said(Message):
        """There is something new to say of what is found."""

    class Found(Message):
        """What was typed is known to be on some lines, or on none."""

    def __init__(self, pattern: re.Pattern[str] | None) -> None:
        super().__init__(id="find", placeholder="find in this document")
        self.display = False
        self.cursor_blink = False
        self.delays = Debouncer(self)
        self.pattern = pattern
        """What is looked for."""
        self.matches: DocumentMatches | None = None
        """What was found; None while nothing is looked for or it is not known."""
        self._document = RenderedDocument("")
        self._is_busy = self._is_asked = False

    @property
    def said(self) -> str:
        """What to say of it: at which match one is, of how many."""
        if self._is_busy:
            return "finding …"
        return self.matches.said if self.matches is not None else ""

    def open(self) -> None:
        """Ask for words, at once: what is typed right after the key belongs to them."""
        self.display = True
        self.screen.set_focus(self)

    def look_in(self, document: RenderedDocument) -> None:
        """Find what is looked for in a document, as it is now."""
        self._document, self.matches, pattern = document, None, self.pattern
        if pattern is None:
            self.post_message(self.Said())
            return
        self.delays.after("busy", BUSY_AFTER_SECONDS, self._say_busy)
        run_in_thread(self, lambda: MatchesFound(document, matching_lines(document, pattern)), "find")

    def _say_busy(self) -> None:
        self._is_busy = True
        self.post_message(self.Said())

    @on(MatchesFound)
    def _matches_found(self, message: MatchesFound) -> None:
        message.stop()
        if message.document is not self._document:
            return
        self.delays.stop("busy")
        self._is_busy = False
        self.matches = DocumentMatches(message.lines)
        self.post_message(self.Found() if self._is_asked else self.Said())
        self._is_asked = False

    def action_find(self) -> None:
        """Find what was typed."""
        self.pattern = compile_literal(self.value)
        self._is_asked = True
        self.action_leave()
        self.look_in(self._document)

    def action_leave(self) -> None:
        """Go back to the document."""
        self.display = False
        self.post_message(self.Left())


def compile_literal(text: str) -> re.Pattern[str] | None:
    """What finds a text as it was typed; None for a blank one."""
    words = text.split()
    return re.compile(r"\s+".join(map(re.escape, words)), re.IGNORECASE) if words else None


def matching_lines(document: RenderedDocument, pattern: re.Pattern[str]) -> array[int]:
    """The lines of a document, from 0, in which the pattern is found."""
    return array("L", (at for at, line in enumerate(document.source) if pattern.search(line)))


class DocumentMatches:
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
