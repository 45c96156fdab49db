"""Condense a conversation to fit into a model prompt.

The beginning, with the request, and the end, with the outcome, are always included.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING

from recall_tui.text.clean_line import clean_line
from recall_tui.text.cut import shorten

if TYPE_CHECKING:
    from recall_tui.domain import Message

MAX_MESSAGE_CHARS = 300
MAX_TOTAL_CHARS = 4_000
_HEAD_RATIO = 0.4
"""The share of the beginning; the rest is for the end."""
_GAP = "[… {count} left out …]"
_GAP_CHARS = 30
_LABELS = {"prompt": "User", "reply": "Assistant", "plan": "Assistant", "compact_summary": "Before"}


def condense(messages: Iterable[Message], limit: int = MAX_TOTAL_CHARS) -> str:
    """Return `User: …` and `Assistant: …` lines of at most 300 characters each and `limit` in all.

    Tool calls are listed with their targets, tool results are omitted; a long conversation loses its middle.
    """
    head: list[str] = []
    tail: deque[str] = deque()
    room_in_head = int(limit * _HEAD_RATIO)
    in_tail = left_out = 0
    for line in filter(None, map(_line, messages)):
        size = len(line) + 1
        if not tail and size <= room_in_head:
            head.append(line)
            room_in_head -= size
            continue
        tail.append(line)
        in_tail += size
        while tail and in_tail > limit - int(limit * _HEAD_RATIO) - _GAP_CHARS:
            in_tail -= len(tail.popleft()) + 1
            left_out += 1
    gap = [_GAP.format(count=left_out)] if left_out else []
    return shorten("\n".join((*head, *gap, *tail)), limit)


def _line(message: Message) -> str:
    if message.is_sidechain or message.is_off_chain:
        return ""
    if message.kind == "tool_call" and message.tool is not None:
        return f"[Tool: {clean_line(f'{message.tool.name} → {message.tool.target}', MAX_MESSAGE_CHARS)}]"
    label, text = _LABELS.get(message.kind), clean_line(message.text, MAX_MESSAGE_CHARS)
    return f"{label}: {text}" if label and text else ""
