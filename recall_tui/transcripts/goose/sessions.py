"""The sessions of Goose's database, and those of older versions in files of lines.

Only `sessions` and `messages` are read. Compaction makes the rows of a session anew: their numbers name nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from recall_tui.domain import Message
from recall_tui.errors import NotFoundError
from recall_tui.transcripts.claude.metadata import parse_time_or_milliseconds
from recall_tui.transcripts.claude.records import first_text, parse_object, sum_counts
from recall_tui.transcripts.conversation_head import RecordMetadata
from recall_tui.transcripts.goose.records import message_drafts
from recall_tui.transcripts.jsonl import numbered_lines
from recall_tui.transcripts.record_log import draft_messages
from recall_tui.transcripts.session_lines import Fault, render_session
from recall_tui.transcripts.shared_file import ListedSession
from recall_tui.transcripts.sqlite_file import file_state, translate_errors
from recall_tui.transcripts.sqlite_tables import (
    NS_PER_MS,
    DatabaseTables,
    add_counts,
    bounded,
    decode_bounded,
    to_bytes,
    to_name,
)
from recall_tui.transcripts.tool_calls import OpenCalls

_REQUIRED_COLUMNS = {"sessions": {"id", "working_dir"}, "messages": {"session_id", "role", "content_json"}}
_HIDDEN = frozenset({"sub_agent", "hidden", "terminal"})
"""Types of sessions that no person held."""
_USAGE = "accumulated_total_tokens"
_MESSAGE_BYTES = 1 << 10
"""What a message counts for in the size of a session, which must be known without reading its messages."""
_ID_DIGITS = 32


def list_sessions(file: Path) -> Mapping[str, ListedSession]:
    """Return the sessions of a file by their ids; RecallError when it cannot be read."""
    if file.suffix != ".jsonl":
        return _read_listing(file, file_state(file))
    status, head = file.stat(), _file_head(file)
    tokens = sum_counts(head, _USAGE)
    folder = first_text(head, "working_dir")
    return {file.stem: ListedSession(file.stem, status.st_size, status.st_mtime_ns, folder, tokens)}


def session_lines(file: Path, session_id: str) -> Iterator[bytes]:
    """Yield the lines of a session; NotFoundError when the file does not hold it."""
    if file.suffix == ".jsonl":
        head = _file_head(file)
        told = _metadata(session_id, head, head.get("created_at"))
        yield from render_session("goose", told, _file_messages(file, session_id))
        return
    with translate_errors(file), closing(DatabaseTables(file, _REQUIRED_COLUMNS)) as database:
        names = ("name", "description", "working_dir", "created_at", "user_set_name")
        query = f"SELECT {database.pick('sessions', *names)} FROM sessions WHERE id = ?"
        row = next(database.rows(query, session_id), None)
        if row is None:
            raise NotFoundError(f"{file} holds no session {session_id}", hint="see: recall-tui list")
        head = dict(zip(names, row, strict=True))
        told = _metadata(session_id, head, head["created_at"])
        yield from render_session("goose", told, _messages(database, session_id))


@lru_cache(maxsize=16)
def _read_listing(file: Path, state: tuple[int, int] | None) -> Mapping[str, ListedSession]:
    """The sessions of a database in this state."""
    if state is None:
        raise NotFoundError(f"there is no database {file}", hint=f"check it with: ls -l {file}")
    with translate_errors(file), closing(DatabaseTables(file, _REQUIRED_COLUMNS)) as database:
        counts = dict(database.rows("SELECT session_id, count(*) FROM messages GROUP BY session_id"))
        columns = database.pick("sessions", "session_type", "updated_at", "created_at", "working_dir", _USAGE)
        found = {}
        for id, kind, updated, created, folder, tokens in database.rows(f"SELECT id, {columns} FROM sessions"):
            if not isinstance(id, str) or kind in _HIDDEN:
                continue
            at = parse_time_or_milliseconds(updated) or parse_time_or_milliseconds(created)
            moment = round(at.timestamp() * 1000) * NS_PER_MS if at else 0
            size = _MESSAGE_BYTES * counts.get(id, 0)
            found[id] = ListedSession(id, size, moment, to_name(folder), add_counts((tokens,)))
        return found


def _metadata(session_id: str, head: Mapping[str, Any], created: object) -> RecordMetadata:
    title = to_name(head.get("description")) or to_name(head.get("name"))
    return RecordMetadata(
        session_id=session_id,
        title="" if title == session_id else title,
        cwd=to_name(head.get("working_dir")),
        started_at=parse_time_or_milliseconds(created),
    )


def _messages(database: DatabaseTables, session_id: str) -> Iterator[Message | Fault]:
    """The messages of a session, each read by itself so that its agent never waits."""
    order = database.pick("messages", "created_timestamp")
    rows = database.rows(f"SELECT rowid FROM messages WHERE session_id = ? ORDER BY {order}, rowid", session_id)
    columns = database.pick("messages", "message_id", "role", "created_timestamp")
    calls = OpenCalls()
    for (row,) in list(rows):
        query = f"SELECT {columns}, {bounded(database.pick('messages', 'metadata_json'))}, {bounded('content_json')}"
        found = next(database.rows(f"{query} FROM messages WHERE rowid = ?", row), None)
        if found is None:
            continue
        id, role, at, metadata, _, *content = found
        faults: list[Fault] = []
        # The content is a list.
        value = None if content[0] is None else b'{"content": ' + to_bytes(content[0]) + b"}"
        data = decode_bounded((value, content[1]), "a message", faults)
        yield from faults
        if data is not None:
            shown = parse_object(to_bytes(metadata))[0] or {}
            message = {**data, "role": role, "id": id, "created": at, "metadata": shown}
            yield from _message_items(message, session_id, calls)


def _file_head(file: Path) -> Mapping[str, Any]:
    first = next(iter(numbered_lines(file)), None)
    record = parse_object(first.text)[0] if first is not None and not first.problem else None
    return record if record and "role" not in record else {}


def _file_messages(file: Path, session_id: str) -> Iterator[Message | Fault]:
    calls = OpenCalls()
    for line in numbered_lines(file):
        record, problem = (None, line.problem) if line.problem else parse_object(line.text)
        if problem:
            yield Fault(f"line {line.number}: {problem}")
        elif record and "role" in record:
            yield from _message_items(record, session_id, calls)


def _message_items(message: Mapping[str, Any], session_id: str, calls: OpenCalls) -> Iterator[Message]:
    drafts = list(message_drafts(message))
    at = _seconds(message.get("created"))
    said = "\0".join((session_id, first_text(message, "id"), str(at), *(f"{one.kind} {one.text}" for one in drafts)))
    uuid = first_text(message, "id") or hashlib.sha256(said.encode("utf-8", "replace")).hexdigest()[:_ID_DIGITS]
    yield from draft_messages(drafts, Message("reply", "", at, f"{session_id}:{uuid}", f"{session_id}:{uuid}"), calls)


def _seconds(value: object) -> datetime | None:
    return parse_time_or_milliseconds(value * 1000) if isinstance(value, int | float) else None
