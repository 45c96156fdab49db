"""Open the program's SQLite databases; any damage raises a `sqlite3.DatabaseError`."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any


def open_database(place: Path | str, patience: float, *, is_uri: bool = False) -> sqlite3.Connection:
    """Open the database in autocommit mode; wait up to `patience` seconds for another connection's lock."""
    return sqlite3.connect(place, patience, isolation_level=None, factory=_Database, uri=is_uri)


def vacuum(path: Path, patience: float) -> bool:
    """Make the file anew from what it says, so that nothing that was taken out can be read in its bytes.

    Waits up to `patience` seconds for others. False when a reader keeps it from that.
    """
    connection = open_database(path, patience)
    try:
        connection.execute("VACUUM")
        return not connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    finally:
        connection.close()


class _Database(sqlite3.Connection):
    """Turn errors that Python raises for a damaged database into `sqlite3.DatabaseError`.

    SQLite's message about a damaged schema quotes it, and bytes that are not UTF-8 fail to decode; a damaged length
    that exceeds memory raises MemoryError.
    """

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        try:
            return super().execute(sql, parameters)
        except (UnicodeDecodeError, MemoryError):
            raise sqlite3.DatabaseError("its schema is damaged") from None

    def executemany(self, sql: str, parameters: Any, /) -> sqlite3.Cursor:
        try:
            return super().executemany(sql, parameters)
        except (UnicodeDecodeError, MemoryError):
            raise sqlite3.DatabaseError("its schema is damaged") from None
