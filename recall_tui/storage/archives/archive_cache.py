"""A cache of a memory's archives for adding many: a look costs what changed since, not what exists.

Its answers equal those of `ArchiveFolder` for the same files. A writer that adds an archive under the memory's lock
also adds its row, which the cache notices; a folder in which anything else appeared has another time and is listed
again.
"""

from __future__ import annotations

import errno
import os
from datetime import UTC, datetime
from itertools import starmap
from pathlib import Path
from threading import Lock

from recall_tui.domain import ArchiveEntry
from recall_tui.errors import RecallError, name_path
from recall_tui.files import TooLargeError, open_file
from recall_tui.storage.archives.file import LOG_PREFIX, read_entry
from recall_tui.storage.archives.folder import parse_number
from recall_tui.storage.archives.index_file import MAX_ROWS_BYTES
from recall_tui.storage.archives.row_cache import IndexedRows
from recall_tui.storage.files.atomic import read_bytes
from recall_tui.storage.files.symlinks import link_check
from recall_tui.storage.layout import ArchiveLocation, Layout
from recall_tui.text.cut import one_line

_MIN_TIME = datetime.min.replace(tzinfo=UTC)
_MAX_FOREIGN_FILES = 50
_State = tuple[int, int, int] | None


def _read_rows(rows: Path) -> bytes:
    """Read ARCHIVE.md; empty when it is not a file or far too large, so that archives can still be made."""
    try:
        return read_bytes(rows, MAX_ROWS_BYTES) or b""
    except TooLargeError:
        return b""
    except OSError as error:
        if error.errno in (errno.EISDIR, errno.ENXIO):
            return b""
        raise


class ArchiveRegister:
    """The archives of one layout, and their index rows."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._rows = IndexedRows()
        self._rows_state: _State | str = "never read"
        self._places = [_NumberedFiles(place, layout) for place in layout.archives]
        self._loose: set[Path] = set()
        """Files that no row identifies by session."""
        self._heads: dict[Path, tuple[_State, ArchiveEntry | None]] = {}
        """The entries of the loose files, each with the state of its file."""
        self._guard = Lock()

    def look(self, *, is_exact: bool = False) -> IndexedRows:
        """Update the cache from disk and return the rows.

        With `is_exact`, under the memory's lock, ARCHIVE.md is read regardless of its time.
        """
        with self._guard:
            added: list[int] | None = []
            state = _file_state(self._layout.rows)
            if is_exact or state != self._rows_state:
                added = self._rows.read(_read_rows(self._layout.rows))
                self._rows_state = state
            has_all = added is not None and all(any(place.has(number) for place in self._places) for number in added)
            if not has_all or not all(place.is_current for place in self._places):
                self._list()
            elif added:
                self._loose -= {path for path in self._loose if not self._is_loose(path)}
            return self._rows

    def made(self, path: Path) -> None:
        """Note an archive written or rewritten since the last look by the caller of that look."""
        with self._guard:
            for place in self._places:
                if place.folder == path.parent and (number := parse_number(path.name, place.prefix)) is not None:
                    place.add(number, path.name)

    def by_session(self, session_id: str) -> tuple[ArchiveEntry, ...]:
        """Return the session's archives by number; opens only files that its rows name and files that no row names."""
        wanted = one_line(session_id)
        if not wanted:
            return ()
        with self._guard:
            paths = self._named(wanted)
            opened = [*starmap(_read_entry, paths.items()), *map(self._head, self._loose.difference(paths))]
        found = [entry for entry in opened if entry and one_line(entry.session_id) == wanted]
        return tuple(sorted(found, key=lambda entry: (entry.number, entry.date or _MIN_TIME)))

    def newer_than_rows(self) -> tuple[ArchiveEntry, ...]:
        """Archives above the highest row that have none: another program wrote them since; none when there are many."""
        with self._guard:
            paths = [path for path in self._loose if int(path.stem.rpartition("-")[2]) > self._rows.highest]
            heads = [self._head(path) for path in paths] if len(paths) <= _MAX_FOREIGN_FILES else []
        return tuple(sorted(filter(None, heads), key=lambda entry: entry.number))

    def expect_readable(self, session_id: str) -> None:
        """Raise OSError if a file named by the session's row cannot be opened: that is no reason to archive again."""
        with self._guard:
            paths = self._named(one_line(session_id))
        for path in filter(Path.is_file, paths):
            with name_path(path), open_file(path) as file:
                file.read(1)

    def _named(self, session_id: str) -> dict[Path, str]:
        """Map each file that the session's rows name to the session id, or to "" if several files share the number."""
        found: dict[Path, str] = {}
        for number in dict.fromkeys(number for number, _ in self._rows.of_session(session_id)):
            paths = [path for place in self._places for path in place.paths(number)]
            found |= dict.fromkeys(paths, session_id if len(paths) == 1 else "")
        return found

    def next_number(self) -> int:
        """Return one more than the highest number of a file or a row; gaps stay unused."""
        with self._guard:
            return max((self._rows.highest, *(place.highest for place in self._places))) + 1

    def new_path(self, number: int) -> Path:
        """Return the path for a new archive: beside the newest archive, or in the first location of a new memory."""
        if not self._places:
            raise RecallError(f"layout {self._layout.name} has no numbered archives")
        used = [place for place in self._places if place.newest() is not None]
        place = max(used, key=_age_key) if len(used) > 1 else used[0] if used else self._places[0]
        return place.folder / f"{place.prefix}-{number:03d}.md"

    def _list(self) -> None:
        for place in self._places:
            place.read()
        every = (path for place in self._places for path in place.every())
        self._loose = {path for path in every if self._is_loose(path)}
        self._heads = {path: head for path, head in self._heads.items() if path in self._loose}

    def _is_loose(self, path: Path) -> bool:
        number = int(path.stem.rpartition("-")[2])
        # Logs of the oldest generation and later conversations are both numbered from 1.
        return not self._rows.is_newer(number) and not (self._rows.has(number) and path.name.startswith(LOG_PREFIX))

    def _head(self, path: Path) -> ArchiveEntry | None:
        state = _file_state(path)
        if self._heads.get(path, ("", None))[0] != state:
            self._heads[path] = (state, _read_entry(path))
        return self._heads[path][1]


class _NumberedFiles:
    """The numbered files in one location."""

    def __init__(self, place: ArchiveLocation, layout: Layout) -> None:
        self.folder, self.prefix = place
        self._layout = layout
        self._names: dict[int, list[str]] = {}
        self._state: _State | str = "never listed"
        self.highest = 0

    @property
    def is_current(self) -> bool:
        return self._state == _file_state(self.folder)

    def read(self) -> None:
        self._names, self.highest = {}, 0
        # Read the state first: a file added during the listing then changes it.
        self._state = _file_state(self.folder)
        try:
            with os.scandir(self.folder) as files:
                numbered = [(parse_number(file.name, self.prefix), file) for file in files]
        except (FileNotFoundError, NotADirectoryError):
            return
        is_shut = link_check(self._layout)
        for number, file in numbered:
            if number is not None:
                # A link that points outside the memory is no archive, but it takes its name.
                self.highest = max(self.highest, number)
                if not is_shut(file):
                    self._put(number, file.name)

    def add(self, number: int, name: str) -> None:
        if name not in self._names.get(number, ()):
            self._put(number, name)
        self._state = _file_state(self.folder)

    def _put(self, number: int, name: str) -> None:
        self._names.setdefault(number, []).append(name)
        self.highest = max(self.highest, number)

    def has(self, number: int) -> bool:
        return number in self._names

    def paths(self, number: int) -> list[Path]:
        return [self.folder / name for name in self._names.get(number, ())]

    def every(self) -> list[Path]:
        return [path for number in self._names for path in self.paths(number)]

    def newest(self) -> Path | None:
        """Return the existing file with the highest number."""
        if any(path.is_file() for path in self.paths(self.highest)):
            return self.paths(self.highest)[0]
        every = (path for number in sorted(self._names, reverse=True) for path in self.paths(number))
        return next((path for path in every if path.is_file()), None)


def _age_key(place: _NumberedFiles) -> tuple[datetime, int]:
    path = place.newest()
    entry = _read_entry(path) if path else None
    return (entry.date if entry and entry.date else _MIN_TIME, place.highest)


def _read_entry(path: Path, session_id: str = "") -> ArchiveEntry | None:
    # Reading a pipe would block forever.
    return read_entry(path, session_id) if path.is_file() else None


def _file_state(path: Path) -> _State:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
