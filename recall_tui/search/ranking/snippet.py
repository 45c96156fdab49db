"""The piece of a passage that shows why it was found.

One line of plain text, cut from the words as they stand in the file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from typing import TYPE_CHECKING

from recall_tui.index.text import schema
from recall_tui.index.text.passage import PROSE, TOOL, spoken_lines
from recall_tui.text.cut import one_line, shorten_at_word, strip_controls

if TYPE_CHECKING:
    from recall_tui.index.text.reader import StoredPassage

SNIPPET_CHARS = 200
"""Characters of a snippet, more or less."""
_HEADING = re.compile(r"\A\s*#{1,6}[ \t]+([^\n]*)\n")
_FIRST_MARK = re.compile(r"\A(…?)(?:#{1,6}|[-*+>]) +")
"""The Markdown mark of a heading, an item or a quotation at the start of a snippet."""


def extract_snippet(passage: StoredPassage, stems: Collection[str], grams: Collection[str] = ()) -> str:
    """The stretch of the passage that holds most of the different terms; its beginning when it holds none."""
    best, most = "", -1
    for which in (PROSE, TOOL):
        said = spoken_lines(passage.body, passage.labels, which)
        if which == PROSE:
            said = _without_heading(said, passage.heading)
        text = one_line(strip_controls(schema.clean_text(said)))
        start, count = _densest_window(text, _term_positions(text, stems, grams))
        if text and count > most:
            best, most = _cut_around(text, start), count
            if which == PROSE:
                best = _FIRST_MARK.sub(r"\1", best)
    return best


def _without_heading(text: str, path: str) -> str:
    """Return the text without the heading it begins with, when the hit's `path` of headings ends with it."""
    found = _HEADING.match(text)
    is_named = found is not None and path.endswith(found[1].strip()) and bool(text[found.end() :].strip())
    return text[found.end() :] if found is not None and is_named else text


def term_spans(text: str, words: Collection[str]) -> list[tuple[int, int]]:
    """Return the character ranges of `text` that hold these words, in any form; they do not overlap."""
    wanted = set(schema.terms(schema.STEMMED, " ".join(words)))
    tokens = schema.analyzers()[schema.STEMMED].pre_tokenize(text).tokens
    found = [(token.char_offset_from, token.char_offset_to) for token in tokens if token.text in wanted]
    for name in schema.IDENTIFIER.finditer(text):
        if not wanted.isdisjoint(schema.terms(schema.STEMMED, schema.identifier_parts(name[0]))):
            found.append(name.span())
    spans: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if not spans or start >= spans[-1][1]:
            spans.append((start, end))
    return spans


def _term_positions(text: str, stems: Collection[str], grams: Collection[str]) -> list[tuple[int, str]]:
    """Where the terms stand in `text`."""
    wanted = set(stems)
    tokens = schema.analyzers()[schema.STEMMED].pre_tokenize(text).tokens
    places = [(token.char_offset_from, token.text) for token in tokens if token.text in wanted]
    for name in schema.IDENTIFIER.finditer(text):
        pieces = schema.terms(schema.STEMMED, schema.identifier_parts(name[0]))
        places += [(name.start(), piece) for piece in pieces if piece in wanted]
    places += [(found.start(), gram) for gram in grams for found in re.finditer(re.escape(gram), text)]
    return sorted(places)


def _densest_window(text: str, places: list[tuple[int, str]]) -> tuple[int, int]:
    """Where a stretch of `SNIPPET_CHARS` with the most different terms starts, and how many it holds."""
    start, most, end = 0, 0, 0
    held: Counter[str] = Counter()
    for place, term in places:
        while end < len(places) and places[end][0] < place + SNIPPET_CHARS * 3 // 4:
            held[places[end][1]] += 1
            end += 1
        if len(held) > most:
            start, most = place, len(held)
        held[term] -= 1
        if not held[term]:
            del held[term]
    return start, most


def _cut_around(text: str, place: int) -> str:
    if len(text) <= SNIPPET_CHARS:
        return text
    start = max(0, min(place - SNIPPET_CHARS // 5, len(text) - SNIPPET_CHARS))
    if start:
        space = text.find(" ", start, place + 1)
        start = space + 1 if space >= 0 else start
    return ("…" if start else "") + shorten_at_word(text[start:], SNIPPET_CHARS)
