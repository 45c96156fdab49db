"""Named tables of another tool's database; what they hold may be of any type and length."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from recall_tui.errors import BrokenFileError
from recall_tui.transcripts.claude.records import parse_object
from recall_tui.transcripts.session_lines import Fault
from recall_tui.transcripts.sqlite_file import open_read_only, translate_errors

MAX_VALUE_BYTES = 4 << 20
"""Of a longer value no more is told than that it is there."""
NS_PER_MS = 1_000_000
_MAX_NAME_CHARS = 4096
"""Characters of a title or a folder."""
_MAX_MS = 1 << 53


class DatabaseTables:
    """The tables of an opened database; close it after.

    Raises BrokenFileError when it cannot be read, or lacks a column of `required`; any other may be missing.
    """

    def __init__(self, file: Path, required: Mapping[str, set[str]], *others: str) -> None:
        self.file = file
        self._connection = open_read_only(file)
        try:
            self._columns = {name: self._columns_of(name) for name in (*required, *others)}
            for table, needed in required.items():
                if missing := needed - self._columns[table]:
                    raise BrokenFileError(
                        f"{file} cannot be read: it holds no sessions, {table} has no {min(missing)}",
                        hint="if it is another program's, name it in .recall-ignore",
                    )
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def has_column(self, table: str, name: str) -> bool:
        """Return True if a table is there and has a column."""
        return name in self._columns[table]

    def pick(self, table: str, *names: str) -> str:
        """Return the columns for a query, nothing in the place of those that the table lacks."""
        return ", ".join(name if name in self._columns[table] else "NULL" for name in names)

    def rows(self, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query; BrokenFileError when they cannot be read."""
        with translate_errors(self.file):
            yield from self._connection.execute(query, values)

    def _columns_of(self, table: str) -> frozenset[str]:
        # A view may compute rows without end; neither it nor a virtual table has pages of its own.
        query = "SELECT 1 FROM sqlite_master WHERE lower(name) = ? AND rootpage > 0"
        if next(self.rows(query, table.lower()), None) is None:
            return frozenset()
        return frozenset(str(row[1]).lower() for row in self.rows(f"PRAGMA table_info({table})"))


def bounded(column: str) -> str:
    """Return the words of a query for a value and its length, nothing in the place of one that is too long."""
    return f"CASE WHEN length({column}) > {MAX_VALUE_BYTES} THEN NULL ELSE {column} END, length({column})"


def decode_bounded(found: Sequence[Any], name: str, faults: list[Fault]) -> Mapping[str, Any] | None:
    """Return the object in what `bounded` gave; None for what is none, noted as a fault."""
    value, length = found
    if isinstance(length, int) and length > MAX_VALUE_BYTES:
        faults.append(Fault(f"{name} is longer than {MAX_VALUE_BYTES >> 20} MB"))
        return None
    data, problem = parse_object(to_bytes(value))
    if problem:
        faults.append(Fault(f"{name}: {problem}"))
    return data


def to_object(value: object) -> Mapping[str, Any]:
    """Return the object in a value; an empty one when it is none."""
    return parse_object(to_bytes(value))[0] or {}


def to_bytes(value: object) -> bytes:
    """Return a value as bytes."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


def to_name(value: object) -> str:
    """Return a value on one line; empty for what is no text."""
    return " ".join(value[:_MAX_NAME_CHARS].split()) if isinstance(value, str) else ""


def to_milliseconds(value: object) -> int:
    """Return a time in milliseconds; 0 for what is none."""
    return int(value) if isinstance(value, int) and 0 < value < _MAX_MS else 0


def add_counts(counts: Sequence[object]) -> int:
    """Return the sum of what are counts."""
    return sum(one for one in counts if isinstance(one, int) and 0 < one < _MAX_MS)
