"""What Cursor's messages say: the editor's, and those of its command line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from recall_tui.transcripts.claude.records import first_text, parse_object
from recall_tui.transcripts.message_blocks import agent_drafts, block_texts, user_drafts
from recall_tui.transcripts.reader import MessageDraft, tool_call_draft
from recall_tui.transcripts.tool_calls import build_tool_call, result_content_text

_PERSON, _AGENT = 1, 2
"""Types of messages of the editor."""
_QUERY = re.compile(r"<user_query>\s*(.*?)\s*</user_query>", re.DOTALL)
_ENDED = frozenset({"completed", "error", "cancelled", "rejected"})
"""States of a tool that has answered."""


def bubble_drafts(bubble: Mapping[str, Any]) -> Iterator[MessageDraft]:
    """Yield everything that a message of the editor says, in its order."""
    match bubble.get("type"):
        case kind if kind == _PERSON:
            yield from user_drafts(_spoken(first_text(bubble, "text")))
        case kind if kind == _AGENT:
            if thought := first_text(bubble.get("thinking"), "text").strip():
                yield MessageDraft("thought", thought)
            if (text := first_text(bubble, "text")).strip():
                yield MessageDraft("reply", text)
            if isinstance(tool := bubble.get("toolFormerData"), dict):
                yield from _tool_use(tool)


def line_drafts(record: Mapping[str, Any]) -> Iterator[MessageDraft]:
    """Yield everything that a line of the command line's log says; lines about turns say nothing."""
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    match first_text(record, "role"):
        case "user":
            yield from user_drafts([{"type": "text", "text": _spoken(text)} for text in block_texts(content)])
        case "assistant":
            yield from agent_drafts(content)


def _spoken(text: str) -> str:
    """The person's own words, which are marked where the program adds others."""
    marked = _QUERY.search(text)
    return marked[1] if marked else text


def _tool_use(tool: Mapping[str, Any]) -> Iterator[MessageDraft]:
    name = first_text(tool, "name")
    if not name:
        return
    given = first_text(tool, "rawArgs", "params")
    arguments = parse_object(given.encode("utf-8", "replace"))[0] or {}
    call = build_tool_call(first_text(tool, "toolCallId"), name, arguments)
    yield tool_call_draft(call)
    status = first_text(tool, "status")
    if status in _ENDED or tool.get("result"):
        answer = tool.get("result") or first_text(tool.get("error"), "clientVisibleErrorMessage")
        is_error = status not in ("", "completed")
        yield MessageDraft("tool_result", result_content_text(answer), call, is_error=is_error)
