"""The title of the terminal's window while the app is open; the one from before comes back when it is left.

What a memory's folder is called never steers the terminal.
"""

from __future__ import annotations

from collections.abc import Callable

from recall_tui.text.cut import shorten
from recall_tui.tui.text import plain_line

_PUSH_TITLE = "\x1b[22;0t"
_POP_TITLE = "\x1b[23;0t"
"""XTWINOPS 22 and 23: the terminal keeps titles on a stack. One that has none passes over both."""
_MAX_TITLE_CHARS = 120
"""Characters; more does not fit a window's frame."""


class TerminalTitle:
    """The title, put there once and taken away once."""

    def __init__(self, write: Callable[[str], object]) -> None:
        """`write` hands characters to the terminal as they are."""
        self._write = write
        self._shown = ""
        self._is_over = False
        """The title from before lies on the terminal's stack."""

    def show(self, memory: str) -> None:
        """Say which memory is worked on."""
        self._shown = shorten(f"recall-tui — {plain_line(memory)}", _MAX_TITLE_CHARS)
        self.put_back()

    def put_back(self) -> None:
        """Show the title again, after another program had the terminal."""
        if self._shown:
            self._write(f"{'' if self._is_over else _PUSH_TITLE}\x1b]0;{self._shown}\x07")
            self._is_over = True

    def take_away(self) -> None:
        """Have the terminal show the title from before."""
        if self._is_over:
            self._write(_POP_TITLE)
            self._is_over = False
