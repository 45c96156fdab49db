"""The documents of a memory, and how it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal

LayoutName = Literal["entity", "user", "project", "hierarchical", "claude-project"]


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
    covers: tuple[str, ...] = ()
    """How far those files, and then those of sub-agents, were read; see `transcripts.read_extent`."""
    written: str = ""
    """What tells our words of it from a person's; see `storage.archives.parts`."""
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
    """The name of the archive's file, such as `conversation-014.md`; by commas those of a session's several logs."""
    summary: str

    @property
    def archives(self) -> tuple[str, ...]:
        """The names one by one, oldest first."""
        return tuple(filter(None, (name.strip() for name in self.archive.split(","))))


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
    repeats: int = 0
    """The earlier line, from 1, that a duplicate repeats; else 0."""


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
    is_note: bool = False
    """Worth knowing, and nothing is wrong."""
