"""Logs of JSON records, one a line: a first pass for what counts, a second for the messages.

An agent says what a record is; everything else is the same for all. A file is held in memory never.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Self

import msgspec

from recall_tui.domain import Conversation, Message, SkippedResult
from recall_tui.errors import RecallError
from recall_tui.transcripts.claude.main_chain import RecordChain
from recall_tui.transcripts.claude.records import TranscriptRecord, parse_object
from recall_tui.transcripts.conversation_head import RecordMetadata, build_conversation, part_messages
from recall_tui.transcripts.jsonl import numbered_lines
from recall_tui.transcripts.read_report import ReadReport
from recall_tui.transcripts.reader import MessageDraft
from recall_tui.transcripts.tool_calls import OpenCalls, plan_text

_UNIQUE_ID_CHARS = 32
"""Characters of an id that is no other session's, too."""


class LogEntry(NamedTuple):
    """What one record says."""

    drafts: Sequence[MessageDraft]
    at: datetime | None = None
    id: str = ""
    """The record's own; empty when it has none, and can be no part of a tree."""
    parent: str | None = ""
    """The record that it follows; empty for the one before it, None for a beginning."""
    message_id: str = ""
    """Of a message in several records."""
    is_side: bool = False
    """Exchanged with a sub-agent, in the file of its session."""


NO_ENTRY = LogEntry(())


@dataclass(frozen=True, slots=True)
class LogPart:
    """One file of a session, and which of its lines count."""

    path: Path
    session_id: str
    parse: Callable[[Mapping[str, Any]], LogEntry]
    last: int
    """The file may have grown since; later lines belong to the next reading."""
    dropped: frozenset[int]
    """Lines that repeat an earlier record."""
    left: frozenset[int]
    """Lines that the person went back behind."""
    side_from: int
    """The first line that is a sub-agent's, as all after it; 0 when there is none."""

    @property
    def is_side(self) -> bool:
        """The whole file is a sub-agent's."""
        return self.side_from == 1


class LogScan(ABC):
    """What was found in a file of a session, its own or a sub-agent's."""

    is_tree = False
    """Each record names the one it follows, and what the last one does not lead back to was left."""

    def __init__(self, path: Path, reading: ReadReport, session_id: str, *, is_side: bool = False) -> None:
        self.path, self.reading, self.session_id = path, reading, session_id
        self._name = session_id
        self._ids: dict[str, None] = {}
        self.parent = ""
        """The session that this one works for, if it is a sub-agent's."""
        self.refusal = ""
        """Why the file cannot be read, if its form is not known."""
        self.title = self.cwd = self.branch = self.model = self.version = ""
        self.tokens = 0
        self.started_at: datetime | None = None
        self.left: set[int] = set()
        self._chain = RecordChain()
        self._dropped: set[int] = set()
        self._last = 0
        self._side_from = int(is_side)
        self._announced: dict[str, int] = {}

    @staticmethod
    @abstractmethod
    def parse(record: Mapping[str, Any]) -> LogEntry:
        """Return what a record says; nothing for one of an unknown shape."""

    @abstractmethod
    def hear(self, record: Mapping[str, Any], entry: LogEntry, line: int) -> None:
        """Take in what a record of the session itself tells beside its words."""

    def opens_file(self, record: Mapping[str, Any]) -> bool:
        """Return True for the first record of a file: a retained copy has those of sub-agents after its own."""
        return False

    def run(self) -> Self:
        """Read the file; raises what `numbered_lines` raises."""
        name = self.path.name if self._side_from else ""
        is_open = False
        for line in numbered_lines(self.path):
            record = self.reading.take(line, parse_object, name)
            self._last = self._last if line.problem else line.number
            if record is None:
                continue
            if self.opens_file(record):
                if is_open:
                    self._side_from = self._side_from or line.number
                is_open = True
            entry = self.parse(record)
            is_side = bool(self._side_from) or entry.is_side
            self._hang(entry, line.number, is_side=is_side)
            if not is_side and line.number not in self._dropped:
                self.hear(record, entry, line.number)
        return self

    def note_session(self, id: str) -> None:
        """Take in the id that a record bears; the name of the file stands when one bears it, else the first id."""
        if id:
            self._ids[id] = None
            self.session_id = self._name if self._name in self._ids else next(iter(self._ids))

    def expect_version(self, version: object, newest: int) -> None:
        """Refuse the file if its form is newer than the newest that is known."""
        if isinstance(version, int) and version > newest:
            self.refusal = f"version {version} of its form is not known; the newest that is read is {newest}"

    def announce(self, text: str, line: int) -> None:
        """Remember a line whose words another record may say again."""
        self._announced = {text: line}

    def say(self, text: str) -> None:
        """Drop the line that was announced with these words."""
        if line := self._announced.pop(text, 0):
            self.drop(line)

    def drop(self, line: int) -> None:
        """Leave out what a line says."""
        self._dropped.add(line)

    def part(self) -> LogPart:
        """The file as it is to be read."""
        left = frozenset(self.left) | self._chain.left_behind()
        return LogPart(
            self.path, self.session_id, self.parse, self._last, frozenset(self._dropped), left, self._side_from
        )

    def _hang(self, entry: LogEntry, line: int, *, is_side: bool) -> None:
        if not entry.id:
            return
        said = hash(tuple((one.kind, one.text) for one in entry.drafts)) if entry.drafts else 0
        if is_side:
            is_new = self._chain.note(entry.id, said)
        else:
            is_reply = any(one.kind in ("reply", "tool_call") for one in entry.drafts)
            record = TranscriptRecord(
                type="assistant" if is_reply else "user",
                parent_uuid=msgspec.UNSET if entry.parent == "" else entry.parent,
            )
            is_prompt = self.is_tree or any(one.kind == "prompt" for one in entry.drafts)
            is_new = self._chain.add(entry.id, record, line, is_prompt=is_prompt, said=said)
        if not is_new:
            self._dropped.add(line)


def read_log(agent: str, own: LogScan, sides: Sequence[LogScan] = ()) -> Conversation | SkippedResult:
    """The conversation in the files of a session; Skipped for a sub-agent's, an unknown form, and no message at all."""
    reading = own.reading
    if own.refusal:
        reading.fault(1, own.refusal)
        return reading.skipped(own.refusal)
    if own.parent:
        return SkippedResult(f"a sub-agent's transcript of session {own.parent}")
    told = RecordMetadata(
        session_id=own.session_id,
        title=" ".join(own.title.split()),
        cwd=own.cwd,
        branch=own.branch,
        model=own.model,
        version=own.version,
        started_at=own.started_at,
        tokens=own.tokens,
        side_files=tuple(one.path for one in sides),
    )
    parts = tuple(one.part() for one in (own, *sides))
    return build_conversation(agent, own.path, told, reading, partial(part_messages, _part_messages, parts))


def scan_sides(scans: Sequence[LogScan], reading: ReadReport) -> list[LogScan]:
    """The scans of the sub-agents' files that can be read; trouble with another is a fault of the session."""
    found: list[LogScan] = []
    for scan in scans:
        try:
            found.append(scan.run())
        except RecallError as error:
            reading.fault(0, error.message)
    return found


def _part_messages(part: LogPart) -> Iterator[Message]:
    calls = OpenCalls()
    for line in numbered_lines(part.path):
        if line.number > part.last:
            return
        if line.problem or line.number in part.dropped:
            continue
        record, _ = parse_object(line.text)
        entry = part.parse(record) if record else NO_ENTRY
        if not entry.drafts:
            continue
        uuid = entry.id if len(entry.id) >= _UNIQUE_ID_CHARS else f"{part.session_id}:{entry.id or line.number}"
        model = Message(
            "reply",
            "",
            at=entry.at,
            uuid=uuid,
            message_id=entry.message_id or uuid,
            is_sidechain=entry.is_side or 0 < part.side_from <= line.number,
            is_off_chain=line.number in part.left,
            line=line.number,
        )
        yield from draft_messages(entry.drafts, model, calls)


def draft_messages(drafts: Sequence[MessageDraft], model: Message, calls: OpenCalls) -> Iterator[Message]:
    """The messages of one record, each otherwise as `model`; a plan stands after the call that asks about it."""
    for draft in drafts:
        tool = draft.tool
        if tool and draft.kind == "tool_call":
            calls.open(tool)
        elif draft.answers:
            tool = calls.answered(draft.answers)
        message = replace(model, kind=draft.kind, text=draft.text, tool=tool, is_error=draft.is_error)
        yield message
        if tool and draft.kind == "tool_call" and (plan := plan_text(tool)):
            yield replace(message, kind="plan", text=plan)
