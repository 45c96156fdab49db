"""The folder of a memory's journal: a record for each change, and beside it the contents that are too large for it."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from recall_tui.storage.files import atomic
from recall_tui.storage.files.trusted_clock import is_ahead
from recall_tui.storage.journal.record import JournalRecord

RETENTION_DAYS = 30
RETENTION_BYTES = 64 << 20
_PRUNE_EVERY_CHANGES = 16
_PRUNE_SLACK_RATIO = 64
"""Changes of so many kept ones may come before what is too old or too much goes."""


@dataclass(frozen=True, slots=True)
class FolderSnapshot:
    """What one look at the folder found."""

    numbers: frozenset[int]
    """Of all changes, finished or not."""
    pending: tuple[Path, ...]
    """The records of changes that were begun and not finished, oldest first."""
    unrecorded: tuple[Path, ...]
    """Contents that a process had stored when it was killed, before it recorded its change."""
    has_temporary: bool
    """Files that were being written are there, or were left."""


@dataclass(slots=True)
class JournalFolder:
    """The files of the journal; who changes them holds the memory's lock."""

    path: Path
    _left: tuple[int, int] | None = None
    """Inode and time of the folder when it was last seen to hold nothing that waits."""
    _highest: int = 0
    _count: int = 0

    def names(self) -> list[str]:
        """The names of all files in it, in no order."""
        try:
            with os.scandir(self.path) as files:
                return [file.name for file in files]
        except FileNotFoundError:
            return []

    def look(self) -> FolderSnapshot:
        """List the folder."""
        recorded: set[str] = set()
        others: list[str] = []
        for name in self.names():
            number, _, rest = name.partition(".")
            if rest in ("json", "pending.json"):
                recorded.add(number)
            if rest != "json":
                others.append(name)
        pending = sorted(name for name in others if name.endswith(".pending.json"))
        stored = ((name, name.partition(".")[0]) for name in others)
        unrecorded = [name for name, number in stored if number.isdigit() and number not in recorded]
        return FolderSnapshot(
            frozenset(int(number) for number in recorded if number.isdigit()),
            tuple(self.path / name for name in pending),
            tuple(self.path / name for name in unrecorded),
            any(name[:1] == "." for name in others),
        )

    def leave(self, highest: int, count: int) -> None:
        """Note that nothing waits in the folder as it is now, how many changes it holds, and the number of the last."""
        self._left, self._highest, self._count = self._state(), highest, count

    def is_as_left(self) -> bool:
        """Whether nobody changed the folder since: a look costs as much as there is in it.

        Changes of another process within one tick of the file system's clock are told by the number that they take.
        """
        if self._left is None or self._left != self._state():
            return False
        return not any(self.path_of(self._highest + 1, is_pending).exists() for is_pending in (False, True))

    def _state(self) -> tuple[int, int] | None:
        try:
            status = self.path.stat()
        except OSError:
            return None
        return status.st_ino, status.st_mtime_ns

    def last(self) -> tuple[int, int]:
        """The number of the last change, 0 when there is none, and how many there are."""
        if not self.is_as_left():
            numbers = self.look().numbers
            return max(numbers, default=0), len(numbers)
        return self._highest, self._count

    def path_of(self, number: int, is_pending: bool = False) -> Path:
        """Where the record of a change is, or would be."""
        return self.path / f"{number:06d}{'.pending' if is_pending else ''}.json"

    def numbers(self) -> list[int]:
        """The numbers of all changes, newest first."""
        return sorted(self.look().numbers, reverse=True)

    def records(self) -> Iterator[JournalRecord]:
        """The finished entries, newest first."""
        for number in self.numbers():
            if record := JournalRecord.read(self.path_of(number)):
                yield record

    def digests_of(self, path: Path) -> frozenset[str]:
        """The digests of all that a file was, as far as the changes reach."""
        changes = (change for record in self.records() for change in record.changes if change.path == path)
        return frozenset(one for change in changes for one in (change.was, change.now))

    def forget(self, number: int) -> None:
        """Remove all that is kept of a change."""
        for name in self.names():
            if name.startswith(f"{number:06d}."):
                (self.path / name).unlink(missing_ok=True)

    def is_due(self, number: int) -> bool:
        """Whether to prune after the change: the more there is to look through, the rarer."""
        return number % max(_PRUNE_EVERY_CHANGES, 1 << (self._count // _PRUNE_SLACK_RATIO).bit_length()) == 0

    def prune(self, now: datetime, oldest: datetime) -> None:
        """Drop what is older than `oldest` or beyond 64 MB, the lowest numbers first; the newest entry always stays.

        A change that was made while the clock was ahead is as old as the one after it.
        """
        sizes: dict[int, int] = {}
        names: dict[int, list[str]] = {}
        with os.scandir(self.path) as files:
            for file in files:
                digits = file.name.partition(".")[0]
                if digits.isdigit():
                    sizes[int(digits)] = sizes.get(int(digits), 0) + file.stat().st_size
                    names.setdefault(int(digits), []).append(file.name)
        total = sum(sizes.values())
        waiting: list[int] = []
        for number in sorted(sizes)[:-1]:
            record = JournalRecord.read(self.path_of(number))
            waiting.append(number)
            if total <= RETENTION_BYTES and record is not None:
                if record.at >= oldest and not is_ahead(record.at, now):
                    return
                if record.at >= oldest:
                    continue
            for one in waiting:
                for name in names[one]:
                    (self.path / name).unlink(missing_ok=True)
                total -= sizes[one]
            waiting.clear()

    def remove_but(self, kept: Collection[str]) -> None:
        """Take every file out of the journal's folder but these; whoever left the others has no use for them."""
        if self.path.is_dir():
            for path in self.path.iterdir():
                if path.name not in kept:
                    path.unlink(missing_ok=True)
            atomic.sync_folder(self.path)
