"""The frozen values that every layer speaks.

Nothing here reads a file, a clock or the environment, and nothing here changes after it was made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal

MessageKind = Literal["prompt", "reply", "thought", "tool_call", "tool_result", "plan", "compact_summary", "command"]
"""What a message is: the person's words, the agent's words, its thinking, a tool called, what the tool answered, a plan
put forward, the stand-in for compacted history, a slash command."""

LayoutName = Literal["entity", "user", "project", "hierarchical", "claude-project"]
By = Literal["person", "hook", "schedule"]
"""Who asked for a change; only a person's changes are taken back by a bare undo."""


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
class Fault:
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
    faults: tuple[Fault, ...] = ()
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
class Skipped:
    """Nothing was done, and that is expected; the reason is for a person."""

    reason: str


@dataclass(frozen=True, slots=True)
class Tags:
    """What a conversation decided, left to do and touched; caps 5, 5 and 10."""

    project: str = ""
    decisions: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Digest:
    """What the head of an archive says of a conversation in words."""

    summary: str
    """One paragraph without line breaks."""
    topics: tuple[str, ...] = ()
    """At most five, most telling first."""
    tags: Tags = Tags()


@dataclass(frozen=True, slots=True)
class ArchiveEntry:
    """The head of one archive file."""

    number: int
    path: Path
    session_id: str = ""
    date: datetime | None = None
    """When the session ended, not when it was archived."""
    messages: int = 0
    duration: str = ""
    source: str = ""
    """`session`, `checkpoint`, `jsonl`, `promote`, or what an older version wrote."""
    topics: tuple[str, ...] = ()
    title: str = ""
    started_at: datetime | None = None
    ended_at: datetime | None = None
    cwd: str = ""
    project: str = ""
    branch: str = ""
    model: str = ""
    agent: str = ""
    content_hash: str = ""
    transcripts: tuple[str, ...] = ()
    """The files it was made from."""
    last_uuid: str = ""
    """The newest record it holds."""
    extra: Mapping[str, object] = field(default_factory=dict)
    """Frontmatter keys that we do not know, kept as they are."""

    @property
    def name(self) -> str:
        """The file's name without its ending, such as `conversation-014`."""
        return self.path.stem


@dataclass(frozen=True, slots=True)
class IndexRow:
    """One row of ARCHIVE.md."""

    number: int
    date: str
    """As written, such as `2026-03-05`."""
    session_id: str = ""
    topics: tuple[str, ...] = ()
    messages: int = 0
    duration: str = ""
    trigger: str = ""
    """The third column of the oldest generation of the table."""


@dataclass(frozen=True, slots=True)
class WindowEntry:
    """One session in the rolling window."""

    session_id: str
    ended_at: datetime
    duration: str
    messages: int
    archive: str
    """The name of the archive's file, such as `conversation-014.md`."""
    summary: str


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it, up to the next heading of the same or a higher level."""

    title: str
    level: int
    """1 for `#`, 2 for `##`; 0 for the text before the first heading."""
    start: int
    """The line of the heading, from 0."""
    end: int
    """The line after the last one."""
    path: tuple[str, ...] = ()
    """The titles of the headings above it, and its own."""

    @property
    def lines(self) -> int:
        """How many lines it takes, its heading among them."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Something that makes MEMORY.md heavy, and what would mend it."""

    number: int
    kind: Literal["extract", "empty", "comment", "duplicate", "stale"]
    title: str
    reason: str
    lines: tuple[int, int]
    """First and last line it is about, from 1."""
    saves: int
    """Lines won by applying it."""
    is_safe: bool
    """Nothing is lost and no judgement is needed: `--apply all` takes it."""
    target: str = ""
    """The topic file an extraction writes, such as `debugging.md`."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One answer to a question, and why it is one."""

    id: str
    document: str
    """Relative to the memory's root when inside it, else absolute."""
    kind: str
    result_type: Literal["raw", "summary"]
    title: str
    score: float
    snippet: str
    lines: tuple[int, int]
    """First and last line of the passage, from 1."""
    session_id: str = ""
    project: str = ""
    date: datetime | None = None
    heading: str = ""
    why: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search found, how, and in what."""

    query: str
    rung: str
    """Which step of the ladder answered: exact, all words, any word, spelling, …"""
    took_ms: float
    total: int
    hits: tuple[Hit, ...]
    searched: Mapping[str, int] = field(default_factory=dict)
    """How much there was to search: passages, sources, failed."""
    notes: tuple[str, ...] = ()
    """What a person should know of how it was understood, such as a corrected word."""


@dataclass(frozen=True, slots=True)
class Create:
    """A file that must not exist yet."""

    path: Path
    text: str
    body: Path | None = None
    """A spooled file whose bytes follow the text; the journal takes it over."""
    is_private: bool = True
    """Mode 0600; else what the umask says, for files that belong to a project."""


@dataclass(frozen=True, slots=True)
class Append:
    """Text at the end of a file, which is made when it is missing."""

    path: Path
    text: str


@dataclass(frozen=True, slots=True)
class Replace:
    """A file's whole new content."""

    path: Path
    was: str
    """`digest` of the content that the verb read; any other content is a conflict."""
    text: str
    body: Path | None = None
    """A spooled file whose bytes follow the text; the journal takes it over."""


@dataclass(frozen=True, slots=True)
class Delete:
    """A file that goes; the journal keeps what it held."""

    path: Path
    was: str
    """`digest` of the content that the verb read."""


Edit = Create | Append | Replace | Delete


@dataclass(frozen=True, slots=True)
class Plan:
    """What a verb wants to change; nothing is changed yet."""

    title: str
    """One line for the journal and the toast, such as `Extracted Debugging (38 lines) → debugging.md`."""
    edits: tuple[Edit, ...] = ()
    notes: tuple[str, ...] = ()
    """What a person should know beside it, such as what was left out and why."""
    facts: Mapping[str, object] = field(default_factory=dict)
    """The same for programs: stable keys, plain JSON values."""


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """A change that was made."""

    id: int
    title: str
    at: datetime
    by: By
    paths: tuple[Path, ...]
    undoes: int = 0
    """The entry that this one took back, else 0."""
    is_undone: bool = False
    is_done: bool = True
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HealthReport:
    """How a memory is, in one word, and why."""

    level: Literal["healthy", "degraded", "down"]
    reasons: tuple[str, ...]
    facts: Mapping[str, object] = field(default_factory=dict)
    """What status and dashboard print: lines, percent, window, archives, coverage; plain JSON values."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that doctor found."""

    kind: str
    message: str
    path: Path | None = None
    is_fixable: bool = False
