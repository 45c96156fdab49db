"""Archiving transcripts one after the other, with a count, until all are done or it is stopped.

All of them are one change that can be undone; what was archived before it was stopped stays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.tui.memory_view_model import EXPECTED_ERRORS, DisplayError

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench

_SUCCESS_OUTCOMES = ("archived", "updated")


@dataclass(frozen=True, slots=True)
class ArchiveProgress:
    """What came of it."""

    counts: Counter[str]
    """By what became of them: `archived`, `updated`, `unchanged`, `skipped`, `failed`."""
    left: int
    """How many were not come to."""
    skipped: dict[Path, str] = field(default_factory=dict)
    """What holds nothing to archive, and why."""
    troubles: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The same in words."""
        counts = ", ".join(f"{count} {status}" for status, count in self.counts.items())
        done = f"Sessions: {counts or 'none'}"
        stopped = f"; stopped, {self.left} left" if self.left else ""
        has_change = any(self.counts[status] for status in _SUCCESS_OUTCOMES)
        return "\n".join((f"{done}{stopped}{'   u undo' if has_change else ''}", *self.troubles[:3]))


def archive_all(
    bench: Workbench, paths: Sequence[Path], progress: Callable[[int], None], is_stopped: Callable[[], bool]
) -> ArchiveProgress:
    """Archive the transcripts; `progress` is told before each how many were done."""
    from recall_tui.features.capture.sessions import capture_batch

    counts: Counter[str] = Counter()
    skipped: dict[Path, str] = {}
    troubles: list[str] = []
    with capture_batch(bench.store) as batch:
        for done, path in enumerate(paths):
            if is_stopped():
                return ArchiveProgress(counts, len(paths) - done, skipped, tuple(troubles))
            progress(done)
            try:
                captured = bench.capture(path, batch=batch)
            except EXPECTED_ERRORS as error:
                counts["failed"] += 1
                troubles.append(f"{path.name}: {DisplayError.of(error).message}")
                continue
            counts[captured.status] += 1
            if captured.status in ("skipped", "unchanged"):
                skipped[path] = captured.reason or captured.status
    return ArchiveProgress(counts, 0, skipped, tuple(troubles))
