"""Cline's messages: lists of blocks, of which a person's words are wrapped and tools answer under the person's name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from recall_tui.domain import Message
from recall_tui.transcripts.claude.metadata import parse_time_or_milliseconds
from recall_tui.transcripts.claude.records import first_text, parse_object, sum_counts
from recall_tui.transcripts.claude.user_text import classify_user_text
from recall_tui.transcripts.reader import MessageDraft, tool_call_draft
from recall_tui.transcripts.tool_calls import OpenCalls, build_tool_call, result_content_text
from recall_tui.transcripts.whole_file import list_objects

_ADDED_START, _ADDED_END = "<environment_details>", "</environment_details>"
"""Around what the program adds to a prompt."""
_USAGE = ("inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens")
_WRAPPER = re.compile(r"\s*<(user_input|task)\b[^>]*>(.*)</\1>\s*", re.DOTALL)


def last_model(document: Mapping[str, Any]) -> str:
    """Return the model of the last answer; empty when none names it."""
    models = (first_text(one.get("modelInfo"), "id") for one in reversed(list_objects(document.get("messages"))))
    return next(filter(None, models), "")


def used_tokens(document: Mapping[str, Any]) -> int:
    """Return the tokens of all answers, those of sub-agents not counted."""
    return sum(sum_counts(one.get("metrics"), *_USAGE) for one in list_objects(document.get("messages")))


def read_messages(own: Mapping[str, Any], sides: Iterable[Mapping[str, Any]]) -> Iterator[Message]:
    """Yield the messages of a session, then those of its sub-agents; `line` is the place of one in its file."""
    yield from _document_messages(own, is_side=False)
    for side in sides:
        yield from _document_messages(side, is_side=True)


def _document_messages(document: Mapping[str, Any], *, is_side: bool) -> Iterator[Message]:
    calls = OpenCalls()
    for place, message in enumerate(list_objects(document.get("messages")), 1):
        uuid = first_text(message, "id")
        for draft in message_drafts(message):
            tool = draft.tool
            if draft.kind == "tool_call" and tool:
                calls.open(tool)
            elif draft.answers:
                tool = calls.answered(draft.answers)
            yield Message(
                kind=draft.kind,
                text=draft.text,
                at=parse_time_or_milliseconds(message.get("ts")),
                uuid=uuid,
                message_id=uuid,
                tool=tool,
                is_error=draft.is_error,
                is_sidechain=is_side,
                line=place,
            )


def message_drafts(message: Mapping[str, Any]) -> Iterator[MessageDraft]:
    """Yield everything that a message says, in its order."""
    content = message.get("content")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else list_objects(content)
    if first_text(message, "role") == "user":
        yield from (_tool_result(one) for one in blocks if first_text(one, "type") == "tool_result")
        text = "\n".join(filter(None, map(_prompt_text, blocks)))
        if words := classify_user_text(text):
            yield MessageDraft(words.kind, words.text)
        return
    for block in blocks:
        match first_text(block, "type"):
            case "text" if text := first_text(block, "text").strip():
                yield MessageDraft("reply", text)
            case "thinking" if text := first_text(block, "thinking").strip():
                yield MessageDraft("thought", text)
            case "tool_use":
                given = block.get("input")
                arguments = given if isinstance(given, dict) else {}
                yield tool_call_draft(build_tool_call(first_text(block, "id"), first_text(block, "name"), arguments))


def _prompt_text(block: Mapping[str, Any]) -> str:
    match first_text(block, "type"):
        case "text":
            text = without_added(first_text(block, "text")).strip()
            wrapped = _WRAPPER.fullmatch(text)
            return wrapped[2].strip() if wrapped else text
        case "image":
            return "[image]"
        case "file":
            return f"[file: {first_text(block, 'path')}]"
    return ""


def without_added(text: str) -> str:
    """Return a text without what the program adds to a prompt."""
    before, start, rest = text.partition(_ADDED_START)
    while start and _ADDED_END in rest:
        rest = rest.partition(_ADDED_END)[2]
        more, start, rest = rest.partition(_ADDED_START)
        before += more
    return f"{before}{start}{rest}"


def _tool_result(block: Mapping[str, Any]) -> MessageDraft:
    content = block.get("content")
    answers = list_objects(content)
    has_failed = bool(answers) and all(one.get("success") is False for one in answers)
    return MessageDraft(
        "tool_result",
        _answer_text(content),
        answers=first_text(block, "tool_use_id"),
        is_error=block.get("is_error") is True or has_failed,
    )


def _answer_text(content: object) -> str:
    if isinstance(content, str) and content.startswith("{"):
        # An MCP server's answer is put down as JSON.
        told = parse_object(content.encode("utf-8", "replace"))[0] or {}
        return result_content_text(told.get("content") or content)
    if isinstance(content, list):
        return result_content_text([_command_answer(one) for one in content])
    return result_content_text(content)


def _command_answer(item: object) -> object:
    if not isinstance(item, dict) or "result" not in item:
        return item
    result = item["result"] if isinstance(item["result"], str) else result_content_text(item["result"])
    return "\n".join(filter(None, (first_text(item, "query"), result or first_text(item, "error"))))
