"""Replace or delete a file only while it still holds what was read.

A concurrent save by another program is never lost: it stays or is put back, and the change raises ConflictError. A file
that another program is still writing when it is replaced is set aside, to be checked later (see
`storage.files.replaced_files`). None of this relies on a lock: each exchange is one step of the kernel, every file has
a name at every moment, and a displaced file other than the one that was read is put back.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

from recall_tui.domain import Create, Plan
from recall_tui.errors import ConflictError, LockedError
from recall_tui.storage.files import atomic, lock, temporary_files
from recall_tui.storage.files.lock import open_lease

_AT_FDCWD = -100
"""AT_FDCWD of Linux: relative paths start at the working directory."""
_EXCHANGE, _SWAP = 2, 2
"""RENAME_EXCHANGE of Linux's renameat2, RENAME_SWAP of macOS's renamex_np."""
_UNSUPPORTED_ERRORS = frozenset((errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EPERM))


@dataclass(frozen=True, slots=True)
class DisplacedFile:
    """A replaced file that somebody may still write into."""

    path: Path
    """Current path."""
    target: Path
    """Original path."""
    text: bytes
    """Content when it was displaced."""
    now: str
    """Digest of the file that replaced it; empty when none did."""


class _StuckError(OSError):
    """The displaced file was as expected, but cannot be deleted."""


class ConcurrentSaveError(ConflictError):
    """The file had changed, and its replacement was saved over before it could be reverted."""


_DISPLACED: ContextVar[list[DisplacedFile] | None] = ContextVar("set_aside", default=None)


@contextlib.contextmanager
def collect_displaced() -> Iterator[list[DisplacedFile]]:
    """Collect the files displaced in the block; outside of one they become leftovers, and are found as such."""
    found: list[DisplacedFile] = []
    before = _DISPLACED.set(found)
    try:
        yield found
    finally:
        _DISPLACED.reset(before)


def write(path: Path, text: bytes, body: Path | None = None, *, was: str | bytes, is_private: bool = True) -> None:
    """Write the whole content of `path` as `atomic.write_file` does, if its content or digest is still `was`.

    A file that another program saved meanwhile raises ConflictError and stays.
    """
    atomic.write_file(path, text, body, is_private=is_private, put=lambda made, target: replace_if(made, target, was))


def delete(path: Path, *, was: str) -> None:
    """Delete the file as `atomic.delete_file` does; ConflictError if another program saved it meanwhile."""
    delete_if(path, was)
    atomic.sync_folder(path.parent)


def replace_if(made: Path, target: Path, was: str | bytes) -> None:
    """Move the file `made` to `target` if that has the content or digest `was`; else raise ConflictError.

    An empty digest stands for a missing file. Where the system cannot exchange files in one step, another program's
    save by renaming is lost if it happens between the last check and our renaming.
    """
    if was == "":
        try:
            os.link(made, target)
        except FileExistsError:
            raise atomic.changed_error(target) from None
        made.unlink()
        return
    # Most saves are caught here, before anything is moved; the exchange catches those in the next moment.
    atomic.expect_content(target, was)
    ours, aside = _OwnFile.of(made), temporary_files.displaced_path(target)
    made.rename(aside)
    try:
        if not _swap(aside, target):
            _rename_over(aside, target, was, ours)
            return
    except FileNotFoundError:
        aside.unlink(missing_ok=True)
        raise atomic.changed_error(target, is_gone=not os.path.lexists(target)) from None
    except OSError:
        aside.unlink()
        raise
    try:
        is_it = _discard(aside, target, was, ours.digest)
    except _StuckError:
        raise
    except OSError:
        _restore(aside, target, ours)
        raise
    if not is_it:
        is_taken_back = _restore(aside, target, ours)
        changed = atomic.changed_error(target)
        raise changed if is_taken_back else ConcurrentSaveError(changed.message, changed.hint)


def delete_if(target: Path, was: str) -> None:
    """Delete the file if its digest is still `was`; else raise ConflictError. A missing file is no error."""
    aside = temporary_files.displaced_path(target)
    try:
        target.rename(aside)
    except FileNotFoundError:
        return
    try:
        is_it = _discard(aside, target, was, "")
    except _StuckError:
        raise
    except OSError:
        _move_back(aside, target)
        raise
    if not is_it:
        _move_back(aside, target)
        raise atomic.changed_error(target)


def recover(target: Path, was: str, now: str) -> None:
    """Put back another program's save that a killed process had displaced while replacing `target`."""
    for aside in list(temporary_files.leftovers_in(target.parent, "old", temporary_files.name_hash(target.name))):
        held = atomic.file_digest(aside)
        stands = atomic.file_digest(target)
        if held in (was, now, stands):
            if not stands and held == was:
                _move_back(aside, target)
            else:
                _discard(aside, target, held, stands)
        elif stands in ("", now):
            if stands and _swap(aside, target):
                _discard(aside, target, now, held)
            else:
                aside.replace(target)
        else:
            _save_copy(aside, target)


def recover_orphans(folder: Path, known: Callable[[Path], Collection[str]]) -> int:
    """Settle displaced files in a folder for which no change is pending; return how many.

    Content without another copy is saved under a visible name. `known` gives the digests of a file's past contents,
    which are in the journal. Call only under the memory's lock.
    """
    found = list(list_displaced(folder))
    targets = {temporary_files.name_hash(path.name): path for path in folder.iterdir()} if found else {}
    for aside in found:
        target = targets.get(aside.name.removeprefix(".recall-")[: temporary_files.MARK_CHARS])
        held = atomic.file_digest(aside)
        if target is None or held not in (atomic.file_digest(target), *known(target)):
            _save_copy(aside, target or aside.with_name(aside.name.removeprefix(".")))
        else:
            _discard(aside, target, held, held)
    return len(found)


def list_displaced(folder: Path) -> Iterator[Path]:
    """Yield the folder's displaced files whose maker has exited; touch them only under the memory's lock."""
    return temporary_files.leftovers_in(folder, "old")


def saved_name(target: Path) -> Path:
    """Return an unused, visible name for another version of the file: `MEMORY.saved-1.md`."""
    number = 1
    while os.path.lexists(kept := target.with_name(f"{target.stem}.saved-{number}{target.suffix}")):
        number += 1
    return kept


@dataclass(frozen=True, slots=True)
class _OwnFile:
    """The identity of our own file, recognizable wherever it moves, even if the disk can no longer read it."""

    digest: str
    stamp: tuple[int, int, int]

    @classmethod
    def of(cls, path: Path) -> _OwnFile:
        return cls(atomic.file_digest(path), _file_stamp(path))

    def is_at(self, path: Path) -> bool:
        try:
            return atomic.file_digest(path) == self.digest
        except OSError:
            return _file_stamp(path) == self.stamp


def _file_stamp(path: Path) -> tuple[int, int, int]:
    seen = path.lstat()
    return seen.st_ino, seen.st_size, seen.st_mtime_ns


def _discard(aside: Path, target: Path, was: str | bytes, now: str) -> bool:
    """Delete a displaced file, or set it aside while it is being written; False, and it stays, if it is not `was`."""
    kept = _DISPLACED.get()
    if aside.is_symlink():
        # The link's target stays as it is.
        return atomic.has_content(aside, was) and _try_remove(aside)
    with open_lease(aside) as asked:
        if asked.is_whole() or (kept is None and asked.is_written is None):
            if not atomic.has_content(aside, was):
                return False
            if asked.is_written is None or asked.is_whole():
                return _try_remove(aside)
    text = atomic.read_bytes(aside) or b""
    if (atomic.content_digest(text) if isinstance(was, str) else text) != was:
        return False
    if kept is not None:
        kept.append(DisplacedFile(aside, target, text, now))
    return True


def _try_remove(path: Path) -> bool:
    try:
        path.unlink()
    except OSError as error:
        raise _StuckError(error.errno, error.strerror, str(path)) from None
    return True


def _restore(aside: Path, target: Path, ours: _OwnFile) -> bool:
    """Move another program's save back to its path.

    If the path was saved over again since, that save stays, the earlier one is kept beside it, and the result is False.
    """
    _swap(aside, target)
    if ours.is_at(aside):
        try:
            is_let_go = _discard(aside, target, ours.digest, "")
        except OSError:
            is_let_go = _try_remove(aside)
        if not is_let_go:
            _save_copy(aside, target)
        return True
    _swap(aside, target)
    _save_copy(aside, target)
    return False


def _move_back(aside: Path, target: Path) -> None:
    try:
        os.link(aside, target, follow_symlinks=False)
    except FileExistsError:
        _save_copy(aside, target)
    else:
        aside.unlink()


def _save_copy(aside: Path, target: Path) -> None:
    """Keep a displaced file under a visible name."""
    while True:
        kept = saved_name(target)
        try:
            os.link(aside, kept, follow_symlinks=False)
        except FileExistsError:
            continue
        except OSError:
            # The file system has no hard links.
            aside.rename(kept)
        else:
            aside.unlink()
        return


def _rename_over(made: Path, target: Path, was: str | bytes, ours: _OwnFile) -> None:
    """Replace the file where the system has no exchange; the old file keeps a name of its own meanwhile."""
    aside = temporary_files.displaced_path(target)
    try:
        os.link(target, aside, follow_symlinks=False)
    except OSError:
        made.replace(target)
        return
    made.replace(target)
    if not _discard(aside, target, was, ours.digest):
        _save_copy(aside, target)


def _swap(one: Path, other: Path) -> bool:
    """Exchange two files in one step; False when the operating system or the file system does not support it."""
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)
    names = os.fsencode(one), os.fsencode(other)
    with contextlib.suppress(AttributeError):
        if sys.platform == "darwin":
            failed = library.renamex_np(*names, _SWAP)
        else:
            failed = library.renameat2(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _EXCHANGE)
        if not failed:
            return True
        if (number := ctypes.get_errno()) not in _UNSUPPORTED_ERRORS:
            raise OSError(number, os.strerror(number), str(other))
    return False


STEADY_TIMEOUT_SECONDS = 10.0
"""Time to wait for a program that writes a file in place, before giving up a change."""
REST_SECONDS = 2.0
"""Time without a write after which a file that stays open counts as complete."""
_FRESH_SECONDS = 60.0
"""Time since its last change within which a file that was read may be incomplete."""
_PAUSE_SECONDS = 0.01


def find_unsteady(paths: Iterable[Path]) -> Path | None:
    """Return the first file that is being written; None when there is none."""
    return next((path for path in paths if _is_unsteady(path)), None)


def wait_until_steady(path: Path, until: float) -> None:
    """Wait until the file is complete; LockedError after `until` (monotonic)."""
    while _is_unsteady(path):
        if time.monotonic() >= until:
            message = f"{path} is being written by another program"
            raise LockedError(message, hint="try again when it is done")
        time.sleep(_PAUSE_SECONDS)


def plan_inputs(plan: Plan, read: Collection[Path], base: Path | None) -> Iterator[Path]:
    """Yield the files that the plan changes, and the memory's just-changed documents that it was made from."""
    yield from (edit.path for edit in plan.edits if not isinstance(edit, Create))
    yield from recently_changed(read, base)


def recently_changed(read: Collection[Path], base: Path | None) -> Iterator[Path]:
    """Yield those of the memory's documents in `read` that changed within `_FRESH_SECONDS`."""
    now = time.time()
    if base is None:
        return
    for path in read:
        if path.suffix == ".md" and (path.is_relative_to(base) or path.parent == base.parent):
            status = _status(path)
            if status is not None and abs(now - status.st_mtime) < _FRESH_SECONDS:
                yield path


def _is_unsteady(path: Path) -> bool:
    status = _status(path)
    if status is None or not (status.st_size == 0 or abs(time.time() - status.st_mtime) < REST_SECONDS):
        return False
    real = Path(os.path.realpath(path))
    is_written = lock.is_open_for_writing(real)
    # Where the system cannot tell, wait only for a file that was just emptied.
    return bool(is_written) or (
        is_written is None and status.st_size == 0 and abs(time.time() - status.st_mtime) < REST_SECONDS
    )


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None
