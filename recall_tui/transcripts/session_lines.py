"""A session as lines of our own, for agents whose files hold many: the first tells of it, each other is a message.

`render_session` and `read_session` are each other's inverse; a copy of the lines is read as the session in its file is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, cast, get_args

from recall_tui.domain import Conversation, Message, MessageKind, SkippedResult, ToolCall
from recall_tui.transcripts.claude.metadata import parse_record_time
from recall_tui.transcripts.claude.records import first_text, parse_object
from recall_tui.transcripts.conversation_head import RecordMetadata, build_conversation
from recall_tui.transcripts.jsonl import complete_lines, numbered_lines
from recall_tui.transcripts.read_report import ReadReport
from recall_tui.transcripts.tool_calls import build_tool_call

SESSION_FIELD = "recall_tui_session"
"""The field of the first line with the agent's name."""
_KINDS: frozenset[str] = frozenset(get_args(MessageKind))
_TEXTS = ("title", "cwd", "branch", "model", "version")


class Fault(NamedTuple):
    """Something of a session that could not be read."""

    reason: str


def render_session(
    agent: str, told: RecordMetadata, items: Iterable[Message | Fault], reason: str = ""
) -> Iterator[bytes]:
    """Yield the lines of a session; `reason` is why there is no message, when that is known."""
    fields: dict[str, Any] = {SESSION_FIELD: agent, "id": told.session_id}
    fields |= {name: value for name in _TEXTS if (value := getattr(told, name))}
    yield _encode(fields | _some(started=_time(told.started_at), reason=reason))
    for item in items:
        yield _encode({"fault": item.reason} if isinstance(item, Fault) else _message_fields(item))


def read_session(path: Path, agent: str) -> Conversation | SkippedResult:
    """Return the conversation in such lines; Skipped when there is no message in them."""
    reading = ReadReport()
    head: Mapping[str, Any] = {}
    for line in numbered_lines(path):
        record = reading.take(line, parse_object)
        if record is None:
            continue
        if SESSION_FIELD in record:
            head = head or record
        elif reason := first_text(record, "fault"):
            reading.fault(line.number, reason)
    told = RecordMetadata(
        session_id=first_text(head, "id"),
        title=first_text(head, "title"),
        cwd=first_text(head, "cwd"),
        branch=first_text(head, "branch"),
        model=first_text(head, "model"),
        version=first_text(head, "version"),
        started_at=parse_record_time(head.get("started")),
    )
    found = build_conversation(agent, path, told, reading, partial(_messages, path))
    reason = first_text(head, "reason")
    return reading.skipped(reason) if isinstance(found, SkippedResult) and reason else found


def _messages(path: Path) -> Iterator[Message]:
    for number, line in complete_lines(path):
        record = parse_object(line)[0] or {}
        kind = first_text(record, "kind")
        if kind not in _KINDS:
            continue
        tool = record.get("tool")
        yield Message(
            kind=cast(MessageKind, kind),
            text=first_text(record, "text"),
            at=parse_record_time(record.get("at")),
            uuid=first_text(record, "uuid"),
            message_id=first_text(record, "uuid"),
            tool=_tool_call(tool) if isinstance(tool, dict) else None,
            is_error=record.get("is_error") is True,
            is_sidechain=record.get("is_sidechain") is True,
            is_off_chain=record.get("is_off_chain") is True,
            line=number,
        )


def _tool_call(fields: Mapping[str, Any]) -> ToolCall:
    arguments = fields.get("input")
    return build_tool_call(
        first_text(fields, "id"), first_text(fields, "name"), arguments if isinstance(arguments, dict) else {}
    )


def _message_fields(message: Message) -> dict[str, Any]:
    tool = message.tool
    return {
        "kind": message.kind,
        "text": message.text,
        **_some(at=_time(message.at), uuid=message.uuid),
        **_some(tool={"id": tool.id, "name": tool.name, "input": tool.input} if tool else None),
        **_some(is_error=message.is_error, is_sidechain=message.is_sidechain, is_off_chain=message.is_off_chain),
    }


def _some(**fields: object) -> dict[str, Any]:
    """The fields that hold something."""
    return {name: value for name, value in fields.items() if value}


def _time(at: datetime | None) -> str:
    return at.isoformat() if at else ""


def _encode(fields: Mapping[str, Any]) -> bytes:
    return json.dumps(fields, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
