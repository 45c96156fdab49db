"""Opens a database of our own: whatever is wrong with it, SQLite's own kind of error says so."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any


def open_database(place: Path | str, patience: float, *, is_uri: bool = False) -> sqlite3.Connection:
    """The database, in which each statement is a change of its own; another's is waited for `patience` seconds."""
    return sqlite3.connect(place, patience, isolation_level=None, factory=_Database, uri=is_uri)


class _Database(sqlite3.Connection):
    """What SQLite has to say of a damaged schema quotes from it, and bytes that are no text fail Python then.

    One that says of a part of it that it is longer than memory fails it, too.
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
