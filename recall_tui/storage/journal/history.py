"""Undone and redone changes: which change an undo takes back, and those that nobody took back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from recall_tui.domain import Create, Plan, Replace
from recall_tui.errors import ConflictError, NotFoundError
from recall_tui.storage.files import atomic
from recall_tui.storage.journal.folder import JournalFolder
from recall_tui.storage.journal.record import JournalRecord


def plan_reversal(
    records: Sequence[JournalRecord], folder: Path, entry_id: int | None, parity: int
) -> tuple[Plan, JournalRecord] | None:
    """Return the plan that undoes the entry, or the user's newest change, with its record; None when there is none.

    `parity` 1 plans to redo; `records` are newest first, `folder` is the journal's.
    """
    from recall_tui.storage.journal.inverse import plan_inverse

    chosen = _find_record(records, entry_id, parity)
    if chosen is None:
        return None
    if chosen.no_way_back:
        raise ConflictError(f"it cannot be undone: {chosen.title}", hint=chosen.no_way_back)
    title = f"{'Redid' if parity else 'Undid'}: {chosen.subject}"
    return plan_inverse(title, chosen, folder, records_since(chosen, records)), chosen


@contextmanager
def preview_reversal(folder: Path, entry_id: int | None, parity: int) -> Iterator[tuple[Plan, JournalRecord] | None]:
    """Yield what `plan_reversal` returns for the block, which may read the plan but not apply it."""
    bodies: list[Path] = []
    try:
        found = plan_reversal(list(JournalFolder(folder).records()), folder, entry_id, parity)
        bodies += (
            [edit.body for edit in found[0].edits if isinstance(edit, Create | Replace) and edit.body] if found else []
        )
        yield found
    finally:
        for body in bodies:
            atomic.delete_file(body)


def _find_record(records: Sequence[JournalRecord], entry_id: int | None, parity: int) -> JournalRecord | None:
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
