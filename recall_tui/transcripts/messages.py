"""The second pass over a transcript: its messages, one after the other.

Only the calls of tools that still wait for their result are held.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from recall_tui.domain import Message, ToolCall
from recall_tui.errors import RecallError
from recall_tui.transcripts.facts import time_of
from recall_tui.transcripts.lines import numbered_lines
from recall_tui.transcripts.pieces import Piece, pieces
from recall_tui.transcripts.records import Block, Record, parsed
from recall_tui.transcripts.scan import Part
from recall_tui.transcripts.tools import call_of, result_text

_MAX_OPEN_CALLS = 1000
"""Calls that may wait for their result; beyond it the oldest is forgotten."""


def messages_of(parts: Sequence[Part]) -> Iterator[Message]:
    """Yield the messages of a session's files; a sub-agent's file that vanished meanwhile is passed over."""
    for part in parts:
        try:
            yield from _messages_in(part)
        except RecallError:
            if not part.is_side:
                raise


def _messages_in(part: Part) -> Iterator[Message]:
    calls: dict[str, ToolCall] = {}
    for line in numbered_lines(part.path):
        if line.number > part.last_line:
            return
        if line.problem or line.number in part.dropped:
            continue
        record, _ = parsed(line.text)
        found = pieces(record) if record else ()
        if record and found:
            at = time_of(record)
            for piece in found:
                yield from _messages(piece, record, part, line.number, at, calls)


def _messages(
    piece: Piece, record: Record, part: Part, line: int, at: datetime | None, calls: dict[str, ToolCall]
) -> Iterator[Message]:
    kind, text, block = piece
    tool: ToolCall | None = None
    is_error = bool(record.is_api_error_message)
    if block and kind == "tool_call":
        tool = _opened(block, calls)
        text = f"{tool.name} {tool.target}".strip()
    elif block:
        tool = calls.pop(block.tool_use_id or "", None)
        text = result_text(block)
        is_error = bool(block.is_error)
    message = Message(
        kind=kind,
        text=text,
        at=at,
        uuid=record.uuid or "",
        message_id=(record.message.id if record.message else None) or "",
        tool=tool,
        is_error=is_error,
        is_sidechain=part.is_side or bool(record.is_sidechain),
        is_off_chain=line in part.left,
        line=line,
    )
    yield message
    if tool and kind == "tool_call" and (plan := _plan_of(tool)):
        yield replace(message, kind="plan", text=plan)


def _opened(block: Block, calls: dict[str, ToolCall]) -> ToolCall:
    call = call_of(block)
    if call.id:
        calls[call.id] = call
        if len(calls) > _MAX_OPEN_CALLS:
            del calls[next(iter(calls))]
    return call


def _plan_of(call: ToolCall) -> str:
    plan = call.input.get("plan") if call.name == "ExitPlanMode" else None
    return plan.strip() if isinstance(plan, str) else ""
