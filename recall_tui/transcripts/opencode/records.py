"""The messages of OpenCode's database: each is one object, and its texts, thoughts and tools are parts of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from recall_tui.domain import Message
from recall_tui.transcripts.claude.metadata import parse_time_or_milliseconds
from recall_tui.transcripts.claude.records import first_text
from recall_tui.transcripts.claude.user_text import classify_user_text
from recall_tui.transcripts.reader import MessageDraft, tool_call_draft
from recall_tui.transcripts.tool_calls import build_tool_call, result_content_text

_ENDED = frozenset({"completed", "error"})
"""States of a tool that has answered."""


class StoredPart(NamedTuple):
    """A part of a message."""

    id: str
    data: Mapping[str, Any]


class StoredMessage(NamedTuple):
    """A message with its parts, in their order."""

    id: str
    data: Mapping[str, Any]
    parts: tuple[StoredPart, ...]


class _Utterance(NamedTuple):
    draft: MessageDraft
    at: datetime | None
    is_reverted: bool = False


def message_items(message: StoredMessage, revert: Mapping[str, Any], *, is_sidechain: bool) -> Iterator[Message]:
    """Yield everything that a message says, in its order.

    `revert` is where the person went back to: what is there and after it is marked as left behind.
    """
    said = list(_utterances(message, revert))
    if said and said[-1].draft.kind == "reply" and (completed := _time(message.data.get("time"), "completed")):
        said[-1] = said[-1]._replace(at=completed)
    for draft, at, is_reverted in said:
        yield Message(
            kind=draft.kind,
            text=draft.text,
            at=at or _time(message.data.get("time"), "created"),
            uuid=message.id,
            message_id=message.id,
            tool=draft.tool,
            is_error=draft.is_error,
            is_sidechain=is_sidechain,
            is_off_chain=is_reverted or (draft.kind == "reply" and draft.is_error),
        )


def _utterances(message: StoredMessage, revert: Mapping[str, Any]) -> Iterator[_Utterance]:
    from_message, from_part = first_text(revert, "messageID"), first_text(revert, "partID")
    is_left = bool(from_message) and (message.id > from_message or (message.id == from_message and not from_part))
    if first_text(message.data, "role") == "user":
        if (text := _prompt(message.parts)) and (words := classify_user_text(text)):
            yield _Utterance(MessageDraft(words.kind, words.text), None, is_left)
        return
    for part in message.parts:
        is_reverted = is_left or (message.id == from_message and bool(from_part) and part.id >= from_part)
        for draft, at in _part_drafts(part.data, is_summary=message.data.get("summary") is True):
            yield _Utterance(draft, at, is_reverted)
    error = message.data.get("error")
    if text := first_text(_dict(_dict(error).get("data")), "message") or first_text(error, "name"):
        # A failed answer is none: it is shown, and not counted.
        yield _Utterance(MessageDraft("reply", text, is_error=True), None, is_left)


def _prompt(parts: tuple[StoredPart, ...]) -> str:
    """What a person typed, files beside it named in brackets; what the program added is left out."""
    found = []
    for _, part in parts:
        match first_text(part, "type"):
            case "text" if not (part.get("synthetic") or part.get("ignored")):
                found.append(first_text(part, "text"))
            case "file":
                is_image = first_text(part, "mime").startswith("image/")
                found.append("[image]" if is_image else f"[file: {first_text(part, 'filename')}]")
            case "subtask":
                found.append(first_text(part, "prompt"))
    return "\n".join(filter(None, found))


def _part_drafts(part: Mapping[str, Any], *, is_summary: bool) -> Iterator[tuple[MessageDraft, datetime | None]]:
    match first_text(part, "type"):
        case "text" if (text := first_text(part, "text").strip()) and not part.get("ignored"):
            yield MessageDraft("compact_summary" if is_summary else "reply", text), _time(part.get("time"), "end")
        case "reasoning" if text := first_text(part, "text").strip():
            yield MessageDraft("thought", text), _time(part.get("time"), "start")
        case "tool":
            yield from _tool_use(part)


def _tool_use(part: Mapping[str, Any]) -> Iterator[tuple[MessageDraft, datetime | None]]:
    state = _dict(part.get("state"))
    call = build_tool_call(first_text(part, "callID"), first_text(part, "tool"), _dict(state.get("input")))
    yield tool_call_draft(call), _time(state.get("time"), "start")
    status = first_text(state, "status")
    if status in _ENDED:
        answer = state.get("output") if status == "completed" else state.get("error")
        is_error = status == "error"
        yield (
            MessageDraft("tool_result", result_content_text(answer), call, is_error=is_error),
            _time(state.get("time"), "end"),
        )


def _time(times: object, name: str) -> datetime | None:
    return parse_time_or_milliseconds(_dict(times).get(name))


def _dict(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
