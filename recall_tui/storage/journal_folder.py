"""The folder of a memory's journal: a record for each change, and beside it the contents that are too large for it."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from recall_tui.storage import atomic
from recall_tui.storage.journal_record import Record

KEEP_DAYS = 30
KEEP_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class JournalFolder:
    """The files of the journal; who changes them holds the memory's lock."""

    path: Path

    def names(self) -> list[str]:
        """The names of all files in it, in no order."""
        try:
            with os.scandir(self.path) as files:
                return [file.name for file in files]
        except FileNotFoundError:
            return []

    def pending(self, names: Iterable[str] | None = None) -> list[Path]:
        """The records of changes that were begun and not finished, oldest first."""
        found = self.names() if names is None else names
        return [self.path / name for name in sorted(found) if name.endswith(".pending.json")]

    def path_of(self, number: int, is_pending: bool = False) -> Path:
        """Where the record of a change is, or would be."""
        return self.path / f"{number:06d}{'.pending' if is_pending else ''}.json"

    def unrecorded(self, names: Iterable[str]) -> list[Path]:
        """Contents that a process had stored when it was killed, before it recorded its change."""
        recorded = set(self.numbers(names))
        stored = ((name, name.partition(".")[0]) for name in names)
        return [self.path / name for name, number in stored if number.isdigit() and int(number) not in recorded]

    def numbers(self, names: Iterable[str] | None = None) -> Iterator[int]:
        """The numbers of all changes, in no order; of one that is pending and finished twice."""
        for name in self.names() if names is None else names:
            if name.endswith(".json") and (number := name.partition(".")[0]).isdigit():
                yield int(number)

    def records(self) -> Iterator[Record]:
        """The finished entries, newest first."""
        for number in sorted(set(self.numbers()), reverse=True):
            if record := Record.read(self.path_of(number)):
                yield record

    def forget(self, number: int, names: Iterable[str] | None = None) -> None:
        """Remove all that is kept of a change."""
        for name in self.names() if names is None else names:
            if name.startswith(f"{number:06d}."):
                (self.path / name).unlink(missing_ok=True)

    def prune(self, now: datetime) -> None:
        """Drop what is older than 30 days or beyond 64 MB, oldest first; the newest entry always stays."""
        sizes: dict[int, int] = {}
        names: dict[int, list[str]] = {}
        with os.scandir(self.path) as files:
            for file in files:
                digits = file.name.partition(".")[0]
                if digits.isdigit():
                    sizes[int(digits)] = sizes.get(int(digits), 0) + file.stat().st_size
                    names.setdefault(int(digits), []).append(file.name)
        total = sum(sizes.values())
        oldest = now - timedelta(days=KEEP_DAYS)
        for number in sorted(sizes)[:-1]:
            record = Record.read(self.path_of(number))
            if total <= KEEP_BYTES and record is not None and record.at >= oldest:
                return
            self.forget(number, names[number])
            total -= sizes[number]

    def remove_but(self, kept: Collection[str]) -> None:
        """Take every file out of the journal's folder but these; whoever left the others has no use for them."""
        if self.path.is_dir():
            for path in self.path.iterdir():
                if path.name not in kept:
                    path.unlink(missing_ok=True)
            atomic.sync_folder(self.path)
