"""What the messages of a Gemini CLI chat say.

A message is one object, its thoughts, words and tools with their answers inside; what the program itself shows is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from recall_tui.text.framing import strip_frames
from recall_tui.transcripts.claude.records import first_text
from recall_tui.transcripts.reader import MessageDraft, tool_call_draft
from recall_tui.transcripts.tool_calls import build_tool_call, result_content_text

_NOTICE_PREFIXES = (
    "<session_context>",
    "This is the Gemini CLI. We are setting up the context for our chat.",
    "System: Please continue.",
)
"""How texts begin that bear the person's name and are not theirs."""
_HANDOVER_PREFIX = "<state_snapshot>"
_HOOK_CONTEXT = re.compile(r"\s*<hook_context>.*?</hook_context>\s*", re.DOTALL)
"""What hooks put beside a prompt."""
_REFERENCED_FILES = re.compile(r"\s*--- Content from referenced files ---.*\Z", re.DOTALL)
"""Files that a prompt named with @, put behind it whole."""
_FAILURE_STATES = frozenset({"error", "cancelled"})


def message_drafts(message: Mapping[str, Any]) -> list[MessageDraft]:
    """Everything that a message says, in its order."""
    match first_text(message, "type"):
        case "user":
            return list(_user_drafts(message))
        case "gemini":
            return list(_agent_drafts(message))
    return []


def _user_drafts(message: Mapping[str, Any]) -> Iterator[MessageDraft]:
    shown = message.get("displayContent")
    text = strip_frames(_HOOK_CONTEXT.sub("\n", parts_text(shown or message.get("content")))).strip()
    if text.startswith(_HANDOVER_PREFIX):
        yield MessageDraft("compact_summary", text)
    elif text and not text.startswith(_NOTICE_PREFIXES) and (words := strip_attached(text)):
        yield MessageDraft("prompt", words)


def strip_attached(text: str) -> str:
    """A prompt without the files that it named with @, which are put behind it whole."""
    return _REFERENCED_FILES.sub("", text)


def _agent_drafts(message: Mapping[str, Any]) -> Iterator[MessageDraft]:
    for thought in list_objects(message.get("thoughts")):
        if text := "\n".join(
            filter(None, (first_text(thought, "subject"), first_text(thought, "description")))
        ).strip():
            yield MessageDraft("thought", text)
    if (text := parts_text(message.get("content"))).strip():
        yield MessageDraft("reply", text)
    for tool in list_objects(message.get("toolCalls")):
        yield from _tool_use(tool)


def _tool_use(tool: Mapping[str, Any]) -> Iterator[MessageDraft]:
    arguments = tool.get("args")
    call = build_tool_call(
        first_text(tool, "id"), first_text(tool, "name"), arguments if isinstance(arguments, dict) else {}
    )
    yield tool_call_draft(call)
    answers = [text for part in list_objects(tool.get("result")) if (text := function_answer(part))]
    if shown := tool.get("resultDisplay"):
        answers = answers or [result_content_text(shown)]
    if answers or tool.get("result") is not None:
        is_error = first_text(tool, "status") in _FAILURE_STATES
        yield MessageDraft("tool_result", "\n".join(answers), call, is_error=is_error)


def function_answer(part: Mapping[str, Any]) -> str:
    """What a tool answered with a part."""
    function = part.get("functionResponse")
    response = function.get("response") if isinstance(function, dict) else None
    if not isinstance(response, dict):
        return parts_text([part])
    field = next((name for name in ("output", "error", "content") if response.get(name)), None)
    return result_content_text(response[field]) if field else ""


def parts_text(content: Any) -> str:
    """The words of a string, of a part, or of parts, pictures and files among them named in brackets."""
    found: list[str] = []
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, str):
            found.append(part)
        elif text := first_text(part, "text"):
            found.append(text)
        elif isinstance(part, dict) and isinstance(data := part.get("inlineData"), dict):
            found.append("[image]" if first_text(data, "mimeType").startswith("image/") else "[file]")
    return "".join(found)


def list_objects(value: Any) -> list[Mapping[str, Any]]:
    """The objects in a list; none when it is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
