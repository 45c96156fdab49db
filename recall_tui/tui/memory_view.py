"""What the app shows of a memory, read in one go.

A part that cannot be read is a `Trouble` in its own place; the other parts are there all the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, TypeVar

from recall_tui.domain import IndexRow, Section, WindowEntry
from recall_tui.errors import RecallError
from recall_tui.storage.archives import index_file as archive_index
from recall_tui.storage.documents import memory_file
from recall_tui.storage.documents.budget import Budget
from recall_tui.storage.files.atomic import read_text

if TYPE_CHECKING:
    from recall_tui.storage.documents.memory_file import MemoryFile
    from recall_tui.workbench import Workbench

Part = TypeVar("Part")
GLANCE = 250
"""Lines at the end of the archive's index that are read before the first paint; more than any screen shows."""
EXPECTED = (RecallError, OSError, ValueError)
"""What reading files may raise and a panel can show."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why something is not shown, and what to do about it."""

    message: str
    hint: str = ""

    @classmethod
    def of(cls, error: BaseException) -> Trouble:
        """The trouble that an exception stands for."""
        if isinstance(error, RecallError):
            return cls(error.message, error.hint)
        if isinstance(error, OSError) and error.filename:
            return cls(f"{PurePosixPath(str(error.filename)).name}: {error.strerror}", "check the file, then press r")
        return cls(f"{type(error).__name__}: {error}", "press r to try again")

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}" if self.hint else self.message


@dataclass(frozen=True, slots=True)
class SeenMemory:
    """MEMORY.md, measured."""

    budget: Budget
    sections: tuple[Section, ...]
    """Those that stand side by side under its title."""
    is_missing: bool = False


@dataclass(frozen=True, slots=True)
class SeenWindow:
    """The rolling window."""

    entries: tuple[WindowEntry, ...]
    """Newest first."""
    free_text: str
    max_entries: int


@dataclass(frozen=True, slots=True)
class Seen:
    """One look at a memory."""

    memory: SeenMemory | Trouble
    window: SeenWindow | Trouble
    rows: tuple[IndexRow, ...] | Trouble
    """Newest first."""
    has_all_rows: bool = True


def look(bench: Workbench) -> Seen:
    """Read what the panels show."""
    rows = _part(lambda: tuple(reversed(bench.rows)))
    return Seen(_part(lambda: _memory(bench)), _part(lambda: _window(bench)), rows)


def glance(bench: Workbench) -> Seen:
    """The same with the newest archives only, for the first paint."""
    read = _part(lambda: _last_rows(bench))
    rows, has_all = (read, True) if isinstance(read, Trouble) else read
    return Seen(_part(lambda: _memory(bench)), _part(lambda: _window(bench)), rows, has_all)


def _part(read: Callable[[], Part]) -> Part | Trouble:
    try:
        return read()
    except EXPECTED as error:
        return Trouble.of(error)


def _last_rows(bench: Workbench) -> tuple[tuple[IndexRow, ...], bool]:
    lines = read_text(bench.layout.rows).rsplit("\n", GLANCE)
    is_partial = len(lines) > GLANCE
    return tuple(reversed(archive_index.parse("\n".join(lines[is_partial:])))), not is_partial


def _memory(bench: Workbench) -> SeenMemory:
    return measured(bench, memory_file.read(bench.store))


def measured(bench: Workbench, memory: MemoryFile) -> SeenMemory:
    """MEMORY.md as it was read, measured by the settings."""
    side_by_side = tuple(section for section in memory.sections if section.level == 2)
    return SeenMemory(memory.budget(bench.config), side_by_side, memory.is_missing)


def _window(bench: Workbench) -> SeenWindow:
    window = bench.window
    entries = tuple(sorted(window.entries, key=lambda entry: entry.ended_at, reverse=True))
    return SeenWindow(entries, window.free_text, bench.config.whole("ephemeral.max_entries"))
