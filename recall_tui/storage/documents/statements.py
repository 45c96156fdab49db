"""What a page says, one statement at a time, each with the lines it stands in and the heading it stands under.

A list item is one statement with all its lines, a paragraph as many as it has sentences; code, tables and what is
hidden in comments say nothing, and neither do the hour and the archive that a day's line has about its words, nor a
few words at the end of one that was cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from recall_tui.storage.documents import day_logs
from recall_tui.storage.markdown.outline import kinds, lines_of, sections
from recall_tui.text.markup import has_marker, unmarked
from recall_tui.text.sentences import sentences

LEAST = 12
"""Characters of a statement."""
MOST = 600
"""A longer one is a paste."""
_CUT_LEAST = 60
"""Characters of what is left of a sentence of a day's line that was cut."""
_DASH = "— "
"""Stands between what a session was called and what came of it."""

_PLACE = re.compile(r"([\w./-]{1,200}\.md):(\d{1,7})(?:-(\d{1,7}))?")
_CITATION = re.compile(rf"(?<!\s)\s*+\(({_PLACE.pattern}(?:; {_PLACE.pattern}){{0,9}})\)$")
Place = tuple[str, int, int]
"""A document with its first and last line."""


class Statement(NamedTuple):
    """One thing that is said."""

    text: str
    """On one line, without the marks of lists and emphasis."""
    lines: tuple[int, int]
    """First and last line, from 1."""
    heading: str
    """The nearest heading above it; empty when there is none."""
    cited: Place | None = None
    """What it says it is from, at its end; None when it does not."""
    also: tuple[Place, ...] = ()
    """What else it says it is from."""


def statements(text: str) -> tuple[Statement, ...]:
    """What the page says, in its order."""
    lines = lines_of(text)
    headings = _headings(text)
    found: list[Statement] = []
    for first, last in _stretches(text):
        row = day_logs.said("\n".join(lines[first - 1 : last]))
        words = row or " ".join(map(str.strip, lines[first - 1 : last]))
        cited: tuple[Place, ...] = ()
        if citation := _CITATION.search(words):
            cited = places(citation[1])
            words = words[: citation.start()]
        for sentence in _of_row(row) if row else sentences(words):
            if LEAST <= len(sentence) <= MOST and any(map(str.isalpha, sentence)):
                found.append(
                    Statement(sentence, (first, last), headings[first - 1], next(iter(cited), None), cited[1:])
                )
    return tuple(found)


def _of_row(row: str) -> Iterator[str]:
    """The sentences of a day's line, without the dash before its second half; what was cut short is left out."""
    found = [sentence.removeprefix(_DASH) for sentence in sentences(row)]
    for place, sentence in enumerate(found):
        if not place or not sentence.endswith("…") or len(sentence) >= _CUT_LEAST:
            yield sentence


def places(citation: str) -> tuple[Place, ...]:
    """What a citation such as `memory/2026-03-06.md:4-6; memory/2026-03-07.md:9` leads to."""
    return tuple((one[1], int(one[2]), int(one[3] or one[2])) for one in _PLACE.finditer(citation))


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    """The lines, from 1, of each paragraph and each list item."""
    lines = lines_of(text)
    first = 0
    for number, (line, kind) in enumerate(zip(lines, kinds(lines), strict=True), 1):
        is_words = kind == "text" and bool(unmarked(line))
        if first and (not is_words or has_marker(line)):
            yield first, number - 1
            first = 0
        if is_words and not first:
            first = number
    if first:
        yield first, len(lines)


def _headings(text: str) -> list[str]:
    """The heading that each line stands under."""
    found = [""] * (len(lines_of(text)) + 1)
    for section in sections(text):
        for number in range(section.start, section.end):
            found[number] = section.title
    return found
