"""The second pass over a transcript: its messages, one after the other.

Only the calls of tools that still wait for their result are held.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from recall_tui.domain import Message, ToolCall
from recall_tui.errors import RecallError
from recall_tui.transcripts.claude.content_blocks import Piece, pieces
from recall_tui.transcripts.claude.metadata import time_of
from recall_tui.transcripts.claude.records import Record, parsed
from recall_tui.transcripts.claude.scan import Part
from recall_tui.transcripts.jsonl import numbered_lines
from recall_tui.transcripts.tool_calls import OpenCalls, call_of, result_text


def messages_of(parts: Sequence[Part]) -> Iterator[Message]:
    """Yield the messages of a session's files; a sub-agent's file that vanished meanwhile is passed over."""
    for part in parts:
        try:
            yield from _messages_in(part)
        except RecallError:
            if not part.is_side:
                raise


def _messages_in(part: Part) -> Iterator[Message]:
    calls = OpenCalls()
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
    piece: Piece, record: Record, part: Part, line: int, at: datetime | None, calls: OpenCalls
) -> Iterator[Message]:
    kind, text, block = piece
    tool: ToolCall | None = None
    is_error = bool(record.is_api_error_message)
    if block and kind == "tool_call":
        tool = call_of(block)
        calls.open(tool)
        text = f"{tool.name} {tool.target}".strip()
    elif block:
        tool = calls.answered(block.tool_use_id or "")
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
    if tool and kind == "tool_call" and (plan := plan_of(tool)):
        yield replace(message, kind="plan", text=plan)


def plan_of(call: ToolCall) -> str:
    plan = call.input.get("plan") if call.name == "ExitPlanMode" else None
    return plan.strip() if isinstance(plan, str) else ""
