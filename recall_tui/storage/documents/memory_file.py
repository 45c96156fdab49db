"""MEMORY.md as it was read: its text, its outline, and how much of the budget it takes.

A value of one moment; reading it again gives another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.domain import Section
from recall_tui.storage.documents.budget import Budget
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.markdown.outline import LineKind, line_kinds, sections_from_kinds, split_lines
from recall_tui.storage.memory_context import Store

if TYPE_CHECKING:
    from recall_tui.config import Config


@dataclass(frozen=True)
class MemoryFile:
    """The curated document of a memory."""

    path: Path
    text: str
    """Empty when there is no such file."""
    is_missing: bool = False

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Its lines with their endings."""
        return split_lines(self.text)

    @cached_property
    def kinds(self) -> tuple[LineKind, ...]:
        """What each line is."""
        return line_kinds(self.lines)

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """Its sections in order, nested ones after the one they are in."""
        return sections_from_kinds(self.lines, self.kinds)

    @cached_property
    def section_at(self) -> Mapping[int, Section]:
        """The sections with a heading, by its line."""
        return {section.start: section for section in self.sections if section.level}

    @property
    def bytes(self) -> int:
        """Its size on disk."""
        return len(self.text.encode("utf-8", "surrogateescape"))

    def budget(self, config: Config) -> Budget:
        """What it takes of the lines and bytes that the settings allow."""
        return Budget(len(self.lines), config.whole("memory.max_lines"), self.bytes, config.whole("memory.max_bytes"))


def read_memory(store: Store) -> MemoryFile:
    """Read the memory's MEMORY.md; a missing one is empty."""
    path = store.layout.memory_file
    return MemoryFile(path, read_text(path), is_missing=not path.is_file())
