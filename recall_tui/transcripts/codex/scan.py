"""The first pass over a Codex rollout: whose lines they are, which of them only repeat another session, what is left.

A fork begins with the lines of the session it was made from, their times those of the copying. What tells them apart is
the id of each turn, which holds the time it was really begun. A line of which this cannot be told is kept.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from recall_tui.domain import MessageKind
from recall_tui.transcripts.claude.metadata import parse_record_time
from recall_tui.transcripts.claude.records import first_text, parse_object, sum_counts
from recall_tui.transcripts.codex.records import ITEM, RolloutEntry, message_drafts, parse_entry
from recall_tui.transcripts.jsonl import numbered_lines
from recall_tui.transcripts.read_report import ReadReport

_TIMED_UUID_VERSION = 7
"""The version of uuids that begin with their time (RFC 9562)."""
_MIN_MILLISECONDS = 10**11
"""A number as large as this counts milliseconds; seconds reach it in the year 5138."""
_CHILD_ID = re.compile(r'"agent_id"\s*:\s*"([0-9A-Za-z-]+)"')


@dataclass(frozen=True, slots=True)
class SessionSegment:
    """The lines of one session in a file; a retained copy holds those of its sub-agents after its own."""

    path: Path
    first: int
    last: int
    own: int
    """From this line on they are not those of the session it was forked from."""
    session_id: str
    is_side: bool
    voices: Mapping[MessageKind, int]
    """Which voice says each kind of message; the others repeat it."""
    left: tuple[range, ...]
    """Lines that were rolled back."""


def uuid_time(id: str) -> datetime | None:
    """The time that a uuid begins with, if it is of a kind that does."""
    try:
        value = uuid.UUID(id)
    except ValueError:
        return None
    if value.version != _TIMED_UUID_VERSION:
        return None
    return _time_of(value.int >> 80)


def scan_rollout(path: Path, reading: ReadReport, stem: str, *, is_side: bool = False) -> list[SegmentScan]:
    """The sessions whose lines are in a file, its own first; raises what `numbered_lines` raises."""
    name = path.name if is_side else ""
    found: list[SegmentScan] = []
    for line in numbered_lines(path):
        record = reading.take(line, parse_object, name)
        if line.problem:
            continue
        entry = parse_entry(record) if record else None
        if not found:
            found.append(SegmentScan(path, line.number, stem, is_side=is_side))
        elif entry and _starts_subagent(entry, {one.session_id for one in found}):
            found.append(SegmentScan(path, line.number, stem, is_side=True))
        found[-1].last = line.number
        if entry:
            found[-1].hear(entry, line.number)
    return found


def parent_session(meta: Mapping[str, Any]) -> str:
    """The session that a sub-agent works for; empty for a session of a person."""
    source = meta.get("source")
    subagent = source.get("subagent") if isinstance(source, dict) else None
    spawn = subagent.get("thread_spawn") if isinstance(subagent, dict) else None
    if not subagent and first_text(meta, "thread_source") != "subagent":
        return ""
    return (
        first_text(meta, "parent_thread_id")
        or first_text(spawn, "parent_thread_id")
        or first_text(meta, "forked_from_id")
        or "unknown"
    )


def subagent_parent(path: Path) -> str:
    """The session that the first line of a sub-agent's rollout says it works for."""
    record = next((parse_object(line.text)[0] for line in numbered_lines(path) if not line.problem), None)
    return parent_session(parse_entry(record).payload) if record else ""


def _starts_subagent(entry: RolloutEntry, known: set[str]) -> bool:
    """Whether a line opens the rollout of a sub-agent that one of the sessions began."""
    is_opening = entry.type == "session_meta" and first_text(entry.payload, "id") not in known
    return is_opening and parent_session(entry.payload) in known


class SegmentScan:
    """What is known so far of the lines of one session."""

    def __init__(self, path: Path, first: int, session_id: str, *, is_side: bool) -> None:
        self.path, self.first, self.last = path, first, first
        self.session_id, self.is_side = session_id, is_side
        self.meta: Mapping[str, Any] = {}
        self.parent = ""
        self.title = self.cwd = self.model = ""
        self.branch = self.version = ""
        self.started_at: datetime | None = None
        self._children: dict[str, int] = {}
        self._voices: dict[MessageKind, int] = {}
        self._turns: list[int] = []
        self._left: list[range] = []
        self._totals: dict[int, int] = {}
        """The tokens used so far, by the lines that say another number."""
        self._forked_from = ""
        self._turn = _Boundary()

    @property
    def children(self) -> list[str]:
        """The sub-agents that may have been begun here; what a tool printed names others too."""
        return [id for id, line in self._children.items() if line >= self._own()]

    @property
    def tokens(self) -> int:
        """Those of this session; a fork counts on from those of the session that it was made from."""
        own = self._own()
        before = max((count for line, count in self._totals.items() if line < own), default=0)
        return max((count - before for line, count in self._totals.items() if line >= own), default=0)

    def hear(self, entry: RolloutEntry, line: int) -> None:
        """Take in a line."""
        match entry.type:
            case "session_meta":
                self._hear_meta(entry)
            case "turn_context":
                self.model = first_text(entry.payload, "model") or self.model
                self.cwd = self.cwd or first_text(entry.payload, "cwd")
                self._turn.judge(entry.payload, self.started_at, line)
            case "event_msg":
                self._hear_event(entry, line)
        self._turn.time(parse_record_time(entry.timestamp), self.started_at, line)
        for utterance in message_drafts(entry):
            voice = self._voices.setdefault(utterance.kind, utterance.voice)
            self._voices[utterance.kind] = min(voice, utterance.voice)
            if utterance.kind == "prompt" and utterance.voice == ITEM:
                self._turns.append(line)
            elif utterance.kind == "tool_result" and '"agent_id"' in utterance.text:
                for child in _CHILD_ID.findall(utterance.text):
                    self._children.setdefault(child, line)

    def stretch(self, reading: ReadReport) -> SessionSegment:
        """The lines as they are to be read; a fork that cannot be told from what it repeats is a fault."""
        own = self._own()
        if own == self.first and self._forked_from:
            reading.fault(own, f"a fork of session {self._forked_from}: what it repeats cannot be told from its own")
        left = tuple(self._left)
        return SessionSegment(
            self.path, self.first, self.last, own, self.session_id, self.is_side, dict(self._voices), left
        )

    def _own(self) -> int:
        return self._turn.line(self.first, self.last) if self._forked_from else self.first

    def _hear_meta(self, entry: RolloutEntry) -> None:
        """The first is this session's own; a later one with another id belongs to a session that is repeated."""
        id = first_text(entry.payload, "id")
        if self.meta:
            if id and id != self.session_id:
                self._forked_from = self._forked_from or id
            return
        self.meta = entry.payload
        self.session_id = id or self.session_id
        self.parent = parent_session(entry.payload)
        self.cwd = first_text(entry.payload, "cwd")
        self.branch = first_text(entry.payload.get("git"), "branch")
        self.version = first_text(entry.payload, "cli_version")
        self.started_at = (
            uuid_time(id) or parse_record_time(entry.payload.get("timestamp")) or parse_record_time(entry.timestamp)
        )
        self._forked_from = first_text(entry.payload, "forked_from_id")

    def _hear_event(self, entry: RolloutEntry, line: int) -> None:
        payload = entry.payload
        match entry.kind:
            case "task_started" | "turn_started":
                self._turn.judge(payload, self.started_at, line)
            case "token_count":
                self._hear_tokens(payload.get("info"), line)
            case "thread_name_updated":
                self.title = " ".join(first_text(payload, "thread_name").split()) or self.title
            case "thread_rolled_back":
                self._roll_back(payload.get("num_turns"), line)
            case "collab_agent_spawn_end":
                if child := first_text(payload, "new_thread_id"):
                    self._children.setdefault(child, line)

    def _hear_tokens(self, info: object, line: int) -> None:
        """What was read from a cache is among what was read."""
        total = info.get("total_token_usage") if isinstance(info, dict) else None
        count = sum_counts(total, "input_tokens", "output_tokens")
        if count != next(reversed(self._totals.values()), 0):
            self._totals[line] = count

    def _roll_back(self, count: object, line: int) -> None:
        if isinstance(count, int) and 0 < count <= len(self._turns):
            self._left.append(range(self._turns[-count], line))
            del self._turns[-count:]


class _Boundary:
    """Where the lines that a fork repeats end, judged by the turns that begin in it."""

    def __init__(self) -> None:
        self._own = self._unknown = self._on_time = 0
        self._has_older = self._is_early = False

    def judge(self, turn: Mapping[str, Any], started_at: datetime | None, line: int) -> None:
        """Take in a turn: it is the fork's own when it was begun after the fork was made."""
        begun = uuid_time(first_text(turn, "turn_id")) or _turn_time(turn.get("started_at"))
        if begun is None or started_at is None:
            self._unknown = self._unknown or line
        elif begun >= started_at:
            self._own = self._own or line
        else:
            self._has_older, self._unknown = True, 0

    def time(self, at: datetime | None, started_at: datetime | None, line: int) -> None:
        """Take in the time of a line, which tells of old ones in forks that kept it."""
        if at and started_at and at < started_at - timedelta(seconds=1):
            self._is_early, self._on_time = True, 0
        elif self._is_early:
            self._on_time = self._on_time or line

    def line(self, first: int, last: int) -> int:
        """The first line of the fork's own; the very first when this cannot be told."""
        if self._own or self._has_older:
            return self._own or self._unknown or last + 1
        return (self._on_time or last + 1) if self._is_early else first


def _turn_time(number: object) -> datetime | None:
    """A time in seconds or milliseconds; seconds are rounded up, so that a turn begun in one counts as after it."""
    if not isinstance(number, int | float) or isinstance(number, bool):
        return None
    return _time_of(number) if number >= _MIN_MILLISECONDS else _time_of((number + 1) * 1000 - 1)


def _time_of(milliseconds: float) -> datetime | None:
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC)
    except (OverflowError, OSError, ValueError):
        return None
