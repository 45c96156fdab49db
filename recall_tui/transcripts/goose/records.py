"""What Goose's messages say: lists of parts, of which tools answer under the person's name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from recall_tui.transcripts.claude.records import first_text
from recall_tui.transcripts.message_blocks import call_draft, user_drafts
from recall_tui.transcripts.reader import MessageDraft
from recall_tui.transcripts.tool_calls import result_content_text
from recall_tui.transcripts.whole_file import list_objects


def message_drafts(message: Mapping[str, Any]) -> Iterator[MessageDraft]:
    """Yield everything that a message says, in its order; what only the model sees is a summary, or nothing."""
    content = message.get("content")
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else list_objects(content)
    shown = message.get("metadata")
    is_hidden = isinstance(shown, dict) and shown.get("userVisible") is False
    role = first_text(message, "role")
    if is_hidden:
        texts = [text for one in parts if (text := first_text(one, "text").strip())]
        if texts and role == "user":
            yield MessageDraft("compact_summary", "\n\n".join(texts))
        return
    for part in parts:
        match first_text(part, "type"):
            case "text" if role == "assistant" and (text := first_text(part, "text")).strip():
                yield MessageDraft("reply", text)
            case "thinking" if (text := first_text(part, "thinking")).strip():
                yield MessageDraft("thought", text)
            case "toolRequest":
                yield from _call(part)
            case "toolResponse":
                yield _result(part)
    if role == "user":
        yield from user_drafts(parts)


def _call(part: Mapping[str, Any]) -> Iterator[MessageDraft]:
    call = part.get("toolCall")
    value = call.get("value") if isinstance(call, dict) else None
    if isinstance(value, dict):
        yield call_draft({**value, "id": first_text(part, "id")}, "arguments")


def _result(part: Mapping[str, Any]) -> MessageDraft:
    result = part.get("toolResult")
    told = result if isinstance(result, dict) else {}
    value = told.get("value")
    answer = value.get("content") if isinstance(value, dict) else value
    is_error = first_text(told, "status") == "error" or (isinstance(value, dict) and value.get("isError") is True)
    text = result_content_text(answer) if answer is not None else first_text(told, "error")
    return MessageDraft("tool_result", text, answers=first_text(part, "id"), is_error=is_error)
