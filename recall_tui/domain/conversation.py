"""Conversations between a user and an agent, and the data derived from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Literal

MessageKind = Literal["prompt", "reply", "thought", "tool_call", "tool_result", "plan", "compact_summary", "command"]
"""The kind of a message: the user's text, the agent's text, its reasoning, a tool call, a tool result, a plan, the
summary of compacted history, a slash command.
"""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call of an agent."""

    id: str
    name: str
    """The tool's own name, such as `Edit` or `Bash`."""
    target: str
    """The target in one line: a path, a pattern, a command; at most 200 characters."""
    input: Mapping[str, object] = field(default_factory=dict)
    """The arguments as sent by the agent."""
    is_file: bool = False
    """The target is the path of a file that the tool read or wrote."""


@dataclass(frozen=True, slots=True)
class Message:
    """A content block of a conversation, in transcript order."""

    kind: MessageKind
    text: str
    at: datetime | None = None
    """The time with an offset."""
    uuid: str = ""
    """The record's id; several blocks of one record share it."""
    message_id: str = ""
    """The id of the agent's message; a message may span several records."""
    tool: ToolCall | None = None
    """The call of a tool_call; of a tool_result the call it answers, if known."""
    is_error: bool = False
    is_sidechain: bool = False
    """Exchanged between an agent and a sub-agent; never the user's text."""
    is_off_chain: bool = False
    """On a branch that was rewound; the conversation continued elsewhere."""
    is_repeated: bool = False
    """Copied from the session that this one was forked from."""
    line: int = 0
    """The line of the transcript, from 1."""


@dataclass(frozen=True, slots=True)
class ReadError:
    """A line that could not be read, with the reason; the lines around it were read."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class ConversationHead:
    """A conversation's metadata, without its messages."""

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
    """The agent's version, for error reports."""
    prompts: int = 0
    """The user's messages on the main chain."""
    replies: int = 0
    """The agent's messages with text on the main chain; a message that spans several records counts once."""
    tokens: int = 0
    """Tokens that the model read, from a cache or not, and wrote, as the agent recorded them; those of sub-agents are
    not counted. 0 when it records none.
    """
    pull_requests: tuple[str, ...] = ()
    side_files: tuple[Path, ...] = ()
    """Transcripts of this session's sub-agents, read after the main one."""
    first_uuid: str = ""
    last_uuid: str = ""
    content_hash: str = ""
    """SHA-256 (16 hex digits) of the complete lines of every file that was read."""
    fault_count: int = 0
    faults: tuple[ReadError, ...] = ()
    """The first few errors."""

    @property
    def message_count(self) -> int:
        """Return the number of prompts and replies, as archives and the window count them."""
        return self.prompts + self.replies


@dataclass(frozen=True, slots=True)
class Conversation:
    """A head, and its messages, which each call of `messages` streams again."""

    head: ConversationHead
    messages: Callable[[], Iterator[Message]]

    def is_fork(self) -> bool:
        """Return whether it begins with the messages of another session and goes on with a prompt of its own."""
        spoken = (one for one in self.messages() if one.kind == "prompt" and not one.is_sidechain)
        first = next(spoken, None)
        return first is not None and first.is_repeated and any(not one.is_repeated for one in spoken)

    def own_messages(self) -> Iterator[Message]:
        """Yield the messages, of a fork without those that it repeats."""
        is_fork = self.is_fork()
        return (one for one in self.messages() if not (is_fork and one.is_repeated))


@dataclass(frozen=True, slots=True)
class SkippedResult:
    """An expected outcome without any action; the reason is shown to the user."""

    reason: str
    faults: tuple[ReadError, ...] = field(default=(), compare=False)
    """The first unreadable lines of a file without a message."""


@dataclass(frozen=True, slots=True)
class Tags:
    """The decisions, action items and files of a conversation, at most 5, 5 and 10, and its tools."""

    project: str = ""
    decisions: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SessionDigest:
    """The summary data in the head of an archive."""

    summary: str
    """A paragraph without line breaks."""
    topics: tuple[str, ...] = ()
    """At most five, most significant first."""
    tags: Tags = Tags()
    points: tuple[tuple[str, str], ...] = ()
    """Other labelled sentences, such as `("Discovery", "The cache was cold.")`."""
    title: str = ""
    """A short title given by the author of the summary; empty for the conversation's own."""
    told_by: str = ""
    """The model or agent that wrote the summary, such as `claude/haiku`; empty for an extract of the conversation."""
    told_of: str = ""
    """The content hash of the conversation at the time of the summary; empty for the current one."""
    outcome: str = ""
    """The outcome of the session, as its author says; stored as the end of the summary."""
    status: str = ""
    """`done`, `partial`, `discussion` or `review`, as its author says; not stored."""
    places: Mapping[str, tuple[int, int]] = field(default_factory=lambda: MappingProxyType({}))
    """The transcript's first and last line of what its author tells, by the text; not stored."""
    rejected: str = ""
    """The claims of its author that the conversation does not bear out, in a line; said once, and not stored."""
