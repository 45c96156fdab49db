"""What a record of an agent other than Claude Code says, piece by piece.

A piece is a message that lacks only what all pieces of its record share: time, uuid, line.
"""

from __future__ import annotations

from typing import NamedTuple

from recall_tui.domain import MessageKind, ToolCall


class MessageDraft(NamedTuple):
    """One message in the making."""

    kind: MessageKind
    text: str
    tool: ToolCall | None = None
    """The tool called, or the call that a result is known to answer."""
    answers: str = ""
    """The id of the call that a result answers, when the call is in another record."""
    is_error: bool = False
    voice: int = 0
    """0 for the conversation itself; what only repeats it, such as notices to a screen, has a higher number."""


def tool_call_draft(call: ToolCall) -> MessageDraft:
    """A call as it is said."""
    return MessageDraft("tool_call", f"{call.name} {call.target}".strip(), call)
