"""The two locks of a memory, and the cleanup done while they are held.

The cleanup covers killed processes, and programs that went on writing into files after those were replaced.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.storage.files import atomic, compare_and_swap, replaced_files, temporary_files
from recall_tui.storage.files.lock import MemoryLock, PendingWrite, acquire, acquire_in

if TYPE_CHECKING:
    from recall_tui.domain import Plan
    from recall_tui.storage.files.replaced_files import ReplacedFile
    from recall_tui.storage.journal.record import FileChange


@dataclass(slots=True)
class MemoryLocks:
    base: Path | None
    """The folder of the memory's documents, which holds its own lock; None for a journal without a memory."""
    state: Path
    changes: tuple[FileChange, ...] = field(default=(), init=False)
    """The changes applied last."""
    _lock: MemoryLock = field(default_factory=MemoryLock, init=False)
    _found: list[compare_and_swap.DisplacedFile] = field(default_factory=list, init=False)
    """Displaced files not yet taken in."""

    def __post_init__(self) -> None:
        self.base = None if self.base is None else Path(os.path.realpath(self.base))

    @contextlib.contextmanager
    def held(self, purpose: str, patience: float) -> Iterator[None]:
        """Lock the memory for the block; LockedError names the owner after `patience` seconds."""
        until = time.monotonic() + patience
        with (
            acquire(self.state / "lock", purpose, patience),
            acquire_in(self.base, purpose, max(until - time.monotonic(), 0.0)) as lock,
        ):
            self._lock = lock
            try:
                with compare_and_swap.collect_displaced() as self._found:
                    self._settle(lock.left)
                    yield
            finally:
                self.take_in()
                self._lock = MemoryLock()

    def note(self, changes: Iterable[PendingWrite]) -> None:
        """Record pending writes in the lock file, for cleanup after a kill by a process with another state folder."""
        self._lock.note(changes)

    def take_in(self) -> bool:
        """Take in displaced files for a later check; return whether there were any."""
        found, self._found[:] = list(self._found), []
        replaced_files.retain(found, self._own, self.state / temporary_files.STATE_FOLDER)
        return bool(found)

    def waiting(self) -> tuple[ReplacedFile, ...]:
        """Return the replaced files that another program may still write into."""
        return tuple(replaced_files.list_pending(self._own, self.state / temporary_files.STATE_FOLDER))

    def bring_in(self, make: Callable[[Plan], bool]) -> None:
        """Merge what other programs wrote into replaced files, and drop those that nobody can write into any more."""
        for one in self.waiting():
            try:
                state, text = one.look()
                plan = one.plan(text) if state in ("grows", "changed") else None
            except OSError:
                continue
            if plan is not None and plan.edits and not make(plan):
                continue
            if state == "grows":
                one.note(text)
            elif state != "waits":
                one.drop()

    @property
    def is_anything_left(self) -> bool:
        """Return whether there may be something to clean up."""
        return temporary_files.may_have_leftovers(self.base, self.state)

    @property
    def _own(self) -> Path | None:
        return None if self.base is None else self.base / temporary_files.REPLACED_FOLDER

    def _settle(self, left: Iterable[PendingWrite]) -> None:
        """Clean up after a killed owner; trust its notes only for files of the memory."""
        for one in left:
            base = self.base
            if base is not None and (one.target.is_relative_to(base) or one.target.parent == base.parent):
                with contextlib.suppress(OSError):
                    compare_and_swap.recover(one.target, one.was, one.now)
                    remove_temporary([one.target.parent])


def remove_temporary(folders: Iterable[Path]) -> int:
    """Remove temporary files under the memory's lock; return how many.

    A file that cannot be removed stays for the next cleanup.
    """
    removed = 0
    for leftover in [one for folder in folders for one in atomic.find_leftovers(folder)]:
        with contextlib.suppress(OSError):
            leftover.unlink(missing_ok=True)
            removed += 1
    return removed
