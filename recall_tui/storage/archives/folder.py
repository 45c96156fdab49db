"""The archives of a memory, at every location of its layout.

Files are recognized by name alone, a head is read again only when its file has changed, and nothing is written.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.errors import NotFoundError
from recall_tui.files import TooLargeError
from recall_tui.storage.archives import index_file, summary_file
from recall_tui.storage.archives.file import LOG_PREFIX, read_entry
from recall_tui.storage.files.atomic import decode, read_bytes
from recall_tui.storage.files.symlinks import is_file, link_check
from recall_tui.text.cut import one_line

if TYPE_CHECKING:
    from recall_tui.domain import ArchiveEntry, IndexRow
    from recall_tui.storage.layout import ArchiveLocation, Layout

_MIN_TIME = datetime.min.replace(tzinfo=UTC)
_MAX_LATEST_FILES = 20
"""The number of highest-numbered files to search for the newest session; a backfill may number older ones last."""
_MAX_NUMBER_DIGITS = 9
"""The most digits of an archive number; a file with more is named by the user."""

_File = tuple[int, "os.DirEntry[str]"]
_Key = tuple[str, int, int]


class ArchiveFolder:
    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._is_shut = link_check(layout)
        self._read: dict[_Key, ArchiveEntry | None] = {}
        """Heads by path, mtime in nanoseconds and size."""

    def entries(self, rows: tuple[IndexRow, ...] = ()) -> tuple[ArchiveEntry, ...]:
        """Return the heads of all archives, by number; unreadable files are left out.

        `rows` of ARCHIVE.md give the session of an archive that does not name it itself.
        """
        read: dict[_Key, ArchiveEntry | None] = {}
        for _, file in self._files():
            key = _key(file)
            read[key] = self._read[key] if key in self._read else self._head(file)
        self._read = read
        sessions = {row.number: row.session_id for row in rows if not row.trigger}
        counts = Counter(entry.number for entry in read.values() if entry is not None)
        found = [entry for entry in read.values() if entry is not None]
        for at, entry in enumerate(found):
            if not entry.session_id and counts[entry.number] == 1 and (named := sessions.get(entry.number)):
                found[at] = read_entry(entry.path, named) or entry
        return tuple(sorted(found, key=lambda entry: (entry.number, entry.date or _MIN_TIME, str(entry.path))))

    def heads(self, rows: Collection[IndexRow]) -> dict[tuple[int, str], ArchiveEntry]:
        """Return the heads of the archives in some rows of ARCHIVE.md, by number and session; no other file is read."""
        wanted = {(row.number, row.session_id) for row in rows}
        numbers = {number for number, _ in wanted}
        names = {summary_file.file_name(session) for _, session in wanted if session}
        found: dict[tuple[int, str], ArchiveEntry] = {}
        for number, file in self._files():
            is_wanted = file.name in names if self._layout.design.summaries_are_archives else number in numbers
            if is_wanted and (entry := self._entry(file)) is not None:
                found[entry.number, entry.session_id] = entry
        return {key: entry for key, entry in found.items() if key in wanted}

    def each(self) -> Iterator[ArchiveEntry]:
        """Stream the heads of all archives, unordered, and retain none."""
        return (entry for _, file in self._files() if (entry := self._head(file)) is not None)

    def newest(self, but: str = "") -> ArchiveEntry | None:
        """Return the archive of the session that ended last, ignoring that of session `but`."""
        latest = sorted(self._files(), key=lambda pair: pair[0])[-_MAX_LATEST_FILES:]
        if self._layout.design.summaries_are_archives:
            latest = list(self._files())
        found = [entry for _, file in latest if (entry := self._entry(file)) and not (but and entry.session_id == but)]
        return max(found, key=lambda entry: (entry.date or _MIN_TIME, entry.number), default=None)

    def by_session(self, session_id: str, rows: tuple[IndexRow, ...]) -> tuple[ArchiveEntry, ...]:
        """Return the session's archives, by number.

        `rows` of ARCHIVE.md say where to look; only those files, and files without a row, are opened.
        """
        wanted = one_line(session_id)
        if not wanted:
            return ()
        mine = {row.number for row in rows if row.session_id == wanted}
        others = {row.number for row in rows} - mine
        newer = {row.number for row in rows if not row.trigger}
        found = []
        for number, file in self._files():
            # Logs of the oldest generation and later conversations were both numbered from 1.
            has_row = number in others and (number in newer or file.name.startswith(LOG_PREFIX))
            if has_row or (entry := self._entry(file)) is None:
                continue
            if not entry.session_id and number in mine:
                entry = read_entry(entry.path, wanted) or entry
            if one_line(entry.session_id) == wanted:
                found.append(entry)
        return tuple(sorted(found, key=lambda entry: (entry.number, entry.date or _MIN_TIME)))

    def get(self, reference: int | str) -> ArchiveEntry:
        """Return the archive of this number or file name, the newer of two; NotFoundError when there is none."""
        name = str(reference).strip().removesuffix(".md")
        digits = name.rpartition("-")[2]
        number = int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= _MAX_NUMBER_DIGITS else -1
        if not number and self._layout.design.summaries_are_archives:
            number = -1  # No summary is called so: their numbers stand inside of them.
        is_bare = name == digits
        found = []
        for at, file in self._files():
            stem = file.name.removesuffix(".md")
            is_it = stem == name or (at == number and (is_bare or stem.rpartition("-")[0] == name.rpartition("-")[0]))
            if (is_it or self._layout.design.summaries_are_archives) and (entry := self._entry(file)):
                found += [entry] if is_it or (is_bare and entry.number == number) else []
        if not found:
            raise NotFoundError(f"there is no archive {reference}", hint="see: recall-tui list")
        return max(found, key=lambda entry: entry.date or _MIN_TIME)

    def named(self, name: str) -> ArchiveEntry | None:
        """Return the head of the archive or summary with this file name, or None; no other file is opened."""
        if self._layout.summaries is not None and name.endswith(".md") and "/" not in name:
            path = self._layout.summaries / name
            if is_file(path):
                return None if self._is_shut(path) else summary_file.read_head(path)
        for place in self._layout.archives:
            path = place.folder / name
            if parse_number(name, place.prefix) is not None and is_file(path):
                return None if self._is_shut(path) else read_entry(path)
        return None

    def count(self) -> int:
        """Return the number of archives."""
        return sum(1 for _ in self._files())

    def size(self) -> int:
        """Return the size of all archives in bytes."""
        return sum(file.stat().st_size for _, file in self._files())

    def _files(self) -> Iterator[_File]:
        if self._layout.summaries is not None:
            yield from (
                (0, file) for file in _scan(self._layout.summaries) if file.name.endswith(".md") and self._is_own(file)
            )
        for place in self._layout.archives:
            yield from (pair for pair in _numbered_names(place) if self._is_own(pair[1]))

    def _is_own(self, file: os.DirEntry[str]) -> bool:
        """Return whether this is a file, and not one that a link brings in from outside the memory."""
        return is_file(file) and not self._is_shut(file)

    def _entry(self, file: os.DirEntry[str]) -> ArchiveEntry | None:
        key = _key(file)
        if key not in self._read:
            self._read[key] = self._head(file)
        return self._read[key]

    def _head(self, file: os.DirEntry[str]) -> ArchiveEntry | None:
        if not self._layout.design.summaries_are_archives:
            return read_entry(Path(file.path))
        head = summary_file.read_head(Path(file.path))
        if head is None or head.date or head.ended_at:
            return head
        # Another program's page names no time; the time of its file orders it, as its own program does.
        with suppress(OSError):
            return replace(head, date=datetime.fromtimestamp(int(file.stat().st_mtime), UTC))
        return head


def parse_number(name: str, prefix: str) -> int | None:
    """Return the number in a name `<prefix>-<number>.md`; None for any other name."""
    if not (name.startswith(prefix) and name.endswith(".md")):
        return None
    digits = name[len(prefix) + 1 : -3]
    if name[len(prefix)] != "-" or not (digits.isdecimal() and digits.isascii() and len(digits) <= _MAX_NUMBER_DIGITS):
        return None
    return int(digits)


def _numbered_names(place: ArchiveLocation) -> Iterator[_File]:
    """Yield the entries of a location whose name holds a number, whatever their type."""
    for file in _scan(place.folder):
        if (number := parse_number(file.name, place.prefix)) is not None:
            yield number, file


def _scan(folder: Path) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            yield from found
    except (FileNotFoundError, NotADirectoryError):
        return


def _key(file: os.DirEntry[str]) -> _Key:
    try:
        facts = file.stat()
    except OSError:
        return (file.path, 0, 0)
    return (file.path, facts.st_mtime_ns, facts.st_size)


def read_rows(path: Path) -> tuple[IndexRow, ...]:
    """Read the rows of the ARCHIVE.md at `path`; none of a far too large one. Raises OSError when it is no file."""
    try:
        return index_file.parse_rows(decode(read_bytes(path, index_file.MAX_ROWS_BYTES) or b""))
    except TooLargeError:
        return ()


def list_rows(layout: Layout) -> tuple[IndexRow, ...]:
    """Return the rows of ARCHIVE.md, and rows for summaries that have none where these take the place of archives.

    A clone holds the summaries of others, but not ARCHIVE.md, which stays out of commits.
    """
    rows = read_rows(layout.rows)
    if not layout.design.summaries_are_archives:
        return rows
    named = {row.session_id for row in rows}
    lacking = (entry for entry in ArchiveFolder(layout).entries() if one_line(entry.session_id) not in named)
    return (*rows, *index_file.parse_rows("".join(map(index_file.render_row, lacking))))
