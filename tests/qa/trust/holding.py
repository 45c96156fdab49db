"""What a process holds of the machine: memory, open files by kind, threads, children, watches. Linux tells it in /proc.

Nothing here touches the process; what is gone between two looks is left out.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

_HEAP = 64 << 20
_NUMBER = re.compile(r"\[\d+\]|\d+")


@dataclass(frozen=True, slots=True)
class Held:
    """What a process held at one moment."""

    rss_kb: int
    pss_kb: int
    """The proportional part of what is shared with others, beside all that is its own."""
    own_kb: int
    """Anonymous memory: all but what is read from files."""
    files: Mapping[str, int]
    """Open descriptors, by what they are."""
    threads: int
    children: int
    watches: int
    """Folders that the system watches for it."""
    gone_maps: int
    """Files that are mapped although they were deleted."""

    @property
    def descriptors(self) -> int:
        """All that are open."""
        return sum(self.files.values())


def held(process: int | None = None) -> Held:
    """What the process, or this one, holds now; ProcessLookupError when it is gone."""
    process = os.getpid() if process is None else process
    folder = Path("/proc") / str(process)
    if not folder.exists():
        raise ProcessLookupError(process)
    memory = _numbers(folder / "smaps_rollup")
    return Held(
        rss_kb=memory["Rss"],
        pss_kb=memory["Pss"],
        own_kb=memory["Anonymous"],
        files=_files(folder),
        threads=len(list((folder / "task").iterdir())),
        children=len(children(process)),
        watches=_watches(folder),
        gone_maps=sum(line.endswith(" (deleted)") for line in (folder / "maps").read_text().splitlines()),
    )


def written(process: int) -> int:
    """The bytes that the process has written so far, wherever to."""
    return _numbers(Path("/proc") / str(process) / "io")["wchar"]


def heaps(process: int) -> int:
    """The heaps that the C library made for threads: each begins a stretch of 64 MB, the rest of which is shut."""
    lines = (Path("/proc") / str(process) / "maps").read_text().splitlines()
    parts = [(*(int(end, 16) for end in line.split()[0].split("-")), line.split()[1:]) for line in lines]
    return sum(
        first % _HEAP == 0 and last == begin and end % _HEAP == 0 and rest[0] == "---p" and len(named) == 4
        for (first, last, named), (begin, end, rest) in pairwise(parts)
    )


def children(process: int) -> list[int]:
    """The processes that it started and that have not been taken note of since."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError):
            if int(stat.read_text(errors="replace").rpartition(") ")[2].split()[1]) == process:
                found.append(int(stat.parent.name))
    return found


def _numbers(path: Path) -> dict[str, int]:
    lines = (line.split() for line in path.read_text().splitlines()[1:])
    return {words[0].rstrip(":"): int(words[1]) for words in lines}


def _files(folder: Path) -> dict[str, int]:
    kinds: Counter[str] = Counter()
    for link in (folder / "fd").iterdir():
        with suppress(OSError):
            kinds[_kind(str(link.readlink()))] += 1
    return dict(sorted(kinds.items()))


def _kind(target: str) -> str:
    """A path's last part, the inode's kind for all else; numbers say nothing."""
    return _NUMBER.sub("", target.rpartition("/")[2] if target.startswith("/") else target)


def _watches(folder: Path) -> int:
    total = 0
    for info in (folder / "fdinfo").iterdir():
        with suppress(OSError):
            total += info.read_text().count("inotify wd:")
    return total
