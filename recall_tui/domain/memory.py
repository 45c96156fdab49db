"""The documents of a memory, and its health."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal

LayoutName = Literal["entity", "user", "project", "hierarchical", "claude-project"]


@dataclass(frozen=True, slots=True)
class ArchiveEntry:
    """The head of an archive file."""

    number: int
    path: Path
    session_id: str = ""
    date: datetime | None = None
    """The end of the session, not the time of archiving."""
    messages: int = 0
    duration: str = ""
    source: str = ""
    """`session`, `checkpoint`, `jsonl`, `promote`, or a value written by an older version."""
    topics: tuple[str, ...] = ()
    title: str = ""
    opening: str = field(default="", compare=False)
    """The beginning of its summary, or of its first prompt; read where the head has no title."""
    started_at: datetime | None = None
    ended_at: datetime | None = None
    cwd: str = ""
    project: str = ""
    branch: str = ""
    model: str = ""
    agent: str = ""
    content_hash: str = ""
    transcripts: tuple[str, ...] = ()
    """The source files of the archive."""
    last_uuid: str = ""
    """The newest record that it contains."""
    covers: tuple[str, ...] = ()
    """The extent read of those files, then of sub-agents' files; see `transcripts.read_extent`."""
    written: str = ""
    """Digests of the parts that we wrote, which reveal edits by the user; see `storage.archives.parts`."""
    extra: Mapping[str, object] = field(default_factory=dict)
    """Unknown frontmatter keys, retained as they are."""

    @property
    def name(self) -> str:
        """Return the file's name without its suffix, such as `conversation-014`."""
        return self.path.stem


@dataclass(frozen=True, slots=True)
class IndexRow:
    """A row of ARCHIVE.md."""

    number: int
    date: str
    """As written, such as `2026-03-05`."""
    session_id: str = ""
    topics: tuple[str, ...] = ()
    messages: int = 0
    duration: str = ""
    trigger: str = ""
    """The third column of the oldest version of the table."""


@dataclass(frozen=True, slots=True)
class WindowEntry:
    """A session in the rolling window."""

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
class Suggestion:
    """A cause of bloat in MEMORY.md, and the suggested fix."""

    number: int
    kind: Literal["extract", "empty", "comment", "duplicate", "stale"]
    title: str
    reason: str
    lines: tuple[int, int]
    """First and last line concerned, from 1."""
    saves: int
    """The number of lines that it saves."""
    is_safe: bool
    """Lossless and unambiguous: `--apply all` includes it."""
    target: str = ""
    """The topic file that an extraction writes, such as `debugging.md`."""
    repeats: int = 0
    """The earlier line, from 1, that a duplicate repeats; else 0."""


@dataclass(frozen=True, slots=True)
class HealthReport:
    """A memory's health level and the reasons."""

    level: Literal["healthy", "degraded", "down"]
    reasons: tuple[str, ...]
    facts: Mapping[str, object] = field(default_factory=dict)
    """The data of status and dashboard: lines, percent, window, archives, coverage; plain JSON values."""

    @property
    def is_new(self) -> bool:
        """Return whether it is degraded only because it holds nothing yet."""
        return self.level == "degraded" and len(self.reasons) == 1 and self.facts.get("is_new") is True


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem found by doctor."""

    kind: str
    message: str
    path: Path | None = None
    is_fixable: bool = False
    is_note: bool = False
    """Worth knowing, but nothing is wrong."""
