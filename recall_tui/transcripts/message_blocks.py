"""The blocks of a message in the form of Anthropic's API, as several agents record it; a text alone is one block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from recall_tui.transcripts.claude.records import first_text
from recall_tui.transcripts.claude.user_text import user_texts
from recall_tui.transcripts.reader import MessageDraft, tool_call_draft
from recall_tui.transcripts.tool_calls import build_tool_call, result_content_text


def agent_drafts(content: Any) -> Iterator[MessageDraft]:
    """What an agent says with a message: its words, thoughts and calls, in their order."""
    for block in _blocks(content):
        match block.get("type"):
            case "text":
                if (text := first_text(block, "text")).strip():
                    yield MessageDraft("reply", text)
            case "thinking":
                if (text := first_text(block, "thinking")).strip():
                    yield MessageDraft("thought", text)
            case "tool_use" | "toolCall":
                yield call_draft(block, "input" if block["type"] == "tool_use" else "arguments")


def user_drafts(content: Any) -> Iterator[MessageDraft]:
    """What a message that bears the person's name says: answers of tools, then the person's own words, if any."""
    for block in _blocks(content):
        if block.get("type") == "tool_result":
            text = result_content_text(block.get("content"))
            is_error = block.get("is_error") is True
            yield MessageDraft("tool_result", text, answers=first_text(block, "tool_use_id"), is_error=is_error)
    for said in user_texts(block_texts(content)):
        yield MessageDraft(said.kind, said.text)


def block_texts(content: Any) -> Iterator[str]:
    """The texts of a message's blocks, a picture named in brackets."""
    for block in _blocks(content):
        if block.get("type") == "image":
            yield "[image]"
        elif block.get("type") == "text":
            yield first_text(block, "text")


def call_draft(call: Mapping[str, Any], field: str) -> MessageDraft:
    """A call with `id`, `name` and its arguments in `field`, an object or a text such as a patch."""
    arguments = call.get(field)
    found = {"input": arguments} if isinstance(arguments, str) else arguments if isinstance(arguments, dict) else {}
    return tool_call_draft(build_tool_call(first_text(call, "id", "toolCallId"), first_text(call, "name"), found))


def _blocks(content: Any) -> Iterator[Mapping[str, Any]]:
    for block in content if isinstance(content, list) else [content]:
        if isinstance(block, str):
            yield {"type": "text", "text": block}
        elif isinstance(block, dict):
            yield block
