"""An archive in its parts, and what tells our words in each of them from a person's.

The mark in an archive's head is `<digest of the head's words> <bytes>-<digest of the turns> <bytes>-<digest of the
tags> <digests of values>`. A part that has not the digest it was written with was changed by somebody else; without a
mark nobody knows.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from recall_tui import files
from recall_tui.domain import ArchiveEntry
from recall_tui.storage.archives.body import split_archive
from recall_tui.storage.files import atomic
from recall_tui.storage.markdown.frontmatter import DELIMITER, split_frontmatter

_DIGEST_DIGITS = 16
_VALUE_DIGITS = 4
_CORRECTABLE_KEYS = (
    *("date", "message_count", "duration", "source", "started_at", "ended_at"),
    *("cwd", "project", "branch", "model", "agent"),
)
"""Values that we write anew when a session grows, in the order of their digests; title and topics are of the words."""
_TITLE = re.compile(r"^# (?:Conversation|Archive Log) \d+[ \t]*$", re.MULTILINE)
_RULES = re.compile(rf"^\ufeff?{DELIMITER}[ \t\r]*$", re.MULTILINE)
_OWN_KEY = re.compile(r"^(?:log|session_id):", re.MULTILINE)
_BEGUN = re.compile(r"^# (?:Conversation|Archive Log)\b|^### (?:User|Assistant)\b", re.MULTILINE)
MAX_LOADED_BYTES = 32 << 20
"""An archive of more is not held in memory to put what is new between its turns."""
MIXED_DIGESTS = "- -"
"""Stands for turns and tags that hold other words than ours."""


@dataclass(frozen=True, slots=True)
class ArchiveParts:
    """The text of an archive; all but its frontmatter with plain line ends."""

    before: str
    """The frontmatter as it stands there, with what somebody wrote above it."""
    words: str
    """What stands between the frontmatter and the turns: summary and title."""
    body: str
    """The turns, and what somebody wrote between them and the title."""
    tags: str
    has_other_ends: bool = False
    """Its lines do not all end in a newline alone."""


def read_parts(path: Path) -> ArchiveParts:
    """The parts of the archive at `path`."""
    return of(atomic.read_text(path))


def of(text: str) -> ArchiveParts:
    """The parts of an archive that holds `text`."""
    before, rest = apart(text)
    words, body, tags = split_archive(rest)
    gap = len(body) - len(body.lstrip("\n"))
    return ArchiveParts(before, words + body[:gap], body[gap:], tags, "\r\n" in text)


def apart(text: str) -> tuple[str, str]:
    """An archive up to the end of its frontmatter, and the text below; a text without one is all below."""
    at = frontmatter_at(text)
    rest = split_frontmatter(text[at:])[1]
    return text[: len(text) - len(rest)], rest


def frontmatter_at(text: str) -> int:
    """Where the frontmatter of an archive begins: below what somebody wrote above it; 0 when there is none."""
    return find_frontmatter(text) or 0


def find_frontmatter(text: str) -> int | None:
    """The same; None when there is none above the title and the turns."""
    begun = begin_of(text)
    rules = _RULES.finditer(text, 0, len(text) if begun is None else begun)
    return next((one.start() for one, end in pairwise(rules) if _OWN_KEY.search(text, one.end(), end.start())), None)


def begin_of(text: str) -> int | None:
    """Where the title stands, or the first turn of an archive that has none; None when neither is there."""
    begun = _BEGUN.search(text)
    return begun.start() if begun else None


def head_text_digest(title: str, topics: Iterable[str], words: str) -> str:
    """What the words at the head of an archive are known by; its number is none of them."""
    return _digest("\0".join((title, ", ".join(topics), _TITLE.sub("", words).strip())))


def value_digests(values: Mapping[str, object]) -> str:
    """What the values of a head that a person may correct are known by, each in its place."""
    return "".join(_value_digest(values.get(key)) for key in _CORRECTABLE_KEYS)


def corrected_keys(values: Mapping[str, object]) -> set[str]:
    """The keys of a head whose values are not those that we wrote last: a person changed them, or took them out."""
    marks = _value_marks(values)
    return {key for key, mark in marks.items() if _value_digest(values.get(key)) != mark}


def mark_values(values: Mapping[str, object], there: Mapping[str, object], kept: Container[str]) -> str:
    """The mark of a new head with these values, in which the kept ones are still known by what we wrote last."""
    marks = str(values.get("written", "")).split(" ")
    if len(marks) < 3:
        return str(values.get("written", ""))
    was = _value_marks(there)
    digests = (was[key] if key in kept and key in was else _value_digest(values.get(key)) for key in _CORRECTABLE_KEYS)
    return " ".join((*marks[:3], "".join(digests)))


def _value_marks(values: Mapping[str, object]) -> dict[str, str]:
    """The digest that each value was written with; empty when nobody knows."""
    digests = "".join(str(values.get("written", "")).split(" ")[3:4])
    size = _VALUE_DIGITS
    if len(digests) != size * len(_CORRECTABLE_KEYS):
        return {}
    return {key: digests[at * size : (at + 1) * size] for at, key in enumerate(_CORRECTABLE_KEYS)}


def _value_digest(value: object) -> str:
    return "-" * _VALUE_DIGITS if value is None or value == "" else _digest(str(value))[:_VALUE_DIGITS]


def text_digest(text: str) -> str:
    """What turns or tags are known by."""
    return f"{len(atomic.encode(text))}-{_digest(text)}"


def body_digests(body: Path, tags: str) -> str:
    """The marks of turns and tags, of a file that holds both."""
    size = body.stat().st_size - len(atomic.encode(tags))
    digest = _PrefixDigest(size)
    for piece in atomic.read_chunks(body):
        digest.take(piece)
    return f"{digest.mark} {text_digest(tags)}"


def has_own_head(entry: ArchiveEntry, words: str) -> bool | None:
    """Whether the words at the head are those that we wrote; None when nobody knows."""
    mark = entry.written.partition(" ")[0]
    return mark == head_text_digest(entry.title, entry.topics, words) if mark else None


def has_own_turns(entry: ArchiveEntry, text: str) -> bool | None:
    """Whether these turns are as we wrote them; None when nobody knows."""
    mark = _recorded_digests(entry)[0]
    return _has_digest(mark, text) if mark else None


def has_own_tags(entry: ArchiveEntry, text: str) -> bool | None:
    """Whether these tags are as we wrote them; None when nobody knows."""
    mark = _recorded_digests(entry)[1]
    return _has_digest(mark, text) if mark else None


def text_below_tags(entry: ArchiveEntry, text: str) -> str | None:
    """What somebody put below our tags; None when these are not as we wrote them."""
    mark = _recorded_digests(entry)[1]
    size = mark.partition("-")[0]
    if not size.isdecimal():
        return None
    data = atomic.encode(text)
    ours = atomic.decode(data[: int(size)])
    return atomic.decode(data[int(size) :]) if _has_digest(mark, ours) else None


def head_as_written(entry: ArchiveEntry) -> str | None:
    """All that stands above the turns where the file goes on with turns and tags as we wrote them, else None.

    The turns, which may be long, are not held in memory.
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
    """Whether the text has the mark, with the end of its last line or without it."""
    return mark in (text_digest(text), text_digest(text.removesuffix("\n")), text_digest(text + "\n"))


def _digest(text: str) -> str:
    return atomic.content_digest(text)[:_DIGEST_DIGITS]


class _PrefixDigest:
    """The digest of the first bytes of a stream, as `text_digest` has it."""

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
