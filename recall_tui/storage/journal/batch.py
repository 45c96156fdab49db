"""Batches: the changes of one command become one entry of the journal, which one undo takes back.

Each change is recorded as it is made, so a killed command leaves what it finished; the batch's last act, or the next
process that locks the memory, folds the records into one. A file that somebody else changed in between ends an entry:
the changes after it are the next one, because undoing both as one would lose what was done between them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from recall_tui.storage.files import atomic
from recall_tui.storage.files.temporary_files import OPEN_BATCH
from recall_tui.storage.journal.folder import JournalFolder
from recall_tui.storage.journal.history import undone_numbers
from recall_tui.storage.journal.record import MAX_NEW_CONTENT_CHARS, FileChange, JournalRecord, StoredContent
from recall_tui.storage.journal.scrub import record_files


@dataclass(slots=True)
class Batch:
    """The changes of one command."""

    title: str
    """The entry's title, with `{count}` for the number of items, such as `Archived {count} sessions`."""
    interrupted: str
    """Its title when the command was killed."""
    count: int = 0
    """Items that were changed, as far as the command counts them."""
    id: int = 0
    """Number of its first change; 0 before that."""

    def open(self, files: JournalFolder, number: int) -> None:
        """Note that the batch is under way, and fold another process's; `number` is that of the next change."""
        self.id = self.id or number
        path = files.path / OPEN_BATCH.name
        found = _read_marker(path)
        if found is not None and found[0] == self.id:
            return
        fold_batch(files)
        atomic.write_file(path, json.dumps({"id": self.id, "title": self.interrupted}).encode())


def fold_batch(files: JournalFolder, ended: Batch | None = None) -> None:
    """Fold the changes of the open batch, or of the one that ended, into one entry; call under the memory's lock."""
    path = files.path / OPEN_BATCH.name
    found = _read_marker(path)
    if ended is not None:
        _fold(files, ended.id, ended.title.format(count=ended.count) if ended.count > 1 else "")
    if found is not None and (ended is None or found[0] != ended.id):
        _fold(files, *found, is_ended=False)
    if path.exists():
        atomic.delete_file(path)


def _read_marker(path: Path) -> tuple[int, str] | None:
    told = atomic.read_json(path)
    if not isinstance(told, dict) or not isinstance(told.get("id"), int) or not isinstance(told.get("title"), str):
        return None
    return told["id"], told["title"]


def _fold(files: JournalFolder, batch: int, title: str, *, is_ended: bool = True) -> None:
    """Fold each run of changes that follow on one another; without a title the first one's is kept."""
    since = list(_records_since(files, batch))
    undone = undone_numbers(reversed(since))
    folded = {number for record in since for number in record.parts}
    files.forget(*folded)
    run: list[JournalRecord] = []
    changes: dict[Path, FileChange] = {}
    for record in since:
        if record.batch != batch or record.id in folded or record.id in undone:
            continue
        joined = _join(changes, record, files.path)
        if joined is None:
            _write_run(files, run, changes, title, is_ended)
            run, joined = [], {change.path: change for change in record.changes}
        run.append(record)
        changes = joined
    _write_run(files, run, changes, title, is_ended)


def _records_since(files: JournalFolder, number: int) -> Iterator[JournalRecord]:
    """Yield the records from this number on, oldest first."""
    for each in reversed(files.numbers()):
        if each >= number and (record := JournalRecord.read(files.path_of(each))):
            yield record


def _join(changes: dict[Path, FileChange], record: JournalRecord, folder: Path) -> dict[Path, FileChange] | None:
    """Return the changes followed by the record's as one change for each file; None when somebody came between."""
    joined = dict(changes)
    for change in record.changes:
        before = joined.get(change.path)
        if before is None:
            joined[change.path] = change
            continue
        if before.now != change.was:
            return None
        if before.was or change.now:
            joined[change.path] = _combine(before, change, folder)
        else:
            del joined[change.path]
    return joined


def _combine(first: FileChange, second: FileChange, folder: Path) -> FileChange:
    """Return the change from before the first to after the second."""
    kind: Literal["create", "append", "replace", "delete"] = (
        "delete"
        if not second.now
        else "create"
        if not first.was
        else "append"
        if first.kind == second.kind == "append"
        else "replace"
    )
    old = first.old
    if first.kind == "append" and kind in ("replace", "delete") and second.old is not None:
        before = atomic.encode(second.old.whole(folder))[: first.size]
        old = StoredContent(atomic.decode(before))
    new = second.new
    if second.kind == "append":
        is_known = first.new is not None and not first.new.file and second.new is not None
        new = StoredContent(first.new.text + second.new.text) if is_known and first.new and second.new else None
    return replace(
        second,
        kind=kind,
        was=first.was,
        old=old,
        new=new,
        size=first.size,
        is_private=first.is_private,
        folders=second.folders if kind == "delete" else first.folders,
    )


def _write_run(
    files: JournalFolder, run: Sequence[JournalRecord], changes: Mapping[Path, FileChange], title: str, is_ended: bool
) -> None:
    """Write the run as its last record, then remove the others; after a kill in between they are removed later."""
    parts = {number for record in run for number in (*record.parts, record.id)}
    if len(parts) < 2 or (len(run) == 1 and not is_ended):
        return
    first, last = run[0], run[-1]
    parts.remove(last.id)
    title = title or first.title
    took = "\n".join(dict.fromkeys(record.took_words for record in run if record.took_words))
    stored = tuple(_stored_under(changes.values(), files.path, last.id)) if len(run) > 1 else last.changes
    made = replace(last, title=title, subject=title, changes=stored, took_words=took, parts=tuple(sorted(parts)))
    atomic.write_file(files.path_of(last.id), made.to_bytes())
    files.forget(*parts)
    files.forget(last.id, kept={files.path_of(last.id).name, *record_files(made)})


def _stored_under(changes: Iterable[FileChange], folder: Path, number: int) -> Iterator[FileChange]:
    """Yield the changes with all that a record cannot hold beside it, under its number, or dropped as new content is.

    The texts beside the records that were folded are copied: those are still whole if this process is killed.
    """
    old_left = new_left = MAX_NEW_CONTENT_CHARS
    for position, change in enumerate(changes):
        old, new = change.old, change.new
        if old is not None and (old.file or len(old.text) > old_left):
            old = _copy_beside(old, folder, f"{number:06d}.{position}.batch.old.zst")
        elif old is not None:
            old_left -= len(old.text)
        if new is not None:
            new_left -= len(new.text)
        yield replace(change, old=old, new=new if new_left >= 0 or change.kind == "append" else None)


def _copy_beside(content: StoredContent, folder: Path, name: str) -> StoredContent:
    """Return the content in a compressed file of that name; the same content when its own file is missing."""
    import zstandard

    if content.file == name:
        return content
    if content.file.endswith(".zst"):
        if not (folder / content.file).exists():
            return content
        atomic.write_file(folder / name, b"", folder / content.file)
    else:
        atomic.write_file(folder / name, zstandard.ZstdCompressor(level=3).compress(atomic.encode(content.text)))
    return StoredContent("", name)
