"""What a reader of transcripts must offer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from recall_tui.domain import Conversation, MessageKind, SkippedResult, ToolCall
    from recall_tui.environment import Environment


class TranscriptFile(NamedTuple):
    """A transcript that was found and not yet read."""

    path: Path
    session_id: str
    """By the file's name; what the records say may differ."""
    agent: str
    modified: datetime
    size: int
    """Bytes, those of sub-agents not counted."""
    mtime_ns: int = 0
    """The same as `modified`, in nanoseconds; 0 where its reader does not say."""


FileState = tuple[str, int, int]
"""A path, bytes, and the time of the last write in nanoseconds."""


class FormatMarks(NamedTuple):
    """What the start of a file in an agent's format is recognised by."""

    label: str
    """The agent's name as a person knows it."""
    is_record: Callable[[Mapping[str, Any]], bool]
    """Returns True for a JSON record with a mark of the agent."""
    is_head: Callable[[bytes], bool]
    """Returns True for a first line with a mark of the agent that is cut off."""
    is_broad: bool = False
    """The marks fit records of other agents too, which are asked before."""


class Retention(NamedTuple):
    """The time for which an agent keeps its transcripts."""

    days: int | None = None
    """Days from the last write of a transcript until it is deleted; None when the agent deletes none by itself."""
    is_default: bool = True
    """No setting of the person says so."""
    is_documented: bool = True
    """Its maker, or its source, says so."""

    def describe(self) -> str:
        """Return it in a word or two, such as `30 days`."""
        if not self.is_documented:
            return "not documented"
        return "for ever" if self.days is None else f"{self.days:,} day{'s' * (self.days != 1)}"


class Reader(Protocol):
    """One agent's transcripts."""

    agent: str
    """`claude`, `codex`, …"""

    def claims(self, path: Path, head: bytes) -> bool:
        """Return True if the file is in this agent's format, judged by its first bytes."""

    def read(self, path: Path) -> Conversation | SkippedResult:
        """Return the conversation in a claimed file."""

    def discover(self, environment: Environment) -> Iterator[TranscriptFile]:
        """Yield every transcript of this agent on the machine, oldest first."""


class MessageDraft(NamedTuple):
    """A message under construction."""

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
    """Return the draft of a tool call."""
    return MessageDraft("tool_call", f"{call.name} {call.target}".strip(), call)


def record_type(record: Mapping[str, Any]) -> str:
    """Return the `type` of a record; empty when it is no text."""
    kind = record.get("type")
    return kind if isinstance(kind, str) else ""
