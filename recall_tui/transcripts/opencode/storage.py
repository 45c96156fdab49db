"""OpenCode's sessions before it had a database: a JSON file for each session, each message and each part of one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from recall_tui.domain import Message
from recall_tui.errors import NotFoundError, RecallError
from recall_tui.transcripts.claude.metadata import parse_time_or_milliseconds
from recall_tui.transcripts.claude.records import first_text
from recall_tui.transcripts.conversation_head import RecordMetadata
from recall_tui.transcripts.discovery import list_folder
from recall_tui.transcripts.opencode.families import group_families
from recall_tui.transcripts.opencode.records import StoredMessage, StoredPart, message_items
from recall_tui.transcripts.session_lines import Fault, render_session
from recall_tui.transcripts.shared_file import ListedSession
from recall_tui.transcripts.sqlite_tables import NS_PER_MS, to_milliseconds, to_name
from recall_tui.transcripts.whole_file import read_objects

_MESSAGE_BYTES = 1 << 10
"""What a message counts for in the size of a session, which must be known without reading its messages."""


def list_sessions(file: Path) -> Mapping[str, ListedSession]:
    """Return the session in a file by its id; nothing for that of a sub-agent whose session is there."""
    id = file.stem
    if not file.is_file():
        raise NotFoundError(f"there is no session {file}", hint=f"check it with: ls -l {file}")
    sessions = _sessions(file.parent, file.parent.stat().st_mtime_ns, file.stat().st_mtime_ns)
    if id not in group_families({one: first_text(data, "parentID") for one, data in sessions.items()}):
        return {}
    data = sessions[id]
    messages = _storage(file) / "message" / id
    times = data.get("time")
    updated = times.get("updated") if isinstance(times, dict) else None
    moment = to_milliseconds(updated) * NS_PER_MS or file.stat().st_mtime_ns
    size = _MESSAGE_BYTES * len(list_folder(messages))
    return {id: ListedSession(id, size, moment, to_name(data.get("directory")))}


def session_lines(file: Path, session_id: str) -> Iterator[bytes]:
    """Yield the lines of a session and of its sub-agents; RecallError when it cannot be read."""
    data = read_objects(file)[0]
    sessions = _sessions(file.parent, file.parent.stat().st_mtime_ns, file.stat().st_mtime_ns)
    children = group_families({id: first_text(one, "parentID") for id, one in sessions.items()}).get(session_id, ())
    times, revert = data.get("time"), data.get("revert")
    title = to_name(data.get("title"))
    told = RecordMetadata(
        session_id=session_id,
        title="" if title.startswith(("New session - ", "Child session - ")) else title,
        cwd=to_name(data.get("directory")),
        model=_model(file, session_id),
        version=to_name(data.get("version")),
        started_at=parse_time_or_milliseconds(times.get("created") if isinstance(times, dict) else None),
    )
    items = _items(file, (session_id, *children), revert if isinstance(revert, dict) else {})
    yield from render_session("opencode", told, items)


def _items(file: Path, sessions: tuple[str, ...], revert: Mapping[str, Any]) -> Iterator[Message | Fault]:
    for session in sessions:
        faults: list[Fault] = []
        for id, data in _objects(_storage(file) / "message" / session, faults):
            parts = tuple(StoredPart(*one) for one in _objects(_storage(file) / "part" / id, faults))
            yield from message_items(StoredMessage(id, data, parts), revert, is_sidechain=session != sessions[0])
        yield from faults


def _model(file: Path, session_id: str) -> str:
    found = (to_name(one.get("modelID")) for _, one in _objects(_storage(file) / "message" / session_id, []))
    return next(filter(None, reversed(list(found))), "")


def _storage(file: Path) -> Path:
    """The folder of all that is stored, of the file of a session in `session/<project>/`."""
    return file.parent.parent.parent


@lru_cache(maxsize=64)
def _sessions(project: Path, _folder_ns: int, _file_ns: int) -> Mapping[str, Mapping[str, Any]]:
    """The sessions of a project by the names of their files."""
    return dict(_objects(project, []))


def _objects(folder: Path, faults: list[Fault]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The objects in a folder by the names of their files, which ascend with time."""
    for path in sorted(list_folder(folder)):
        if path.suffix != ".json" or not path.is_file():
            continue
        try:
            yield path.stem, read_objects(path)[0]
        except RecallError as error:
            faults.append(Fault(f"{path.name}: {error.message}"))
