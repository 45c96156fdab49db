"""The second pass over a transcript: its messages, one after the other.

Only the calls of tools that still wait for their result are held.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from recall_tui.domain import Message, ToolCall
from recall_tui.transcripts.claude.content_blocks import ClaudeMessageDraft, message_drafts
from recall_tui.transcripts.claude.metadata import record_time
from recall_tui.transcripts.claude.records import TranscriptRecord, parse_record
from recall_tui.transcripts.claude.scan import TranscriptPart
from recall_tui.transcripts.jsonl import numbered_lines
from recall_tui.transcripts.tool_calls import OpenCalls, parse_tool_use, plan_text, result_text


def read_part(part: TranscriptPart) -> Iterator[Message]:
    """Yield the messages of one of a session's files."""
    calls = OpenCalls()
    for line in numbered_lines(part.path):
        if line.number > part.last_line:
            return
        if line.problem or line.number in part.dropped:
            continue
        record, _ = parse_record(line.text)
        found = message_drafts(record) if record else ()
        if record and found:
            at = record_time(record)
            for piece in found:
                yield from _messages(piece, record, part, line.number, at, calls)


def _messages(
    piece: ClaudeMessageDraft,
    record: TranscriptRecord,
    part: TranscriptPart,
    line: int,
    at: datetime | None,
    calls: OpenCalls,
) -> Iterator[Message]:
    kind, text, block = piece
    tool: ToolCall | None = None
    is_error = bool(record.is_api_error_message)
    if block and kind == "tool_call":
        tool = parse_tool_use(block)
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
        is_repeated=record.forked_from is not None,
        line=line,
    )
    yield message
    if tool and kind == "tool_call" and (plan := plan_text(tool)):
        yield replace(message, kind="plan", text=plan)
