"""The use of tools in transcripts: what a call acted on, what came back as text, and which answer is to which call.

A call always has a target of one line, empty when its arguments name nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from recall_tui.domain import ToolCall
from recall_tui.transcripts.claude.records import ContentBlock, decode_value

MAX_TARGET_CHARS = 200
"""Characters of a target."""
_MAX_SCANNED_CHARS = 4 * MAX_TARGET_CHARS
"""Characters of an argument that are looked at to make a target."""
_MAX_OPEN_CALLS = 1000
"""Calls that may wait for their result; beyond it the oldest is forgotten."""
_SECRET_NAME = re.compile(r"pass|pwd|token|secret|key|auth|cred|cookie|pat$|mnemonic|phrase|value", re.IGNORECASE)
"""Part of the name of an argument that may be a secret, or that belongs to a name beside it."""
_FILE_ARGUMENTS = ("file_path", "notebook_path", "absolute_path")
_ARGUMENTS = ("command", "cmd", "pattern", "path", "url", "query", "description", "subject", "skill", "prompt", "plan")
_FILE_TOOLS = frozenset(
    {"Read", "Edit", "Write", "MultiEdit", "NotebookEdit", "NotebookRead"}
    | {"read", "edit", "write", "view", "create", "str_replace_editor"}
)
_PLAN_TOOLS = frozenset({"ExitPlanMode", "exit_plan_mode"})

_FRAME_START = "<recalled-memory"


def parse_tool_use(block: ContentBlock) -> ToolCall:
    """The call that a block of type `tool_use` makes."""
    found = decode_value(block.input)
    return build_tool_call(block.id or "", block.name or "", found if isinstance(found, dict) else {})


def build_tool_call(id: str, name: str, arguments: Mapping[str, object]) -> ToolCall:
    """The call of a tool with these arguments, secrets masked that only their names tell, and what it acted on."""
    arguments = without_secrets(arguments)
    argument, target = _target(arguments)
    is_file = bool(target) and (argument in _FILE_ARGUMENTS or (argument == "path" and name in _FILE_TOOLS))
    return ToolCall(id, name, target, arguments, is_file)


def plan_text(call: ToolCall) -> str:
    """The plan that a call asks the person to agree to; empty when it is no such call."""
    plan = call.input.get("plan") if call.name in _PLAN_TOOLS else None
    return plan.strip() if isinstance(plan, str) else ""


def without_secrets(arguments: Mapping[str, object]) -> Mapping[str, object]:
    """The arguments with secrets masked, where a name among them may tell of one that its value does not."""
    if not _names_a_secret(arguments):
        return arguments
    from recall_tui.text.secrets.redact import redact

    line = json.dumps(arguments, ensure_ascii=False)
    clean = redact(line)
    if clean == line:
        return arguments
    try:
        found = json.loads(clean)
    except ValueError:
        found = None
    return found if isinstance(found, dict) else {"arguments": clean}


def _names_a_secret(value: object) -> bool:
    if isinstance(value, Mapping):
        return any(_SECRET_NAME.search(name) or _names_a_secret(item) for name, item in value.items())
    return isinstance(value, list | tuple) and any(map(_names_a_secret, value))


def result_text(block: ContentBlock) -> str:
    """What a block of type `tool_result` says, its pictures and references named in brackets."""
    return result_content_text(decode_value(block.content))


class OpenCalls:
    """Calls that wait for their result."""

    def __init__(self) -> None:
        self._calls: dict[str, ToolCall] = {}

    def open(self, call: ToolCall) -> None:
        """Remember a call, when it has an id to be answered by."""
        if call.id:
            self._calls[call.id] = call
            if len(self._calls) > _MAX_OPEN_CALLS:
                del self._calls[next(iter(self._calls))]

    def answered(self, id: str) -> ToolCall | None:
        """The call with this id, which then waits no more."""
        return self._calls.pop(id, None)


def result_content_text(found: Any) -> str:
    """Return what a tool answered as text, with pictures and references named in brackets.

    Quotations of this program are left out: what a memory answered must not be found as its own source.
    """
    text = _content_text(found)
    if _FRAME_START not in text:
        return text
    from recall_tui.text.framing import strip_frames

    return strip_frames(text)


def _content_text(found: Any) -> str:
    if found is None:
        return ""
    if isinstance(found, str):
        return found
    if isinstance(found, list):
        return "\n".join(text for item in found if (text := _item_text(item)))
    return _item_text(found)


def _target(arguments: Mapping[str, object]) -> tuple[str, str]:
    for name in (*_FILE_ARGUMENTS, *_ARGUMENTS):
        if line := _one_line(arguments.get(name)):
            place = _one_line(arguments.get("path")) if name == "pattern" else ""
            return name, f"{line} in {place}"[:MAX_TARGET_CHARS] if place else line
    for name, value in arguments.items():
        if line := f"{len(value)} {name}" if isinstance(value, list) and value else _one_line(value):
            return name, line[:MAX_TARGET_CHARS]
    return "", json.dumps(arguments, ensure_ascii=False)[:MAX_TARGET_CHARS] if any(arguments.values()) else ""


def _one_line(value: object) -> str:
    return " ".join(value[:_MAX_SCANNED_CHARS].split())[:MAX_TARGET_CHARS] if isinstance(value, str) else ""


def _item_text(item: Any) -> str:
    if isinstance(item, str):
        return item
    if not isinstance(item, dict):
        return json.dumps(item)
    match item:
        case {"type": "image" | "input_image"}:
            return "[image]"
        case {"type": "document"}:
            return document_label(item.get("title"))
        case {"type": "tool_reference", "tool_name": str(name)}:
            return f"[tool: {name}]"
        case {"text": str(text)}:
            return text
    return json.dumps(item, ensure_ascii=False)


def document_label(title: object) -> str:
    """What stands for a document that was handed over, by its title if it has one."""
    return f"[document: {title}]" if isinstance(title, str) and title else "[document]"
