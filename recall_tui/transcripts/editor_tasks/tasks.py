"""The messages of a task, and the notes of its extension about it.

An older form has no messages of tools: the agent asks for one in its words, and the answer bears the person's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from recall_tui.domain import Message
from recall_tui.errors import NotFoundError, RecallError
from recall_tui.transcripts.claude.metadata import parse_time_or_milliseconds
from recall_tui.transcripts.claude.records import first_text, sum_counts
from recall_tui.transcripts.cline.messages import message_drafts, without_added
from recall_tui.transcripts.conversation_head import RecordMetadata
from recall_tui.transcripts.reader import MessageDraft
from recall_tui.transcripts.record_log import draft_messages
from recall_tui.transcripts.session_lines import render_session
from recall_tui.transcripts.shared_file import ListedSession
from recall_tui.transcripts.sqlite_tables import to_name
from recall_tui.transcripts.tool_calls import OpenCalls
from recall_tui.transcripts.whole_file import list_objects, read_list, read_objects

_AGENTS = {"saoudrizwan.claude-dev": "cline-editor", "kilocode.kilo-code": "kilo-editor"}
"""By the folder of the extension; any other is Roo Code's, which can keep its tasks wherever a person likes."""
_NOTE_FILE = "history_item.json"
_LIST_FILE = Path("state", "taskHistory.json")
_SPOKEN = re.compile(r"<(task|feedback|answer|user_message)>\s*(.*?)\s*</\1>", re.DOTALL)
"""What a person said, among what the extension says."""
_ANSWER = re.compile(r"\s*\[[a-z_]\w*(?: for [^\n]*)?\] Result:\s*")
_NOTICES = ("[ERROR]", "[TASK RESUMPTION]", "The user denied this operation", "The user has provided feedback")
_USAGE = ("tokensIn", "tokensOut", "cacheWrites", "cacheReads")


def agent_of(file: Path) -> str:
    """Return the agent whose messages lie in such a folder."""
    return next((_AGENTS[part] for part in file.parts if part in _AGENTS), "roo")


def list_sessions(file: Path) -> Mapping[str, ListedSession]:
    """Return the task by its id; RecallError when its messages cannot be read."""
    try:
        status = file.stat()
    except OSError as error:
        raise NotFoundError(f"there is no task {file}", hint=f"check it with: ls -l {file}") from error
    id = f"{agent_of(file)}-{file.parent.name}"
    note = _note(file)
    folder, tokens = first_text(note, "workspace", "cwdOnTaskInitialization"), sum_counts(note, *_USAGE)
    return {id: ListedSession(id, status.st_size, status.st_mtime_ns, folder, tokens)}


def session_lines(file: Path, session_id: str) -> Iterator[bytes]:
    """Yield the lines of a task; RecallError when its messages cannot be read."""
    note, messages = _note(file), read_list(file)
    told = RecordMetadata(
        session_id=session_id,
        cwd=to_name(first_text(note, "workspace", "cwdOnTaskInitialization")),
        model=to_name(first_text(note, "modelId")),
        started_at=_task_time(file),
    )
    yield from render_session(agent_of(file), told, _messages(session_id, messages, _task_time(file)))


def _note(file: Path) -> Mapping[str, Any]:
    """What the extension notes of a task beside it, or in its list of tasks."""
    beside = file.with_name(_NOTE_FILE)
    try:
        if beside.is_file():
            return read_objects(beside)[0]
        listing = file.parent.parent.parent / _LIST_FILE
        status = listing.stat() if listing.is_file() else None
        return _notes(listing, status.st_mtime_ns, status.st_size).get(file.parent.name, {}) if status else {}
    except (RecallError, OSError):
        return {}


@lru_cache(maxsize=8)
def _notes(listing: Path, _mtime_ns: int, _size: int) -> Mapping[str, Mapping[str, Any]]:
    """What a list in this state notes of each task; nothing when it cannot be read, which is found out once."""
    try:
        return {first_text(one, "id"): one for one in read_list(listing)}
    except RecallError:
        return {}


def _task_time(file: Path) -> datetime | None:
    """When a task was begun, which its id says in milliseconds."""
    name = file.parent.name
    return parse_time_or_milliseconds(int(name)) if name.isascii() and name.isdecimal() and len(name) < 16 else None


def _messages(session_id: str, messages: list[Mapping[str, Any]], begun: datetime | None) -> Iterator[Message]:
    """The messages; in older versions they bear no times, and the task's stands for the first."""
    calls = OpenCalls()
    for place, message in enumerate(messages, 1):
        at = parse_time_or_milliseconds(message.get("ts")) or (begun if place == 1 else None)
        uuid = f"{session_id}:{place}"
        yield from draft_messages(list(_drafts(message)), Message("reply", "", at, uuid, uuid), calls)


def _drafts(message: Mapping[str, Any]) -> Iterator[MessageDraft]:
    content = message.get("content")
    blocks = list_objects([{"type": "text", "text": content}] if isinstance(content, str) else content)
    if first_text(message, "type") == "reasoning":
        summary = "\n".join(first_text(one, "text") for one in list_objects(message.get("summary")))
        if text := (first_text(message, "text") or summary).strip():
            yield MessageDraft("thought", text)
    elif message.get("isSummary") is True:
        if text := "\n".join(first_text(one, "text") for one in blocks).strip():
            yield MessageDraft("compact_summary", text)
    elif first_text(message, "role") == "user":
        yield from _user_drafts(message, blocks)
    else:
        for block in blocks:
            if first_text(block, "type") == "reasoning" and (text := first_text(block, "text").strip()):
                yield MessageDraft("thought", text)
        yield from message_drafts(message)


def _user_drafts(message: Mapping[str, Any], blocks: list[Mapping[str, Any]]) -> Iterator[MessageDraft]:
    """The answers of tools, and what the person said; what the extension says itself is nobody's speech."""
    others = [one for one in blocks if first_text(one, "type") != "text"]
    texts = [text for one in blocks if (text := without_added(first_text(one, "text")).strip())]
    answer: list[str] | None = None
    spoken: list[str] = []
    for text in texts:
        found = [said[2].strip() for said in _SPOKEN.finditer(text)]
        begins = _ANSWER.match(text)
        if begins:
            answer = [*(answer or ()), text[begins.end() :]]
        elif found:
            spoken += found
        elif answer is not None:
            answer.append(text)
        elif not text.startswith(_NOTICES):
            spoken.append(text)
    if answer is not None and (whole := "\n".join(filter(None, answer)).strip()):
        yield MessageDraft("tool_result", whole)
    said = [{"type": "text", "text": "\n".join(filter(None, spoken))}] if any(spoken) else []
    yield from message_drafts({**message, "content": [*others, *said]})
