"""What weighs on MEMORY.md line by line: empty sections, guidance that has done its job, repeated and old lines.

Everything found is a range of lines, never a name, so two sections of one title cannot be confused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, time
from functools import lru_cache
from typing import Literal

from recall_tui.storage.documents import memory_file
from recall_tui.storage.documents.memory_file import MemoryFile
from recall_tui.storage.markdown.outline import find_comments, find_title_line
from recall_tui.text.dates import find_dates, relative_time

BloatKind = Literal["extract", "empty", "comment", "duplicate", "stale"]

POINTER_LINE = re.compile(r"See (\S+\.md) for details\.\s*")
"""The line that an extracted section leaves behind (recall-echo distill)."""
_MAX_PLACEHOLDER_LINES = 3
"""A longer comment under an empty heading is somebody's text."""
_GUIDANCE_WORDS = re.compile(
    r"\b(?:template|placeholder|curated|distilled|confirmed|facts?|memory|knowledge|sessions?|context|lines)\b", re.I
)
"""Words of which a comment that says what the file is for has at least one."""
_COMMENT_MARKUP = re.compile(r"<!--\s*[-*+#]\s|\s[-*+]\s")
"""A list or a heading inside a comment: somebody set a text aside."""
_MARKER = re.compile(r"\s*(?:(?:[-+*]|\d{1,9}[.)]|>)\s+)*")


@dataclass(frozen=True, slots=True)
class BloatFinding:
    """A range of lines that weighs on the file."""

    kind: BloatKind
    title: str
    reason: str
    start: int
    """Its first line, from 0."""
    end: int
    """The line after the last one."""
    saves: int
    """Lines won when it goes."""
    is_safe: bool = False
    stays: str = ""
    """What is left in front of the pointer of an extraction: the heading with its line end."""
    repeats: int = -1
    """The earlier line, from 0, that a duplicate repeats."""

    def overlaps(self, start: int, end: int) -> bool:
        """Whether it shares a line with the range."""
        return self.start < end and start < self.end


def find_empty_sections(memory: MemoryFile) -> Iterator[BloatFinding]:
    """Headings with nothing but blank lines and comments under them; the document's title is never one.

    A tree of bare headings may be an outline that says something, and a long comment is a text: those need judgement.
    """
    remarks = {line for start, end in find_comments(memory.lines, memory.kinds) for line in range(start, end)}
    title = find_title_line(memory.sections)
    until = 0
    for section in memory.sections:
        if section.level == 0 or section.start < until or section.start == title:
            continue
        inside = range(section.start, section.end)
        if all(memory.kinds[line] in ("blank", "heading") or line in remarks for line in inside):
            until = section.end
            headings = sum(memory.kinds[line] == "heading" for line in inside)
            is_safe = headings == 1 and sum(line in remarks for line in inside) <= _MAX_PLACEHOLDER_LINES
            yield BloatFinding("empty", section.title, "empty", section.start, section.end, section.lines, is_safe)


def find_guidance(memory: MemoryFile, empty: Iterable[BloatFinding]) -> Iterator[BloatFinding]:
    """The template's short comments right under the title, as one, once the file holds words of its own."""
    title = find_title_line(memory.sections)
    words = [line for line, kind in enumerate(memory.kinds) if kind in ("text", "code")]
    if title < 0 or not words:
        return
    headings = [line for line, kind in enumerate(memory.kinds) if kind == "heading" and line > title]
    lead = min(words + headings)
    found: list[tuple[int, int]] = []
    for start, end in find_comments(memory.lines, memory.kinds):
        text = "".join(memory.lines[start:end])
        is_guidance = (
            end - start <= _MAX_PLACEHOLDER_LINES and _GUIDANCE_WORDS.search(text) and not _COMMENT_MARKUP.search(text)
        )
        if not title < start < lead or not is_guidance or any(part.overlaps(start, end) for part in empty):
            continue
        if found and found[-1][1] == start:
            start = found.pop()[0]
        found.append((start, end))
    for start, end in found:
        if memory.kinds[start - 1] == "blank" and end < len(memory.lines) and memory.kinds[end] == "blank":
            end += 1
        first = " ".join(memory.lines[start].split())
        yield BloatFinding("comment", _shorten(first), "template comment", start, end, end - start, is_safe=True)


def find_duplicates(memory: MemoryFile) -> Iterator[BloatFinding]:
    """Lines that say nearly the same as an earlier one."""
    known = list(prose_lines(memory))
    places = [line for line, _ in known]
    texts = tuple(text for _, text in known)
    earliest: dict[int, int] = {}
    for first, second in _find_near_duplicates(texts):
        earlier, later = sorted((first, second))
        earliest[later] = min(earlier, earliest.get(later, earlier))
    for later, earlier in sorted(earliest.items()):
        line = places[later]
        same = "duplicate" if texts[later] == texts[earlier] else "near duplicate"
        reason = f"{same} of line {places[earlier] + 1}"
        yield BloatFinding("duplicate", _shorten(texts[later]), reason, line, line + 1, 1, repeats=places[earlier])


@lru_cache(maxsize=1)
def _find_near_duplicates(texts: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """The pairs of lines that say the same; a change that was looked at is made from the same lines again."""
    from recall_tui.text.classify.similarity import near_duplicates

    return tuple(near_duplicates(texts, memory_file.MIN_DUPLICATE_PERCENT, memory_file.MIN_DUPLICATE_CHARS))


def find_stale_lines(memory: MemoryFile, now: datetime) -> Iterator[BloatFinding]:
    """Lines whose newest date lies at least a month back; of a month without a day, its last day counts."""
    for line, text in prose_lines(memory):
        newest = max(find_dates(text), default=None)
        if newest is None or (now.date() - newest).days < memory_file.STALE_AFTER_DAYS:
            continue
        said = newest.isoformat() if newest.isoformat() in text else f"{newest:%Y-%m}"
        age = relative_time(datetime.combine(newest, time(), now.tzinfo), now)
        yield BloatFinding("stale", _shorten(text), f"says {said}, {age}", line, line + 1, 1)


def prose_lines(memory: MemoryFile) -> Iterator[tuple[int, str]]:
    """The lines of prose, from 0, without their list markers; no code, no headings, no pointers."""
    for line in range(len(memory.lines)):
        if text := prose_line_at(memory, line):
            yield line, text


def prose_line_at(memory: MemoryFile, line: int) -> str:
    """The words of a line, from 0, if it is one of prose; else empty."""
    if memory.kinds[line] != "text":
        return ""
    text = _MARKER.sub("", memory.lines[line], count=1).strip()
    return "" if POINTER_LINE.fullmatch(text) else text


def _shorten(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
