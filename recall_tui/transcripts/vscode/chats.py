"""A chat in VS Code: an object, or a log of the changes that make it.

What is set is told by its path in the object. Accounts are noted in a chat too, in what is never read of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from recall_tui import files
from recall_tui.domain import Message
from recall_tui.errors import BrokenFileError, NotFoundError, RecallError
from recall_tui.transcripts.claude.metadata import parse_time_or_milliseconds
from recall_tui.transcripts.claude.records import first_text, parse_object
from recall_tui.transcripts.conversation_head import RecordMetadata
from recall_tui.transcripts.jsonl import MAX_OBJECT_BYTES, numbered_lines
from recall_tui.transcripts.record_log import draft_messages
from recall_tui.transcripts.session_lines import Fault, render_session
from recall_tui.transcripts.shared_file import ListedSession
from recall_tui.transcripts.sqlite_tables import to_name
from recall_tui.transcripts.tool_calls import OpenCalls
from recall_tui.transcripts.vscode.records import answer_drafts, prompt_drafts
from recall_tui.transcripts.whole_file import list_objects, read_objects

_PREFIX = "vscode-"
_START, _SET, _PUSH, _DELETE = range(4)
"""Kinds of changes."""
_READ = frozenset({"sessionId", "creationDate", "customTitle", "requests", "workingDirectory"})
"""Parts of a chat that are looked at."""
_MAX_ITEMS = 100_000
"""A place in a list beyond is none."""
_MAX_VERSION = 3
"""The newest form that is known."""


def list_sessions(file: Path) -> Mapping[str, ListedSession]:
    """Return the chat in a file by its id; RecallError when there is no such file."""
    try:
        status = file.stat()
    except OSError as error:
        raise NotFoundError(f"there is no chat {file}", hint=f"check it with: ls -l {file}") from error
    id = f"{_PREFIX}{file.stem}"
    return {id: ListedSession(id, status.st_size, status.st_mtime_ns, _workspace(file))}


def session_lines(file: Path, session_id: str) -> Iterator[bytes]:
    """Yield the lines of a chat; RecallError when it cannot be read."""
    faults: list[Fault] = []
    chat = _replay(file, faults) if file.suffix == ".jsonl" else read_objects(file)[0]
    version = chat.get("version")
    reason = ""
    if isinstance(version, int) and version > _MAX_VERSION:
        reason = f"version {version} of its form is not known; the newest that is read is {_MAX_VERSION}"
    requests = [] if reason else list_objects(chat.get("requests"))
    told = RecordMetadata(
        session_id=session_id,
        title=to_name(chat.get("customTitle")),
        cwd=_workspace(file) or _folder_of(chat.get("workingDirectory")),
        model=next(filter(None, (to_name(one.get("modelId")) for one in reversed(requests))), ""),
        started_at=parse_time_or_milliseconds(chat.get("creationDate")),
    )
    yield from render_session("vscode", told, (*faults, *_messages(session_id, requests)), reason)


def _messages(session_id: str, requests: list[Mapping[str, Any]]) -> Iterator[Message]:
    calls = OpenCalls()
    for place, request in enumerate(requests):
        id = first_text(request, "requestId") or str(place)
        asked = parse_time_or_milliseconds(request.get("timestamp"))
        uuid = f"{session_id}:{id}"
        yield from draft_messages(list(prompt_drafts(request)), Message("prompt", "", asked, uuid, uuid), calls)
        uuid += ":answer"
        yield from draft_messages(list(answer_drafts(request)), Message("reply", "", asked, uuid, uuid), calls)


def _replay(file: Path, faults: list[Fault]) -> Mapping[str, Any]:
    """The chat that the changes of a log make; a change that fits nothing is a fault."""
    chat: dict[str, Any] = {}
    size = 0
    for line in numbered_lines(file):
        size += len(line.text)
        if size > MAX_OBJECT_BYTES:
            raise BrokenFileError(f"{file} cannot be read: it is longer than {MAX_OBJECT_BYTES >> 20} MB", hint="")
        record, problem = (None, line.problem) if line.problem else parse_object(line.text)
        if record is not None and record.get("kind") == _START and isinstance(value := record.get("v"), dict):
            chat = value
        elif record is not None and not problem:
            problem = _change(chat, record)
        if problem:
            faults.append(Fault(f"line {line.number}: {problem}"))
    return chat


def _change(chat: dict[str, Any], record: Mapping[str, Any]) -> str:
    """Make a change; what is wrong with it, if anything."""
    path, value = record.get("k"), record.get("v")
    if not isinstance(path, list) or not path:
        return "a change of an unknown form"
    if not isinstance(path[0], str) or path[0] not in _READ:
        return ""
    place: Any = chat
    for step in path[:-1]:
        place = _step(place, step)
    last = path[-1]
    match record.get("kind"):
        case kind if kind == _SET and isinstance(place, dict) and isinstance(last, str):
            place[last] = value
        case kind if kind == _SET and isinstance(place, list) and isinstance(last, int) and 0 <= last < len(place):
            place[last] = value
        case kind if kind == _PUSH and isinstance(value, list | None):
            return _push(place, last, value or [], record.get("i"))
        case kind if kind == _DELETE and isinstance(place, dict):
            place.pop(last if isinstance(last, str) else "", None)
        case _:
            return "a change that fits nothing"
    return ""


def _push(place: Any, last: Any, items: list[Any], start: object) -> str:
    """Add items to a list, which is cut at `start` before when that is given."""
    found = _step(place, last)
    if found is None and isinstance(place, dict) and isinstance(last, str):
        found = place[last] = []
    if not isinstance(found, list):
        return "a change that fits nothing"
    if isinstance(start, int) and 0 <= start < _MAX_ITEMS:
        del found[start:]
    found += items
    return ""


def _step(place: Any, step: Any) -> Any:
    if isinstance(place, dict) and isinstance(step, str):
        return place.get(step)
    if isinstance(place, list) and isinstance(step, int) and 0 <= step < len(place):
        return place[step]
    return None


def _workspace(file: Path) -> str:
    """The folder that was open, as the file beside the folder of chats notes it; empty when it tells none."""
    noted = file.parent.parent / "workspace.json"
    try:
        # Anything but a regular file, such as a pipe, might never end.
        text = files.read_file(noted, files.MAX_SETTINGS_BYTES) if noted.is_file() else b"{}"
        return _folder_of(first_text(json.loads(text), "folder"))
    except (OSError, ValueError, RecursionError, RecallError):
        return ""


def _folder_of(uri: object) -> str:
    if not isinstance(uri, str) or not uri.startswith("file://"):
        return ""
    try:
        return to_name(unquote(urlsplit(uri).path))
    except ValueError:
        return ""
