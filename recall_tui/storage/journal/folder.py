"""The journal's folder: one record per change, and the contents that are too large for a record beside it."""

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
"""Stored changes per change of the prune interval, which is rounded up to a power of two."""


@dataclass(frozen=True, slots=True)
class FolderSnapshot:
    """A listing of the folder."""

    numbers: frozenset[int]
    """Numbers of all changes, complete or pending."""
    pending: tuple[Path, ...]
    """Records of changes that were begun but not completed, oldest first."""
    unrecorded: tuple[Path, ...]
    """Contents stored by a process that was killed before it recorded its change."""
    has_temporary: bool
    """Some temporary files are present, in use or left over."""


@dataclass(slots=True)
class JournalFolder:
    """The journal's files; change them only while holding the memory's lock."""

    path: Path
    _left: tuple[int, int] | None = None
    """Inode and mtime (ns) of the folder when it last held nothing pending."""
    _highest: int = 0
    _count: int = 0

    def names(self) -> list[str]:
        """Return the names of all files in the folder, unordered."""
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
        """Remember that the folder has nothing pending now, its number of changes, and the highest number."""
        self._left, self._highest, self._count = self._state(), highest, count

    def is_as_left(self) -> bool:
        """Return whether nobody has changed the folder since `leave`, without listing it.

        A change by another process within one tick of the file system's clock is detected by the number it uses.
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
        """Return the number of the last change, 0 when there is none, and the count of changes."""
        if not self.is_as_left():
            numbers = self.look().numbers
            return max(numbers, default=0), len(numbers)
        return self._highest, self._count

    def path_of(self, number: int, is_pending: bool = False) -> Path:
        """Return the path of a change's record, existing or not."""
        return self.path / f"{number:06d}{'.pending' if is_pending else ''}.json"

    def numbers(self) -> list[int]:
        """Return the numbers of all changes, newest first."""
        return sorted(self.look().numbers, reverse=True)

    def records(self) -> Iterator[JournalRecord]:
        """Yield the complete records, newest first."""
        for number in self.numbers():
            if record := JournalRecord.read(self.path_of(number)):
                yield record

    def digests_of(self, path: Path) -> frozenset[str]:
        """Return every digest that the recorded changes have for the file."""
        changes = (change for record in self.records() for change in record.changes if change.path == path)
        return frozenset(one for change in changes for one in (change.was, change.now))

    def forget(self, *numbers: int, kept: Collection[str] = ()) -> None:
        """Delete everything stored for the changes, except the files in `kept`."""
        for name in self.names() if numbers else ():
            digits = name.partition(".")[0]
            if name not in kept and digits.isdigit() and int(digits) in numbers:
                (self.path / name).unlink(missing_ok=True)

    def is_due(self, number: int) -> bool:
        """Return whether to prune after this change; the more changes are stored, the less often."""
        return number % max(_PRUNE_EVERY_CHANGES, 1 << (self._count // _PRUNE_SLACK_RATIO).bit_length()) == 0

    def prune(self, now: datetime, oldest: datetime) -> None:
        """Delete changes older than `oldest` or beyond 64 MB in total, lowest numbers first; the newest always stays.

        A change dated ahead of the clock counts as being as old as the one after it.
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
        """Delete every file in the journal's folder except these; only for files that nobody needs."""
        if self.path.is_dir():
            for path in self.path.iterdir():
                if path.name not in kept:
                    path.unlink(missing_ok=True)
            atomic.sync_folder(self.path)
