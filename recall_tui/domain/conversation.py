"""What was said between a person and an agent, and what is gathered from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal

MessageKind = Literal["prompt", "reply", "thought", "tool_call", "tool_result", "plan", "compact_summary", "command"]
"""What a message is: the person's words, the agent's words, its thinking, a tool called, what the tool answered, a plan
put forward, the stand-in for compacted history, a slash command."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One use of a tool by an agent."""

    id: str
    name: str
    """The tool's own name, such as `Edit` or `Bash`."""
    target: str
    """What it acted on in one line: a path, a pattern, a command; at most 200 characters."""
    input: Mapping[str, object] = field(default_factory=dict)
    """The arguments as the agent gave them."""
    is_file: bool = False
    """The target is a path of a file that the tool read or wrote."""


@dataclass(frozen=True, slots=True)
class Message:
    """One block of a conversation, in the order of the transcript."""

    kind: MessageKind
    text: str
    at: datetime | None = None
    """When it was said, with an offset."""
    uuid: str = ""
    """The record it comes from; several blocks of one record share it."""
    message_id: str = ""
    """The agent's message it belongs to; one such message may span several records."""
    tool: ToolCall | None = None
    """The tool called, on a tool_call; on a tool_result the call it answers, when that is known."""
    is_error: bool = False
    is_sidechain: bool = False
    """Said between an agent and a sub-agent; never the person's speech."""
    is_off_chain: bool = False
    """On a branch that was rewound; the conversation went on elsewhere."""
    line: int = 0
    """The line of the transcript, from 1."""


@dataclass(frozen=True, slots=True)
class ReadError:
    """A line that could not be read, and why; the lines around it were."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class ConversationHead:
    """What is known of a conversation without its messages."""

    session_id: str
    agent: str
    """`claude`, `codex`, `gemini`, …"""
    source: Path
    started_at: datetime | None = None
    ended_at: datetime | None = None
    title: str = ""
    cwd: str = ""
    branch: str = ""
    model: str = ""
    version: str = ""
    """The agent's version, for reports of trouble."""
    prompts: int = 0
    """Messages of the person on the main chain."""
    replies: int = 0
    """Messages of the agent with text on the main chain; one that spans several records counts once."""
    pull_requests: tuple[str, ...] = ()
    side_files: tuple[Path, ...] = ()
    """Transcripts of this session's sub-agents, read after the main one."""
    first_uuid: str = ""
    last_uuid: str = ""
    content_hash: str = ""
    """SHA-256 (16 hex digits) of the complete lines of every file that was read."""
    fault_count: int = 0
    faults: tuple[ReadError, ...] = ()
    """The first few of them."""

    @property
    def message_count(self) -> int:
        """Prompts and replies, as archives and the window count them."""
        return self.prompts + self.replies


@dataclass(frozen=True, slots=True)
class Conversation:
    """A head, and its messages streamed anew at each call of `messages`."""

    head: ConversationHead
    messages: Callable[[], Iterator[Message]]


@dataclass(frozen=True, slots=True)
class SkippedResult:
    """Nothing was done, and that is expected; the reason is for a person."""

    reason: str
    faults: tuple[ReadError, ...] = field(default=(), compare=False)
    """Of a file without a message, the first lines that could not be read."""


@dataclass(frozen=True, slots=True)
class Tags:
    """What a conversation decided, left to do and touched; caps 5, 5 and 10."""

    project: str = ""
    decisions: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SessionDigest:
    """What the head of an archive says of a conversation in words."""

    summary: str
    """One paragraph without line breaks."""
    topics: tuple[str, ...] = ()
    """At most five, most telling first."""
    tags: Tags = Tags()
    points: tuple[tuple[str, str], ...] = ()
    """Further things worth knowing, each with its label, such as `("Discovery", "The cache was cold.")`."""
    title: str = ""
    """A short title that whoever told it gave; empty for the conversation's own."""
    told_by: str = ""
    """The model or the agent whose words these are, such as `claude/haiku`; empty for the conversation's own words."""
    told_of: str = ""
    """The content hash of the conversation when it was told; empty for the one at hand."""
