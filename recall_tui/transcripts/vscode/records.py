"""What the requests of a chat in VS Code say, and their answers: pieces of text, and tools with what they came to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from recall_tui.transcripts.claude.records import first_text
from recall_tui.transcripts.message_blocks import user_drafts
from recall_tui.transcripts.reader import MessageDraft, tool_call_draft
from recall_tui.transcripts.tool_calls import build_tool_call, result_content_text
from recall_tui.transcripts.whole_file import list_objects


def prompt_drafts(request: Mapping[str, Any]) -> Iterator[MessageDraft]:
    """Yield what the person asked."""
    message = request.get("message")
    yield from user_drafts(message if isinstance(message, str) else first_text(message, "text"))


def answer_drafts(request: Mapping[str, Any]) -> Iterator[MessageDraft]:
    """Yield everything that was answered, in its order; pieces of text that follow each other are one reply."""
    pieces: list[str] = []
    for part in list_objects(request.get("response")):
        if (text := _text(part)) is not None:
            pieces.append(text)
            continue
        found = list(_other_drafts(part))
        if found:
            yield from _reply(pieces)
            pieces = []
            yield from found
    yield from _reply(pieces)
    result = request.get("result")
    error = result.get("errorDetails") if isinstance(result, dict) else None
    if text := first_text(error, "message"):
        yield MessageDraft("reply", text, is_error=True)


def _text(part: Mapping[str, Any]) -> str | None:
    """The text of a piece of a reply; None for what is none."""
    match first_text(part, "kind"):
        case "" | "markdownContent":
            return _value(part) or _value(part.get("content"))
        case "inlineReference":
            named = part.get("inlineReference")
            path = first_text(named, "path", "fsPath")
            return first_text(part, "name") or first_text(named, "name") or path.rpartition("/")[2]
    return None


def _other_drafts(part: Mapping[str, Any]) -> Iterator[MessageDraft]:
    match first_text(part, "kind"):
        case "thinking" if text := _value(part).strip():
            yield MessageDraft("thought", text)
        case "toolInvocationSerialized" | "toolInvocation":
            yield from _tool_use(part)


def _tool_use(part: Mapping[str, Any]) -> Iterator[MessageDraft]:
    details, told = part.get("resultDetails"), part.get("toolSpecificData")
    given = details.get("input") if isinstance(details, dict) else None
    command = told.get("commandLine") if isinstance(told, dict) else None
    arguments: dict[str, object] = {}
    if text := first_text(command, "toolEdited", "userEdited", "original") or first_text(told, "command"):
        arguments["command"] = text
    elif isinstance(given, str):
        arguments["input"] = given
    elif text := _value(part.get("invocationMessage")):
        arguments["description"] = text
    call = build_tool_call(first_text(part, "toolCallId"), first_text(part, "toolId"), arguments)
    yield tool_call_draft(call)
    if part.get("isComplete") is True:
        answer = details.get("output") if isinstance(details, dict) else None
        values = [one.get("value") for one in list_objects(answer)] if isinstance(answer, list) else answer
        text = result_content_text(values) if values else _value(part.get("pastTenseMessage"))
        is_error = isinstance(details, dict) and details.get("isError") is True
        yield MessageDraft("tool_result", text, call, is_error=is_error)


def _reply(pieces: list[str]) -> Iterator[MessageDraft]:
    if (text := "".join(pieces)).strip():
        yield MessageDraft("reply", text)


def _value(part: object) -> str:
    """A text that stands for itself or in `value`."""
    return part if isinstance(part, str) else first_text(part, "value")
