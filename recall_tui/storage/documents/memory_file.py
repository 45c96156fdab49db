"""MEMORY.md as read: its text, its outline, and its use of the budget.

The value is a snapshot; reading again gives a new one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.markdown.outline import LineKind, line_kinds, sections_from_kinds, split_lines

if TYPE_CHECKING:
    from recall_tui.config import Config
    from recall_tui.domain import Section
    from recall_tui.storage.memory_context import Store


@dataclass(frozen=True)
class MemoryFile:
    """The curated document of a memory."""

    path: Path
    text: str
    """Empty when the file is missing."""
    is_missing: bool = False

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines with their endings."""
        return split_lines(self.text)

    @cached_property
    def kinds(self) -> tuple[LineKind, ...]:
        """The kind of each line."""
        return line_kinds(self.lines)

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The sections in order, each nested one after its parent."""
        return sections_from_kinds(self.lines, self.kinds)

    @cached_property
    def section_at(self) -> Mapping[int, Section]:
        """The sections with a heading, by its line."""
        return {section.start: section for section in self.sections if section.level}

    @property
    def bytes(self) -> int:
        """Size on disk in bytes."""
        return len(self.text.encode("utf-8", "surrogateescape"))

    def budget(self, config: Config) -> Budget:
        """Return its use of the lines and bytes that the settings allow."""
        return Budget(len(self.lines), config.whole("memory.max_lines"), self.bytes, config.whole("memory.max_bytes"))


def read_memory(store: Store) -> MemoryFile:
    """Read the memory's MEMORY.md; empty when it is missing."""
    path = store.layout.memory_file
    return MemoryFile(path, read_text(path), is_missing=not path.is_file())


Level = Literal["ok", "watch", "full"]

WATCH_OVER_PERCENT = 75
"""Above this the gauge is amber (recall-echo dashboard)."""
FULL_OVER_PERCENT = 90
"""Above this the gauge is red (recall-echo dashboard)."""
MAX_SECTION_LINES = 30
"""A longer section belongs in a topic file (recall-echo distill)."""
MIN_DUPLICATE_CHARS = 20
"""Shorter lines are alike by chance (recall-echo distill)."""
MIN_DUPLICATE_PERCENT = 92
"""Similarity from which two lines count as duplicates: they may differ in spelling and small words only."""
STALE_AFTER_DAYS = 30
"""A line whose newest date is this old may be stale (recall-echo distill says a month)."""
FRESH_WITHIN_DAYS = 7
"""A memory without a newer archive gets a warning (recall-echo health)."""

_LEVEL_LABELS: dict[Level, str] = {"ok": "ok", "watch": "warning", "full": "full"}


@dataclass(frozen=True, slots=True)
class Budget:
    """The use that MEMORY.md makes of the lines and bytes an agent loads."""

    lines: int
    max_lines: int
    bytes: int
    max_bytes: int

    @property
    def share(self) -> float:
        """Used share of lines or bytes, whichever is larger; 1.0 is the whole budget."""
        return max(self.lines / max(1, self.max_lines), self.bytes / max(1, self.max_bytes))

    @property
    def percent(self) -> int:
        """The share in percent, rounded up so that it never contradicts the level."""
        return max(
            -(-100 * self.lines // max(1, self.max_lines)),
            -(-100 * self.bytes // max(1, self.max_bytes)),
        )

    @property
    def level(self) -> Level:
        """`ok` up to 75 percent, `watch` up to 90, `full` above."""
        return "ok" if self.percent <= WATCH_OVER_PERCENT else "watch" if self.percent <= FULL_OVER_PERCENT else "full"

    @property
    def word(self) -> str:
        """The level as the dashboard prints it: ok, warning or full."""
        return _LEVEL_LABELS[self.level]

    @property
    def is_over(self) -> bool:
        """Return whether an agent loads only part of the file."""
        return self.percent > 100
