"""Undone and redone changes: which change an undo takes back, and those that nobody took back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from recall_tui.errors import ConflictError, NotFoundError
from recall_tui.storage.journal.record import JournalRecord


def find_record(records: Sequence[JournalRecord], entry_id: int | None, parity: int) -> JournalRecord | None:
    """Return the record to undo; `parity` 1 finds one that is itself an undo."""
    depths: dict[int, int] = {}
    for record in reversed(records):
        depths[record.id] = depths.get(record.undoes, 0) + 1 if record.undoes else 0
    undone = undone_numbers(records)
    if entry_id is not None:
        found = next((record for record in records if record.id == entry_id), None)
        if found is None:
            raise NotFoundError(f"there is no change {entry_id}", hint="see: recall-tui undo --list")
        if found.id in undone:
            raise ConflictError(f"change {entry_id} is undone already")
        return found
    for record in records:
        if record.by != "person":
            continue
        if record.id not in undone and depths[record.id] % 2 == parity:
            return record
        if parity and depths[record.id] == 0:
            return None
    return None


def undone_numbers(records: Iterable[JournalRecord]) -> frozenset[int]:
    """Return the numbers of the undone changes; `records` are newest first."""
    undone: set[int] = set()
    for record in records:
        if record.undoes and record.id not in undone:
            undone.add(record.undoes)
    return frozenset(undone)


def records_since(record: JournalRecord, records: Sequence[JournalRecord]) -> tuple[JournalRecord, ...]:
    """Return the records after `record` that were not undone, newest first."""
    undone = undone_numbers(records)
    return tuple(one for one in records if one.id > record.id and one.id not in undone)
