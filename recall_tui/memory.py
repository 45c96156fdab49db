"""The memory passed to features: the store, the journal of its changes, and the search index.

A verb is a function that takes the memory and returns a Plan; `commit` runs it under the memory's lock.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec

from recall_tui.storage import trust
from recall_tui.storage.files import symlinks
from recall_tui.storage.memory_context import Store

if TYPE_CHECKING:
    from datetime import datetime

    from recall_tui.domain import Actor, JournalEntry, Plan
    from recall_tui.environment import Environment
    from recall_tui.index.opener import Index
    from recall_tui.storage.journal.batch import Batch
    from recall_tui.storage.journal.commits import Journal
    from recall_tui.storage.layout import Layout
    from recall_tui.storage.state.backup_ring import Progress

P = ParamSpec("P")


class Memory(Store):
    """A memory that can be changed and searched."""

    def __init__(
        self,
        layout: Layout,
        environment: Environment,
        now: Callable[[], datetime],
        lock_timeout: float | None = None,
        backup_progress: Callable[[], AbstractContextManager[Progress | None]] = nullcontext,
    ) -> None:
        """Take the memory's paths (see `Store`), and how its changes are made.

        `lock_timeout` is the seconds to wait for another process's change, None for the default of an interactive
        command; `backup_progress` opens a progress callback for the backup that precedes the day's first change.
        """
        super().__init__(layout, environment, now)
        self.lock_timeout: Final = lock_timeout
        self.backup_progress: Final = backup_progress

    def _values(self) -> dict[str, Any]:
        return {**super()._values(), "lock_timeout": self.lock_timeout, "backup_progress": self.backup_progress}

    @cached_property
    def journal(self) -> Journal:
        """Return the journal of changes."""
        from recall_tui.storage.files.lock import LOCK_TIMEOUT_SECONDS
        from recall_tui.storage.journal.commits import Journal

        trust.expect_own(self)
        trust.note_origin(self)
        timeout = LOCK_TIMEOUT_SECONDS if self.lock_timeout is None else self.lock_timeout
        return Journal(self.state, self.now, timeout, partial(symlinks.expect_own, self.layout), self.layout.base)

    @cached_property
    def index(self) -> Index:
        """Return the search index, shared by all memories of a user."""
        from recall_tui.index.opener import open_index

        return open_index(self.environment)

    def commit(
        self,
        verb: Callable[[Memory], Plan],
        *,
        by: Actor = "person",
        expected: Plan | None = None,
        batch: Batch | None = None,
    ) -> JournalEntry | None:
        """Apply the verb's plan under the memory's lock; None when it plans nothing.

        Changes of one `batch` become a single entry of the journal (see `storage.journal.batch`).

        The first change of a memory also records its layout; in a git repository, private files are excluded from
        commits before anything is written. With `expected`, the reviewed plan, a different plan is a ConflictError and
        nothing is written. Raises MemoryExistsError when the first change would hide a memory of another layout.
        """
        from recall_tui.storage.config_file import add_layout_edit
        from recall_tui.storage.project_root import find_work_tree

        if not self.layout.config.is_file():
            self._expect_own_layout()
        name = getattr(verb, "__name__", "change")
        if name != "plan_init" and find_work_tree(self.root, self.environment):
            from recall_tui.storage.git_exclusion import plan_exclusion

            if plan_exclusion(self).edits:
                # Not by the person, so that undoing the person's change does not revert it.
                self.journal.commit(lambda: plan_exclusion(self), by="schedule")

        def recorded() -> Plan:
            if by == "person":
                self.back_up()
            plan: Plan = verb(self)
            return add_layout_edit(self, plan)

        recorded.__name__ = name
        same = None if expected is None else add_layout_edit(self, expected)
        return self.journal.commit(recorded, by=by, seen=same, batch=batch)

    def _expect_own_layout(self) -> None:
        """Raise MemoryExistsError when the folder is a memory of another layout, which this one would hide."""
        from recall_tui.storage.layout import detect_layout

        match = detect_layout(self.root)
        if match is not None and match[0] != self.layout.name:
            from recall_tui.storage.existing_memory import expect_none_replaced

            expect_none_replaced(self.environment, self.root, self.layout)

    def back_up(self) -> None:
        """Back up the memory, once a day; hooks leave it to their background process."""
        from recall_tui.storage.state.backup_days import is_last

        if self.config.whole("backups.days") > 0 and is_last(self.state, self.now().date()):
            return
        from recall_tui.storage.state.backup_ring import try_backup

        with self.backup_progress() as progress:
            try_backup(self, progress)


def bound(verb: Callable[Concatenate[Memory, P], Plan], *args: P.args, **options: P.kwargs) -> Callable[[Memory], Plan]:
    """Bind arguments to the verb and keep its name, which the lock shows to other processes."""

    def planned(memory: Memory) -> Plan:
        return verb(memory, *args, **options)

    planned.__name__ = getattr(verb, "__name__", "change")
    return planned
