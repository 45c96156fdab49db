"""An archive split into parts, with checksums that tell our text from other writers'.

The checksum in an archive's head is `<digest of the head's text> <bytes>-<digest of the turns> <bytes>-<digest of the
tags> <digests of values>`. A part whose digest differs was changed by somebody else; without a checksum this is
unknown.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui import files
from recall_tui.storage.archives.body import split_archive
from recall_tui.storage.files import atomic
from recall_tui.storage.markdown.frontmatter import DELIMITER, split_frontmatter
from recall_tui.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from recall_tui.domain import ArchiveEntry

_DIGEST_DIGITS = 16
_VALUE_DIGITS = 4
_COUNTED_KEY = "message_count"
"""Counted anew whenever the session grows, whatever stands there."""
_CORRECTABLE_KEYS = (
    *("date", "message_count", "duration", "source", "started_at", "ended_at"),
    *("cwd", "project", "branch", "model", "agent"),
)
"""Values that are rewritten when a session grows, in the order of their digests; title and topics belong to the
head's text.
"""
_TITLE = lazy_pattern(r"^# (?:Conversation|Archive Log) \d+[ \t]*$", re.MULTILINE)
_RULES = lazy_pattern(rf"^\ufeff?{DELIMITER}[ \t\r]*$", re.MULTILINE)
_OWN_KEY = lazy_pattern(r"^(?:log|session_id):", re.MULTILINE)
_BEGUN = lazy_pattern(r"^# (?:Conversation|Archive Log)\b|^### (?:User|Assistant)\b", re.MULTILINE)
MAX_LOADED_BYTES = 32 << 20
"""The largest archive to load into memory in order to insert new turns."""
MIXED_DIGESTS = "- -"
"""The checksum for turns and tags that contain text of other writers."""


@dataclass(frozen=True, slots=True)
class ArchiveParts:
    """The text of an archive; all but its frontmatter with plain line endings."""

    before: str
    """The frontmatter unchanged, with any text above it."""
    words: str
    """The text between the frontmatter and the turns: summary and title."""
    body: str
    """The turns, and any text between them and the title."""
    tags: str
    has_other_ends: bool = False
    r"""Some of its lines do not end in `\n` alone."""


def read_parts(path: Path) -> ArchiveParts:
    """Read the archive at `path` and split it."""
    return of(atomic.read_text(path))


def of(text: str) -> ArchiveParts:
    """Split the text of an archive."""
    before, rest = apart(text)
    words, body, tags = split_archive(rest)
    gap = len(body) - len(body.lstrip("\n"))
    return ArchiveParts(before, words + body[:gap], body[gap:], tags, "\r\n" in text)


def apart(text: str) -> tuple[str, str]:
    """Split an archive after its frontmatter; a text without one is all in the second part."""
    at = frontmatter_at(text)
    rest = split_frontmatter(text[at:])[1]
    return text[: len(text) - len(rest)], rest


def frontmatter_at(text: str) -> int:
    """Return the offset of an archive's frontmatter, which may follow other text; 0 when there is none."""
    return find_frontmatter(text) or 0


def find_frontmatter(text: str) -> int | None:
    """Return the offset of the frontmatter; None when there is none above the title and the turns."""
    begun = begin_of(text)
    rules = _RULES.finditer(text, 0, len(text) if begun is None else begun)
    return next((one.start() for one, end in pairwise(rules) if _OWN_KEY.search(text, one.end(), end.start())), None)


def begin_of(text: str) -> int | None:
    """Return the offset of the title, or of the first turn without one; None when there is neither."""
    begun = _BEGUN.search(text)
    return begun.start() if begun else None


def head_text_digest(title: str, topics: Iterable[str], words: str) -> str:
    """Return the digest of an archive's head text; it does not depend on the archive's number."""
    return _digest("\0".join((title, ", ".join(topics), _TITLE.sub("", words).strip())))


def value_digests(values: Mapping[str, object]) -> str:
    """Return the digests of the head's values that a user may correct, in fixed positions."""
    return "".join(_value_digest(values.get(key)) for key in _CORRECTABLE_KEYS)


def corrected_keys(values: Mapping[str, object]) -> set[str]:
    """Return the keys of a head whose values differ from what we wrote last: the user changed or deleted them."""
    marks = _value_marks(values)
    return {key for key, mark in marks.items() if key != _COUNTED_KEY and _value_digest(values.get(key)) != mark}


def mark_values(values: Mapping[str, object], there: Mapping[str, object], kept: Container[str]) -> str:
    """Return the checksum of a new head with these values; kept ones retain the digest of what we wrote last."""
    marks = str(values.get("written", "")).split(" ")
    if len(marks) < 3:
        return str(values.get("written", ""))
    was = _value_marks(there)
    digests = (was[key] if key in kept and key in was else _value_digest(values.get(key)) for key in _CORRECTABLE_KEYS)
    return " ".join((*marks[:3], "".join(digests)))


def _value_marks(values: Mapping[str, object]) -> dict[str, str]:
    """Return the digest with which each value was written; empty when unknown."""
    digests = "".join(str(values.get("written", "")).split(" ")[3:4])
    size = _VALUE_DIGITS
    if len(digests) != size * len(_CORRECTABLE_KEYS):
        return {}
    return {key: digests[at * size : (at + 1) * size] for at, key in enumerate(_CORRECTABLE_KEYS)}


def _value_digest(value: object) -> str:
    return "-" * _VALUE_DIGITS if value is None or value == "" else _digest(str(value))[:_VALUE_DIGITS]


def text_digest(text: str) -> str:
    """Return the checksum of turns or tags: `<bytes>-<digest>`."""
    return f"{len(atomic.encode(text))}-{_digest(text)}"


def body_digests(body: Path, tags: str) -> str:
    """Return the checksums of turns and tags, for a file that holds both."""
    size = body.stat().st_size - len(atomic.encode(tags))
    digest = _PrefixDigest(size)
    for piece in atomic.read_chunks(body):
        digest.take(piece)
    return f"{digest.mark} {text_digest(tags)}"


def has_own_head(entry: ArchiveEntry, words: str) -> bool | None:
    """Return whether the head's text is as we wrote it; None when unknown."""
    mark = entry.written.partition(" ")[0]
    return mark == head_text_digest(entry.title, entry.topics, words) if mark else None


def has_own_turns(entry: ArchiveEntry, text: str) -> bool | None:
    """Return whether the turns are as we wrote them; None when unknown."""
    mark = _recorded_digests(entry)[0]
    return _has_digest(mark, text) if mark else None


def has_own_tags(entry: ArchiveEntry, text: str) -> bool | None:
    """Return whether the tags are as we wrote them; None when unknown."""
    mark = _recorded_digests(entry)[1]
    return _has_digest(mark, text) if mark else None


def text_below_tags(entry: ArchiveEntry, text: str) -> str | None:
    """Return the text that somebody added below our tags; None when the tags are not as we wrote them."""
    mark = _recorded_digests(entry)[1]
    size = mark.partition("-")[0]
    if not size.isdecimal():
        return None
    data = atomic.encode(text)
    ours = atomic.decode(data[: int(size)])
    return atomic.decode(data[int(size) :]) if _has_digest(mark, ours) else None


def head_as_written(entry: ArchiveEntry) -> str | None:
    """Return all text above the turns if turns and tags are as we wrote them; else None.

    The turns, which may be long, are not loaded into memory.
    """
    turns, tags = _recorded_digests(entry)
    sizes = [mark.partition("-")[0] for mark in (turns, tags)]
    if not all(size.isdecimal() and len(size) < _DIGEST_DIGITS for size in sizes):
        return None
    first, second = map(int, sizes)
    try:
        with files.open_file(entry.path) as file:
            start = entry.path.stat().st_size - first - second
            if not 0 <= start <= MAX_LOADED_BYTES or second > MAX_LOADED_BYTES:
                return None
            head = atomic.decode(file.read(start))
            one = _PrefixDigest(first)
            while piece := file.read(min(one.left, 1 << 20)):
                one.take(piece)
            is_ours = one.mark == turns and text_digest(atomic.decode(file.read())) == tags
    except OSError:
        return None
    _, below, more = split_archive(apart(head)[1])
    return head if is_ours and not (below + more).strip() else None


def _recorded_digests(entry: ArchiveEntry) -> tuple[str, str]:
    marks = entry.written.split(" ")
    return (marks[1], marks[2]) if len(marks) >= 3 else ("", "")


def _has_digest(mark: str, text: str) -> bool:
    """Return whether the text has the checksum, with or without its last line ending."""
    return mark in (text_digest(text), text_digest(text.removesuffix("\n")), text_digest(text + "\n"))


def _digest(text: str) -> str:
    return atomic.content_digest(text)[:_DIGEST_DIGITS]


class _PrefixDigest:
    """The digest of the first bytes of a stream, as `text_digest` computes it."""

    def __init__(self, size: int) -> None:
        import hashlib

        self.size = self.left = size
        self._sha = hashlib.sha256()

    def take(self, piece: bytes) -> None:
        self._sha.update(piece[: self.left])
        self.left -= min(self.left, len(piece))

    @property
    def mark(self) -> str:
        return f"{self.size}-{self._sha.hexdigest()[:_DIGEST_DIGITS]}"
