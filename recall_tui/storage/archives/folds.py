"""Where a conversation in markdown folds: results of tools, thoughts, sub-agents, as every generation marks them.

A fold that is never closed is none, and no text inside a fence opens or closes one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from recall_tui.storage.archives.body import LEGACY_RESULT
from recall_tui.storage.markdown.outline import LineKind
from recall_tui.storage.markdown.quoting import FenceTracker

_DETAILS_START = re.compile(r"\s*(?P<lead>>?) ?<details>\s*(?:<summary>(?P<label>.*?)</summary>)?\s*", re.IGNORECASE)
_DETAILS_END = re.compile(r"\s*(?P<lead>>?) ?</details>\s*", re.IGNORECASE)
_SUMMARY = re.compile(r"\s*>? ?<summary>(?P<label>.*?)</summary>\s*", re.IGNORECASE)
_MARKS = re.compile(r"\*+|:+\s*$")


@dataclass(frozen=True, slots=True)
class Fold:
    """Lines that can be folded away under their first; lines are counted from 0."""

    start: int
    """The line with its label, which stays."""
    end: int
    """The line after its last."""
    label: str


class FoldFinder:
    """Finds the folds of a document whose lines it is shown in their order."""

    def __init__(self) -> None:
        self._open: list[tuple[int, str, str]] = []
        """Where a fold begins, its label, and `>` when it stands in a quotation."""
        self._closed: list[Fold] = []
        self._fence = FenceTracker()
        self._result: tuple[int, str] | None = None
        """A label of the first generation whose fence may follow."""
        self._result_end = 0

    @property
    def is_inside(self) -> bool:
        """A fold is open, or a line is awaited that may be part of one."""
        return bool(self._open) or self._result is not None

    def take(self) -> list[Fold]:
        """The folds that were found since the last time, in the order of their first lines."""
        found = sorted(self._closed, key=lambda fold: fold.start)
        self._closed.clear()
        return found

    def see(self, at: int, line: str, kind: LineKind) -> bool:
        """Take in the next line; whether it is a mark of a fold and nothing else.

        Only HTML, quotations, lines that begin with `**`, and all lines while `is_inside`, need be shown.
        """
        if self._result is not None:
            self._see_after_result(at, kind)
        if kind == "html":
            return self._see_mark(at, line)
        if kind != "text":
            return False
        if line.lstrip()[:1] == ">":
            return not self._fence.holds(line.lstrip()[1:].lstrip(" ")) and self._see_mark(at, line)
        self._fence = FenceTracker()
        if line.startswith("**") and LEGACY_RESULT.fullmatch(line.rstrip()):
            self._result, self._result_end = (at, _MARKS.sub("", line).strip(" :")), 0
        return False

    def finish(self, at: int) -> None:
        """Take in the end of the document, after its last line; what is open now is no fold."""
        if self._result is not None:
            self._see_after_result(at, "text")
        self._open.clear()

    def _see_after_result(self, at: int, kind: LineKind) -> None:
        start, label = self._result or (at, "")
        if kind == "code":
            self._result_end = at + 1
        elif kind != "blank" or self._result_end:
            if self._result_end:
                self._closed.append(Fold(start, self._result_end, label))
            self._result = None

    def _see_mark(self, at: int, line: str) -> bool:
        if found := _DETAILS_START.fullmatch(line):
            self._open.append((at, found["label"] or "", found["lead"]))
            return found["label"] is None
        if found := _DETAILS_END.fullmatch(line):
            self._close(at, found["lead"])
            return True
        if self._open and self._open[-1][:2] == (at - 1, "") and (found := _SUMMARY.fullmatch(line)):
            self._open[-1] = (at, found["label"], self._open[-1][2])
        return False

    def _close(self, at: int, lead: str) -> None:
        """Close the innermost fold of this kind; what was opened inside it and not closed is no fold."""
        if not any(opened[2] == lead for opened in self._open):
            return
        while self._open[-1][2] != lead:
            self._open.pop()
        start, label, _ = self._open.pop()
        self._closed.append(Fold(start, at + 1, label or "Details"))
