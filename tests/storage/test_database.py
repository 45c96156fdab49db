"""A database of ours that is damaged says so as one, whatever stands in its bytes."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from recall_tui.errors import BrokenFileError
from recall_tui.index import catalogue
from recall_tui.llm import usage_ledger
from recall_tui.llm.usage_ledger import UsageLedger
from recall_tui.storage.files.sqlite import open_database


def _with_bytes_in_its_schema(path: Path) -> Path:
    """A database that says of its tables what is neither SQL nor text."""
    with closing(sqlite3.connect(path)) as made:
        made.execute("CREATE TABLE facts (name TEXT)")
        made.execute("PRAGMA user_version = 1")
        made.execute("PRAGMA writable_schema = ON")
        made.execute("UPDATE sqlite_master SET sql = CAST(X'c243524541544520c2' AS TEXT), name = CAST(X'c2c2' AS TEXT)")
        made.commit()
    return path


def test_bytes_in_a_damaged_schema_are_damage_of_the_database(tmp_path: Path) -> None:
    with closing(open_database(_with_bytes_in_its_schema(tmp_path / "a.db"), 1.0)) as opened:
        with pytest.raises(sqlite3.DatabaseError):
            opened.execute("SELECT * FROM facts")
        with pytest.raises(sqlite3.DatabaseError):
            opened.executemany("INSERT INTO facts VALUES (?)", [("a",)])


def test_a_damaged_catalogue_is_set_aside_and_a_ledger_named(tmp_path: Path) -> None:
    path = _with_bytes_in_its_schema(tmp_path / "catalogue.db")
    notes: list[str] = []
    with catalogue.open_to_write(path, notes.append) as made:
        assert made.totals("m").sources == 0
    assert "set aside" in notes[0]
    _with_bytes_in_its_schema(tmp_path / usage_ledger.LEDGER_FILE)
    with pytest.raises(BrokenFileError, match="schema"):
        UsageLedger(tmp_path).spent(date(2026, 3, 1))
