"""Split a page into statements, each with its lines and heading.

A list item is one statement with all its lines; a paragraph is one statement per sentence. Code, tables and comments
are skipped, and so are time, label and archive of a session's entry in a day log, and a short fragment at the end of a
truncated one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from recall_tui.domain.documents import SOURCE_LINES, SourceRef
from recall_tui.storage.documents import day_logs
from recall_tui.storage.markdown.outline import line_kinds, parse_sections, split_lines
from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.markup import has_marker, strip_markers
from recall_tui.text.sentences import split_sentences

MIN_STATEMENT_CHARS = 12
MAX_STATEMENT_CHARS = 600
"""Longer statements are pastes and skipped."""
_MIN_CUT_CHARS = 60
"""The fewest characters of a truncated last sentence in a day log's line to keep."""
_MAX_WRAP_CHARS = 90
"""Characters of a line at which a writer begins the next, where no line of the page is that long."""
_CLOCK = lazy_pattern(r"\s*\d{1,2}[:.]\d{2}(?: ?(?:am|pm|Uhr|h))?\b[:,]?\s+(?:[-–—]\s+)?", re.IGNORECASE)
"""The time of day with which a line of a log begins; such a line is an item of its own."""
_TITLE_DASH = "— "
"""Separates a session's title from its result."""

_SOURCE = lazy_pattern(r"([\w./-]{1,200}\.md)" + SOURCE_LINES)
_CITATION = lazy_pattern(rf"(?<!\s)\s*+\(({_SOURCE.pattern}(?:; {_SOURCE.pattern}){{0,9}})\)$")


class Statement(NamedTuple):
    """A sentence or list item of a page."""

    text: str
    """On one line, without list and emphasis markers."""
    lines: tuple[int, int]
    """First and last line, from 1."""
    heading: str
    """The nearest heading above; empty when there is none."""
    cited: SourceRef | None = None
    """The source cited at its end; None without a citation."""
    also: tuple[SourceRef, ...] = ()
    """Further sources it cites."""


def page_statements(text: str, min_chars: int = MIN_STATEMENT_CHARS) -> tuple[Statement, ...]:
    """Return the page's statements in order, those of fewer characters left out."""
    lines = split_lines(text)
    headings = _line_headings(text)
    found: list[Statement] = []
    for first, last in _paragraph_ranges(text):
        said = "\n".join(lines[first - 1 : last])
        row, point = day_logs.entry_text(said), day_logs.point_text(said)
        words = row or " ".join(map(str.strip, lines[first - 1 : last]))
        if not row and (clock := _CLOCK.match(words)):
            words = words[clock.end() :]
        cited: tuple[SourceRef, ...] = ()
        if citation := _CITATION.search(words):
            cited = parse_citation(citation[1])
            words = words[: citation.start()]
        for sentence in _item_statements(words, row, is_whole=bool(point or cited)):
            if min_chars <= len(sentence) <= MAX_STATEMENT_CHARS and any(map(str.isalpha, sentence)):
                found.append(
                    Statement(sentence, (first, last), headings[first - 1], next(iter(cited), None), cited[1:])
                )
    return tuple(found)


def is_item_line(line: str) -> bool:
    """Return whether an item begins with the line: one of a list, or one that begins with a time of day."""
    return (has_marker(line) and not line.startswith("#")) or bool(_CLOCK.match(line))


def _item_statements(words: str, row: str, *, is_whole: bool) -> Iterable[str]:
    """The statements of an item; a derived line is one, since its fix says nothing without its cause."""
    return [strip_markers(words)] if is_whole else _row_statements(row) if row else split_sentences(words)


def _row_statements(row: str) -> Iterator[str]:
    """Yield the sentences of a day log's line without the dash before its second half; skip short truncated ones."""
    found = [sentence.removeprefix(_TITLE_DASH) for sentence in split_sentences(row)]
    for place, sentence in enumerate(found):
        if not place or not sentence.endswith("…") or len(sentence) >= _MIN_CUT_CHARS:
            yield sentence


def parse_citation(citation: str) -> tuple[SourceRef, ...]:
    """Parse a citation such as `memory/2026-03-06.md:4-6; memory/2026-03-07.md:9`."""
    return tuple(SourceRef(one[1], int(one[2]), int(one[3] or one[2])) for one in _SOURCE.finditer(citation))


def _paragraph_ranges(text: str) -> Iterator[tuple[int, int]]:
    """Yield the lines, from 1, of each paragraph and each list item."""
    lines = split_lines(text)
    width = min(max(map(len, lines), default=0), _MAX_WRAP_CHARS)
    first = 0
    for number, (line, kind) in enumerate(zip(lines, line_kinds(lines), strict=True), 1):
        is_words = kind == "text" and bool(strip_markers(line))
        is_new = (
            has_marker(line) or _CLOCK.match(line) or (number > 1 and _begins_paragraph(line, lines[number - 2], width))
        )
        if first and (not is_words or is_new):
            yield first, number - 1
            first = 0
        if is_words and not first:
            first = number
    if first:
        yield first, len(lines)


def _begins_paragraph(line: str, before: str, width: int) -> bool:
    """Return whether a line is no part of the list item above: not indented, and the item had room for its word."""
    is_below = has_marker(before) and not before.startswith("#") and line[:1].isupper()
    return is_below and len(before) + len(line.split()[0]) < width


def _line_headings(text: str) -> list[str]:
    found = [""] * (len(split_lines(text)) + 1)
    for section in parse_sections(text):
        for number in range(section.start, section.end):
            found[number] = section.title
    return found
