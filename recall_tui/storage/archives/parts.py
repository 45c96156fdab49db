"""An archive in its three parts, and what tells our words in each of them from a person's.

The mark in an archive's head is `<digest of the head's words> <bytes>-<digest of the turns> <bytes>-<digest of the
tags>`. A part that has not the digest it was written with was changed by somebody else; without a mark nobody knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from recall_tui import files
from recall_tui.domain import ArchiveEntry
from recall_tui.storage.archives.body import parts
from recall_tui.storage.files import atomic
from recall_tui.storage.markdown.frontmatter import split

_DIGITS = 16
_TITLE = re.compile(r"^# (?:Conversation|Archive Log) \d+[ \t]*$", re.MULTILINE)
MIXED = "- -"
"""Stands for turns and tags that hold other words than ours."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The text of an archive."""

    words: str
    """What stands between the frontmatter and the turns: summary and title."""
    body: str
    """The turns."""
    tags: str


def read(path: Path) -> Parts:
    """The parts of the archive at `path`, with plain line ends."""
    head, body, tags = parts(atomic.read_text(path))
    return Parts(split(head)[1], body.lstrip("\n"), tags)


def head_mark(title: str, topics: Iterable[str], words: str) -> str:
    """What the words at the head of an archive are known by; its number is none of them."""
    return _digest("\0".join((title, ", ".join(topics), _TITLE.sub("", words).strip())))


def mark_of(text: str) -> str:
    """What turns or tags are known by."""
    return f"{len(atomic.encode(text))}-{_digest(text)}"


def mark_of_body(body: Path, tags: str) -> str:
    """The marks of turns and tags, of a file that holds both."""
    size = body.stat().st_size - len(atomic.encode(tags))
    digest = _Digest(size)
    for piece in atomic.chunks(body):
        digest.take(piece)
    return f"{digest.mark} {mark_of(tags)}"


def has_our_words(entry: ArchiveEntry, words: str) -> bool | None:
    """Whether the words at the head are those that we wrote; None when nobody knows."""
    mark = entry.written.partition(" ")[0]
    return mark == head_mark(entry.title, entry.topics, words) if mark else None


def has_our_turns(entry: ArchiveEntry, text: str) -> bool:
    """Whether these turns are as we wrote them."""
    return _is(_marks(entry)[0], text)


def has_our_tags(entry: ArchiveEntry, text: str) -> bool | None:
    """Whether these tags are as we wrote them; None when nobody knows."""
    mark = _marks(entry)[1]
    return _is(mark, text) if mark else None


def below_tags(entry: ArchiveEntry, text: str) -> str | None:
    """What somebody put below our tags; None when these are not as we wrote them."""
    mark = _marks(entry)[1]
    size = mark.partition("-")[0]
    if not size.isdecimal():
        return None
    data = atomic.encode(text)
    ours = atomic.decode(data[: int(size)])
    return atomic.decode(data[int(size) :]) if _is(mark, ours) else None


def is_as_written(entry: ArchiveEntry) -> bool:
    """Whether the file ends with turns and tags as we wrote them, which is told without reading it into memory."""
    turns, tags = _marks(entry)
    sizes = [mark.partition("-")[0] for mark in (turns, tags)]
    if not all(size.isdecimal() and len(size) < _DIGITS for size in sizes):
        return False
    first, second = map(int, sizes)
    try:
        with files.opened(entry.path) as file:
            start = entry.path.stat().st_size - first - second
            if start < 0:
                return False
            file.seek(start)
            one = _Digest(first)
            while piece := file.read(min(one.left, 1 << 20)):
                one.take(piece)
            return one.mark == turns and mark_of(atomic.decode(file.read())) == tags
    except OSError:
        return False


def _marks(entry: ArchiveEntry) -> tuple[str, str]:
    marks = entry.written.split(" ")
    return (marks[1], marks[2]) if len(marks) == 3 else ("", "")


def _is(mark: str, text: str) -> bool:
    """Whether the text has the mark, with the end of its last line or without it."""
    return mark in (mark_of(text), mark_of(text.removesuffix("\n")), mark_of(text + "\n"))


def _digest(text: str) -> str:
    return atomic.digest(text)[:_DIGITS]


class _Digest:
    """The digest of the first bytes of a stream, as `mark_of` has it."""

    def __init__(self, size: int) -> None:
        import hashlib

        self.size = self.left = size
        self._sha = hashlib.sha256()

    def take(self, piece: bytes) -> None:
        self._sha.update(piece[: self.left])
        self.left -= min(self.left, len(piece))

    @property
    def mark(self) -> str:
        return f"{self.size}-{self._sha.hexdigest()[:_DIGITS]}"
