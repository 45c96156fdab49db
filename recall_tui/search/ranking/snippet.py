"""The piece of a passage that shows why it was found.

One line of plain text, cut from the words as they stand in the file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection

from recall_tui.index.text import schema
from recall_tui.index.text.passage import PROSE, TOOL, said
from recall_tui.index.text.reader import StoredPassage
from recall_tui.text.cut import cut, one_line, plain

WIDTH = 200
"""Characters of a snippet, more or less."""


def of(passage: StoredPassage, stems: Collection[str], grams: Collection[str] = ()) -> str:
    """The stretch of the passage that holds most of the different terms; its beginning when it holds none."""
    best, most = "", -1
    for which in (PROSE, TOOL):
        text = one_line(plain(schema.readable(said(passage.body, passage.labels, which))))
        start, count = _densest(text, _places(text, stems, grams))
        if text and count > most:
            best, most = _around(text, start), count
    return best


def _places(text: str, stems: Collection[str], grams: Collection[str]) -> list[tuple[int, str]]:
    """Where the terms stand in `text`."""
    wanted = set(stems)
    tokens = schema.analyzers()[schema.STEMMED].pre_tokenize(text).tokens
    places = [(token.char_offset_from, token.text) for token in tokens if token.text in wanted]
    for name in schema.IDENTIFIER.finditer(text):
        pieces = schema.terms(schema.STEMMED, schema.identifier_parts(name[0]))
        places += [(name.start(), piece) for piece in pieces if piece in wanted]
    places += [(found.start(), gram) for gram in grams for found in re.finditer(re.escape(gram), text)]
    return sorted(places)


def _densest(text: str, places: list[tuple[int, str]]) -> tuple[int, int]:
    """Where a stretch of `WIDTH` with the most different terms starts, and how many it holds."""
    start, most, end = 0, 0, 0
    held: Counter[str] = Counter()
    for place, term in places:
        while end < len(places) and places[end][0] < place + WIDTH * 3 // 4:
            held[places[end][1]] += 1
            end += 1
        if len(held) > most:
            start, most = place, len(held)
        held[term] -= 1
        if not held[term]:
            del held[term]
    return start, most


def _around(text: str, place: int) -> str:
    if len(text) <= WIDTH:
        return text
    start = max(0, min(place - WIDTH // 5, len(text) - WIDTH))
    if start:
        space = text.find(" ", start, place + 1)
        start = space + 1 if space >= 0 else start
    return ("…" if start else "") + cut(text[start:], WIDTH)
