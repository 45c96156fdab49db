"""Restore text that a change added and another program overwrote at once from an older read.

Nobody reads a change and removes it on purpose within two seconds. So a write so soon after a change is taken to be
unaware of it if the file then holds nothing the change added, but most of the earlier content and something new. A
program that only reverts the change leaves the file as it was before; that is respected.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from recall_tui.domain import Append, Create, Delete, Edit, Plan, Replace
from recall_tui.errors import LockedError
from recall_tui.storage.files import atomic, compare_and_swap
from recall_tui.storage.files.lock import is_open_for_writing
from recall_tui.storage.files.replaced_files import is_readable
from recall_tui.storage.journal.folder import JournalFolder
from recall_tui.storage.journal.record import FileChange, JournalRecord

OVERWRITE_WINDOW_SECONDS = 2.0
MAX_RECORDS = 4
"""The number of newest changes to check."""
_MIN_LINE_WORDS = 4
"""The fewest words by which an added line is recognized inside an edited one."""
_ROW_KEY_PARTS = 4
"""The parts of a row of ARCHIVE.md that tell it from others: up to its fourth bar, with number, date and session."""
RESTORE_TITLE = "Put back what another program wrote over at once"


def restore_overwritten(found: Iterable[FileChange], files: JournalFolder, make: Callable[[Plan], bool]) -> bool:
    """Restore overwritten changes that are missing from their files; False when that is impossible now."""
    try:
        plan = Plan(RESTORE_TITLE, tuple(edit for change in found for edit in _restoring_edit(change, files.path)))
    except OSError:
        return False
    return not plan.edits or make(plan)


@contextlib.contextmanager
def restore_around(files: JournalFolder, make: Callable[[Plan], bool], *, is_shown: bool) -> Iterator[None]:
    """Restore overwritten changes before the block, or after it when the block applies a reviewed plan.

    A reviewed plan is based on the files as they were shown, not on restored text. Changes that could not be restored
    before the block, because their file was being written, are restored after it: once the block has changed the file,
    its older changes are no longer checked.
    """
    number, _ = files.last()
    found: tuple[FileChange, ...] = ()
    with contextlib.suppress(OSError):
        found = tuple(find_overwritten(files))
    if not is_shown:
        whole = tuple(change for change in found if not _is_unsteady(change))
        if restore_overwritten(whole, files, make):
            found = tuple(change for change in found if change not in whole)
    else:
        # Decide now what was overwritten: text that the block itself removes was not.
        found = tuple(change for change in found if _is_unsteady(change) or _was_overwritten(change, files))
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            if found and not _was_erased(files, number):
                restore_overwritten((change for change in found if not _is_unsteady(change)), files, make)


def wait_until_steady(paths: Iterable[Path], until: float) -> None:
    """Wait until the files are complete or `until` (monotonic) has passed; never fail."""
    for path in paths:
        with contextlib.suppress(LockedError):
            compare_and_swap.wait_until_steady(path, until)


def _was_overwritten(change: FileChange, files: JournalFolder) -> bool:
    """Return whether the change's added text was overwritten; True also when the file cannot be read."""
    try:
        return any(_restoring_edit(change, files.path))
    except OSError:
        return True


def _is_unsteady(change: FileChange) -> bool:
    return compare_and_swap.find_unsteady((change.path,)) is not None


def _was_erased(files: JournalFolder, since: int) -> bool:
    """Return whether a change after number `since` is irreversible or unreadable."""
    records = (JournalRecord.read(files.path_of(number)) for number in range(since + 1, files.last()[0] + 1))
    return any(record is None or record.no_way_back for record in records)


def find_overwritten(files: JournalFolder) -> Iterator[FileChange]:
    """Yield the newest changes whose files were written right after them."""
    seen: set[Path] = set()
    highest, _ = files.last()
    for number in range(highest, max(highest - MAX_RECORDS, 0), -1):
        record = JournalRecord.read(files.path_of(number))
        if record is None or record.undoes or record.no_way_back:
            break
        # Check only the newest change of a file: what it removed of an older one it removed knowingly.
        for change in record.changes:
            if (
                change.path not in seen
                and record.title != RESTORE_TITLE
                and _is_written_after(change, files.path_of(number))
            ):
                yield change
            seen.add(change.path)


def find_modified(changes: Iterable[FileChange]) -> tuple[Path, ...]:
    """Return the files of just-applied changes that already differ or are being written."""
    return tuple(
        change.path
        for change in changes
        if change.kind in ("append", "replace")
        and (_size(change.path) != change.length or is_open_for_writing(change.path))
    )


def _is_written_after(change: FileChange, record: Path) -> bool:
    """Return whether the file was written right after the change.

    Uses ctime, the disk's clock, because programs may set mtime.
    """
    try:
        made, status = record.stat().st_mtime, change.path.stat()
    except OSError:
        return False
    is_another = status.st_size != change.length or status.st_ctime > made
    return is_another and status.st_ctime <= made + OVERWRITE_WINDOW_SECONDS


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1


def _restoring_edit(change: FileChange, folder: Path) -> Iterator[Edit]:
    """Yield the edit that restores a change, if it was overwritten."""
    if change.kind not in ("append", "replace") or change.new is None:
        return
    data = atomic.read_bytes(change.path)
    current = atomic.decode(data or b"")
    if not data or atomic.content_digest(data) in (change.was, change.now):
        return
    there = set(current.splitlines())
    if change.kind == "append":
        added = [line for line in change.new.text.splitlines() if line.strip()]
        is_unknown = not there.intersection(added) and not _is_edited(added, there)
        if added and 2 * len(data) >= change.size and is_unknown:
            yield Append(change.path, change.new.text)
        return
    if change.old is None:
        return
    try:
        old, new = change.old.whole(folder), change.new.whole(folder)
    except OSError:
        return
    before = set(old.splitlines())
    put = [line for line in new.splitlines() if line.strip() and line not in before]
    if put and not there.intersection(put) and 2 * len(there & before) >= len(before) and there - before:
        from recall_tui.text.three_way import merge

        merged = merge(old, new, current)
        if merged.is_whole and is_readable(change.path, merged.text):
            yield Replace(change.path, atomic.content_digest(data), merged.text)


def _is_edited(added: Iterable[str], there: Iterable[str]) -> bool:
    """Return whether a present line contains an added one: all its words in order, and more; or is the same row."""
    for line in added:
        words = line.split()
        for other in there:
            if line[:1] == "|" and line.split("|")[:_ROW_KEY_PARTS] == other.split("|")[:_ROW_KEY_PARTS]:
                return True
            rest = iter(other.replace(",", " ").split())
            if len(words) >= _MIN_LINE_WORDS and all(word.strip(",") in rest for word in words):
                return True
    return False


def find_changed_file(plan: Plan, read: Mapping[Path, int]) -> Path | None:
    """Return a file that the plan replaces or deletes and that changed since the verb first read it."""
    edits = (edit for edit in plan.edits if isinstance(edit, Replace | Delete))
    return next((edit.path for edit in edits if not atomic.is_stable(edit.path, edit.was, read)), None)


def plan_fingerprint(plan: Plan) -> tuple[object, ...]:
    """Return a key that is equal for plans that make the same change; staged bodies are compared by content."""
    return tuple(_edit_fingerprint(edit) for edit in plan.edits)


def _edit_fingerprint(edit: Edit) -> tuple[object, ...]:
    match edit:
        case Create(path, text, body) | Replace(path, _, text, body):
            return (type(edit).__name__, path, text, atomic.file_digest(body) if body else "", getattr(edit, "was", ""))
        case Append(path, text):
            return ("Append", path, text)
        case Delete(path, was):
            return ("Delete", path, was)
