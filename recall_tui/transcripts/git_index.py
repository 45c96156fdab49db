"""The names of the files that a git repository tracks, read from its index.

The format is git's index-format(5), versions 2 to 4; what cannot be read names nothing.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

from recall_tui.transcripts.git_repository import bytes_of, folders_of, object_format

_MAX_BYTES = 128 << 20
_STATUS_BYTES = 40
"""Of an entry before the name of its object."""
_NAME_BYTES = {"sha1": 20, "sha256": 32}
_EXTENDED = 0x4000


def tracked_below(top: Path, folder: Path) -> list[str]:
    """The tracked files in `folder`, or it itself, of the work tree at `top`; each relative to `top`."""
    found = folders_of(top)
    if found is None or not folder.is_relative_to(top):
        return []
    git, common = found
    prefix = folder.relative_to(top).as_posix()
    name_bytes = _NAME_BYTES.get(object_format(common), 20)
    data = bytes_of(git / "index", _MAX_BYTES)
    names = (name.decode("utf-8", "surrogateescape") for name in _names(data, name_bytes))
    return [name for name in names if prefix == "." or name == prefix or name.startswith(f"{prefix}/")]


def _names(data: bytes, name_bytes: int) -> Iterator[bytes]:
    if len(data) < 12:
        return
    signature, version, count = struct.unpack_from(">4sII", data)
    if signature != b"DIRC" or version not in (2, 3, 4):
        return
    at, name = 12, b""
    for _ in range(count):
        start, at = at, at + _STATUS_BYTES + name_bytes
        if at + 2 > len(data):
            return
        (flags,) = struct.unpack_from(">H", data, at)
        at += 4 if version >= 3 and flags & _EXTENDED else 2
        kept = 0
        if version == 4:
            dropped, at = _number(data, at)
            kept = max(0, len(name) - dropped)
        end = data.find(b"\0", at)
        if end < 0:
            return
        name = name[:kept] + data[at:end]
        at = end + 1
        if version != 4:
            at = start + (end - start + 8) // 8 * 8
        yield name


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A number of git's variable width, and where it ends."""
    value = 0
    while at < len(data):
        byte = data[at]
        at += 1
        value = value << 7 | byte & 127
        if not byte & 128:
            break
        value += 1
    return value, at
