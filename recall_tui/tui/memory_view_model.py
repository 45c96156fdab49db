"""What the app shows of a memory, read in one go.

A part that cannot be read is a `DisplayError` in its own place; the other parts are there all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from recall_tui.domain import IndexRow, Section, WindowEntry
from recall_tui.errors import RecallError
from recall_tui.storage.archives import index_file
from recall_tui.storage.documents import memory_file
from recall_tui.storage.documents.memory_file import Budget
from recall_tui.storage.files.atomic import read_text

if TYPE_CHECKING:
    from recall_tui.storage.documents.memory_file import MemoryFile
    from recall_tui.workbench import Workbench

PartT = TypeVar("PartT")
FIRST_INDEX_LINES = 250
"""Lines at the end of the archive's index that are read before the first paint; more than any screen shows."""
MAX_LABELLED = 2_000
"""Rows whose titles are read; rows below show their topics."""
EXPECTED_ERRORS = (RecallError, OSError, ValueError)
"""What reading files may raise and a panel can show."""


@dataclass(frozen=True, slots=True)
class DisplayError:
    """Why something is not shown, and what to do about it."""

    message: str
    hint: str = ""

    @classmethod
    def of(cls, error: BaseException) -> DisplayError:
        """The trouble that an exception stands for."""
        if isinstance(error, RecallError):
            return cls(error.message, error.hint)
        if isinstance(error, OSError) and error.filename:
            return cls(f"{PurePosixPath(str(error.filename)).name}: {error.strerror}", "check the file, then press r")
        return cls(f"{type(error).__name__}: {error}", "press r to try again")

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}" if self.hint else self.message


@dataclass(frozen=True, slots=True)
class MemoryView:
    """MEMORY.md, measured."""

    budget: Budget
    sections: tuple[Section, ...]
    """Those that stand side by side under its title."""
    is_missing: bool = False


@dataclass(frozen=True, slots=True)
class WindowView:
    """The rolling window."""

    entries: tuple[WindowEntry, ...]
    """Newest first."""
    free_text: str
    max_entries: int


class SessionLabel(NamedTuple):
    """What a session is recognised by."""

    title: str
    project: str


Labels = Mapping[tuple[int, str], SessionLabel]
"""By the number and the session of a row."""


@dataclass(frozen=True, slots=True)
class HomeView:
    """One look at a memory."""

    memory: MemoryView | DisplayError
    window: WindowView | DisplayError
    rows: tuple[IndexRow, ...] | DisplayError
    """Newest first."""
    labels: Labels
    """Of the first rows; none before the first paint."""
    has_all_rows: bool = True


def load_view(bench: Workbench) -> HomeView:
    """Read what the panels show."""
    rows = _load_part(lambda: tuple(reversed(bench.rows)))
    return _view(bench, rows, MAX_LABELLED)


def load_first_view(bench: Workbench) -> HomeView:
    """The same with the newest archives only, for the first paint."""
    read = _load_part(lambda: _last_rows(bench))
    rows, has_all = (read, True) if isinstance(read, DisplayError) else read
    return replace(_view(bench, rows, 0), has_all_rows=has_all)


def _view(bench: Workbench, rows: tuple[IndexRow, ...] | DisplayError, labelled: int) -> HomeView:
    labels = {} if isinstance(rows, DisplayError) else _load_part(lambda: load_labels(bench, rows[:labelled]))
    return HomeView(
        _load_part(lambda: _load_memory(bench)),
        _load_part(lambda: _load_window(bench)),
        rows,
        {} if isinstance(labels, DisplayError) else labels,
    )


def load_labels(bench: Workbench, rows: tuple[IndexRow, ...]) -> Labels:
    """Read the titles and projects of rows from the heads of their archives."""
    return {
        key: SessionLabel(entry.title, PurePosixPath(entry.project or entry.cwd).name)
        for key, entry in bench.archive.heads(rows).items()
        if entry.title
    }


def _load_part(read: Callable[[], PartT]) -> PartT | DisplayError:
    try:
        return read()
    except EXPECTED_ERRORS as error:
        return DisplayError.of(error)


def _last_rows(bench: Workbench) -> tuple[tuple[IndexRow, ...], bool]:
    lines = read_text(bench.layout.rows).rsplit("\n", FIRST_INDEX_LINES)
    is_partial = len(lines) > FIRST_INDEX_LINES
    return tuple(reversed(index_file.parse_rows("\n".join(lines[is_partial:])))), not is_partial


def _load_memory(bench: Workbench) -> MemoryView:
    return measure_memory(bench, memory_file.read_memory(bench.store))


def measure_memory(bench: Workbench, memory: MemoryFile) -> MemoryView:
    """MEMORY.md as it was read, measured by the settings."""
    side_by_side = tuple(section for section in memory.sections if section.level == 2)
    return MemoryView(memory.budget(bench.config), side_by_side, memory.is_missing)


def _load_window(bench: Workbench) -> WindowView:
    from recall_tui.features.health.report import window_capacity

    window = bench.window
    entries = tuple(sorted(window.entries, key=lambda entry: entry.ended_at, reverse=True))
    return WindowView(entries, window.free_text, window_capacity(bench.store, window))
