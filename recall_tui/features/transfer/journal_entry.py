"""A change of the journal to be looked at: what each of its files was, and what it became; and that content saved.

Saving never touches the memory: what is saved goes to a file elsewhere.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from recall_tui.domain import JournalEntry
from recall_tui.errors import NotFoundError, UsageError
from recall_tui.storage.files import atomic
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.journal.history import undone_numbers
from recall_tui.storage.journal.inverse import find_full_content
from recall_tui.storage.journal.record import FileChange, JournalRecord
from recall_tui.storage.memory_context import Store
from recall_tui.text.patch import unified_diff


@dataclass(frozen=True, slots=True)
class PastFile:
    """One file's part of a change."""

    path: Path
    kind: str
    """create, append, replace or delete."""
    before: str | None
    """All of what it held; None when it was not there, or when that is no longer kept."""
    after: str | None
    """All of what it held then; None when it went, or when that is nowhere kept."""
    added: str = ""
    """Of an append, the lines."""
    is_lost: bool = False
    """What it held before is no longer kept."""

    def diff(self, name: str) -> str:
        """The change as a unified diff; of a file of which only one of both is kept, that one."""
        if self.kind == "append":
            return (
                unified_diff("", self.added, name)
                if self.before is None
                else unified_diff(self.before, self.after or "", name)
            )
        return unified_diff(self.before or "", self.after or "", name)


@dataclass(frozen=True, slots=True)
class PastChange:
    """A change with the contents of its files."""

    entry: JournalEntry
    undone_by: int
    """The change that took it back, else 0."""
    files: tuple[PastFile, ...]

    def file(self, root: Path, name: str) -> PastFile:
        """The one that is called so: by its path from the root or from anywhere, or by the end of it."""
        found = [one for one in self.files if name in (display_path(root, one.path), str(one.path))]
        found = found or [one for one in self.files if one.path.name == Path(name).name]
        if len(found) != 1:
            names = ", ".join(display_path(root, one.path) for one in self.files)
            raise NotFoundError(f"change {self.entry.id} has no one file {name}", hint=f"it changed: {names}")
        return found[0]


def display_path(root: Path, path: Path) -> str:
    """The path from the memory's root when it lies inside, else all of it."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()


def read_change(journal: Journal, number: int) -> PastChange:
    """The change of that number; NotFoundError when there is none, or none any more."""
    records = journal.records()
    record = next((one for one in records if one.id == number), None)
    if record is None:
        raise NotFoundError(f"there is no change {number}", hint="see: recall-tui undo --list")
    undone_by = next((one.id for one in records if one.undoes == number), 0) if number in undone_numbers(records) else 0
    # What undid it knows best what it had made.
    later = tuple(one for one in records if one.id > number)
    files = tuple(_read_past_file(change, record, journal.folder, later) for change in record.changes)
    entry = next(one for one in journal.each() if one.id == number)
    return PastChange(entry, undone_by, files)


def save_before(
    store: Store, change: PastChange, names: Sequence[str], to: Path, *, is_forced: bool
) -> tuple[Path, ...]:
    """Write what the files held before the change to the file `to`, or each into the folder `to`; return the files.

    NotFoundError when nothing was there before, or when it is no longer kept; UsageError for several files and no
    folder, and for a place inside the memory; ConflictError for a file that already exists and is not forced.
    """
    from recall_tui.features.transfer.export import target_outside

    if change.entry.no_way_back:
        raise NotFoundError(f"of change {change.entry.id} nothing is kept", hint=change.entry.no_way_back)
    asked = [change.file(store.root, name) for name in names] or list(change.files)
    kept = [one for one in asked if one.before is not None]
    if not kept:
        why = "is no longer kept" if any(one.is_lost for one in asked) else "is nothing: it made the files"
        raise NotFoundError(f"what was there before change {change.entry.id} {why}", hint="see: recall-tui undo --list")
    if not to.is_dir() and len(kept) > 1:
        listed = ", ".join(display_path(store.root, one.path) for one in kept)
        raise UsageError(
            f"change {change.entry.id} replaced {len(kept)} files: {listed}", hint="--file PATH, or --to FOLDER"
        )
    places = list(_target_paths(store, kept, to))
    for place in places:
        target_outside(store, place, is_forced=is_forced)
    for one, place in zip(kept, places, strict=True):
        with atomic.complete_write(place, is_new=not is_forced) as file:
            file.write(atomic.encode(one.before or ""))
    return tuple(places)


def _target_paths(store: Store, files: Sequence[PastFile], to: Path) -> Iterator[Path]:
    """Where each goes; in a folder under its own name, or under its path where two have the same one."""
    if not to.is_dir():
        yield to
        return
    names = [one.path.name for one in files]
    for one in files:
        is_alone = names.count(one.path.name) == 1
        yield to / (one.path.name if is_alone else display_path(store.root, one.path).strip("/").replace(os.sep, "--"))


def _read_past_file(
    change: FileChange, record: JournalRecord, folder: Path, later: Sequence[JournalRecord]
) -> PastFile:
    if record.no_way_back:
        return PastFile(change.path, change.kind, None, None, is_lost=bool(change.was))
    after = None if change.kind == "delete" else find_full_content(change, folder, later)
    added = change.new.text if change.kind == "append" and change.new is not None else ""
    before: str | None = None
    if change.kind == "append" and after is not None and change.was:
        before = atomic.decode(atomic.encode(after)[: change.size])
    elif change.old is not None:
        try:
            before = change.old.whole(folder)
        except FileNotFoundError:
            before = None
    return PastFile(change.path, change.kind, before, after, added, is_lost=bool(change.was) and before is None)
