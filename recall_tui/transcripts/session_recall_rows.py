"""What a row of session recall's database says, piece by piece.

A row is a whole record of a transcript, its texts, its thoughts and the arguments of its calls joined line by line:
they are told apart again as far as that can be done.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from recall_tui.domain import ToolCall
from recall_tui.transcripts.claude.messages import plan_text
from recall_tui.transcripts.claude.records import parse_object
from recall_tui.transcripts.claude.user_text import classify_user_text
from recall_tui.transcripts.message_parts import MessageDraft, tool_call_draft
from recall_tui.transcripts.tool_calls import build_tool_call

_USER_TYPES = frozenset(("user", "human"))
_CALL_TYPES = frozenset(("tool_use", "tool_call"))


def message_drafts(kind: str, text: str, tool: str, files: Sequence[str]) -> Iterator[MessageDraft]:
    """What a row of this type says; `tool` is the last tool that its record called, `files` the paths it was given."""
    if kind == "tool_result":
        if text.strip():
            yield MessageDraft("tool_result", text, _calls_on(files, tool, {})[0] if tool else None)
    elif tool or kind in _CALL_TYPES:
        yield from _text_with_calls(text, tool, files)
    elif kind in _USER_TYPES:
        if words := classify_user_text(text):
            yield MessageDraft(words.kind, words.text)
    elif text.strip() and kind in ("assistant", "thinking"):
        yield MessageDraft("reply" if kind == "assistant" else "thought", text)


def _text_with_calls(text: str, tool: str, files: Sequence[str]) -> Iterator[MessageDraft]:
    """What the agent said, then its calls; only the last of them is known by name."""
    lines = text.split("\n")
    given: list[dict[str, object]] = []
    while lines and (arguments := _arguments(lines[-1])) is not None:
        given.insert(0, arguments)
        lines.pop()
    if given:
        calls = [build_tool_call("", tool if last == len(given) else "", one) for last, one in enumerate(given, 1)]
    else:
        # Arguments that were cut are no JSON any more, and no speech either.
        cut = lines.pop() if lines[-1].startswith("{") else ""
        calls = _calls_on(files, tool, {"": cut} if cut else {})
    if words := "\n".join(lines).strip():
        yield MessageDraft("reply", words)
    for call in calls:
        yield tool_call_draft(call)
        if plan := plan_text(call):
            yield MessageDraft("plan", plan, call)


def _arguments(line: str) -> dict[str, object] | None:
    return parse_object(line.encode())[0] if line.startswith("{") else None


def _calls_on(files: Sequence[str], tool: str, arguments: dict[str, object]) -> list[ToolCall]:
    """The calls of a tool on these files, as far as the row tells; one when it names none."""
    first, *others = files or ("",)
    return [ToolCall("", tool, first, arguments, bool(first)), *(ToolCall("", tool, one, {}, True) for one in others)]
