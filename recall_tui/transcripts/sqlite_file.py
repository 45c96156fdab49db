"""Another tool's SQLite database, opened to be read.

Nothing in it ever changes, and nothing is made beside it, but for the index of a write-ahead log that was left without
one: what such a log holds cannot be read otherwise.
"""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from recall_tui import files
from recall_tui.errors import BrokenFileError

BUSY_TIMEOUT_SECONDS = 2.0
"""How long a tool that is writing is waited for."""
_MAGIC = b"SQLite format 3\0"
_VERSION_BYTES = slice(18, 20)
"""Where the header says whether there is a write-ahead log."""
_WAL_VERSION = 2
_IMMUTABLE = "immutable=1"
"""Read without locks and without the log."""
_READ_ONLY = "mode=ro"
_OPEN_ERRORS = frozenset((sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY))


def file_state(path: Path) -> tuple[int, int] | None:
    """Bytes of a database and of its log, and when one of them was written last; None when there is no such file."""
    try:
        status = path.stat()
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    size, newest = status.st_size, status.st_mtime_ns
    log = _status(_log_path(path))
    # A reader may have made an empty log.
    return (size + log[0], max(newest, log[1])) if log[0] else (size, newest)


def open_read_only(path: Path) -> sqlite3.Connection:
    """The database at `path`, in which nothing can be changed; close it after.

    Raises BrokenFileError with the reason when it cannot be read; its texts are never refused for bad bytes in them.
    """
    with translate_errors(path):
        ways = _open_modes(path)
        for way in ways[:-1]:
            try:
                return _connect(path, way)
            except sqlite3.OperationalError as error:
                if _code_of(error) not in _OPEN_ERRORS:
                    raise
        return _connect(path, ways[-1])


@contextmanager
def translate_errors(path: Path) -> Iterator[None]:
    """Turn what may go wrong with the database at `path` into a BrokenFileError that names it and the reason."""
    try:
        yield
    except sqlite3.Error as error:
        is_busy = _code_of(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
        hint = "another program is at it; try again" if is_busy else f"check it with: sqlite3 {path} .schema"
        raise BrokenFileError(f"{path} cannot be read: {error}", hint) from error
    except (UnicodeDecodeError, MemoryError) as error:
        # What SQLite has to say of a damaged schema quotes from it; what it says of itself may be longer than memory.
        hint = f"check it with: sqlite3 {path} .schema"
        raise BrokenFileError(f"{path} cannot be read: its schema is damaged", hint) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise BrokenFileError(f"{path} cannot be read: {reason}", hint=f"check it with: ls -l {path}") from error


def _open_modes(path: Path) -> tuple[str, ...]:
    """How to open the database, best way first."""
    with files.open_file(path, files.MAX_TRANSCRIPT_BYTES) as file:
        head = file.read(_VERSION_BYTES.stop)
    if not head.startswith(_MAGIC):
        reason = "it is no SQLite database" if head else "it is empty"
        raise BrokenFileError(f"{path} cannot be read: {reason}", hint=f"check it with: ls -l {path}")
    if _WAL_VERSION not in head[_VERSION_BYTES]:
        return (_READ_ONLY,)
    log = _log_path(path)
    is_in_use = log.exists() and path.with_name(f"{path.name}-shm").exists()
    # A reader of a database whose log is away would make an empty one, and leave it.
    return (_READ_ONLY, _IMMUTABLE) if is_in_use or _status(log)[0] else (_IMMUTABLE,)


def _connect(path: Path, way: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?{way}", BUSY_TIMEOUT_SECONDS, isolation_level=None, uri=True
    )
    try:
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


def _code_of(error: sqlite3.Error) -> int:
    """The reason without its details."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _log_path(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _status(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_size, status.st_mtime_ns
