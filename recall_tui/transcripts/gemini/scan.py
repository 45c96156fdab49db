"""The first pass over a Gemini CLI chat: which of its records count.

A message is recorded again whenever it changes, alone or with all others; the last record of it counts. One that the
person went back behind is kept and marked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from pathlib import Path
from typing import Any, NamedTuple

from recall_tui.transcripts.claude.records import first_text, parse_object, sum_counts
from recall_tui.transcripts.jsonl import HEAD_BYTES, MAX_OBJECT_BYTES, TranscriptLine, numbered_lines, read_head
from recall_tui.transcripts.read_report import ReadReport

_SINGLE_OBJECT = -1


class RecordPosition(NamedTuple):
    """Where a message is recorded."""

    line: int
    """Of the record."""
    position: int = _SINGLE_OBJECT
    """In the record's messages; -1 for a message by itself."""


class RecordedMessage(NamedTuple):
    """A message and where it is recorded."""

    place: RecordPosition
    key: str
    message: Mapping[str, Any]
    line: int
    """Of the message itself, when its record takes several."""


@dataclass(frozen=True, slots=True)
class GeminiSession:
    """The messages of one session in a file."""

    path: Path
    session_id: str
    is_side: bool
    last: int
    """The file may have grown since; later lines belong to the next reading."""
    counted: frozenset[RecordPosition]
    left: frozenset[RecordPosition]
    """Those of the counted that the person went back behind."""

    def is_aside(self, session_id: str) -> bool:
        """Whether what is said in that session is a sub-agent's."""
        return self.is_side or session_id != self.session_id


class GeminiScan:
    """What was found in a file."""

    def __init__(self, path: Path, reading: ReadReport, *, is_side: bool = False) -> None:
        self.path, self.is_side = path, is_side
        self.meta: dict[str, str] = {}
        self.model = ""
        self.session_id = ""
        self._tokens: dict[str, int] = {}
        self._places: dict[tuple[str, str], RecordPosition] = {}
        self._left: set[tuple[str, str]] = set()
        self._keys: list[tuple[str, str]] = []
        self._numbers: dict[tuple[str, str], int] = {}
        self._standing: list[int] = []
        """A heap of the numbers of those that are not left, the last first."""
        self._last = 0
        session = ""
        for line, record in _records(path, reading, path.name if is_side else ""):
            self._last = line.number
            session = session_of_record(record) or session
            self.session_id = self.session_id or session
            self._hear(record, line, session)

    @property
    def tokens(self) -> int:
        """Those of all requests of the session; what was read from a cache is among what was read."""
        return sum(self._tokens.values())

    def chat(self, session_id: str) -> GeminiSession:
        """The messages as they are to be read."""
        left = frozenset(self._places[key] for key in self._left)
        return GeminiSession(self.path, session_id, self.is_side, self._last, frozenset(self._places.values()), left)

    def _hear(self, record: Mapping[str, Any], line: TranscriptLine, session: str) -> None:
        change = record.get("$set")
        for source in (record, change):
            if isinstance(source, dict) and "type" not in source and session == self.session_id:
                self.meta |= {name: value for name, value in source.items() if isinstance(value, str)}
        if back := first_text(record, "$rewindTo"):
            self._go_back((session, back))
        for recorded in messages_in_record(record, line):
            key = (session, recorded.key)
            if key not in self._places:
                self._numbers[key] = len(self._keys)
                self._keys.append(key)
            if key not in self._places or key in self._left:
                heappush(self._standing, -self._numbers[key])
            self._places[key] = recorded.place
            self._left.discard(key)
            if session == self.session_id:
                self.model = first_text(recorded.message, "model") or self.model
                if count := sum_counts(recorded.message.get("tokens"), "input", "output", "thoughts", "tool"):
                    self._tokens[recorded.key] = count

    def _go_back(self, key: tuple[str, str]) -> None:
        """Leave a message and all that were first recorded after it."""
        first = self._numbers.get(key)
        while first is not None and self._standing and -self._standing[0] >= first:
            self._left.add(self._keys[-heappop(self._standing)])


def session_of_record(record: Mapping[str, Any]) -> str:
    """The session that a record opens; empty for any but the first of a chat.

    A retained copy holds the chats of the session's sub-agents after its own.
    """
    return "" if "type" in record else first_text(record, "sessionId")


def reread_records(path: Path, last: int) -> Iterator[tuple[TranscriptLine, Mapping[str, Any]]]:
    """The records of a file that was surveyed, up to the line it ended with."""
    return ((line, record) for line, record in _records(path, ReadReport(), "") if line.number <= last)


def messages_in_record(record: Mapping[str, Any], line: TranscriptLine) -> Iterator[RecordedMessage]:
    """The messages that a record holds: itself, those of a whole chat, or those that a change sets anew."""
    if "type" in record and "id" in record:
        place = RecordPosition(line.number)
        yield RecordedMessage(place, _key(record, place), record, line.number)
        return
    change = record.get("$set")
    messages = change.get("messages") if isinstance(change, dict) else record.get("messages")
    at, number = 0, line.number
    for position, message in enumerate(messages if isinstance(messages, list) else ()):
        if not isinstance(message, dict):
            continue
        place = RecordPosition(line.number, position)
        key = _key(message, place)
        found = line.text.find(f'"{key}"'.encode("utf-8", "replace"), at)
        if found >= 0:
            number += line.text.count(b"\n", at, found)
            at = found
        yield RecordedMessage(place, key, message, number)


def _key(message: Mapping[str, Any], place: RecordPosition) -> str:
    return first_text(message, "id") or f"{place.line}.{place.position}"


def _records(path: Path, reading: ReadReport, name: str) -> Iterator[tuple[TranscriptLine, Mapping[str, Any]]]:
    """The records of a chat: one a line, or a single one that takes them all."""
    lines = _single_object(path) if _is_single(path) else numbered_lines(path)
    for line in lines:
        record = reading.take(line, parse_object, name)
        if record is not None:
            yield line, record


def _is_single(path: Path) -> bool:
    """Whether the first line with something on it is no record by itself: it goes on after it, or after the head."""
    head = read_head(path, HEAD_BYTES).lstrip()
    first, end, _ = head.partition(b"\n")
    return parse_object(first)[0] is None and (first.rstrip() == b"{" or not end)


def _single_object(path: Path) -> Iterator[TranscriptLine]:
    text = read_head(path, MAX_OBJECT_BYTES + 1).rstrip()
    if len(text) > MAX_OBJECT_BYTES:
        yield TranscriptLine(1, b"", f"a single object longer than {MAX_OBJECT_BYTES >> 20} MB")
    else:
        yield TranscriptLine(1, text)
