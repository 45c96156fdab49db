"""Why a passage is an answer: the words of the question it holds, where, and which stand side by side.

Only what is shown is looked at this closely; it explains the order and does not make it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.index.text import schema
from recall_tui.index.text.passage import PLAIN, PROMPT, REPLY, TOOL, spoken_lines

if TYPE_CHECKING:
    from recall_tui.index.text.stored_passage import StoredPassage
    from recall_tui.search.ranking.lexical import Term, WeightedTerm

_SPEAKER_GAP = 2
"""Positions between the words of two speakers, so that they are no neighbours."""


class MatchReasons(NamedTuple):
    """What a passage holds of a question."""

    words: dict[str, float]
    """For each word found, how much of the question it is, by its rarity; all words are 1."""
    fields: tuple[str, ...]
    """Where they were found."""
    pairs: float
    """The share of neighbouring words of the question that are neighbours here."""


def find_reasons(passage: StoredPassage, units: Sequence[WeightedTerm]) -> MatchReasons:
    """Find the units in the passage."""
    found, positions = _occurrences(passage, [weighed.unit for weighed in units])
    whole = sum(weighed.rarity for weighed in units) or 1.0
    words: dict[str, float] = {}
    fields: dict[str, None] = {}
    for weighed in units:
        if places := found.get(weighed.unit.stem):
            words[weighed.unit.word] = weighed.rarity / whole
            fields.update(places)
    return MatchReasons(words, tuple(fields), _pairs([weighed.unit.stem for weighed in units], positions))


def _occurrences(
    passage: StoredPassage, units: Sequence[Term]
) -> tuple[dict[str, dict[str, None]], dict[str, list[int]]]:
    """The fields that each unit stands in, and where in the words said."""
    wanted = {unit.stem for unit in units} | {part for unit in units for part in unit.parts}
    found: dict[str, dict[str, None]] = {}
    positions: dict[str, list[int]] = {}
    start = 0
    for field, text in (
        ("prompt", spoken_lines(passage.body, passage.labels, PROMPT)),
        ("text", spoken_lines(passage.body, passage.labels, REPLY + PLAIN)),
        ("tool", spoken_lines(passage.body, passage.labels, TOOL)),
    ):
        terms = schema.terms(schema.STEMMED, text) if text else []
        for place, term in enumerate(terms, start):
            if term in wanted:
                found.setdefault(term, {})[field] = None
                positions.setdefault(term, []).append(place)
        start += len(terms) + _SPEAKER_GAP
    for field, held in _fields(passage):
        for term in wanted.intersection(held):
            found.setdefault(term, {})[field] = None
    for unit in units:
        if unit.parts and unit.stem not in found and all(part in found for part in unit.parts):
            found[unit.stem] = {"parts": None}
        if unit.grams and all(gram in passage.body for gram in unit.grams):
            found.setdefault(unit.stem, {})["text"] = None
    return found, positions


def _fields(passage: StoredPassage) -> Iterable[tuple[str, Sequence[str]]]:
    for field, text in (("parts", passage.parts), ("paths", passage.paths)):
        if text:
            yield field, schema.terms(schema.STEMMED, text)
    yield "title", _repeated_terms(passage.title)
    yield "head", _repeated_terms(passage.head)


@lru_cache(maxsize=256)
def _repeated_terms(text: str) -> tuple[str, ...]:
    """The terms of what is the same in many passages of a document."""
    return tuple(schema.terms(schema.STEMMED, text))


def _pairs(stems: Sequence[str], positions: dict[str, list[int]]) -> float:
    if len(stems) < 2:
        return 0.0
    near = 0.0
    for left, right in pairwise(stems):
        after = set(positions.get(right, ()))
        places = positions.get(left, ())
        if any(place + 1 in after for place in places):
            near += 1
        elif any(place + 2 in after for place in places):
            near += 0.5
    return near / (len(stems) - 1)
