"""Whether another program has a file open for writing, asked of the kernel.

Linux grants a read lease on a file only while nobody has it open for writing, and holds off whoever opens it so until
the lease is given back. Other systems cannot tell.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from recall_tui import files


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
