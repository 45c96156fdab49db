"""Names of temporary files beside the real ones, and which of them are leftovers.

Each name identifies the process that made it: while that process lives on this machine, nobody else may touch the file.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from recall_tui import files
from recall_tui.text.lazy_pattern import lazy_pattern

PATTERN = lazy_pattern(
    r"\.recall-(?P<mark>[0-9a-f]{12})(?:-[0-9a-f]{8})?(?:-p(?P<pid>[0-9a-f]+)-(?P<start>[0-9a-f]+))?\.(?P<kind>tmp|old)"
    r"|\.recall\.lock"
)
"""`tmp` is a file being written, `old` a displaced one; the lock lies in a memory while it is changed."""
MARK_CHARS = 12
_EXITING_FLAG = 0x4
"""PF_EXITING in the process flags of Linux: the process was killed and is releasing its files and locks."""
_EXIT_STATES = ("Z", "X")
"""States of a process that has ended and is listed until its parent reads its exit code."""
LOCK_NAME = ".recall.lock"
"""The lock in the memory's own folder."""
REPLACED_FOLDER = ".recall"
"""Beside the lock: displaced files that may still be written. `STATE_FOLDER` holds those from outside the memory."""
TOMBSTONE_FOLDER = ".recall-forgotten"
"""Beside them, permanently: the tombstones of forgotten sessions. They travel with the memory and are in no export."""
STATE_FOLDER = "replaced"
OPEN_BATCH = Path("journal", "open-batch.json")
"""Below the state folder: the batch whose changes are not folded into one entry yet."""


def may_have_leftovers(base: Path | None, state: Path) -> bool:
    """Return whether a memory may hold something to clean up; checks four names, cheap enough for every command."""
    own = () if base is None else (base / REPLACED_FOLDER, base / LOCK_NAME)
    return any(map(os.path.lexists, (*own, state / STATE_FOLDER, state / OPEN_BATCH)))


def temp_path(folder: Path) -> Path:
    """Return an unused name in the folder; the file is a leftover once its maker exits."""
    return folder / f".recall-{os.urandom(6).hex()}-{_maker()}.tmp"


def displaced_path(target: Path) -> Path:
    """Return an unused name for the file that another one displaces."""
    return target.parent / f".recall-{name_hash(target.name)}-{os.urandom(4).hex()}-{_maker()}.old"


def name_hash(name: str) -> str:
    """Return the hash that stands for a file's name in the name of its displaced file."""
    from recall_tui.environment import sha256

    return sha256(os.fsencode(name))[:MARK_CHARS]


def leftovers_in(folder: Path, kind: str, mark: str = "") -> Iterator[Path]:
    """Yield the folder's files of one kind whose maker has exited; with a mark, only those displaced from that file."""
    with contextlib.suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
        for entry in entries:
            found = PATTERN.fullmatch(entry.name) if entry.name.startswith(".recall-") else None
            if found and found["kind"] == kind and mark in ("", found["mark"]) and not _has_live_maker(found):
                yield Path(entry.path)


def _has_live_maker(found: re.Match[str]) -> bool:
    if not found["pid"]:
        return False
    pid, start = int(found["pid"], 16), int(found["start"], 16)
    return pid != os.getpid() and is_alive(pid, start)


def is_alive(pid: int, start: int) -> bool:
    """Return whether the process that began at `start` still runs; pass 0 where the system does not tell the start."""
    if not start:
        try:
            os.kill(pid, 0)
        except (ProcessLookupError, OverflowError):
            return False
        except OSError:
            return True
        return True
    return process_start(pid) == start


def process_start(pid: int) -> int:
    """Return when a process began, in ticks since boot; 0 for no process, or where the system does not tell.

    A killed process counts as none, also while it exits and until its parent reads its exit code.
    """
    try:
        state, *told = files.read_file(Path(f"/proc/{pid}/stat")).decode().rpartition(")")[2].split()
        return 0 if state in _EXIT_STATES or int(told[5]) & _EXITING_FLAG else int(told[18])
    except (OSError, ValueError, IndexError):
        return 0


def _maker() -> str:
    return _parse_name(os.getpid())


@lru_cache(maxsize=2)
def _parse_name(pid: int) -> str:
    return f"p{pid:x}-{process_start(pid):x}"
