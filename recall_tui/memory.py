"""The memory that features are handed: what is stored, the journal of its changes, and the search index.

A verb is a function that takes the memory and returns a Plan; `commit` runs it under the memory's lock.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Concatenate, ParamSpec

from recall_tui.storage import trust
from recall_tui.storage.files import symlinks
from recall_tui.storage.memory_context import Store

if TYPE_CHECKING:
    from recall_tui.domain import Actor, JournalEntry, Plan
    from recall_tui.index.opener import Index
    from recall_tui.storage.journal.commits import Journal
    from recall_tui.storage.state.backup_ring import Progress

P = ParamSpec("P")


@dataclass(frozen=True)
class Memory(Store):
    """A memory that can be changed and searched."""

    lock_timeout: float | None = None
    """Seconds to wait for another process that changes the memory; None for as long as a person would."""
    backup_progress: Callable[[], AbstractContextManager[Progress | None]] = nullcontext
    """Opens what is told how far the backup is that the day's first change waits for."""

    @cached_property
    def journal(self) -> Journal:
        """Every change that was made."""
        from recall_tui.storage.files.lock import LOCK_TIMEOUT_SECONDS
        from recall_tui.storage.journal.commits import Journal

        trust.expect_own(self)
        trust.note_origin(self)
        timeout = LOCK_TIMEOUT_SECONDS if self.lock_timeout is None else self.lock_timeout
        return Journal(self.state, self.now, timeout, partial(symlinks.expect_own, self.layout), self.layout.base)

    @cached_property
    def index(self) -> Index:
        """The search index, one for all memories of a person."""
        from recall_tui.index.opener import open_index

        return open_index(self.places)

    def commit(
        self, verb: Callable[[Memory], Plan], *, by: Actor = "person", expected: Plan | None = None
    ) -> JournalEntry | None:
        """Make the changes that the verb plans, under the memory's lock; None when it plans none.

        The first change of a memory also writes down its layout, and in a repository what is private is kept out of
        its commits before anything is written. With `expected`, a plan that a person looked at, a different plan is a
        ConflictError and nothing is written.
        """
        from recall_tui.storage.config_file import add_layout_edit
        from recall_tui.storage.project_root import find_work_tree

        name = getattr(verb, "__name__", "change")
        if name != "plan_init" and find_work_tree(self.root, self.places):
            from recall_tui.storage.git_exclusion import plan_exclusion

            if plan_exclusion(self).edits:
                # By nobody, so that taking back what a person did leaves it.
                self.journal.commit(lambda: plan_exclusion(self), by="schedule")

        def recorded() -> Plan:
            if by == "person":
                self.back_up()
            plan: Plan = verb(self)
            return add_layout_edit(self, plan)

        recorded.__name__ = name
        same = None if expected is None else add_layout_edit(self, expected)
        return self.journal.commit(recorded, by=by, seen=same)

    def back_up(self) -> None:
        """Back the memory up, once a day; hooks leave it to the process that catches up behind them."""
        from recall_tui.storage.state.backup_ring import try_backup

        with self.backup_progress() as progress:
            try_backup(self, progress)


def bound(verb: Callable[Concatenate[Memory, P], Plan], *args: P.args, **options: P.kwargs) -> Callable[[Memory], Plan]:
    """Return the verb with its arguments, under its own name, which the lock tells other processes."""

    def planned(memory: Memory) -> Plan:
        return verb(memory, *args, **options)

    planned.__name__ = getattr(verb, "__name__", "change")
    return planned
