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

BUSY_SECONDS = 2.0
"""How long a tool that is writing is waited for."""
_MAGIC = b"SQLite format 3\0"
_VERSIONS = slice(18, 20)
"""Where the header says whether there is a write-ahead log."""
_HAS_LOG = 2
_AS_IT_IS = "immutable=1"
"""Read without locks and without the log."""
_READ_ONLY = "mode=ro"
_UNOPENED = frozenset((sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY))


def state_of(path: Path) -> tuple[int, int] | None:
    """Bytes of a database and of its log, and when one of them was written last; None when there is no such file."""
    try:
        status = path.stat()
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    size, newest = status.st_size, status.st_mtime_ns
    log = _status(_log_of(path))
    # A reader may have made an empty log.
    return (size + log[0], max(newest, log[1])) if log[0] else (size, newest)


def opened(path: Path) -> sqlite3.Connection:
    """The database at `path`, in which nothing can be changed; close it after.

    Raises BrokenFileError with the reason when it cannot be read; its texts are never refused for bad bytes in them.
    """
    with guarded(path):
        ways = _ways(path)
        for way in ways[:-1]:
            try:
                return _connected(path, way)
            except sqlite3.OperationalError as error:
                if _code_of(error) not in _UNOPENED:
                    raise
        return _connected(path, ways[-1])


@contextmanager
def guarded(path: Path) -> Iterator[None]:
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


def _ways(path: Path) -> tuple[str, ...]:
    """How to open the database, best way first."""
    with files.opened(path, files.MAX_TRANSCRIPT_BYTES) as file:
        head = file.read(_VERSIONS.stop)
    if not head.startswith(_MAGIC):
        reason = "it is no SQLite database" if head else "it is empty"
        raise BrokenFileError(f"{path} cannot be read: {reason}", hint=f"check it with: ls -l {path}")
    if _HAS_LOG not in head[_VERSIONS]:
        return (_READ_ONLY,)
    log = _log_of(path)
    is_in_use = log.exists() and path.with_name(f"{path.name}-shm").exists()
    # A reader of a database whose log is away would make an empty one, and leave it.
    return (_READ_ONLY, _AS_IT_IS) if is_in_use or _status(log)[0] else (_AS_IT_IS,)


def _connected(path: Path, way: str) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?{way}", BUSY_SECONDS, isolation_level=None, uri=True)
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


def _log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _status(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_size, status.st_mtime_ns
