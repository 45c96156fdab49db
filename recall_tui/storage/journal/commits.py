"""The only writer of a memory's files: each change is recorded with its inverse, applied whole, and can be undone.

The next process that locks the memory completes the change of a killed one before it does anything else.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.domain import Actor, JournalEntry, Plan
from recall_tui.errors import ConflictError, RecallError
from recall_tui.storage.files import atomic, compare_and_swap, lock, temporary_files, trusted_clock
from recall_tui.storage.files.lock import LOCK_TIMEOUT_SECONDS
from recall_tui.storage.journal import lost_updates
from recall_tui.storage.journal.folder import RETENTION_DAYS, JournalFolder
from recall_tui.storage.journal.line_ends import with_line_ends
from recall_tui.storage.journal.memory_locks import MemoryLocks, remove_temporary
from recall_tui.storage.journal.record import MAX_NEW_CONTENT_CHARS, FileChange, JournalRecord

if TYPE_CHECKING:
    from recall_tui.storage.journal.batch import Batch
    from recall_tui.storage.journal.scrub import ScrubResult, ScrubRules

Verb = Callable[[], Plan]
_MAX_TRIES = 5
RECENT_CHANGES = 32
"""The most recent changes whose folders are searched for leftover files."""


@dataclass(frozen=True, slots=True)
class Journal:
    """The changes of one memory, stored in its state folder."""

    state: Path
    now: Callable[[], datetime]
    patience: float = LOCK_TIMEOUT_SECONDS
    """Seconds to wait for another process."""
    expects: Callable[[Path], None] = lambda _: None
    """Check a path before it is written; raises RecallError for a file that must not be written there."""
    base: Path | None = None
    """The folder of the memory's documents, which is locked too; None where nobody else shares the memory."""
    _files: JournalFolder = field(init=False, repr=False, compare=False)
    _guard: MemoryLocks = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_files", JournalFolder(self.folder))
        object.__setattr__(self, "_guard", MemoryLocks(self.base, self.state))

    @property
    def folder(self) -> Path:
        return self.state / "journal"

    def commit(
        self, verb: Verb, *, by: Actor = "person", seen: Plan | None = None, batch: Batch | None = None
    ) -> JournalEntry | None:
        """Let the verb plan under the lock and apply its plan; None when the plan has no edits.

        With `batch`, the change becomes part of that batch's entry. With `seen`, a plan that the user reviewed, a
        different plan raises ConflictError and nothing is written. If a file changes while the verb plans, the verb
        plans again.
        """
        purpose = seen.title if seen else getattr(verb, "__name__", "change")
        with self._guard.held(purpose, self.patience), self._looked_after(is_shown=seen is not None):
            until = time.monotonic() + min(self.patience, compare_and_swap.STEADY_TIMEOUT_SECONDS)
            for attempt in range(_MAX_TRIES):
                plan, read = _make_plan(verb, self.base, until)
                if (moved := lost_updates.find_changed_file(plan, read)) is not None:
                    if attempt + 1 < _MAX_TRIES:
                        continue
                    raise atomic.changed_error(moved, is_gone=not moved.exists())
                if seen is not None and lost_updates.plan_fingerprint(plan) != lost_updates.plan_fingerprint(seen):
                    raise ConflictError("the files changed since this was shown", hint="look again")
                if not (plan := with_line_ends(plan)).edits:
                    return None
                try:
                    made = self._make(plan, by, batch=batch)
                    _check_overwrites(self)
                    return made
                except FileExistsError as error:
                    if attempt + 1 == _MAX_TRIES:
                        where = error.filename2 or error.filename
                        raise ConflictError(f"{where} already exists", hint="move it away, then try again") from None
                except ConflictError:
                    # Another program saved a file between the read and the write: plan again.
                    if attempt + 1 == _MAX_TRIES:
                        raise
        return None

    def undo(self, entry_id: int | None = None) -> JournalEntry | None:
        """Undo the entry, or the user's newest change; None when there is nothing to undo."""
        return self._reverse(entry_id, parity=0)

    def redo(self, entry_id: int | None = None) -> JournalEntry | None:
        """Redo what the undo `entry_id`, or the user's newest, reverted; None when there is none or it is too late."""
        return self._reverse(entry_id, parity=1)

    def entries(self, limit: int | None = None) -> tuple[JournalEntry, ...]:
        """Return the changes, newest first."""
        return tuple(islice(self.each(), limit))

    def each(self) -> Iterator[JournalEntry]:
        """Stream the changes, newest first; there may be tens of thousands, and none is retained."""
        reversed_by: dict[int, bool] = {}
        now = last = self.now()
        for record in self._files.records():
            is_undone = reversed_by.get(record.id, False)
            if record.undoes and not is_undone:
                reversed_by[record.undoes] = True
            entry = record.entry(is_undone)
            if trusted_clock.is_ahead(record.at, now):
                entry = replace(entry, at=last, stamp=record.at)
            last = entry.at
            yield entry

    def records(self) -> tuple[JournalRecord, ...]:
        """Return the changes with all their stored content, newest first."""
        return tuple(self._files.records())

    def recover(self) -> tuple[str, ...]:
        """Complete what a killed process began; return a message for each file skipped because it changed meanwhile."""
        if self.is_clean() and not self._guard.is_anything_left:
            return ()
        with self._guard.held("recover", self.patience):
            return self._look_after()

    def look_after(self, batch: Batch | None = None) -> None:
        """Clean up after other processes if there is anything to do; never wait for a lock, never fail.

        With the `batch` of a command that ends, wait, and fold its changes into one entry; if the memory stays busy,
        the next holder of the lock does.
        """
        if self._guard.is_anything_left:
            patience = 0.0 if batch is None else self.patience
            with contextlib.suppress(OSError, RecallError), self._guard.held("look after", patience):
                self._look_after(batch)

    def contents(self) -> Iterator[tuple[int, Path | None, str]]:
        """Yield the stored text of each change by number: one item per file content, and titles with path None."""
        from recall_tui.storage.journal.scrub import file_contents

        for record in self._files.records():
            yield record.id, None, f"{record.title}\n{record.subject}"
            for path, text in file_contents(record, self.folder):
                yield record.id, path, text

    def changes_of(self, path: Path) -> Iterator[tuple[JournalRecord, FileChange]]:
        """Yield the changes to one file, newest first."""
        for record in self._files.records():
            for change in record.changes:
                if change.path == path:
                    yield record, change

    def last_made(self) -> dict[Path, str]:
        """Map each file to the digest of its content after its newest change; empty when it was deleted."""
        made: dict[Path, str] = {}
        for record in self._files.records():
            for change in record.changes:
                made.setdefault(change.path, change.now)
        return made

    def scrub(self, how: ScrubRules) -> ScrubResult:
        """Remove text from everything the journal stores; entries that hold nothing else are deleted."""
        from recall_tui.storage.journal.scrub import ScrubResult, record_files, scrub_record

        with self._guard.held("scrub", self.patience):
            self._look_after()
            changed = dropped = 0
            kept: set[str] = set()
            for number in reversed(self._files.numbers()):
                record = JournalRecord.read(self._files.path_of(number))
                left = record and scrub_record(record, self.folder, how)
                if left is None:
                    dropped += 1
                    continue
                if left != record:
                    changed += 1
                    atomic.write_file(self._files.path_of(number), left.to_bytes())
                kept |= {self._files.path_of(number).name, *record_files(left)}
            self._files.remove_but(kept)
            return ScrubResult(changed, dropped)

    def is_clean(self) -> bool:
        """Return whether no change is pending and no leftovers of one exist."""
        seen = self._files.look()
        is_left = self.base is not None and lock.is_abandoned(self.base)
        return not (seen.pending or seen.unrecorded or any(atomic.find_leftovers(self.folder)) or is_left)

    def _reverse(self, entry_id: int | None, parity: int) -> JournalEntry | None:
        from recall_tui.storage.journal.history import plan_reversal

        with self._guard.held("redo" if parity else "undo", self.patience):
            self._look_after()
            try:
                found = plan_reversal(list(self._files.records()), self.folder, entry_id, parity)
                if found is None:
                    return None
                plan, chosen = found
                return self._make(plan, "person", undoes=chosen.id, subject=chosen.subject)
            except (OSError, RecallError):
                remove_temporary([self.folder])
                raise

    def leftovers(self) -> Iterator[Path]:
        """Yield temporary files beside recently changed ones; their maker has exited, or is this process."""
        from recall_tui.storage.files.compare_and_swap import list_displaced

        edited = {path.parent for entry in self.entries(RECENT_CHANGES) for path in entry.paths}
        for folder in sorted(edited):
            yield from (*atomic.find_leftovers(folder), *list_displaced(folder))

    def sweep(self, folders: Iterable[Path]) -> int:
        """Remove the files that killed processes left in the folders; return how many.

        Content without another copy is renamed to `<name>.saved-N`.
        """
        from recall_tui.storage.files.compare_and_swap import recover_orphans

        folders = tuple(folders)
        with self._guard.held("sweep", self.patience):
            self._look_after()
            return remove_temporary(folders) + sum(
                recover_orphans(folder, self._files.digests_of) for folder in folders
            )

    def _make(
        self, plan: Plan, by: Actor, undoes: int = 0, subject: str = "", batch: Batch | None = None
    ) -> JournalEntry:
        for edit in plan.edits:
            self.expects(edit.path)
        atomic.make_folder(self.folder)
        if batch is not None:
            batch.open(self._files, self._files.last()[0] + 1)
        highest, count = self._files.last()
        number = highest + 1
        changes: list[FileChange] = []
        begun: list[FileChange] = []
        try:
            for position, edit in enumerate(plan.edits):
                name = f"{number:06d}.{position}"
                changes.append(FileChange.of(edit, self.folder, name, keeps_old=not plan.no_way_back))
            told = (undoes, subject or plan.title, plan.no_way_back, plan.took_words)
            record = JournalRecord(number, plan.title, self.now(), by, tuple(changes), *told, batch.id if batch else 0)
            atomic.write_file(self._files.path_of(number, is_pending=True), record.to_bytes())
            self._guard.note(change.unfinished() for change in changes)
            for change in changes:
                begun.append(change)
                change.apply(self.folder)
        except (OSError, ConflictError) as error:
            # An irreversible plan stores no old content: what is done of it stays, and the next plan starts from there.
            from recall_tui.storage.journal.inverse import revert

            revert(() if plan.no_way_back else begun, self.folder, error)
            for change, edit in zip(changes, plan.edits, strict=False):
                change.give_back(edit, self.folder)
            self._files.forget(number)
            raise
        self.note_day()
        self._settle(record)
        self._files.leave(number, count + 1)
        self._guard.changes = record.changes
        return replace(record.entry(is_undone=False), notes=plan.notes if undoes else ())

    def _settle(self, record: JournalRecord) -> None:
        left = MAX_NEW_CONTENT_CHARS
        settled: list[FileChange] = []
        for change in record.changes:
            most = left if change.kind == "create" else MAX_NEW_CONTENT_CHARS
            settled.append(change.settled(self.folder, keeps_new=not record.no_way_back, most=most))
            if change.kind == "create" and (kept := settled[-1].new) is not None:
                left -= len(kept.text)
        atomic.write_file(self._files.path_of(record.id), replace(record, changes=tuple(settled)).to_bytes())
        self._files.path_of(record.id, is_pending=True).unlink(missing_ok=True)
        # A process that is not killed leaves nothing to sweep: do not scan a folder of thousands at each change.
        if self._files.is_due(record.id):
            remove_temporary({change.path.parent for change in record.changes})
            now = self.now()
            self._files.prune(
                now, trusted_clock.trusted_time(self.state, now, RETENTION_DAYS) - timedelta(days=RETENTION_DAYS)
            )

    def note_day(self) -> None:
        """Record that the memory was used today; on first use also record the days of all known changes."""
        before = () if trusted_clock.is_noted(self.state) else (one.at.date() for one in reversed(self.records()))
        trusted_clock.note_day(self.state, self.now(), before)

    def _look_after(self, batch: Batch | None = None) -> tuple[str, ...]:
        with self._looked_after() as aside:
            if batch is not None or (self.state / temporary_files.OPEN_BATCH).exists():
                from recall_tui.storage.journal.batch import fold_batch

                fold_batch(self._files, batch)
            return aside

    @contextlib.contextmanager
    def _looked_after(self, *, is_shown: bool = False) -> Iterator[tuple[str, ...]]:
        """Complete what a killed process began, and merge what other programs wrote into replaced files."""
        aside = self._finish_pending()
        self._guard.bring_in(self._try)
        with lost_updates.restore_around(self._files, self._try, is_shown=is_shown):
            yield aside

    def _try(self, plan: Plan) -> bool:
        """Apply a plan that nobody requested; False when it cannot be applied."""
        try:
            self._make(plan, "hook")
        except (OSError, RecallError):
            return False
        return True

    def _finish_pending(self) -> tuple[str, ...]:
        if self._files.is_as_left():
            return ()
        aside: list[str] = []
        seen = self._files.look()
        for path in seen.pending:
            record = JournalRecord.read(path)
            if record is None:
                path.unlink(missing_ok=True)
                continue
            for change in record.changes:
                if not (_is_expected(change.path, self.expects) and change.finish(self.folder)):
                    aside.append(f"{change.path} changed before “{record.title}” was finished; it was left as it is")
            remove_temporary({change.path.parent for change in record.changes})
            self._settle(record)
        for stored in seen.unrecorded:
            stored.unlink(missing_ok=True)
        if seen.has_temporary:
            remove_temporary([self.folder])
        if not (seen.pending or seen.unrecorded or seen.has_temporary):
            self._files.leave(max(seen.numbers, default=0), len(seen.numbers))
        return tuple(aside)


def was_interrupted(journal: Journal) -> bool:
    """Return whether a change was left unfinished; one that is being made now is not."""
    if journal.is_clean() or lock.is_locked(journal.state / "lock"):
        return False
    # The change that was seen may have ended since.
    return not journal.is_clean()


def _is_expected(path: Path, expects: Callable[[Path], None]) -> bool:
    try:
        expects(path)
    except RecallError:
        return False
    return True


def _make_plan(verb: Verb, base: Path | None, until: float) -> tuple[Plan, Mapping[Path, int]]:
    """Let the verb plan from complete files; LockedError after `until` (monotonic) if another program keeps writing."""
    while True:
        with atomic.cache_reads() as read:
            try:
                plan = verb()
            except RecallError:
                unsteady = compare_and_swap.find_unsteady(compare_and_swap.recently_changed(read, base))
                if unsteady is None:
                    raise
            else:
                unsteady = compare_and_swap.find_unsteady(compare_and_swap.plan_inputs(plan, read, base))
                if unsteady is None:
                    return plan, read
        compare_and_swap.wait_until_steady(unsteady, until)


def _check_overwrites(journal: Journal) -> None:
    """Check the changed files once more, for another program that wrote at the same moment."""
    is_set_aside, touched = journal._guard.take_in(), lost_updates.find_modified(journal._guard.changes)
    until = time.monotonic() + min(journal.patience, lost_updates.OVERWRITE_WINDOW_SECONDS)
    lost_updates.wait_until_steady(touched, until)
    if is_set_aside:
        journal._guard.bring_in(journal._try)
    if touched:
        lost_updates.restore_overwritten(lost_updates.find_overwritten(journal._files), journal._files, journal._try)
