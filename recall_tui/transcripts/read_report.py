"""The bookkeeping of a reading: what could not be read, and the hash of all that could.

Every line is counted once, whichever file of the conversation it comes from.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from recall_tui.domain import ReadError, SkippedResult

if TYPE_CHECKING:
    from recall_tui.transcripts.jsonl import TranscriptLine

MAX_FAULTS = 20
"""Faults that are kept; the others are counted."""
HASH_DIGITS = 16

T = TypeVar("T")


class ReadReport:
    """How the reading of one conversation went so far."""

    def __init__(self) -> None:
        self.faults: list[ReadError] = []
        self.fault_count = 0
        self.line_count = 0
        self._hash = hashlib.sha256()

    @property
    def content_hash(self) -> str:
        """The hash of the complete lines so far."""
        return self._hash.hexdigest()[:HASH_DIGITS]

    def take(self, line: TranscriptLine, parse: Callable[[bytes], tuple[T | None, str]], name: str = "") -> T | None:
        """What is on a line, if anything; trouble is noted, with the file's name when one is given."""
        self.line_count += 1
        problem, record = line.problem, None
        if not problem:
            self._hash.update(line.text)
            self._hash.update(b"\n")
            if not line.text or line.text.isspace():
                return None
            record, problem = parse(line.text)
        if problem:
            self.fault(line.number, f"{name}: {problem}" if name else problem)
        return record

    def take_whole(self, text: bytes) -> None:
        """Note a file that was read as a whole."""
        self.line_count += 1
        self._hash.update(text)

    def fault(self, line: int, reason: str) -> None:
        """Note what is wrong at a line."""
        self.fault_count += 1
        if len(self.faults) < MAX_FAULTS:
            self.faults.append(ReadError(line, reason))

    def skipped(self, reason: str = "") -> SkippedResult:
        """What files without a message are, for a reason of their own or for the one that the reading knows."""
        return SkippedResult(reason or self._why_skipped(), tuple(self.faults))

    def _why_skipped(self) -> str:
        if not self.line_count:
            return "the file is empty"
        if self.fault_count == self.line_count == 1:
            return f"it cannot be read: {self.faults[0].reason}"
        if self.fault_count == self.line_count:
            return "no line of it can be read"
        return "no message in it"
