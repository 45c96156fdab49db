"""The chats of Cursor: in the editor's database a row for each chat and for each of its messages, else lines.

The database holds accounts and tokens too. Of it only the rows of chats are read, by the range of their keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from recall_tui.domain import Message
from recall_tui.errors import NotFoundError
from recall_tui.transcripts.claude.metadata import parse_time_or_milliseconds
from recall_tui.transcripts.claude.project_folder import only_project_folder
from recall_tui.transcripts.claude.records import first_text, parse_object
from recall_tui.transcripts.conversation_head import RecordMetadata
from recall_tui.transcripts.cursor.records import bubble_drafts, line_drafts
from recall_tui.transcripts.jsonl import numbered_lines
from recall_tui.transcripts.record_log import draft_messages
from recall_tui.transcripts.session_lines import Fault, render_session
from recall_tui.transcripts.shared_file import ListedSession
from recall_tui.transcripts.sqlite_file import file_state, translate_errors
from recall_tui.transcripts.sqlite_tables import (
    MAX_VALUE_BYTES,
    NS_PER_MS,
    DatabaseTables,
    bounded,
    decode_bounded,
    to_milliseconds,
    to_name,
)
from recall_tui.transcripts.tool_calls import OpenCalls
from recall_tui.transcripts.whole_file import list_objects

_REQUIRED_COLUMNS = {"cursordiskkv": {"key", "value"}}
_PREFIX = "cursor-"
_CHAT, _AFTER_CHATS = "composerData:", "composerData;"
"""The range of the keys of chats."""
_MESSAGE_BYTES = 1 << 10
"""What a message counts for in the size of a chat, which must be known without reading its messages."""


def list_sessions(file: Path) -> Mapping[str, ListedSession]:
    """Return the chats in a file by their ids, those without a message left out; RecallError when it is unreadable."""
    if file.suffix != ".jsonl":
        return _read_listing(file, file_state(file))
    status, id = file.stat(), f"{_PREFIX}{file.stem}"
    return {id: ListedSession(id, status.st_size, status.st_mtime_ns, _log_folder(file))}


def _log_folder(log: Path) -> str:
    """The folder that the log's project is named after; empty when unsure."""
    # `projects/<folder>/agent-transcripts/`, in which a log with sub-agents has a folder of its own.
    logs = log.parent.parent if log.parent.name == log.stem else log.parent
    return only_project_folder(logs.parent.name)


def session_lines(file: Path, session_id: str) -> Iterator[bytes]:
    """Yield the lines of a chat; NotFoundError when the file does not hold it."""
    if file.suffix == ".jsonl":
        yield from render_session("cursor", RecordMetadata(session_id), _log_messages(file, session_id))
        return
    with translate_errors(file), closing(DatabaseTables(file, _REQUIRED_COLUMNS)) as database:
        faults: list[Fault] = []
        chat = _value(database, f"{_CHAT}{session_id.removeprefix(_PREFIX)}", faults)
        if chat is None and not faults:
            raise NotFoundError(f"{file} holds no chat {session_id}", hint="see: recall-tui list")
        chat = chat or {}
        told = RecordMetadata(
            session_id=session_id,
            title=to_name(chat.get("name")),
            cwd=_folder(database, chat, session_id),
            model=to_name(first_text(chat.get("modelConfig"), "modelName")),
            started_at=parse_time_or_milliseconds(chat.get("createdAt")),
        )
        yield from render_session("cursor", told, (*faults, *_messages(database, chat, session_id)))


@lru_cache(maxsize=16)
def _read_listing(file: Path, state: tuple[int, int] | None) -> Mapping[str, ListedSession]:
    """The chats of a database in this state."""
    if state is None:
        raise NotFoundError(f"there is no database {file}", hint=f"check it with: ls -l {file}")
    fields = ("$.lastUpdatedAt", "$.createdAt", "$.workspaceIdentifier.uri.fsPath")
    counts = ("$.fullConversationHeadersOnly", "$.conversation")
    told = ", ".join(
        [f"json_extract(value, '{one}')" for one in fields] + [f"json_array_length(value, '{one}')" for one in counts]
    )
    is_readable = f"length(value) <= {MAX_VALUE_BYTES} AND json_valid(value)"
    query = f"SELECT key, {told} FROM cursorDiskKV WHERE key >= ? AND key < ? AND {is_readable}"
    with translate_errors(file), closing(DatabaseTables(file, _REQUIRED_COLUMNS)) as database:
        found = {}
        for key, updated, created, folder, *lengths in database.rows(query, _CHAT, _AFTER_CHATS):
            if not (count := sum(one for one in lengths if isinstance(one, int))):
                continue
            id = f"{_PREFIX}{str(key).removeprefix(_CHAT)}"
            at = to_milliseconds(updated) or to_milliseconds(created)
            found[id] = ListedSession(id, _MESSAGE_BYTES * count, at * NS_PER_MS, to_name(folder))
        return found


def _value(database: DatabaseTables, key: str, faults: list[Fault]) -> Mapping[str, Any] | None:
    """The object of a key; None for one without a value, which is no fault: Cursor leaves such."""
    row = next(database.rows(f"SELECT {bounded('value')} FROM cursorDiskKV WHERE key = ?", key), None)
    return None if row is None or row[1] is None else decode_bounded(row, key.partition(":")[0], faults)


def _folder(database: DatabaseTables, chat: Mapping[str, Any], session_id: str) -> str:
    identifier = chat.get("workspaceIdentifier")
    uri = identifier.get("uri") if isinstance(identifier, dict) else None
    if folder := first_text(uri, "fsPath"):
        return to_name(folder)
    folders = (first_text(one, "workspaceProjectDir") for one in _bubbles(database, chat, session_id, []))
    return to_name(next(filter(None, folders), ""))


def _bubbles(
    database: DatabaseTables, chat: Mapping[str, Any], session_id: str, faults: list[Fault]
) -> Iterator[Mapping[str, Any]]:
    """The messages of a chat in its order; older chats hold them themselves."""
    for header in list_objects(chat.get("fullConversationHeadersOnly")):
        id = first_text(header, "bubbleId")
        key = f"bubbleId:{session_id.removeprefix(_PREFIX)}:{id}"
        if found := _value(database, key, faults):
            yield {**found, "bubbleId": id}
    yield from list_objects(chat.get("conversation"))


def _messages(database: DatabaseTables, chat: Mapping[str, Any], session_id: str) -> Iterator[Message | Fault]:
    calls, faults = OpenCalls(), list[Fault]()
    for place, bubble in enumerate(_bubbles(database, chat, session_id, faults)):
        uuid = f"{session_id}:{first_text(bubble, 'bubbleId') or place}"
        at = _time(bubble)
        yield from draft_messages(list(bubble_drafts(bubble)), Message("reply", "", at, uuid, uuid), calls)
    yield from faults


def _time(bubble: Mapping[str, Any]) -> datetime | None:
    return parse_time_or_milliseconds(bubble.get("createdAt")) or parse_time_or_milliseconds(bubble.get("timestamp"))


def _log_messages(file: Path, session_id: str) -> Iterator[Message | Fault]:
    """The messages of the command line's log, which bear no times."""
    calls = OpenCalls()
    for line in numbered_lines(file):
        record, problem = (None, line.problem) if line.problem else parse_object(line.text)
        if problem:
            yield Fault(f"line {line.number}: {problem}")
        elif record:
            uuid = f"{session_id}:{line.number}"
            yield from draft_messages(list(line_drafts(record)), Message("reply", "", None, uuid, uuid), calls)
