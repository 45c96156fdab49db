"""What the lines of a Codex rollout say.

A line is an envelope with a type and a payload; older versions wrote the payload alone. Both are read the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from recall_tui.domain import MessageKind, ToolCall
from recall_tui.text.framing import strip_frames
from recall_tui.transcripts.claude.records import first_text
from recall_tui.transcripts.reader import MessageDraft, tool_call_draft
from recall_tui.transcripts.tool_calls import MAX_TARGET_CHARS, build_tool_call, result_content_text, without_secrets

ITEM, EVENT, COMPLETED = range(3)
"""Voices: what goes to the model, notices of it to the screen, and the newer notices of it when done."""
_ITEM_TYPES = frozenset({"message", "reasoning", "function_call", "function_call_output", "custom_tool_call"})
_NOTICE_PREFIXES = (
    "# AGENTS.md",
    "<INSTRUCTIONS>",
    "<user_instructions>",
    "<environment_context>",
    "<permissions instructions>",
    "<collaboration_mode>",
    "<skill>",
    "<turn_aborted>",
    "<subagent_notification>",
    "<user_shell_command>",
    "<image",
    "</image>",
)
"""How texts begin that bear the person's name and are not theirs."""
_HANDOVER_PREFIX = "Another language model started to solve this problem"
_EDITOR_PROMPT_HEADING = "## My request for Codex:"
"""What stands before it is what the editor had open."""
_PATCH_FILE = re.compile(r"^\*\*\* (?:Update|Add|Delete) File: *(.+?) *$", re.MULTILINE)
_EVENTS: Mapping[str, tuple[MessageKind, str, int]] = {
    "user_message": ("prompt", "message", EVENT),
    "agent_message": ("reply", "message", EVENT),
    "agent_reasoning": ("thought", "text", EVENT),
    "agent_reasoning_raw_content": ("thought", "text", COMPLETED),
}
_ITEM_KINDS: Mapping[str, MessageKind] = {"UserMessage": "prompt", "AgentMessage": "reply", "Reasoning": "thought"}


class RolloutEntry(NamedTuple):
    """One line out of its envelope."""

    type: str
    """`session_meta`, `turn_context`, `response_item`, `event_msg`, `compacted`; empty when it is none of them."""
    payload: Mapping[str, Any]
    timestamp: str

    @property
    def kind(self) -> str:
        """The payload's own type, such as `message`."""
        return first_text(self.payload, "type")


def parse_entry(record: Mapping[str, Any]) -> RolloutEntry:
    """The line that holds this record; one of an unknown shape says nothing."""
    kind, payload, timestamp = first_text(record, "type"), record.get("payload"), first_text(record, "timestamp")
    if isinstance(payload, dict):
        return RolloutEntry("response_item" if kind == "request_item" else kind, payload, timestamp)
    if kind in _ITEM_TYPES:
        return RolloutEntry("response_item", record, timestamp)
    is_opening = not kind and first_text(record, "id") and timestamp
    return RolloutEntry("session_meta" if is_opening else "", record, timestamp)


def message_drafts(entry: RolloutEntry) -> list[MessageDraft]:
    """Everything that a line says, in its order."""
    match entry.type:
        case "response_item":
            return list(_item_drafts(entry.kind, entry.payload))
        case "event_msg":
            return list(_event_drafts(entry.kind, entry.payload))
        case "compacted":
            return _texts_as("compact_summary", [first_text(entry.payload, "message")])
    return []


def _item_drafts(kind: str, item: Mapping[str, Any]) -> Iterator[MessageDraft]:
    match kind:
        case "message":
            yield from _message_drafts(first_text(item, "role"), item.get("content"))
        case "reasoning":
            yield from _texts_as("thought", [*_texts(item.get("summary")), *_texts(item.get("content"))])
        case "compaction" | "compaction_summary":
            yield from _texts_as("compact_summary", _texts(item.get("summary")))
        case "function_call" | "custom_tool_call" | "local_shell_call" | "web_search_call" | "tool_search_call":
            yield tool_call_draft(_call(kind, item))
        case "function_call_output" | "custom_tool_call_output":
            text, is_error = _tool_result(item.get("output"))
            yield MessageDraft("tool_result", text, answers=first_text(item, "call_id"), is_error=is_error)


def _event_drafts(kind: str, event: Mapping[str, Any]) -> Iterator[MessageDraft]:
    if kind in _EVENTS:
        spoken, field, voice = _EVENTS[kind]
        yield from _spoken_drafts(spoken, [first_text(event, field)], voice)
    elif kind == "item_completed" and isinstance(item := event.get("item"), dict):
        done = _ITEM_KINDS.get(first_text(item, "type"))
        yield from _spoken_drafts(done, _texts(item.get("content") or item.get("text")), COMPLETED) if done else ()


def _message_drafts(role: str, content: Any) -> Iterator[MessageDraft]:
    if role == "assistant":
        yield from _texts_as("reply", _texts(content))
    elif role == "user":
        yield from _spoken_drafts("prompt", _texts(content), ITEM)


def _spoken_drafts(kind: MessageKind, texts: Sequence[str], voice: int) -> Iterator[MessageDraft]:
    """The words of a person as at most one prompt, each text judged by itself; those of the agent as they are."""
    if kind != "prompt":
        yield from _texts_as(kind, texts, voice)
        return
    prompt: list[str] = []
    for text in texts:
        if text.startswith(_HANDOVER_PREFIX):
            yield MessageDraft("compact_summary", text, voice=voice)
        elif words := _user_text(text):
            prompt.append(words)
    if prompt:
        yield MessageDraft("prompt", "\n\n".join(prompt), voice=voice)


def _user_text(text: str) -> str:
    _, mark, asked = text.partition(_EDITOR_PROMPT_HEADING)
    text = strip_frames(asked if mark else text).strip()
    return "" if text.startswith(_NOTICE_PREFIXES) else text


def _texts_as(kind: MessageKind, texts: Sequence[str], voice: int = ITEM) -> list[MessageDraft]:
    return [MessageDraft(kind, text, voice=voice) for text in texts if text.strip()]


def _texts(content: Any) -> list[str]:
    found: list[str] = []
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, str):
            found.append(part)
        elif first_text(part, "type") in ("input_image", "image", "local_image"):
            found.append("[image]")
        else:
            found.append(first_text(part, "text"))
    return found


def _call(kind: str, item: Mapping[str, Any]) -> ToolCall:
    name = first_text(item, "name") or kind.removesuffix("_call")
    arguments = without_secrets(_arguments(item))
    patch = first_text(arguments, "input", "patch") if name == "apply_patch" else ""
    if patched := _PATCH_FILE.search(patch):
        return ToolCall(first_text(item, "call_id", "id"), name, patched[1][:MAX_TARGET_CHARS], arguments, is_file=True)
    shown = {**arguments, "command": _command(arguments["command"])} if "command" in arguments else arguments
    call = build_tool_call(first_text(item, "call_id", "id"), name, shown)
    return ToolCall(call.id, call.name, call.target, arguments, call.is_file)


def _arguments(item: Mapping[str, Any]) -> dict[str, object]:
    """What a tool was given: an object, the same as JSON in a string, or a text of its own, such as a patch."""
    given = next((item[name] for name in ("arguments", "parameters", "action", "input") if item.get(name)), None)
    if isinstance(given, str):
        value = _json(given)
        return value if isinstance(value, dict) else {"input": given}
    return given if isinstance(given, dict) else {}


def _command(value: object) -> object:
    """A command in one line; what a shell was merely wrapped around it is left out."""
    if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
        return value
    is_wrapped = len(value) == 3 and value[1] in ("-c", "-lc")
    return value[2] if is_wrapped else " ".join(value)


def _tool_result(output: Any) -> tuple[str, bool]:
    """What a tool answered, and whether it failed; some wrap both into JSON in a string."""
    value = _json(output) if isinstance(output, str) and output.startswith("{") else output
    if not isinstance(value, dict):
        return result_content_text(output), False
    metadata = value.get("metadata")
    code = metadata.get("exit_code") if isinstance(metadata, dict) else None
    is_error = value.get("success") is False or (isinstance(code, int) and code != 0)
    field = next((name for name in ("output", "content") if name in value), None)
    return result_content_text(value[field] if field else output), is_error


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
