"""Taking the place of a file, or taking it away, only while it holds what was read of it.

What another program saves at that moment is never lost: it keeps its place, or is put back in it, and the change is a
ConflictError. Held together by the memory's lock: only one process at a time does this in a folder.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from recall_tui.storage import atomic

_HERE = -100
"""AT_FDCWD of Linux: paths are as they are given."""
_EXCHANGE, _SWAP = 2, 2
"""RENAME_EXCHANGE of Linux's renameat2, RENAME_SWAP of macOS's renamex_np."""
_ENDING = ".old"
_NOT_OFFERED = frozenset((errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EPERM))


def take_place(made: Path, target: Path, was: str | bytes) -> None:
    """Give the file `made` the place of `target` if that still is `was` or has it as its digest; else ConflictError.

    An empty digest stands for a file that is not there. Where the system cannot let files change places in one step, a
    save in the moment between the last look and the renaming goes under.
    """
    if was == "":
        try:
            os.link(made, target)
        except FileExistsError:
            raise atomic.changed(target) from None
        made.unlink()
        return
    # Most saves are seen here, before anything is moved; the exchange is for those that come in the next moment.
    atomic.expect(target, was)
    ours, aside = _Made.of(made), aside_of(target)
    made.replace(aside)
    try:
        if not _swap(aside, target):
            aside.replace(target)
            return
    except FileNotFoundError:
        aside.unlink(missing_ok=True)
        raise atomic.changed(target, is_gone=not os.path.lexists(target)) from None
    except OSError:
        aside.unlink()
        raise
    try:
        is_it = atomic.holds(aside, was)
    except OSError:
        _put_back(aside, target, ours)
        raise
    if is_it:
        aside.unlink()
    else:
        _put_back(aside, target, ours)
        raise atomic.changed(target)


def take_away(target: Path, was: str) -> None:
    """Remove the file if it is still what `was` is the digest of; else ConflictError. One that is gone is gone."""
    aside = aside_of(target)
    try:
        target.rename(aside)
    except FileNotFoundError:
        return
    try:
        is_it = atomic.digest_of(aside) == was
    except OSError:
        _return(aside, target)
        raise
    if is_it:
        aside.unlink()
        return
    _return(aside, target)
    raise atomic.changed(target)


def settle(target: Path, was: str, now: str) -> None:
    """Bring back what a killed process had in its hands when it took the place of `target`, if that was another's."""
    aside = aside_of(target)
    held = atomic.digest_of(aside)
    if not held:
        return
    stands = atomic.digest_of(target)
    if held in (was, now, stands):
        if not stands and held == was:
            _return(aside, target)
        else:
            aside.unlink()
    elif stands in ("", now):
        aside.replace(target)
    else:
        _keep(aside, target)


def settle_strays(folder: Path) -> int:
    """Settle what stands aside in a folder though no change waits to be finished; how many files that were.

    What is nowhere else is kept where it can be seen. Only under the memory's lock.
    """
    found = list(asides(folder))
    targets = {aside_of(path): path for path in folder.iterdir()} if found else {}
    for aside in found:
        target = targets.get(aside)
        if target is not None and atomic.digest_of(target) == atomic.digest_of(aside):
            aside.unlink()
        else:
            _keep(aside, target or aside.with_name(aside.name.removeprefix(".")))
    return len(found)


def asides(folder: Path) -> Iterator[Path]:
    """The files in a folder that stand aside; to be touched only under the memory's lock."""
    with contextlib.suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
        for one in entries:
            if atomic.TEMPORARY.fullmatch(one.name) and one.name.endswith(_ENDING):
                yield Path(one.path)


def aside_of(target: Path) -> Path:
    """Where the other of two files stands while they change places."""
    from recall_tui.paths import sha256

    name = sha256(os.fsencode(target.name))[:12]
    return target.parent / f".recall-{name}{_ENDING}"


@dataclass(frozen=True, slots=True)
class _Made:
    """A file of our own, to be known again wherever it stands, and also where the disk no longer lets it be read."""

    digest: str
    stamp: tuple[int, int, int]

    @classmethod
    def of(cls, path: Path) -> _Made:
        return cls(atomic.digest_of(path), _stamp(path))

    def is_at(self, path: Path) -> bool:
        try:
            return atomic.digest_of(path) == self.digest
        except OSError:
            return _stamp(path) == self.stamp


def _stamp(path: Path) -> tuple[int, int, int]:
    """Inode, bytes and the nanosecond of the last change."""
    seen = path.lstat()
    return seen.st_ino, seen.st_size, seen.st_mtime_ns


def _put_back(aside: Path, target: Path, ours: _Made) -> None:
    """Let another's save have its place again; what was saved since then stays, and the earlier is kept beside it."""
    _swap(aside, target)
    if ours.is_at(aside):
        aside.unlink()
    else:
        _swap(aside, target)
        _keep(aside, target)


def _return(aside: Path, target: Path) -> None:
    try:
        os.link(aside, target, follow_symlinks=False)
    except FileExistsError:
        _keep(aside, target)
    else:
        aside.unlink()


def _keep(aside: Path, target: Path) -> None:
    """Keep what has no place any more as `<name>.saved-<n>`."""
    number = 1
    while (kept := target.with_name(f"{target.name}.saved-{number}")).exists():
        number += 1
    aside.rename(kept)


def _swap(one: Path, other: Path) -> bool:
    """Let two files change places in one step; False when this system, or this file system, has no such step."""
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)
    names = os.fsencode(one), os.fsencode(other)
    with contextlib.suppress(AttributeError):
        if sys.platform == "darwin":
            failed = library.renamex_np(*names, _SWAP)
        else:
            failed = library.renameat2(_HERE, names[0], _HERE, names[1], _EXCHANGE)
        if not failed:
            return True
        if (number := ctypes.get_errno()) not in _NOT_OFFERED:
            raise OSError(number, os.strerror(number), str(other))
    return False
