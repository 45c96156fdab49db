"""Codex's transcripts: one JSON record a line, one rollout a session, plain or compressed.

What a rollout repeats, of itself and of the session it was forked from, is read once; a file is held in memory never.
"""

from __future__ import annotations

import glob
import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recall_tui import files
from recall_tui.environment import Environment
from recall_tui.errors import RecallError
from recall_tui.transcripts.discovery import list_folder, prefer_uncompressed, transcript_stem
from recall_tui.transcripts.folder_reader import FolderReader, Listing
from recall_tui.transcripts.reader import Retention, record_type

if TYPE_CHECKING:
    from recall_tui.domain import Conversation, SkippedResult
    from recall_tui.transcripts.codex.scan import SegmentScan
    from recall_tui.transcripts.read_report import ReadReport

_DAYS_AROUND = (-1, 0, 1)
"""Folders of days are named in local time; the time in an id is UTC."""


_FOLDERS = ("sessions", "archived_sessions")
_NAME = re.compile(r"rollout-(?:\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-)?(.+?)\.jsonl(?:\.zst)?")
_TYPES = frozenset(["session_meta", "response_item", "request_item", "event_msg", "turn_context", "compacted"])
_BARE_TYPES = frozenset(["message", "reasoning", "function_call", "function_call_output"])
"""Of lines that older versions wrote without an envelope."""


class CodexReader(FolderReader):
    """The reader of Codex's rollouts, `<codex>/sessions/*/*/*/` and `<codex>/archived_sessions/`.

    Of a rollout that lies there both plain and compressed, the plain one is read.
    """

    agent = "codex"
    label = "Codex"

    def folders(self, environment: Environment) -> tuple[Path, ...]:
        """Return the folders of current and of archived sessions."""
        return tuple(environment.codex / name for name in _FOLDERS)

    def list_paths(self, environment: Environment, listing: Listing) -> Iterator[Path]:
        """Yield the paths named like a rollout."""
        days = [environment.codex / "sessions"]
        for _ in ("year", "month", "day"):
            days = [*days, *(inner for folder in days for inner in list_folder(folder) if inner.name.isdecimal())]
        folders = dict.fromkeys([*days, environment.codex / "archived_sessions"])
        return (path for folder in folders for path in prefer_uncompressed(listing(folder)) if self.is_named(path))

    def is_named(self, path: Path) -> bool:
        """Return True for `rollout-<time>-<id>.jsonl`, plain or compressed."""
        return _NAME.fullmatch(path.name) is not None

    def session_id(self, path: Path) -> str:
        """Return the id in the rollout's name."""
        named = _NAME.fullmatch(path.name)
        return named[1] if named else transcript_stem(path)

    def resume_arguments(self, session_id: str) -> tuple[str, ...]:
        """Return the words of `codex resume`."""
        return ("resume", session_id)

    def is_record(self, record: Mapping[str, Any]) -> bool:
        """Return True for a record of Codex, with or without an envelope."""
        kind = record_type(record)
        if "payload" in record:
            return kind in _TYPES
        if kind in _BARE_TYPES:
            return "role" in record or "call_id" in record or "summary" in record
        is_opening = not kind and {"id", "timestamp"} <= record.keys()
        return record.get("record_type") == "state" or (is_opening and bool({"instructions", "git"} & record.keys()))

    def folder_in_record(self, record: Mapping[str, Any]) -> str:
        """Return the folder in the payload of a record."""
        payload = record.get("payload")
        return super().folder_in_record(payload) if isinstance(payload, dict) else ""

    def retention(self, environment: Environment) -> Retention:
        """Return that it deletes none: old sessions are archived beside the others."""
        return Retention()

    def read(self, path: Path) -> Conversation | SkippedResult:
        """The session in a rollout with its sub-agents; Skipped for a sub-agent's rollout and one without messages."""
        from recall_tui.transcripts.codex.messages import read_segment
        from recall_tui.transcripts.codex.scan import scan_rollout
        from recall_tui.transcripts.conversation_head import RecordMetadata, build_conversation, part_messages
        from recall_tui.transcripts.read_report import ReadReport

        reading = ReadReport()
        found = scan_rollout(path, reading, self.session_id(path))
        if not found:
            return reading.skipped()
        own = found[0]
        if own.parent:
            from recall_tui.domain import SkippedResult

            return SkippedResult(f"a sub-agent's transcript of session {own.parent}")
        side = _subagent_files(own, {one.session_id for one in found}, reading)
        told = RecordMetadata(
            session_id=own.session_id,
            title=_title(path, own.session_id) or own.title,
            cwd=own.cwd,
            branch=own.branch,
            model=own.model,
            version=own.version,
            tokens=own.tokens,
            started_at=own.started_at,
            side_files=tuple(one.path for one in side),
        )
        stretches = tuple(one.stretch(reading) for one in (*found, *side))
        return build_conversation(self.agent, path, told, reading, partial(part_messages, read_segment, stretches))


def _subagent_files(own: SegmentScan, known: set[str], reading: ReadReport) -> list[SegmentScan]:
    """The rollouts of the sub-agents that a session began, and of those that these began."""
    from recall_tui.transcripts.codex.scan import scan_rollout, subagent_parent

    found: list[SegmentScan] = []
    waiting = [(child, own) for child in own.children]
    while waiting:
        child, parent = waiting.pop(0)
        if child in known or not (path := _find_rollout(child, own.path)):
            continue
        known.add(child)
        try:
            # What a tool printed may name a stranger's sub-agent.
            one = scan_rollout(path, reading, child, is_side=True) if subagent_parent(path) == parent.session_id else []
        except RecallError as error:
            reading.fault(0, error.message)
            continue
        found += one
        waiting += [(grandchild, each) for each in one for grandchild in each.children]
    return found


def _find_rollout(session_id: str, beside: Path) -> Path | None:
    """The rollout of a sub-agent, beside its session's or in the folder of the day it was begun."""
    from recall_tui.transcripts.codex.scan import uuid_time

    folders = [beside.parent]
    if (at := uuid_time(session_id)) and (root := _codex_root(beside)):
        days = [at + timedelta(days=days) for days in _DAYS_AROUND]
        folders += [root / "sessions" / f"{day:%Y}" / f"{day:%m}" / f"{day:%d}" for day in days]
    for folder in dict.fromkeys(folders):
        found = prefer_uncompressed(folder.glob(f"rollout-*-{glob.escape(session_id)}.jsonl*"))
        if path := next((path for path in found if path.is_file()), None):
            return path
    return None


def _codex_root(path: Path) -> Path | None:
    """The folder of Codex that a rollout lies in."""
    return next((parent.parent for parent in path.parents if parent.name in _FOLDERS), None)


def _title(path: Path, session_id: str) -> str:
    """The last title that `session_index.jsonl` of Codex's folder gives the session; empty when it gives none."""
    from recall_tui.transcripts.claude.records import first_text, parse_object

    root, title = _codex_root(path), ""
    try:
        lines = files.read_file(root / "session_index.jsonl").splitlines() if root else []
    except OSError:
        return ""
    wanted = session_id.encode()
    for line in lines:
        if wanted in line and first_text(record := parse_object(line)[0], "id") == session_id:
            title = " ".join(first_text(record, "thread_name").split()) or title
    return title
