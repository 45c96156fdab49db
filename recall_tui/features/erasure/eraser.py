"""What a workbench does that cannot be taken back: forgetting, and taking secrets out of what is stored.

Each can be killed at any step; doing it again, or `doctor --fix`, finishes what was begun.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from recall_tui.domain import JournalEntry, Plan
    from recall_tui.features.erasure.purge import Cleared
    from recall_tui.features.erasure.redact import Secret
    from recall_tui.index.opener import Index
    from recall_tui.index.text.commit_batch import Progress
    from recall_tui.storage.journal.commits import Journal
    from recall_tui.storage.memory_context import Store

Stop = Callable[[], bool]


class Erasing:
    """The part of a workbench that erases."""

    if TYPE_CHECKING:
        store: Store

        @property
        def index(self) -> Index:
            """The search index."""

        @property
        def journal(self) -> Journal:
            """Every change that was made."""

        def apply(self, verb: Callable[..., Plan], *args: Any, **options: Any) -> JournalEntry | None:
            """Make the verb's changes."""

    def forget(
        self, *references: str | Path, seen: Plan | None = None, progress: Progress | None = None
    ) -> tuple[JournalEntry | None, Cleared]:
        """Remove sessions or documents everywhere, and keep them out; several are one change.

        `preview(lifecycle.forget.forget, references)` shows what would go. With `seen`, a plan that a person looked
        at, a different plan is a ConflictError and nothing goes. The entry is None for what was forgotten before.
        `progress` is told how much of the index is made anew without it, and how much there is.
        """
        from recall_tui.features.erasure.forget import forget

        entry = self.apply(forget, tuple(map(str, references)), seen=seen)
        return entry, self.finish_forgetting(progress)

    def unforget(self, *references: str | Path, seen: Plan | None = None) -> JournalEntry | None:
        """Let what was forgotten in again; what is still there is found by the next sync."""
        from recall_tui.features.erasure.forget import unforget
        from recall_tui.index.maintenance.purge import reconsider

        entry = self.apply(unforget, tuple(map(str, references)), seen=seen)
        reconsider(self.index)
        return entry

    def secrets(self) -> Iterator[Secret]:
        """Where secrets are stored: files, retained copies, changes, other state, the index; never what they are."""
        from recall_tui.features.erasure.redact import secrets

        return secrets(self.store, self.index, self.journal)

    def redact(
        self, *, seen: Plan | None = None, progress: Progress | None = None
    ) -> tuple[JournalEntry | None, Cleared]:
        """Put a mark in place of every secret that is stored, and bring the index up to date with what changed.

        `preview(lifecycle.redact.redact)` shows what becomes of the files. The entry is None when they hold none.
        """
        from recall_tui.features.erasure.redact import cleanse, redact
        from recall_tui.index.ingest.compaction import Watch
        from recall_tui.index.ingest.refresh import refresh

        entry = self.apply(redact, seen=seen)
        cleared = cleanse(self.store, self.index, self.journal, Watch(progress))
        if self.index.catalogue_path.is_file():
            refresh(self.index, self.store, progress)
        return entry, cleared

    def finish_forgetting(self, progress: Progress | None = None, is_cancelled: Stop | None = None) -> Cleared:
        """Clear what is left of everything that was forgotten in this memory, also by a process that was killed."""
        from recall_tui.features.erasure.purge import clear
        from recall_tui.index.ingest.compaction import Watch, never

        return clear(self.store, self.index, self.journal, Watch(progress, is_cancelled or never))
