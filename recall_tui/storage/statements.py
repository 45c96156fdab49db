"""What a page says, one statement at a time, each with the lines it stands in and the heading it stands under.

A list item is one statement with all its lines, a paragraph as many as it has sentences; code, tables and what is
hidden in comments say nothing, and neither do the hour and the archive that a day's line has about its words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from recall_tui.storage import day_logs
from recall_tui.storage.markdown import kinds, lines_of, sections
from recall_tui.text.markup import has_marker, unmarked
from recall_tui.text.sentences import sentences

LEAST = 12
"""Characters of a statement."""
MOST = 600
"""A longer one is a paste."""

_CITATION = re.compile(r"\s*\(([\w./-]{1,200}\.md):(\d{1,7})(?:-(\d{1,7}))?\)$")


class Statement(NamedTuple):
    """One thing that is said."""

    text: str
    """On one line, without the marks of lists and emphasis."""
    lines: tuple[int, int]
    """First and last line, from 1."""
    heading: str
    """The nearest heading above it; empty when there is none."""
    cited: tuple[str, int, int] | None = None
    """What it says it is from, at its end: a document with its first and last line; None when it does not."""


def statements(text: str) -> tuple[Statement, ...]:
    """What the page says, in its order."""
    lines = lines_of(text)
    headings = _headings(text)
    found: list[Statement] = []
    for first, last in _stretches(text):
        words = day_logs.said("\n".join(lines[first - 1 : last])) or " ".join(map(str.strip, lines[first - 1 : last]))
        cited = None
        if citation := _CITATION.search(words):
            cited = citation[1], int(citation[2]), int(citation[3] or citation[2])
            words = words[: citation.start()]
        for sentence in sentences(words):
            if LEAST <= len(sentence) <= MOST and any(map(str.isalpha, sentence)):
                found.append(Statement(sentence, (first, last), headings[first - 1], cited))
    return tuple(found)


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
