"""What can go wrong at one operation on a file, and the library that makes it happen inside of a process.

The library stands between the process and the kernel, so that an operation of SQLite or of the text index is met like
one of ours. It does nothing in a process that did not arm it.
"""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).with_name("faults.c")
OPEN, MAKE, READ, WRITE, SYNC, LINK, REMOVE, FOLDER, CUT, ATTR, LIST, LOCK = (1 << place for place in range(12))
"""Kinds of operations, as the library numbers them: opening what is there, making, reading, ..., taking a lock."""
CHANGES = MAKE | WRITE | LINK | REMOVE | FOLDER | CUT | ATTR
NEEDS_ROOM = MAKE | WRITE | LINK | FOLDER
EVERYTHING = CHANGES | OPEN | READ | SYNC | LIST | LOCK
_COUNT, _KILL, _HALF, _ONCE, _ON, _POWER, _EDIT = range(7)


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that goes wrong."""

    name: str
    how: int
    befalls: int
    """The kinds of operations that it may happen to."""
    number: int = 0
    """The error of the operation."""

    @property
    def is_end(self) -> bool:
        """Whether the process does not live on."""
        return self.how in (_KILL, _HALF, _POWER)


KILL = Fault("killed before it", _KILL, CHANGES)
HALF = Fault("killed half-way through it", _HALF, WRITE)
POWER = Fault("power lost before it", _POWER, CHANGES | SYNC)
"""A kill that also takes what no fsync had brought to the disk off the ends of files."""
FULL = Fault("no room from then on", _ON, NEEDS_ROOM, errno.ENOSPC)
BROKEN = Fault("input/output error", _ONCE, EVERYTHING, errno.EIO)
"""At that file, for good."""
DENIED = Fault("permission denied", _ONCE, OPEN | MAKE | LINK | REMOVE | FOLDER | ATTR | LIST, errno.EACCES)
READ_ONLY = Fault("read-only from then on", _ON, CHANGES, errno.EROFS)
EDITED = Fault("edited by a person just then", _EDIT, EVERYTHING)
FAULTS = (KILL, HALF, POWER, FULL, BROKEN, DENIED, READ_ONLY, EDITED)
NONE = Fault("nothing", _COUNT, 0)


def built(folder: Path) -> Path | None:
    """The library, made in `folder`; None on a system without /proc. AssertionError where no C compiler is."""
    if not Path("/proc/self/fd").is_dir():
        return None
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    assert compiler is not None, "faults are made by a small C library: install a C compiler"
    made = folder / "faults.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", str(made), str(SOURCE), "-ldl"], check=True)
    return made


@dataclass(frozen=True, slots=True)
class Point:
    """One operation of a run, by its number, and what happens there."""

    at: int
    fault: Fault
    edited: Path | None = None
    words: str = ""
    """What a person adds to the file `edited`."""


def arm(below: Path, point: Point, trace: int = -1) -> None:
    """Let it happen in this process; what it does to files below the folder is written to the descriptor `trace`."""
    library = ctypes.CDLL(None)
    if point.edited is not None:
        library.fault_edit(os.fsencode(point.edited), point.words.encode())
    fault = point.fault
    library.fault_arm(os.fsencode(below), fault.how, ctypes.c_long(point.at), fault.befalls, fault.number, trace)


def disarm() -> bool:
    """Let nothing happen any more; whether it did."""
    library = ctypes.CDLL(None)
    library.fault_disarm()
    return bool(library.fault_hit())


def scratch() -> Path:
    """A new folder, in memory where the machine has room for files there: every point begins with a copy."""
    shared = Path("/dev/shm")
    return Path(tempfile.mkdtemp(prefix="recall-crash-", dir=shared if os.access(shared, os.W_OK) else None))
