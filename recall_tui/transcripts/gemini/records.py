"""What the messages of a Gemini CLI chat say.

A message is one object, its thoughts, words and tools with their answers inside; what the program itself shows is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from recall_tui.text.framing import without_frames
from recall_tui.transcripts.claude.records import word
from recall_tui.transcripts.message_parts import Utterance, called
from recall_tui.transcripts.tool_calls import call_named, text_of

_NOTICES = (
    "<session_context>",
    "This is the Gemini CLI. We are setting up the context for our chat.",
    "System: Please continue.",
)
"""How texts begin that bear the person's name and are not theirs."""
_HANDED_OVER = "<state_snapshot>"
_INJECTED = re.compile(r"\s*<hook_context>.*?</hook_context>\s*", re.DOTALL)
"""What hooks put beside a prompt."""
_REFERENCED = re.compile(r"\s*--- Content from referenced files ---.*\Z", re.DOTALL)
"""Files that a prompt named with @, put behind it whole."""
_FAILED = frozenset({"error", "cancelled"})


def said(message: Mapping[str, Any]) -> list[Utterance]:
    """Everything that a message says, in its order."""
    match word(message, "type"):
        case "user":
            return list(_from_person(message))
        case "gemini":
            return list(_from_agent(message))
    return []


def _from_person(message: Mapping[str, Any]) -> Iterator[Utterance]:
    shown = message.get("displayContent")
    text = without_frames(_INJECTED.sub("\n", _text(shown or message.get("content")))).strip()
    if text.startswith(_HANDED_OVER):
        yield Utterance("compact_summary", text)
    elif text and not text.startswith(_NOTICES) and (words := _REFERENCED.sub("", text)):
        yield Utterance("prompt", words)


def _from_agent(message: Mapping[str, Any]) -> Iterator[Utterance]:
    for thought in _objects(message.get("thoughts")):
        if text := "\n".join(filter(None, (word(thought, "subject"), word(thought, "description")))).strip():
            yield Utterance("thought", text)
    if (text := _text(message.get("content"))).strip():
        yield Utterance("reply", text)
    for tool in _objects(message.get("toolCalls")):
        yield from _use(tool)


def _use(tool: Mapping[str, Any]) -> Iterator[Utterance]:
    arguments = tool.get("args")
    call = call_named(word(tool, "id"), word(tool, "name"), arguments if isinstance(arguments, dict) else {})
    yield called(call)
    answers = [text for part in _objects(tool.get("result")) if (text := _answer(part))]
    if shown := tool.get("resultDisplay"):
        answers = answers or [text_of(shown)]
    if answers or tool.get("result") is not None:
        is_error = word(tool, "status") in _FAILED
        yield Utterance("tool_result", "\n".join(answers), call, is_error=is_error)


def _answer(part: Mapping[str, Any]) -> str:
    function = part.get("functionResponse")
    response = function.get("response") if isinstance(function, dict) else None
    if not isinstance(response, dict):
        return _text([part])
    field = next((name for name in ("output", "error", "content") if response.get(name)), None)
    return text_of(response[field]) if field else ""


def _text(content: Any) -> str:
    """The words of a string, of a part, or of parts, pictures and files among them named in brackets."""
    found: list[str] = []
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, str):
            found.append(part)
        elif text := word(part, "text"):
            found.append(text)
        elif isinstance(part, dict) and isinstance(data := part.get("inlineData"), dict):
            found.append("[image]" if word(data, "mimeType").startswith("image/") else "[file]")
    return "".join(found)


def _objects(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
