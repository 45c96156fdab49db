"""Two locks per memory, one in its state folder and one in the memory: hold both to change the files.

A lock file names its owner. The kernel frees the lock of a process that died; no process ever breaks another's lock.
The lock in the memory serves those that share the memory but not the state folder: a container and its host, or two
accounts. Its file exists only while a change is made, or after a kill until the next change.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import signal
import stat
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

from recall_tui import files
from recall_tui.errors import LockedError, name_path
from recall_tui.storage.files.atomic import PRIVATE_FILE, make_folder
from recall_tui.storage.files.temporary_files import LOCK_NAME

LOCK_TIMEOUT_SECONDS = 60.0
_PAUSE_SECONDS = (0.002, 0.02)
_UNLOCKABLE_ERRORS = frozenset((
    errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EISDIR, errno.ENXIO,
    errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL,
))  # fmt: skip
"""Errors of a folder that is missing or not writable, or whose file system has no locks."""
_MAX_NOTE_BYTES = 1 << 20
"""The most bytes to read of an owner's note."""


@contextmanager
def acquire(path: Path, purpose: str, patience: float = LOCK_TIMEOUT_SECONDS) -> Iterator[None]:
    """Hold the lock at `path` for the block; LockedError names the owner after `patience` seconds."""
    make_folder(path.parent)
    descriptor = os.open(path, os.O_CREAT | os.O_RDWR, PRIVATE_FILE)
    try:
        with name_path(path):
            _try_lock(descriptor, path, patience)
            _write(descriptor, _read_owner(purpose))
        try:
            yield
        finally:
            # The kernel decides who owns the lock; a note that cannot be erased is overwritten by the next owner.
            with suppress(OSError):
                os.ftruncate(descriptor, 0)
    finally:
        os.close(descriptor)


class PendingWrite(NamedTuple):
    """A file that a process was about to change: digests of its content before and after."""

    target: Path
    was: str
    now: str


class MemoryLock:
    """The held lock inside the memory."""

    def __init__(self, left: tuple[PendingWrite, ...] = (), purpose: str = "", descriptor: int = -1) -> None:
        """Take the writes that its last owner had pending when it was killed, and the open lock file."""
        self.left: Final = left
        self._purpose: Final = purpose
        self._descriptor: Final = descriptor

    def note(self, changes: Iterable[PendingWrite]) -> None:
        """Record pending writes in the lock file, for the cleanup after a kill."""
        if self._descriptor >= 0:
            rows = [(os.fspath(one.target), one.was, one.now) for one in changes]
            with suppress(OSError):
                _write(self._descriptor, {**_read_owner(self._purpose), "changes": rows})


@contextmanager
def acquire_in(folder: Path | None, purpose: str, patience: float = LOCK_TIMEOUT_SECONDS) -> Iterator[MemoryLock]:
    """Hold the lock in the memory's `folder` for the block; LockedError after `patience` seconds.

    A folder that cannot be locked stays unlocked: then only compare-and-swap protects its files.
    """
    path = None if folder is None else folder / LOCK_NAME
    descriptor = -1 if path is None else _lock_descriptor(path, patience)
    if path is None or descriptor < 0:
        yield MemoryLock()
        return
    try:
        left = _read_pending(descriptor)
        with suppress(OSError):
            _write(descriptor, _read_owner(purpose))
        try:
            yield MemoryLock(left, purpose, descriptor)
        except Exception:
            # A failed owner reverts what it began; a stopped one leaves it, and the lock's note of it, to the next
            # owner.
            _remove(descriptor, path)
            raise
        _remove(descriptor, path)
    finally:
        os.close(descriptor)


def is_abandoned(folder: Path) -> bool:
    """Return whether the memory holds a lock file that nobody has locked: its owner was killed."""
    return _lock_state(folder / LOCK_NAME) is False


def is_locked(path: Path) -> bool:
    """Return whether somebody holds the lock at `path` now."""
    return _lock_state(path) is True


def _lock_state(path: Path) -> bool | None:
    """Return whether a lock file is locked; None when there is none, or it cannot be opened."""
    try:
        with files.open_file(path, _MAX_NOTE_BYTES) as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return None
    return False


def _lock_descriptor(path: Path, patience: float) -> int:
    """Return the descriptor of the acquired lock; negative when the folder cannot be locked."""
    until = time.monotonic() + patience
    flags = os.O_CREAT | os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    while True:
        try:
            descriptor = os.open(path, flags, PRIVATE_FILE)
        except OSError as error:
            if error.errno in _UNLOCKABLE_ERRORS:
                return -1
            raise
        is_kept = False
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return -1
            _try_lock(descriptor, path, until - time.monotonic())
            # The last owner may have deleted the file while we waited for it.
            if is_kept := _is_file_at(descriptor, path):
                return descriptor
        except OSError as error:
            if error.errno not in _UNLOCKABLE_ERRORS:
                raise
            _remove(descriptor, path)
            return -1
        finally:
            if not is_kept:
                os.close(descriptor)


def _remove(descriptor: int, path: Path) -> None:
    with suppress(OSError):
        if _is_file_at(descriptor, path):
            path.unlink()


def _is_file_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.lstat())
    except FileNotFoundError:
        return False


def _read_pending(descriptor: int) -> tuple[PendingWrite, ...]:
    try:
        rows = json.loads(os.pread(descriptor, _MAX_NOTE_BYTES, 0))["changes"]
        return tuple(PendingWrite(Path(path), str(was), str(now)) for path, was, now in rows)
    except (ValueError, KeyError, TypeError, RecursionError):
        return ()


def _read_owner(purpose: str) -> dict[str, object]:
    return {"pid": os.getpid(), "host": os.uname().nodename, "purpose": purpose}


def _write(descriptor: int, told: dict[str, object]) -> None:
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, json.dumps(told).encode(), 0)


def _try_lock(descriptor: int, path: Path, patience: float) -> None:
    until = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                message = f"the memory is in use by {owner_of(path)}"
                raise LockedError(message, hint="try again when it is done") from None
            import random

            time.sleep(random.uniform(*_PAUSE_SECONDS))
        else:
            return


def owner_of(path: Path) -> str:
    """Describe the lock's owner for the user."""
    try:
        holder = json.loads(files.read_file(path, files.MAX_SETTINGS_BYTES))
        return f"process {holder['pid']} on {holder['host']} ({holder['purpose']})"
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return "another process"


_NETWORK_FILE_SYSTEMS = frozenset((
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "virtiofs", "ceph", "afs", "lustre", "gpfs", "glusterfs", "ocfs2",
    "gfs2", "vboxsf", "vmhgfs", "prl_fs", "beegfs", "davfs",
))  # fmt: skip
_MOUNT_TABLE = Path("/proc/self/mountinfo")
_FUSE_PREFIX = "fuse."


def find_shared_type(folder: Path) -> str | None:
    """Return the folder's file system type if other machines may write to it; else None, also when unknown."""
    try:
        lines = os.fsdecode(files.read_file(_MOUNT_TABLE)).splitlines()
    except OSError:
        return None
    real = os.path.realpath(folder)
    best, kind = "", ""
    for line in lines:
        before, _, after = line.partition(" - ")
        words = before.split()
        place = _unescape(words[4]) if len(words) > 4 else ""
        is_above = real == place or real.startswith(place.rstrip("/") + "/")
        if place and is_above and len(place) >= len(best):
            best, kind = place, after.split(" ", 1)[0]
    return kind if kind in _NETWORK_FILE_SYSTEMS or kind.startswith(_FUSE_PREFIX) else None


def _unescape(place: str) -> str:
    for code, sign in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        place = place.replace(code, sign)
    return place


class Lease:
    """A read lease on an open file, granted by the kernel or not."""

    def __init__(self, is_written: bool | None, descriptor: int = -1) -> None:
        """Take whether somebody has the file open for writing; None where the system cannot tell."""
        self.is_written: Final = is_written
        self._descriptor: Final = descriptor

    def is_whole(self) -> bool:
        """Return whether nobody has the file open for writing, and nobody waits for the lease to open it."""
        return self.is_written is False and fcntl.fcntl(self._descriptor, fcntl.F_GETLEASE) == fcntl.F_RDLCK


_UNKNOWN_LEASE = Lease(None)


@contextlib.contextmanager
def open_lease(path: Path) -> Iterator[Lease]:
    """Take a read lease on the file for the block, which delays others that open it for writing; keep it short."""
    if sys.platform != "linux":
        yield _UNKNOWN_LEASE
        return
    # Closing the file releases the lease.
    with files.open_file(path, files.MAX_TRANSCRIPT_BYTES) as file:
        yield Lease(_ask_kernel(file.fileno()), file.fileno())


def is_open_for_writing(path: Path) -> bool | None:
    """Return whether somebody has the file open for writing; None when unknown, False for no file."""
    try:
        with open_lease(path) as found:
            return found.is_written
    except OSError:
        return None if os.path.lexists(path) else False


def _ask_kernel(descriptor: int) -> bool | None:
    try:
        # By default, a program that opens the file would end this process with SIGIO.
        fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except OSError as error:
        return True if error.errno == errno.EAGAIN else None
    return False
