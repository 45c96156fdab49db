"""One lock for each memory: whoever holds it may change the files, and its file says who that is.

The kernel frees the lock of a process that died; a lock is never broken by another.
"""

from __future__ import annotations

import fcntl
import json
import os
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from recall_tui import files
from recall_tui.errors import LockedError, named
from recall_tui.storage.atomic import PRIVATE_FILE, make_folder

PATIENCE_SECONDS = 60.0
_PAUSE_SECONDS = (0.002, 0.02)


@contextmanager
def held(path: Path, purpose: str, patience: float = PATIENCE_SECONDS) -> Iterator[None]:
    """Hold the lock at `path` for the block; LockedError names the holder after `patience` seconds of waiting."""
    make_folder(path.parent)
    descriptor = os.open(path, os.O_CREAT | os.O_RDWR, PRIVATE_FILE)
    try:
        with named(path):
            _take(descriptor, path, patience)
            holder = {"pid": os.getpid(), "host": os.uname().nodename, "purpose": purpose}
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, json.dumps(holder).encode(), 0)
        try:
            yield
        finally:
            # Whose lock it was is said by the kernel; what cannot be wiped off is written over by the next holder.
            with suppress(OSError):
                os.ftruncate(descriptor, 0)
    finally:
        os.close(descriptor)


def _take(descriptor: int, path: Path, patience: float) -> None:
    until = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                message = f"the memory is in use by {holder_of(path)}"
                raise LockedError(message, hint="try again when it is done") from None
            time.sleep(random.uniform(*_PAUSE_SECONDS))
        else:
            return


def holder_of(path: Path) -> str:
    """Who holds the lock, in words for a person."""
    try:
        holder = json.loads(files.read(path, files.MAX_SETTINGS_BYTES))
        return f"process {holder['pid']} on {holder['host']} ({holder['purpose']})"
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return "another process"
