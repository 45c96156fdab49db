"""Names of files that stand beside others for a moment, and which of them their maker left behind.

Each name tells the process that made it: as long as that lives on this machine, nobody else may touch the file.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from recall_tui import files

PATTERN = re.compile(
    r"\.recall-(?P<mark>[0-9a-f]{12})(?:-[0-9a-f]{8})?(?:-p(?P<pid>[0-9a-f]+)-(?P<start>[0-9a-f]+))?\.(?P<kind>tmp|old)"
    r"|\.recall\.lock"
)
"""`tmp` is a file in the making, `old` one that gave its place away; the lock lies in a memory while it is changed."""
MARK_CHARS = 12
_EXITING_FLAG = 0x4
"""PF_EXITING among the flags that Linux tells of a process: it is killed, and lets go of its files and locks."""
_EXIT_STATES = ("Z", "X")
"""States of a process that has ended and is still listed, until its parent asks for its exit code."""
LOCK_NAME = ".recall.lock"
"""The lock in the memory's own folder."""
REPLACED_FOLDER = ".recall"
"""Beside it, what gave its place away and may still be written into; `STATE_FOLDER` for what is none of the memory."""
TOMBSTONE_FOLDER = ".recall-forgotten"
"""Beside them, and to stay, the marks of what was forgotten: they travel with the memory, and in no export."""
STATE_FOLDER = "replaced"


def may_have_leftovers(base: Path | None, state: Path) -> bool:
    """Whether there may be something to look after in a memory, told by three names: what every command can afford."""
    own = () if base is None else (base / REPLACED_FOLDER, base / LOCK_NAME)
    return any(map(os.path.lexists, (*own, state / STATE_FOLDER)))


def temp_path(folder: Path) -> Path:
    """A name that nothing has yet, for a file that is a leftover once whoever makes it is gone."""
    return folder / f".recall-{os.urandom(6).hex()}-{_maker()}.tmp"


def displaced_path(target: Path) -> Path:
    """A name that nothing has yet, for the file that gives its place to another."""
    return target.parent / f".recall-{name_hash(target.name)}-{os.urandom(4).hex()}-{_maker()}.old"


def name_hash(name: str) -> str:
    """What stands for a file's name in that of the file that gave its place away."""
    from recall_tui.environment import sha256

    return sha256(os.fsencode(name))[:MARK_CHARS]


def leftovers_in(folder: Path, kind: str, mark: str = "") -> Iterator[Path]:
    """Files of one kind in a folder whose maker is gone; with a mark, those that stand aside for that one file."""
    with contextlib.suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
        for entry in entries:
            found = PATTERN.fullmatch(entry.name) if entry.name.startswith(".recall-") else None
            if found and found["kind"] == kind and mark in ("", found["mark"]) and not _has_live_maker(found):
                yield Path(entry.path)


def _has_live_maker(found: re.Match[str]) -> bool:
    """Whether another process made it that still lives."""
    if not found["pid"]:
        return False
    pid, start = int(found["pid"], 16), int(found["start"], 16)
    return pid != os.getpid() and is_alive(pid, start)


def is_alive(pid: int, start: int) -> bool:
    """Whether the process that began at `start` still runs; 0 where the system does not tell when one began."""
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
    """When a process began, in ticks since the machine started; 0 where the system does not tell, or for none.

    A process that was killed is none, also while it ends and until its parent has asked for its exit code.
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
