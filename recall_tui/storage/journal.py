"""The only writer of a memory's files: each change is recorded with its inverse, made whole, and can be taken back.

A change that a killed process began is finished by the next one that holds the memory, before anything else happens.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.domain import Append, By, Create, Delete, Edit, JournalEntry, Plan, Replace
from recall_tui.errors import ConflictError, NotFoundError
from recall_tui.storage import atomic
from recall_tui.storage.journal_record import Change, Record, inverse
from recall_tui.storage.lock import PATIENCE_SECONDS, held

if TYPE_CHECKING:
    from recall_tui.storage.journal_scrub import Scrub, Scrubbed

Verb = Callable[[], Plan]
KEEP_DAYS = 30
KEEP_BYTES = 64 << 20
_PRUNE_EVERY = 16
_TRIES = 3


@dataclass(frozen=True, slots=True)
class Journal:
    """The changes of one memory, in its state folder."""

    state: Path
    now: Callable[[], datetime]
    patience: float = PATIENCE_SECONDS
    """Seconds to wait for another process."""

    @property
    def folder(self) -> Path:
        """Where the entries are."""
        return self.state / "journal"

    def commit(self, verb: Verb, *, by: By = "person", seen: Plan | None = None) -> JournalEntry | None:
        """Let the verb plan under the lock, and make its changes; None when it wants none.

        With `seen`, a plan that a person looked at, a different plan is a ConflictError and nothing is written.
        """
        with held(self.state / "lock", seen.title if seen else getattr(verb, "__name__", "change"), self.patience):
            self._finish_pending()
            for attempt in range(_TRIES):
                plan = verb()
                if seen is not None and _fingerprint(plan) != _fingerprint(seen):
                    raise ConflictError("the files changed since this was shown", hint="look again")
                if not plan.edits:
                    return None
                try:
                    return self._make(plan, by)
                except FileExistsError as error:
                    if attempt + 1 == _TRIES:
                        raise ConflictError(f"{error.filename2 or error.filename} is there already") from None
        return None

    def undo(self, entry_id: int | None = None) -> JournalEntry | None:
        """Take back the entry, or the person's newest; None when there is nothing to take back."""
        return self._reverse(entry_id, parity=0)

    def redo(self) -> JournalEntry | None:
        """Make again what the person's newest undo took back; None when there is no such undo, or it is too late."""
        return self._reverse(None, parity=1)

    def entries(self, limit: int | None = None) -> tuple[JournalEntry, ...]:
        """The changes, newest first."""
        states: list[JournalEntry] = []
        reversed_by: dict[int, bool] = {}
        for record in self._records():
            is_undone = reversed_by.get(record.id, False)
            if record.undoes and not is_undone:
                reversed_by[record.undoes] = True
            states.append(record.entry(is_undone))
            if limit is not None and len(states) >= limit:
                break
        return tuple(states)

    def recover(self) -> tuple[str, ...]:
        """Finish what a killed process began; return what was left aside because a file had changed meanwhile."""
        if not self._pending():
            return ()
        with held(self.state / "lock", "recover", self.patience):
            return self._finish_pending()

    def contents(self) -> Iterator[tuple[int, Path | None, str]]:
        """What is kept of the changes: the number of each, and the contents of its files; of no file, its titles."""
        from recall_tui.storage.journal_scrub import contents_of

        for record in self._records():
            yield record.id, None, f"{record.title}\n{record.subject}"
            for path, text in contents_of(record, self.folder):
                yield record.id, path, text

    def changes_of(self, path: Path) -> Iterator[tuple[Record, Change]]:
        """What was done to one file, newest first."""
        for record in self._records():
            for change in record.changes:
                if change.path == path:
                    yield record, change

    def last_made(self) -> dict[Path, str]:
        """For each file what the newest change made of it: the digest of its content, empty when it went."""
        made: dict[Path, str] = {}
        for record in self._records():
            for change in record.changes:
                made.setdefault(change.path, change.now)
        return made

    def scrub(self, how: Scrub) -> Scrubbed:
        """Take words out of everything that is kept of the changes; entries that hold nothing else go."""
        from recall_tui.storage.journal_scrub import Scrubbed, files_of, scrubbed

        with held(self.state / "lock", "scrub", self.patience):
            self._finish_pending()
            changed = dropped = 0
            kept: set[str] = set()
            for number in sorted(set(self._numbers())):
                record = Record.read(self._path(number))
                left = record and scrubbed(record, self.folder, how)
                if left is None:
                    dropped += 1
                    continue
                if left != record:
                    changed += 1
                    atomic.write(self._path(number), left.to_bytes())
                kept |= {self._path(number).name, *files_of(left)}
            self._remove_but(kept)
            return Scrubbed(changed, dropped)

    def _remove_but(self, kept: Collection[str]) -> None:
        """Take every file out of the journal's folder but these; whoever left the others has no use for them."""
        if self.folder.is_dir():
            for path in self.folder.iterdir():
                if path.name not in kept:
                    path.unlink(missing_ok=True)
            atomic.sync_folder(self.folder)

    def is_clean(self) -> bool:
        """No change is waiting to be finished."""
        return not self._pending()

    def _reverse(self, entry_id: int | None, parity: int) -> JournalEntry | None:
        with held(self.state / "lock", "redo" if parity else "undo", self.patience):
            self._finish_pending()
            chosen = self._chosen(entry_id, parity)
            if chosen is None:
                return None
            if chosen.no_way_back:
                raise ConflictError(f"it cannot be taken back: {chosen.title}", hint=chosen.no_way_back)
            word = "Redid" if parity else "Undid"
            plan = Plan(f"{word}: {chosen.subject}", inverse(chosen, self.folder))
            return self._make(plan, "person", undoes=chosen.id, subject=chosen.subject)

    def _chosen(self, entry_id: int | None, parity: int) -> Record | None:
        depths: dict[int, int] = {}
        records = list(self._records())
        for record in reversed(records):
            depths[record.id] = depths.get(record.undoes, 0) + 1 if record.undoes else 0
        undone: set[int] = set()
        for record in records:
            if record.undoes and record.id not in undone:
                undone.add(record.undoes)
            if entry_id is not None:
                if record.id == entry_id:
                    if record.id in undone:
                        raise ConflictError(f"change {entry_id} is undone already")
                    return record
                continue
            if record.by != "person":
                continue
            if record.id not in undone and depths[record.id] % 2 == parity:
                return record
            if parity and depths[record.id] == 0:
                return None
        if entry_id is not None:
            raise NotFoundError(f"there is no change {entry_id}", hint="see: recall-tui undo --list")
        return None

    def _make(self, plan: Plan, by: By, undoes: int = 0, subject: str = "") -> JournalEntry:
        atomic.make_folder(self.folder)
        number = max(self._numbers(), default=0) + 1
        changes: list[Change] = []
        made: list[Change] = []
        try:
            for position, edit in enumerate(plan.edits):
                name = f"{number:06d}.{position}"
                changes.append(Change.of(edit, self.folder, name, keeps_old=not plan.no_way_back))
            told = (undoes, subject or plan.title, plan.no_way_back)
            record = Record(number, plan.title, self.now(), by, tuple(changes), *told)
            atomic.write(self._path(number, is_pending=True), record.to_bytes())
            for change in changes:
                change.apply(self.folder)
                made.append(change)
        except (OSError, ConflictError):
            # What was not kept cannot be put back: what is done of such a plan stays, and is left out of the next.
            for change in () if plan.no_way_back else reversed(made):
                change.revert(self.folder)
            for change, edit in zip(changes, plan.edits, strict=False):
                change.give_back(edit, self.folder)
            self._forget(number)
            raise
        self._settle(record)
        return record.entry(is_undone=False)

    def _settle(self, record: Record) -> None:
        settled = (change.settled(self.folder, keeps_new=not record.no_way_back) for change in record.changes)
        atomic.write(self._path(record.id), replace(record, changes=tuple(settled)).to_bytes())
        self._path(record.id, is_pending=True).unlink(missing_ok=True)
        for edited in {change.path.parent for change in record.changes}:
            for leftover in atomic.leftovers(edited):
                leftover.unlink(missing_ok=True)
        if record.id % _PRUNE_EVERY == 0:
            self._prune()

    def _finish_pending(self) -> tuple[str, ...]:
        aside: list[str] = []
        for path in self._pending():
            record = Record.read(path)
            if record is None:
                path.unlink(missing_ok=True)
                continue
            for change in record.changes:
                if not change.finish(self.folder):
                    aside.append(f"{change.path} changed before “{record.title}” was finished; it was left as it is")
            self._settle(record)
        if self.folder.is_dir():
            for leftover in atomic.leftovers(self.folder):
                leftover.unlink(missing_ok=True)
        return tuple(aside)

    def _pending(self) -> list[Path]:
        return sorted(self.folder.glob("*.pending.json"))

    def _path(self, number: int, is_pending: bool = False) -> Path:
        return self.folder / f"{number:06d}{'.pending' if is_pending else ''}.json"

    def _numbers(self) -> Iterator[int]:
        with contextlib.suppress(FileNotFoundError):
            for path in self.folder.iterdir():
                if path.suffix == ".json" and path.name.partition(".")[0].isdigit():
                    yield int(path.name.partition(".")[0])

    def _records(self) -> Iterator[Record]:
        """The finished entries, newest first."""
        for number in sorted(set(self._numbers()), reverse=True):
            if record := Record.read(self._path(number)):
                yield record

    def _forget(self, number: int) -> None:
        self._path(number, is_pending=True).unlink(missing_ok=True)
        for path in self.folder.glob(f"{number:06d}.*"):
            path.unlink(missing_ok=True)

    def _prune(self) -> None:
        """Drop what is older than 30 days or beyond 64 MB, oldest first; the newest entry always stays."""
        sizes: dict[int, int] = {}
        for path in self.folder.iterdir():
            name = path.name.partition(".")[0]
            if name.isdigit():
                sizes[int(name)] = sizes.get(int(name), 0) + path.stat().st_size
        total = sum(sizes.values())
        oldest = self.now() - timedelta(days=KEEP_DAYS)
        for number in sorted(sizes)[:-1]:
            record = Record.read(self._path(number))
            if total <= KEEP_BYTES and record is not None and record.at >= oldest:
                return
            self._forget(number)
            total -= sizes[number]


def _fingerprint(plan: Plan) -> tuple[object, ...]:
    """What two plans must share to be the same change; spooled bodies are compared by content."""
    return tuple(_edit_print(edit) for edit in plan.edits)


def _edit_print(edit: Edit) -> tuple[object, ...]:
    match edit:
        case Create(path, text, body) | Replace(path, _, text, body):
            return (type(edit).__name__, path, text, atomic.digest_of(body) if body else "", getattr(edit, "was", ""))
        case Append(path, text):
            return ("Append", path, text)
        case Delete(path, was):
            return ("Delete", path, was)
