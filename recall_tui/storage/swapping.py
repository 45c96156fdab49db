"""Taking the place of a file, or taking it away, only while it holds what was read of it.

What another program saves at that moment is never lost: it keeps its place, or is put back in it, and the change is a
ConflictError. Held together by the memory's lock: only one process at a time does this in a folder.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from pathlib import Path

from recall_tui.storage import atomic

_HERE = -100
"""AT_FDCWD of Linux: paths are as they are given."""
_EXCHANGE, _SWAP = 2, 2
"""RENAME_EXCHANGE of Linux's renameat2, RENAME_SWAP of macOS's renamex_np."""
_NOT_OFFERED = frozenset((errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EPERM))


def take_place(made: Path, target: Path, was: str) -> None:
    """Give the file `made` the place of `target` if that is still what `was` is the digest of; else ConflictError.

    An empty `was` stands for a file that is not there. Where the system cannot let files change places in one step, a
    save in the moment between the last look and the renaming goes under.
    """
    if not was:
        try:
            os.link(made, target)
        except FileExistsError:
            raise atomic.changed(target) from None
        made.unlink()
        return
    # Most saves are seen here, before anything is moved; the exchange is for those that come in the next moment.
    if atomic.digest_of(target) != was:
        raise atomic.changed(target)
    ours, aside = atomic.digest_of(made), aside_of(target)
    made.replace(aside)
    try:
        has_swapped = _swap(aside, target)
    except FileNotFoundError:
        aside.unlink()
        raise atomic.changed(target) from None
    except OSError:
        aside.unlink()
        raise
    if not has_swapped:
        aside.replace(target)
    elif atomic.digest_of(aside) == was:
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
    if atomic.digest_of(aside) == was:
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
    if held in (was, now):
        if not atomic.digest_of(target) and held == was:
            _return(aside, target)
        else:
            aside.unlink()
    elif atomic.digest_of(target) in ("", now):
        aside.replace(target)
    else:
        _keep(aside, target)


def aside_of(target: Path) -> Path:
    """Where the other of two files stands while they change places."""
    from recall_tui.paths import sha256

    name = sha256(os.fsencode(target.name))[:12]
    return target.parent / f".recall-{name}.old"


def _put_back(aside: Path, target: Path, ours: str) -> None:
    """Let another's save have its place again; what was saved since then stays, and the earlier is kept beside it."""
    _swap(aside, target)
    if atomic.digest_of(aside) == ours:
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
