"""Two locks for each memory, one in its state folder and one in the memory: who holds both may change the files.

The file of a lock says who holds it. The kernel frees the lock of a process that died; a lock is never broken by
another. The one in the memory is there for those that share the memory and not the state: a container and its host, two
accounts. Its file is there only while a change is made, and after a kill until the next one.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import random
import signal
import stat
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

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
"""A folder that cannot be written to, or is not there, or whose file system has no locks."""
_MAX_NOTE_BYTES = 1 << 20
"""Read of what a holder noted."""


@contextmanager
def acquire(path: Path, purpose: str, patience: float = LOCK_TIMEOUT_SECONDS) -> Iterator[None]:
    """Hold the lock at `path` for the block; LockedError names the holder after `patience` seconds of waiting."""
    make_folder(path.parent)
    descriptor = os.open(path, os.O_CREAT | os.O_RDWR, PRIVATE_FILE)
    try:
        with name_path(path):
            _try_lock(descriptor, path, patience)
            _write(descriptor, _read_owner(purpose))
        try:
            yield
        finally:
            # Whose lock it was is said by the kernel; what cannot be wiped off is written over by the next holder.
            with suppress(OSError):
                os.ftruncate(descriptor, 0)
    finally:
        os.close(descriptor)


class PendingWrite(NamedTuple):
    """A file that a process was about to change: the digests of its content before and after."""

    target: Path
    was: str
    now: str


@dataclass(frozen=True, slots=True)
class MemoryLock:
    """The lock that lies in the memory, while it is held."""

    left: tuple[PendingWrite, ...] = ()
    """What its last holder, who was killed, was about to change."""
    _purpose: str = ""
    _descriptor: int = -1

    def note(self, changes: Iterable[PendingWrite]) -> None:
        """Write down what is about to be changed, for whoever comes after a kill."""
        if self._descriptor >= 0:
            rows = [(os.fspath(one.target), one.was, one.now) for one in changes]
            with suppress(OSError):
                _write(self._descriptor, {**_read_owner(self._purpose), "changes": rows})


@contextmanager
def acquire_in(folder: Path | None, purpose: str, patience: float = LOCK_TIMEOUT_SECONDS) -> Iterator[MemoryLock]:
    """Hold the lock that lies in the memory's `folder` for the block; LockedError after `patience` seconds.

    A folder in which no lock can be had is not locked: then only the swapping of files itself protects them.
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
            # Whoever fails takes back what it began; whoever is stopped leaves it, and the note of it, to the next.
            _remove(descriptor, path)
            raise
        _remove(descriptor, path)
    finally:
        os.close(descriptor)


def is_abandoned(folder: Path) -> bool:
    """Whether a lock lies in the memory that nobody holds: who did was killed."""
    try:
        with files.open_file(folder / LOCK_NAME, _MAX_NOTE_BYTES) as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _lock_descriptor(path: Path, patience: float) -> int:
    """The descriptor of the lock that is held now; negative when none can be had there."""
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
            # Its last holder may have removed the file that was waited for.
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
            time.sleep(random.uniform(*_PAUSE_SECONDS))
        else:
            return


def owner_of(path: Path) -> str:
    """Who holds the lock, in words for a person."""
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
    """The kind of the file system the folder is on, if other machines may write to it; None also where nobody tells."""
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


@dataclass(frozen=True, slots=True)
class Lease:
    """What the kernel said of a file."""

    is_written: bool | None
    """Somebody has it open for writing; None where the system cannot tell."""
    _descriptor: int = -1

    def is_whole(self) -> bool:
        """Nobody has the file open for writing, and nobody waits for the lease to open it."""
        return self.is_written is False and fcntl.fcntl(self._descriptor, fcntl.F_GETLEASE) == fcntl.F_RDLCK


_UNKNOWN_LEASE = Lease(None)


@contextlib.contextmanager
def open_lease(path: Path) -> Iterator[Lease]:
    """Ask for the file, and hold off for the block who would open it for writing; keep the block short."""
    if sys.platform != "linux":
        yield _UNKNOWN_LEASE
        return
    # Who closes the file gives the lease back.
    with files.open_file(path, files.MAX_TRANSCRIPT_BYTES) as file:
        yield Lease(_ask_kernel(file.fileno()), file.fileno())


def is_open_for_writing(path: Path) -> bool | None:
    """Somebody has the file open for writing just now; None where the system cannot tell, False for no file."""
    try:
        with open_lease(path) as found:
            return found.is_written
    except OSError:
        return None if os.path.lexists(path) else False


def _ask_kernel(descriptor: int) -> bool | None:
    try:
        # By default a program that opens the file would end this process, with SIGIO.
        fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except OSError as error:
        return True if error.errno == errno.EAGAIN else None
    return False
