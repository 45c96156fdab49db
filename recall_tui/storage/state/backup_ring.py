"""Daily backups of a memory's small files, against damage that the journal does not see.

A backup gets its name only when all of it is on disk; equal content is stored once, under its digest.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.errors import BrokenFileError, NotFoundError, RecallError
from recall_tui.files import read_file
from recall_tui.storage.files import atomic
from recall_tui.storage.files.lock import LOCK_TIMEOUT_SECONDS, acquire
from recall_tui.storage.inventory import ExcludedFile, list_files
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state.backup_days import ORDER_FILE, RECORD_SUFFIX, RING_FOLDER, read_order
from recall_tui.storage.state.backup_record import Backup, BackupFile, FileStamp, write_order

if TYPE_CHECKING:
    from zstandard import ZstdDecompressor

    from recall_tui.storage.journal.scrub import ScrubRules

MAX_FILE_BYTES = 1 << 20
"""The largest file to back up; larger ones are reported as excluded.

Archives can be remade from retained transcripts.
"""
WEEKLY_BACKUPS = 4
"""Backups to retain beyond the daily ones, one per week."""
_STEADY_SECONDS = 2.0
"""A file written this shortly before a backup may be written again without a change of its times."""
Progress = Callable[[int, int], None]
"""Called with the number of files processed and the total."""
_LOCK_NAME = "daily.lock"
_COMPRESSED_SUFFIX = ".zst"
GRACE_PERIOD = timedelta(days=1)
"""A hook leaves the backup to a background process, which may run only the next day."""


@dataclass(frozen=True, slots=True)
class BackupRing:
    state: Path

    @property
    def folder(self) -> Path:
        """The folder of the records."""
        return self.state / RING_FOLDER

    @property
    def contents(self) -> Path:
        """The folder of the file contents."""
        return self.folder / "contents"

    def path_of(self, day: date) -> Path:
        """Return the path of a day's record, existing or not."""
        return self.folder / f"{day.isoformat()}{RECORD_SUFFIX}"

    def days(self) -> tuple[date, ...]:
        """Return the backed-up days, the latest backup first, whatever the clock said then."""
        found = set()
        with suppress(FileNotFoundError, NotADirectoryError):
            for path in self.folder.iterdir():
                if path.suffix == RECORD_SUFFIX:
                    with suppress(ValueError):
                        found.add(date.fromisoformat(path.stem))
        made = [day for day in read_order(self.folder) if day in found]
        return (*made[::-1], *sorted(found.difference(made), reverse=True))

    def has(self, day: date) -> bool:
        """Return whether the day is backed up; a backup that a clock running ahead dated to it does not count."""
        if not self.path_of(day).exists():
            return False
        days = self.days()
        return all(later >= day for later in days[: days.index(day)]) if day in days else False

    def read(self, day: date) -> Backup:
        """Read the backup of a day; NotFoundError when there is none, BrokenFileError when it is damaged."""
        path = self.path_of(day)
        data = atomic.read_bytes(path)
        if data is None:
            raise NotFoundError(f"there is no backup of {day}", hint="see: recall-tui doctor --restore")
        return Backup.of(path, data)

    def whole(self) -> Iterator[Backup]:
        """Yield the readable backups, newest first."""
        for day in self.days():
            with suppress(RecallError, OSError):
                yield self.read(day)

    def content(self, one: BackupFile, unpacker: ZstdDecompressor | None = None) -> bytes:
        """Return a file's content; BrokenFileError when it is missing or damaged."""
        import zstandard

        path = self._stored(one.digest)
        packed = atomic.read_bytes(path)
        if packed is None:
            raise BrokenFileError(f"{path}: it is gone, and with it {one.path}", hint="take it from another day")
        try:
            data = (unpacker or zstandard.ZstdDecompressor()).decompressobj().decompress(packed)
        except zstandard.ZstdError:
            data = b""
        if atomic.content_digest(data) != one.digest:
            raise BrokenFileError(f"{path}: it is damaged, and with it {one.path}", hint="take it from another day")
        return data

    def damaged(self, backup: Backup, *, is_deep: bool = True) -> tuple[str, ...]:
        """Return the files that the backup can no longer restore; unless `is_deep`, check only their sizes."""
        if not is_deep:
            return tuple(one.path for one in backup.files if not self.is_as_it_was(one))
        import zstandard

        unpacker = zstandard.ZstdDecompressor()
        return tuple(one.path for one in backup.files if not self._is_whole(one, unpacker))

    def put(self, data: bytes) -> tuple[str, int]:
        """Store a content unless it is stored intact; return its digest and stored size in bytes.

        `settle` flushes it to the disk.
        """
        import zstandard

        mark = atomic.content_digest(data)
        path = self._stored(mark)
        row = BackupFile("", mark, len(data), 0, is_private=True)
        if not self._is_whole(row):
            packed = zstandard.ZstdCompressor(level=3).compress(data)
            temporary = atomic.temp_path(path.parent)
            try:
                with os.fdopen(
                    os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, atomic.PRIVATE_FILE), "wb"
                ) as file:
                    file.write(packed)
                temporary.replace(path)
            finally:
                temporary.unlink(missing_ok=True)
        return mark, path.stat().st_size

    def settle(self, marks: Collection[str]) -> None:
        """Flush stored contents to the disk, in one batch after all of them are written."""
        for mark in marks:
            atomic.sync_file(self._stored(mark))
        atomic.sync_folder(self.contents)

    def write(self, backup: Backup) -> None:
        """Write the record of a backup whose contents are on disk."""
        atomic.write_file(self.path_of(backup.day), backup.to_bytes())

    def note(self, day: date) -> None:
        """Record that the day is backed up now, after all other days."""
        write_order(self.folder, (*self.days()[::-1], day))

    def is_as_it_was(self, one: BackupFile) -> bool:
        """Return whether a file's stored content has its recorded size, without reading it."""
        try:
            return self._stored(one.digest).stat().st_size == one.packed
        except OSError:
            return False

    def drop(self, days: Collection[date]) -> None:
        for day in days:
            self.path_of(day).unlink(missing_ok=True)

    def sweep(self) -> None:
        """Delete the contents that no backup refers to, and leftover files."""
        wanted = set()
        for day in self.days():
            # An unreadable record raises here, which keeps its contents; a damaged one cannot say which are its own.
            with suppress(BrokenFileError):
                wanted |= {f"{one.digest}{_COMPRESSED_SUFFIX}" for one in self.read(day).files}
        for folder in (self.folder, self.contents):
            for leftover in atomic.find_leftovers(folder):
                leftover.unlink(missing_ok=True)
        with suppress(FileNotFoundError):
            for entry in os.scandir(self.contents):
                if entry.name not in wanted:
                    Path(entry.path).unlink(missing_ok=True)
            atomic.sync_folder(self.contents)
        atomic.sync_folder(self.folder)

    def remove(self) -> None:
        self.drop(self.days())
        (self.folder / ORDER_FILE).unlink(missing_ok=True)
        self.sweep()
        atomic.delete_empty((self.contents, self.folder))

    def _is_whole(self, one: BackupFile, unpacker: ZstdDecompressor | None = None) -> bool:
        try:
            self.content(one, unpacker)
        except (BrokenFileError, OSError):
            return False
        return True

    def _stored(self, mark: str) -> Path:
        return self.contents / f"{mark}{_COMPRESSED_SUFFIX}"


def take_backup(store: Store, patience: float = 0.0, progress: Progress | None = None) -> Backup | None:
    """Back up the memory unless that was done today; None when there was nothing to do.

    Raises LockedError when another process is backing up.
    """
    ring, at = BackupRing(store.state), store.now()
    today = at.date()
    is_wanted = store.config.whole("backups.days") > 0
    if ring.has(today) if is_wanted else not ring.folder.exists():
        return None
    with acquire(store.state / _LOCK_NAME, "backup", patience):
        if not is_wanted:
            ring.remove()
            return None
        return None if ring.has(today) else _store_files(store, ring, at, progress)


def try_backup(store: Store, progress: Progress | None = None) -> Backup | None:
    """Run `take_backup` and ignore errors; after a failure `doctor` reports that a backup is missing."""
    with suppress(RecallError, OSError):
        return take_backup(store, progress=progress)
    return None


def repair(store: Store) -> tuple[str, ...]:
    """Restore lost contents of the newest backup from the memory where it still has them; then `take_backup`.

    Return the files whose content is lost; they are removed from the record. Unreadable records are deleted.
    """
    ring = BackupRing(store.state)
    lost: list[str] = []
    with acquire(store.state / _LOCK_NAME, "mend", LOCK_TIMEOUT_SECONDS):
        for day in ring.days():
            try:
                backup = ring.read(day)
            except BrokenFileError:
                ring.drop((day,))
                continue
            damaged = set(ring.damaged(backup))
            lost += [one.path for one in backup.files if one.path in damaged and not _try_store_again(store, ring, one)]
            if lost:
                ring.write(replace(backup, files=tuple(one for one in backup.files if one.path not in lost)))
            break
    take_backup(store, LOCK_TIMEOUT_SECONDS)
    return tuple(lost)


def scrub_backups(store: Store, how: ScrubRules) -> int:
    """Remove text from every backup, as from the journal; return in how many days something changed.

    A file that may not be retained at all is deleted, and so is an unreadable record, whose content is unknown.
    """
    ring = BackupRing(store.state)
    if not ring.folder.exists():
        return 0
    changed = 0
    with acquire(store.state / _LOCK_NAME, "scrub", LOCK_TIMEOUT_SECONDS):
        known: dict[tuple[str, str], BackupFile | None] = {}
        for day in ring.days():
            try:
                backup = ring.read(day)
            except BrokenFileError:
                ring.drop((day,))
                changed += 1
                continue
            kept = []
            for one in backup.files:
                key = (one.path, one.digest)
                if key not in known:
                    known[key] = _scrub_file(store, ring, one, how)
                left = known[key]
                if left is not None:
                    kept.append(one if left.digest == one.digest else left)
            files = tuple(kept)
            told = tuple(one for one in backup.left_out if how.text(store.root / one.path, "") is not None)
            if (files, told) != (backup.files, backup.left_out):
                ring.settle({one.digest for one in files} - {one.digest for one in backup.files})
                ring.write(replace(backup, files=files, left_out=told))
                changed += 1
        ring.sweep()
    return changed


def all_contents(store: Store) -> Iterator[tuple[date, Path, str]]:
    """Yield each content of each file once, with the newest day on which the file had it."""
    ring = BackupRing(store.state)
    seen: set[tuple[str, str]] = set()
    for backup in ring.whole():
        for one in backup.files:
            if (one.path, one.digest) not in seen:
                seen.add((one.path, one.digest))
                with suppress(BrokenFileError, OSError):
                    yield backup.day, store.root / one.path, _text(ring.content(one))


def is_unchanged(one: BackupFile, backup: Backup, status: os.stat_result) -> bool:
    """Return whether a file equals its backup, judged by its times and inode."""
    settled = backup.at.timestamp() - _STEADY_SECONDS
    return one.stamp == _file_stamp(status) and max(one.stamp[:2]) < settled * 1e9


def retained_days(days: Sequence[date], daily: int) -> set[date]:
    """Return the days to retain: the first `daily`, then the first of each of four weeks; `days` are newest first."""
    newest_first = list(days)
    weekly: dict[date, date] = {}
    for day in newest_first[daily:]:
        monday = day - timedelta(days=day.weekday())
        if len(weekly) < WEEKLY_BACKUPS or monday in weekly:
            weekly.setdefault(monday, day)
    return {*newest_first[:daily], *weekly.values()}


def _try_store_again(store: Store, ring: BackupRing, one: BackupFile) -> bool:
    """Store the memory's file again if it still has the backed-up content; return whether it did."""
    try:
        data = read_file(store.root / one.path)
        return atomic.content_digest(data) == one.digest and bool(ring.put(data))
    except OSError:
        return False


def _store_files(store: Store, ring: BackupRing, at: datetime, progress: Progress | None) -> Backup | None:
    paths, left_out = list_files(store.layout)
    if not paths:
        return None
    atomic.make_folder(ring.contents)
    before = next(ring.whole(), None)
    known = {one.path: one for one in before.files} if before else {}
    today = at.date()
    files: list[BackupFile] = []
    left = list(left_out)
    for number, path in enumerate(paths, 1):
        try:
            found = _backup_file(store, ring, path, before, known)
        except OSError as error:
            found = ExcludedFile(store.relative(path), f"it cannot be read: {error.strerror or error}")
        if isinstance(found, ExcludedFile):
            left.append(found)
        elif found is not None:
            files.append(found)
        if progress is not None:
            progress(number, len(paths))
    backup = Backup(today, at, store.layout.name, tuple(files), tuple(left))
    ring.settle({one.digest for one in files if known.get(one.path) is not one})
    # An existing record for today was made by a clock running ahead. A day in the order without a record does not
    # count.
    ring.drop((today,))
    ring.note(today)
    ring.write(backup)
    days = ring.days()
    ring.drop(set(days) - retained_days(days, store.config.whole("backups.days")) - {today})
    ring.sweep()
    return backup


def _backup_file(
    store: Store, ring: BackupRing, path: Path, before: Backup | None, known: Mapping[str, BackupFile]
) -> BackupFile | ExcludedFile | None:
    """Store a file's content and return its entry, or why it is excluded; None if it was deleted meanwhile."""
    name = store.relative(path)
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    if status.st_size > MAX_FILE_BYTES:
        return ExcludedFile(name, f"it is larger than {MAX_FILE_BYTES >> 20} MB")
    old = known.get(name)
    if old is not None and before is not None and is_unchanged(old, before, status) and ring.is_as_it_was(old):
        return old
    with suppress(FileNotFoundError, NotADirectoryError):
        data = read_file(path)
        mark, packed = ring.put(data)
        return BackupFile(name, mark, len(data), packed, not status.st_mode & 0o077, _file_stamp(status))
    return None


def _file_stamp(status: os.stat_result) -> FileStamp:
    return status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def _scrub_file(store: Store, ring: BackupRing, one: BackupFile, how: ScrubRules) -> BackupFile | None:
    """Return the file as it may be retained; None when nothing of it may."""
    try:
        text = _text(ring.content(one))
    except (BrokenFileError, OSError):
        return None
    left = how.text(store.root / one.path, text)
    if left is None or left == text:
        return one if left is not None else None
    data = atomic.encode(left)
    mark, packed = ring.put(data)
    return BackupFile(one.path, mark, len(data), packed, one.is_private)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")
