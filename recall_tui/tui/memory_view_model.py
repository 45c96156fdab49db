"""What the app shows of a memory, read in one go.

A part that cannot be read is a `DisplayError` in its own place; the other parts are there all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, TypeVar

from recall_tui.domain import IndexRow, Section, SessionLabel, WindowEntry
from recall_tui.errors import RecallError
from recall_tui.storage.archives import index_file
from recall_tui.storage.documents import memory_file
from recall_tui.storage.documents.memory_file import Budget
from recall_tui.storage.files.atomic import read_text
from recall_tui.text.dates import parse_time
from recall_tui.text.session_line import label_archive

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
    was_handed_over: bool = False
    """It is empty because a session was given what it held."""


Labels = Mapping[tuple[int, str], SessionLabel]
"""By the number and the session of a row."""
_MIN_TIME = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class HomeView:
    """One look at a memory."""

    memory: MemoryView | DisplayError
    window: WindowView | DisplayError
    rows: tuple[IndexRow, ...] | DisplayError
    """By the end of the session, newest first."""
    labels: Labels
    """Of the first rows; none before the first paint."""
    recent: Mapping[str, SessionLabel]
    """Of the sessions in the window, by their ids."""
    has_all_rows: bool = True


def load_view(bench: Workbench) -> HomeView:
    """Read what the panels show."""
    rows = _load_part(lambda: _newest_first(bench.rows))
    return _view(bench, rows, MAX_LABELLED)


def load_first_view(bench: Workbench) -> HomeView:
    """The same with the newest archives only, for the first paint."""
    read = _load_part(lambda: _last_rows(bench))
    rows, has_all = (read, True) if isinstance(read, DisplayError) else read
    return replace(_view(bench, rows, 0), has_all_rows=has_all)


def _view(bench: Workbench, rows: tuple[IndexRow, ...] | DisplayError, labelled: int) -> HomeView:
    window = _load_part(lambda: _load_window(bench))
    recent = {} if isinstance(window, DisplayError) else _load_part(lambda: _label_window(bench, window))
    labels: Labels = {}
    if labelled and not isinstance(rows, DisplayError):
        chosen = rows[:labelled]
        read = _load_part(lambda: load_labels(bench, chosen))
        labels = {} if isinstance(read, DisplayError) else read
        rows = _by_end(rows, labels)
    return HomeView(
        _load_part(lambda: _load_memory(bench)),
        window,
        rows,
        labels,
        {} if isinstance(recent, DisplayError) else recent,
    )


def _label_window(bench: Workbench, window: WindowView) -> dict[str, SessionLabel]:
    found = ((entry.session_id, bench.archive.named("".join(entry.archives[-1:]))) for entry in window.entries)
    return {session: label_archive(entry) for session, entry in found if entry is not None}


def load_labels(bench: Workbench, rows: tuple[IndexRow, ...]) -> Labels:
    """Read how the sessions of rows are recognized from the heads of their archives."""
    return {key: label_archive(entry) for key, entry in bench.archive.heads(rows).items()}


def _newest_first(rows: tuple[IndexRow, ...]) -> tuple[IndexRow, ...]:
    """Sort rows by their day, those of one day by their number."""
    return tuple(sorted(rows, key=lambda row: (row.date if row.date[:1].isdigit() else "", row.number), reverse=True))


def _by_end(rows: tuple[IndexRow, ...], labels: Labels) -> tuple[IndexRow, ...]:
    """Sort rows by the end of their sessions as far as that is known, else by their day."""

    def end(row: IndexRow) -> tuple[datetime, int]:
        label = labels.get((row.number, row.session_id))
        return (label.ended_at if label is not None else None) or parse_time(row.date) or _MIN_TIME, row.number

    return tuple(sorted(rows, key=end, reverse=True))


def _load_part(read: Callable[[], PartT]) -> PartT | DisplayError:
    try:
        return read()
    except EXPECTED_ERRORS as error:
        return DisplayError.of(error)


def _last_rows(bench: Workbench) -> tuple[tuple[IndexRow, ...], bool]:
    if bench.layout.design.summaries_are_archives:
        return _newest_first(bench.rows), True
    lines = read_text(bench.layout.rows).rsplit("\n", FIRST_INDEX_LINES)
    is_partial = len(lines) > FIRST_INDEX_LINES
    return _newest_first(index_file.parse_rows("\n".join(lines[is_partial:]))), not is_partial


def _load_memory(bench: Workbench) -> MemoryView:
    return measure_memory(bench, memory_file.read_memory(bench.store))


def measure_memory(bench: Workbench, memory: MemoryFile) -> MemoryView:
    """MEMORY.md as it was read, measured by the settings."""
    side_by_side = tuple(section for section in memory.sections if section.level == 2)
    return MemoryView(memory.budget(bench.config), side_by_side, memory.is_missing)


def _load_window(bench: Workbench) -> WindowView:
    from recall_tui.features.health.report import window_capacity
    from recall_tui.storage.state.hook_log import recent_starts

    window = bench.window
    entries = tuple(sorted(window.entries, key=lambda entry: entry.ended_at, reverse=True))
    is_empty = not entries and not window.free_text.strip()
    was_handed = is_empty and any(one.decision.did == "handed" for one in recent_starts(bench.store.state, 1))
    return WindowView(entries, window.free_text, window_capacity(bench.store, window), was_handed)
