"""Erase what cannot be taken back: forget sessions and documents, and take secrets out of what is stored.

Each can be killed at any step; doing it again, or `doctor --fix`, finishes what was begun.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.memory import Memory, bound

if TYPE_CHECKING:
    from recall_tui.domain import JournalEntry, Plan
    from recall_tui.features.erasure.purge import PurgeResult
    from recall_tui.features.erasure.redact import StoredSecret
    from recall_tui.index.text.commit_batch import Progress

IsCancelled = Callable[[], bool]


class Eraser:
    """The verbs of a memory that erase."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def forget(
        self, *references: str | Path, seen: Plan | None = None, progress: Progress | None = None
    ) -> tuple[JournalEntry | None, PurgeResult]:
        """Remove sessions or documents everywhere, and keep them out; several are one change.

        `preview(erasure.forget.forget, references)` shows what would go. With `seen`, a plan that a person looked
        at, a different plan is a ConflictError and nothing goes. The entry is None for what was forgotten before.
        `progress` is told how much of the index is rebuilt without it, and how much there is.
        """
        from recall_tui.features.erasure.forget import forget

        entry = self._memory.commit(bound(forget, tuple(map(str, references))), expected=seen)
        return entry, self.finish_forgetting(progress)

    def unforget(self, *references: str | Path, seen: Plan | None = None) -> JournalEntry | None:
        """Let what was forgotten in again; what is still there is found by the next sync."""
        from recall_tui.features.erasure.forget import unforget
        from recall_tui.index.maintenance.purge import recheck_sources

        entry = self._memory.commit(bound(unforget, tuple(map(str, references))), expected=seen)
        recheck_sources(self._memory.index)
        return entry

    def secrets(self) -> Iterator[StoredSecret]:
        """Where secrets are stored: files, retained copies, changes, other state, the index; never what they are."""
        from recall_tui.features.erasure.redact import stored_secrets

        return stored_secrets(self._memory, self._memory.index, self._memory.journal)

    def redact(
        self, *, seen: Plan | None = None, progress: Progress | None = None
    ) -> tuple[JournalEntry | None, PurgeResult]:
        """Put a mark in place of every secret that is stored, and bring the index up to date with what changed.

        `preview(erasure.redact.redact)` shows what becomes of the files. The entry is None when they hold none.
        """
        from recall_tui.features.erasure.redact import redact, redact_stored
        from recall_tui.index.ingest.compaction import CopyCallbacks
        from recall_tui.index.ingest.refresh import refresh

        entry = self._memory.commit(redact, expected=seen)
        cleared = redact_stored(self._memory, self._memory.index, self._memory.journal, CopyCallbacks(progress))
        if self._memory.index.catalogue_path.is_file():
            refresh(self._memory.index, self._memory, progress)
        return entry, cleared

    def finish_forgetting(
        self, progress: Progress | None = None, is_cancelled: IsCancelled | None = None
    ) -> PurgeResult:
        """Clear what is left of everything that was forgotten in this memory, also by a process that was killed."""
        from recall_tui.features.erasure.purge import purge_remains
        from recall_tui.index.ingest.compaction import CopyCallbacks, never_cancelled

        return purge_remains(
            self._memory,
            self._memory.index,
            self._memory.journal,
            CopyCallbacks(progress, is_cancelled or never_cancelled),
        )
