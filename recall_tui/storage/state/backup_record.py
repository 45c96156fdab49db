"""The record of a backup: its day, and each file with the digest of its content.

The first line is the digest of the rest, so that a truncated or altered record is detected.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path, PurePosixPath

from recall_tui.errors import BrokenFileError
from recall_tui.storage.files import atomic
from recall_tui.storage.inventory import ExcludedFile
from recall_tui.storage.state.backup_days import ORDER_FILE

FileStamp = tuple[int, int, int]
"""Values that change when a file is written: mtime (ns), ctime (ns) and inode."""
NO_STAMP: FileStamp = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class BackupFile:
    """A file in a backup."""

    path: str
    """Path relative to the memory's root."""
    digest: str
    size: int
    """Size in bytes."""
    packed: int
    """Size in bytes of the compressed content."""
    is_private: bool
    stamp: FileStamp = NO_STAMP


@dataclass(frozen=True, slots=True)
class Backup:
    """The files of a memory on one day."""

    day: date
    at: datetime
    layout: str
    files: tuple[BackupFile, ...]
    left_out: tuple[ExcludedFile, ...] = ()

    def to_bytes(self) -> bytes:
        """Serialize the record: a line with the digest, then zstd-compressed JSON."""
        import zstandard

        values = {
            "day": self.day.isoformat(),
            "at": self.at.isoformat(),
            "layout": self.layout,
            "files": [[one.path, one.digest, one.size, one.packed, one.is_private, *one.stamp] for one in self.files],
            "left_out": [[one.path, one.reason] for one in self.left_out],
        }
        body = zstandard.ZstdCompressor(level=3).compress(json.dumps(values).encode())
        return f"{atomic.content_digest(body)}\n".encode() + body

    @classmethod
    def of(cls, path: Path, data: bytes) -> Backup:
        """Parse the bytes of the record at `path`; BrokenFileError when they are invalid."""
        import zstandard

        told, _, body = data.partition(b"\n")
        if told != atomic.content_digest(body).encode():
            raise BrokenFileError(f"{path}: it is not what was written", hint="name another day")
        try:
            row = json.loads(zstandard.ZstdDecompressor().decompressobj().decompress(body))
            files = tuple(
                BackupFile(name, digest, size, packed, is_private, (modified, changed, inode))
                for name, digest, size, packed, is_private, modified, changed, inode in row["files"]
            )
            left_out = tuple(ExcludedFile(*one) for one in row["left_out"])
            moment = datetime.fromisoformat(row["at"])
            return cls(date.fromisoformat(row["day"]), moment, row["layout"], files, left_out)
        except (ValueError, KeyError, TypeError, RecursionError, zstandard.ZstdError):
            raise BrokenFileError(f"{path}: it is no record of a backup", hint="name another day") from None


def is_inside(name: str) -> bool:
    """Return whether a relative file name stays inside its folder."""
    pure = PurePosixPath(name)
    return bool(name) and "\0" not in name and not pure.is_absolute() and ".." not in pure.parts


def write_order(folder: Path, days: Iterable[date]) -> None:
    """Write the days, each at its last position."""
    last = list(dict.fromkeys(reversed(list(days))))[::-1]
    atomic.write_file(folder / ORDER_FILE, "".join(f"{day.isoformat()}\n" for day in last).encode())
