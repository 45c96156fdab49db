"""Find the foldable parts of a conversation in markdown: tool results, thoughts, sub-agents, of every generation.

An unclosed fold does not count, and text inside a fence opens and closes none.
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
    """Lines that fold away under their first one; lines are counted from 0."""

    start: int
    """The line of the label, which stays visible."""
    end: int
    """The line after the last one."""
    label: str


class FoldFinder:
    """A finder for the folds of a document, given its lines in order."""

    def __init__(self) -> None:
        self._open: list[tuple[int, str, str]] = []
        """Start line and label of each open fold, and `>` for one inside a quotation."""
        self._closed: list[Fold] = []
        self._fence = FenceTracker()
        self._result: tuple[int, str] | None = None
        """A label of the first generation whose fence may follow."""
        self._result_end = 0

    @property
    def is_inside(self) -> bool:
        """Return whether a fold is open, or the next line may belong to one."""
        return bool(self._open) or self._result is not None

    def take(self) -> list[Fold]:
        """Return the folds found since the last call, by first line."""
        found = sorted(self._closed, key=lambda fold: fold.start)
        self._closed.clear()
        return found

    def see(self, at: int, line: str, kind: LineKind) -> bool:
        """Process the next line; return whether it is only a fold marker.

        Lines need to be passed only if they are HTML, quotations or begin with `**`, or while `is_inside`.
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
        """End the document after its last line; folds still open are dropped."""
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
        """Close the innermost fold of this kind; unclosed folds inside it are dropped."""
        if not any(opened[2] == lead for opened in self._open):
            return
        while self._open[-1][2] != lead:
            self._open.pop()
        start, label, _ = self._open.pop()
        self._closed.append(Fold(start, at + 1, label or "Details"))
