"""How far a transcript was read, by its bytes: known again in any folder, under any name, after it has grown.

An extent is `<bytes>-<digest>` of the beginning of a file, unpacked.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from recall_tui.errors import RecallError
from recall_tui.transcripts.jsonl import read_chunks

_DIGEST_DIGITS = 16


class ReadExtent(NamedTuple):
    """The part of a transcript that is known already."""

    bytes: int
    lines: int
    """Whole lines in it."""


def read_extent(path: Path) -> str:
    """The extent of a file as it is now; empty for one that cannot be read."""
    size, digest = 0, hashlib.sha256()
    try:
        for piece in read_chunks(path):
            size += len(piece)
            digest.update(piece)
    except RecallError:
        return ""
    return f"{size}-{digest.hexdigest()[:_DIGEST_DIGITS]}"


def extent_size(extent: str) -> int:
    """The bytes of an extent; -1 for what is none."""
    size = extent.partition("-")[0]
    return int(size) if size.isascii() and size.isdecimal() and len(size) < 16 else -1


def find_known_extent(path: Path, extents: Iterable[str]) -> tuple[ReadExtent, frozenset[str]]:
    """The longest beginning of the file that is one of the extents, and all of them that are.

    The file is read once, as far as the longest extent that it may hold.
    """
    wanted: dict[int, set[str]] = {}
    for extent in extents:
        if (size := extent_size(extent)) > 0:
            wanted.setdefault(size, set()).add(extent)
    best, found = ReadExtent(0, 0), set[str]()
    try:
        for size, lines, digest in _prefix_digests(path, sorted(wanted)):
            extent = f"{size}-{digest}"
            if extent in wanted[size]:
                best = ReadExtent(size, lines)
                found.add(extent)
    except RecallError:
        return ReadExtent(0, 0), frozenset()
    return best, frozenset(found)


def _prefix_digests(path: Path, sizes: list[int]) -> Iterator[tuple[int, int, str]]:
    """For each size that the file has: it, the whole lines before it, and the digest of the bytes before it."""
    if not sizes:
        return
    at = lines = 0
    digest = hashlib.sha256()
    waiting = iter(sizes)
    next_ = next(waiting)
    for piece in read_chunks(path):
        start = 0
        while next_ <= at + len(piece):
            part = piece[start : next_ - at]
            digest.update(part)
            lines += part.count(b"\n")
            start = next_ - at
            yield next_, lines, digest.copy().hexdigest()[:_DIGEST_DIGITS]
            following = next(waiting, None)
            if following is None:
                return
            next_ = following
        digest.update(piece[start:])
        lines += piece.count(b"\n", start)
        at += len(piece)
