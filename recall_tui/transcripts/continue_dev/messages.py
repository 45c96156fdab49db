"""Continue's messages: calls of tools stand in the answer that makes them, and their results beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from recall_tui.domain import Message, ToolCall
from recall_tui.transcripts.claude.records import first_text, parse_object
from recall_tui.transcripts.claude.user_text import classify_user_text
from recall_tui.transcripts.reader import MessageDraft, tool_call_draft
from recall_tui.transcripts.tool_calls import OpenCalls, build_tool_call, result_content_text
from recall_tui.transcripts.whole_file import list_objects

_ENDED = frozenset({"done", "errored", "canceled"})
"""States of a tool that has answered."""


def workspace_folder(session: Mapping[str, Any]) -> str:
    """Return the folder that a session was held in, which an editor names as a URI."""
    named = first_text(session, "workspaceDirectory")
    if not named.startswith("file://"):
        return named
    try:
        return unquote(urlsplit(named).path)
    except ValueError:
        return ""


def last_model(session: Mapping[str, Any]) -> str:
    """Return the model of the last answer; empty when none names it."""
    history = reversed(list_objects(session.get("history")))
    usages = (message.get("usage") for one in history if isinstance(message := one.get("message"), dict))
    return next(filter(None, (first_text(usage, "model") for usage in usages)), "")


def read_messages(session: Mapping[str, Any]) -> Iterator[Message]:
    """Yield the messages of a session; `line` is the place of one in it."""
    id, calls = first_text(session, "sessionId"), OpenCalls()
    for place, item in enumerate(list_objects(session.get("history")), 1):
        uuid = f"{id}:{place}"
        for draft in _item_drafts(item, calls):
            yield Message(
                kind=draft.kind,
                text=draft.text,
                uuid=uuid,
                message_id=uuid,
                tool=draft.tool,
                is_error=draft.is_error,
                line=place,
            )


def _item_drafts(item: Mapping[str, Any], calls: OpenCalls) -> Iterator[MessageDraft]:
    if summary := first_text(item, "conversationSummary").strip():
        yield MessageDraft("compact_summary", summary)
    found = item.get("message")
    message = found if isinstance(found, dict) else {}
    text = _text(message.get("content"))
    match first_text(message, "role"):
        case "user":
            if words := classify_user_text(text):
                yield MessageDraft(words.kind, words.text)
        case "thinking" if text.strip():
            yield MessageDraft("thought", text.strip())
        case "tool":
            if (call := calls.answered(first_text(message, "toolCallId"))) is not None:
                yield MessageDraft("tool_result", result_content_text(message.get("content")), call)
        case "assistant":
            yield from _answer_drafts(item, message, text, calls)


def _answer_drafts(
    item: Mapping[str, Any], message: Mapping[str, Any], text: str, calls: OpenCalls
) -> Iterator[MessageDraft]:
    if thought := first_text(item.get("reasoning"), "text").strip():
        yield MessageDraft("thought", thought)
    if text.strip():
        yield MessageDraft("reply", text.strip())
    for one in list_objects(message.get("toolCalls")):
        call = _tool_call(one)
        calls.open(call)
        yield tool_call_draft(call)
    for state in list_objects(item.get("toolCallStates")):
        status = first_text(state, "status")
        if status in _ENDED and (call_ := calls.answered(first_text(state, "toolCallId"))):
            outputs = [one.get("content") for one in list_objects(state.get("output"))]
            yield MessageDraft("tool_result", result_content_text(outputs), call_, is_error=status != "done")


def _tool_call(call: Mapping[str, Any]) -> ToolCall:
    function = call.get("function")
    arguments = first_text(function, "arguments")
    return build_tool_call(
        first_text(call, "id"),
        first_text(function, "name"),
        parse_object(arguments.encode("utf-8", "replace"))[0] or {},
    )


def _text(content: object) -> str:
    """The words of a text or of parts, pictures among them named in brackets."""
    if isinstance(content, str):
        return content
    parts = (first_text(one, "text") or ("[image]" if "imageUrl" in one else "") for one in list_objects(content))
    return "\n".join(filter(None, parts))
