"""Undo a change and keep what others have done to its files since.

Each file is a three-way line merge: the base is the change's result, the two sides are the content before the change
and the current content. If any file conflicts, the conflicting lines are reported and nothing of the change is undone.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from recall_tui.domain import Create, Delete, Edit, Plan, Replace
from recall_tui.errors import ConflictError
from recall_tui.storage.files import atomic, compare_and_swap
from recall_tui.storage.files.compare_and_swap import ConcurrentSaveError
from recall_tui.storage.journal.record import FileChange, JournalRecord, staged_copy
from recall_tui.text.cut import shorten
from recall_tui.text.patch import reverse_change
from recall_tui.text.three_way import MergeConflict, MergeResult, merge

WINDOW_NAME = "EPHEMERAL.md"
_MAX_CONFLICT_LINES = 5
"""The most lines of a conflict to report."""
_MAX_LINE_CHARS = 100
"""The most characters of a reported line."""


class _ClashError(Exception):
    """A file whose part of a change cannot be undone."""

    def __init__(self, path: Path, conflicts: tuple[MergeConflict, ...] = ()) -> None:
        super().__init__(path)
        self.path = path
        self.conflicts = conflicts


def plan_inverse(title: str, record: JournalRecord, folder: Path, later: Sequence[JournalRecord]) -> Plan:
    """Return the plan that undoes the record.

    `later` are the changes after it that were not undone, newest first. Raises ConflictError, with every file and its
    conflicting lines, when any part of the change cannot be undone.
    """
    edits: list[Edit] = []
    notes: list[str] = []
    clashes: list[_ClashError] = []
    for change in reversed(record.changes):
        try:
            inverse = _Inverse(change, folder, later)
            edits += inverse.edits()
            notes += inverse.notes
        except _ClashError as clash:
            clashes.append(clash)
    if clashes:
        raise ConflictError(_conflict_text(record, clashes), hint=_advice(record, clashes, later))
    if not edits and notes:
        raise ConflictError(f"nothing of change {record.id} is left to take back: {notes[0]}")
    return Plan(title, tuple(edits), tuple(notes))


def revert(begun: Sequence[FileChange], folder: Path, error: Exception) -> None:
    """Undo the changes that were begun when their plan failed with this error, last one first."""
    # If another program wrote the last file instead of us, its content is not ours, even if it holds the same lines.
    is_made = isinstance(error, OSError) and not isinstance(error, FileExistsError)
    made = begun if is_made or isinstance(error, ConcurrentSaveError) else begun[:-1]
    for change in reversed(made):
        _revert(change, folder)


def _revert(change: FileChange, folder: Path) -> None:
    """Undo the change as far as it was made.

    Text that others wrote into the file meanwhile stays in it, if necessary together with the change.
    """
    with contextlib.suppress(ConflictError, FileExistsError):
        current = atomic.file_digest(change.path)
        if current == change.now:
            _restore(change, folder)
        elif current and current != change.was and change.kind in ("append", "replace"):
            with contextlib.suppress(_ClashError):
                for edit in _Inverse(change, folder, ()).edits():
                    if isinstance(edit, Replace):
                        compare_and_swap.write(change.path, atomic.encode(edit.text), was=current)


def find_full_content(change: FileChange, folder: Path, later: Sequence[JournalRecord]) -> str | None:
    """Return the whole content that the change gave its file; None when it is stored nowhere."""
    if change.kind != "append" and change.new is not None:
        return change.new.whole(folder)
    data = atomic.read_bytes(change.path) or b""
    if change.length and atomic.content_digest(data[: change.length]) == change.now:
        return atomic.decode(data[: change.length])
    if atomic.content_digest(data) == change.now:
        return atomic.decode(data)
    following = (one for record in reversed(later) for one in record.changes if one.path == change.path)
    for one in following:
        if one.was == change.now and one.old is not None:
            with contextlib.suppress(OSError):
                return one.old.whole(folder)
    return None


@dataclass(slots=True)
class _Inverse:
    """The inverse of a change for one file."""

    change: FileChange
    folder: Path
    later: Sequence[JournalRecord]
    note: str = ""

    @property
    def notes(self) -> tuple[str, ...]:
        return (self.note,) if self.note else ()

    def edits(self) -> Iterator[Edit]:
        """Yield the edits that undo the change; raise _ClashError when every way would lose content."""
        change = self.change
        current = atomic.file_digest(change.path)
        if current == change.now:
            yield self._whole(current)
        elif change.kind == "delete":
            yield from self._beside(current)
        elif not current:
            yield from self._gone()
        elif change.kind == "append":
            yield from self._appended(current, atomic.read_text(change.path))
        else:
            yield from self._merged(current, atomic.read_text(change.path))

    def _whole(self, current: str) -> Edit:
        """Return the edit for a file that nobody else changed."""
        change = self.change
        if change.kind == "create":
            return Delete(change.path, current, change.folders)
        if change.kind == "append":
            if not change.was:
                return Delete(change.path, current)
            data = (atomic.read_bytes(change.path) or b"")[: change.size]
            return Replace(change.path, current, atomic.decode(data))
        assert change.old is not None
        body = staged_copy(change.old, self.folder)
        if change.kind == "delete":
            return Create(change.path, change.old.text, body, change.is_private, bool(change.folders))
        return Replace(change.path, current, change.old.text, body)

    def _gone(self) -> Iterator[Edit]:
        """Restore a file that somebody deleted, if it existed before the change."""
        change = self.change
        if change.old is None:
            return
        if self._changed_by is not None:
            raise _ClashError(change.path)
        self.note = f"{change.path} was gone, and is there again as it was"
        yield Create(change.path, change.old.text, staged_copy(change.old, self.folder), change.is_private)

    def _beside(self, current: str) -> Iterator[Edit]:
        """Restore a deleted file beside one that somebody has created in its place."""
        change = self.change
        if current == change.was or change.old is None:
            return
        if change.path.name == WINDOW_NAME:
            text = _windows(change.old.whole(self.folder), atomic.read_text(change.path))
            yield Replace(change.path, current, text)
            return
        place = compare_and_swap.saved_name(change.path)
        self.note = f"{change.path.name} exists again; its earlier content is {place.name}"
        yield Create(place, change.old.text, staged_copy(change.old, self.folder), change.is_private)

    def _appended(self, current: str, text: str) -> Iterator[Edit]:
        change = self.change
        added = change.new.text if change.new is not None else ""
        base = find_full_content(change, self.folder, self.later)
        if base is not None:
            yield from self._between(current, base, atomic.decode(atomic.encode(base)[: change.size]), text)
        elif added and (place := text.find(added)) >= 0 and text.find(added, place + 1) < 0:
            yield Replace(change.path, current, text[:place] + text[place + len(added) :])
        else:
            raise _ClashError(change.path)

    def _merged(self, current: str, text: str) -> Iterator[Edit]:
        change = self.change
        base = find_full_content(change, self.folder, self.later)
        if base is not None:
            before = change.old.whole(self.folder) if change.old is not None else ""
            yield from self._between(current, base, before, text)
        elif change.kind == "create" and self._changed_by is None:
            place = compare_and_swap.saved_name(change.path)
            self.note = f"{change.path.name} was changed since; it is kept as {place.name}"
            yield Delete(change.path, current)
            yield Create(place, text, None, change.is_private)
        else:
            raise _ClashError(change.path)

    def _between(self, current: str, base: str, before: str, text: str) -> Iterator[Edit]:
        """Yield the edit that merges the content before the change with what was done since."""
        path = self.change.path
        if path.name == WINDOW_NAME and before.strip() and text.strip() and not base.strip():
            yield Replace(path, current, _windows(before, text))
            return
        merged = merge(base, before, text)
        if not merged.is_whole or not is_readable(path, text, merged.text):
            merged = self._decided(merged, reverse_change(before, base, text), text)
        if merged.text == text:
            return
        if not merged.text.strip() and not self.change.was:
            yield Delete(path, current, self.change.folders)
        else:
            yield Replace(path, current, merged.text)

    def _decided(self, merged: MergeResult, found: str | None, text: str) -> MergeResult:
        """Resolve lines that both sides changed.

        Lines that the change added and somebody rewrote stay; lines that it rewrote and somebody deleted come back.
        """
        path = self.change.path
        if found is not None and is_readable(path, text, found):
            return MergeResult(found)
        hard = tuple(one for one in merged.conflicts if one.ours and one.theirs)
        if hard or self._changed_by is not None or path.suffix in (".json", ".toml"):
            raise _ClashError(path, hard or merged.conflicts)
        first = merged.conflicts[0]
        self.note = f"{path.name}, {_lines_of(first)}: changed since, and left unchanged" if first.theirs else ""
        return merged

    @property
    def _changed_by(self) -> JournalRecord | None:
        return last_change_of(self.change.path, self.later)


def last_change_of(path: Path, later: Sequence[JournalRecord]) -> JournalRecord | None:
    """Return the newest of the changes that touches the file and can be undone."""
    found = (one for one in later if not one.no_way_back and any(change.path == path for change in one.changes))
    return next(found, None)


def is_readable(path: Path, before: str, after: str) -> bool:
    """Return whether a JSON or TOML file parses after the edit, or did not parse before it."""
    if path.suffix == ".json":
        import json

        return _is_read(json.loads, after) or not _is_read(json.loads, before)
    if path.suffix == ".toml":
        from recall_tui.config import parse_toml

        return _is_read(parse_toml, after) or not _is_read(parse_toml, before)
    return True


def _is_read(reader: Callable[[str], object], text: str) -> bool:
    try:
        reader(text)
    except (ValueError, RecursionError):
        return False
    return True


def _windows(before: str, text: str) -> str:
    from recall_tui.storage.documents import window_blocks, window_file

    return window_file.merge_windows(before, text, lambda text, entry: window_blocks.is_exact_form)


def _conflict_text(record: JournalRecord, clashes: Sequence[_ClashError]) -> str:
    """List every conflicting file with the lines that both sides changed."""
    parts = [f"change {record.id} cannot be undone completely, so nothing was written"]
    for clash in clashes:
        if not clash.conflicts:
            gone = "is gone" if not clash.path.exists() else "was changed since"
            parts.append(f"{clash.path} {gone}")
        for conflict in clash.conflicts:
            parts.append(f"{clash.path}, {_lines_of(conflict)}: changed since in the same place")
            parts += _excerpt("now", conflict.theirs)
            parts += _excerpt("before the change", conflict.ours)
    return "\n".join(parts)


def _advice(record: JournalRecord, clashes: Sequence[_ClashError], later: Sequence[JournalRecord]) -> str:
    blocking = [one.id for clash in clashes if (one := last_change_of(clash.path, later)) is not None]
    if blocking:
        return f"undo the later change first: recall-tui undo {max(blocking)}"
    return f"see or save the earlier content: recall-tui journal show {record.id} --to FILE"


def _lines_of(conflict: MergeConflict) -> str:
    if conflict.last_line == conflict.line:
        return f"line {conflict.line}"
    return f"lines {conflict.line}–{conflict.last_line}"


def _excerpt(what: str, text: str) -> Iterator[str]:
    lines = text.splitlines()
    if not lines:
        yield f"  {what}: (nothing)"
        return
    yield f"  {what}:"
    yield from (f"    {shorten(line, _MAX_LINE_CHARS)}" for line in lines[:_MAX_CONFLICT_LINES])
    if len(lines) > _MAX_CONFLICT_LINES:
        yield f"    … {len(lines) - _MAX_CONFLICT_LINES} more lines"


def _restore(change: FileChange, folder: Path) -> None:
    if change.kind == "create" or (change.kind == "append" and not change.was):
        compare_and_swap.delete(change.path, was=change.now)
        atomic.delete_empty(change.folders)
    elif change.kind == "append":
        data = (atomic.read_bytes(change.path) or b"")[: change.size]
        compare_and_swap.write(change.path, data, was=change.now)
    elif change.old is not None:
        text = atomic.encode(change.old.text)
        with change.old.unpacked(folder) as body:
            if change.kind == "delete":
                atomic.write_file(change.path, text, body, is_new=True)
            else:
                compare_and_swap.write(change.path, text, body, was=change.now)
