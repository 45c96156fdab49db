"""The second pass over a Codex rollout: its messages, one after the other.

A message is known by its session and its line, which is the same in every copy of the rollout.
"""

from __future__ import annotations

from collections.abc import Iterator

from recall_tui.domain import Message
from recall_tui.transcripts.claude.metadata import parse_record_time
from recall_tui.transcripts.claude.records import parse_object
from recall_tui.transcripts.codex.records import message_drafts, parse_entry
from recall_tui.transcripts.codex.scan import SessionSegment
from recall_tui.transcripts.jsonl import numbered_lines
from recall_tui.transcripts.tool_calls import OpenCalls


def read_segment(stretch: SessionSegment) -> Iterator[Message]:
    """Yield the messages of one of a session's segments."""
    calls = OpenCalls()
    for line in numbered_lines(stretch.path):
        if line.number > stretch.last:
            return
        if line.number < stretch.own or line.problem:
            continue
        record, _ = parse_object(line.text)
        entry = parse_entry(record) if record else None
        found = message_drafts(entry) if entry else ()
        if not entry or not found:
            continue
        at, uuid = parse_record_time(entry.timestamp), f"{stretch.session_id}:{line.number - stretch.first + 1}"
        is_left = any(line.number in lines for lines in stretch.left)
        for utterance in found:
            if utterance.voice != stretch.voices.get(utterance.kind):
                continue
            tool = utterance.tool
            if tool:
                calls.open(tool)
            elif utterance.kind == "tool_result":
                tool = calls.answered(utterance.answers)
            yield Message(
                kind=utterance.kind,
                text=utterance.text,
                at=at,
                uuid=uuid,
                message_id=uuid,
                tool=tool,
                is_error=utterance.is_error,
                is_sidechain=stretch.is_side,
                is_off_chain=is_left,
                line=line.number,
            )
