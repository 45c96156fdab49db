"""Words against passages: which passages to look at, and how well each answers.

Tantivy proposes, this module judges. Its statistics still count passages that were deleted, so that an index that grew
bit by bit would answer otherwise than one made anew; the judgement here uses only what is there now.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from recall_tui.index import schema
from recall_tui.index.passage import PLAIN, PROMPT, PROSE, REPLY, TOOL, said

if TYPE_CHECKING:
    import tantivy

    from recall_tui.index.passages import PassageReader, StoredPassage

FIELD_WEIGHTS = {"text": 1.0, "parts": 0.5, "prompt": 0.5, "head": 0.3, "title": 0.4, "tool": 0.1, "paths": 0.2}
"""What a word weighs where it stands; the person's words count as text and once more as prompt."""
K1, B = 1.2, 0.75
"""BM25F's saturation and length normalisation (Robertson, Zaragoza & Taylor 2004)."""
_INDEXED = {"text": "window", "prompt": "thought"}
_APART = 2
"""Positions between the words of two speakers, so that they are no neighbours."""
PAIR_WEIGHT = 0.2
"""What words that stand side by side as in the question add, of a whole of 1 + this."""
_STOP_WORDS = """
a about after all also an and any are as at be because been before but by can could did do does ever for from get got
had has have having he her him his how i if in into is it its just me my no not of on or our she should so some than
that the their them then there these they this those to up us was we were what when where which who whom whose why
will with would you your
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
"""Words of every text; looked for only when there are no others."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing to look for."""

    word: str
    """As typed, or as corrected."""
    stem: str
    plain: str
    parts: tuple[str, ...] = ()
    """The stems of an identifier's pieces, when it has several."""
    grams: tuple[str, ...] = ()
    """Pairs of characters, for scripts without spaces."""
    corrected_from: str = ""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A unit and how telling it is."""

    unit: Unit
    rarity: float
    """Inverse document frequency in Lucene's form, which never falls to nothing."""


@dataclass(frozen=True, slots=True)
class Match:
    """How a passage answers."""

    passage: StoredPassage
    score: float
    """From 0 to 1."""
    words: dict[str, float]
    """For each word found, its share of the score."""
    fields: tuple[str, ...]
    """Where they were found."""
    pairs: float
    """The share of neighbouring words of the question that are neighbours here."""


def units_of(words: Iterable[str]) -> list[Unit]:
    """What to look for when these words were typed; words of every text are left out unless there are no others."""
    units: dict[str, Unit] = {}
    for word in words:
        text = schema.readable(word)
        pieces = tuple(schema.terms(schema.STEMMED, schema.identifier_parts(text)))
        stems, plains = schema.terms(schema.STEMMED, text), schema.terms(schema.PLAIN, text)
        for stem, plain in zip(stems, plains, strict=True):
            grams = tuple(gram for run in schema.unspaced_runs(plain) for gram in _grams(run))
            parts = pieces if len(pieces) > 1 and len(stems) == 1 else ()
            units.setdefault(stem, Unit(word if len(stems) == 1 else plain, stem, plain, parts, grams))
    telling = [unit for unit in units.values() if unit.plain not in STOP_WORDS]
    return telling or list(units.values())


def _grams(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def seek(reader: PassageReader, unit: Unit) -> tantivy.Query:
    """The query for a unit in any field; the field where it counts most decides."""
    from tantivy import Occur, Query

    found = [
        Query.boost_query(
            reader.term(_INDEXED.get(field, field), unit.plain if field == "paths" else unit.stem), weight
        )
        for field, weight in FIELD_WEIGHTS.items()
    ]
    if unit.parts:
        found.append(Query.boolean_query([(Occur.Must, reader.term("parts", part)) for part in unit.parts]))
    if unit.grams:
        found.append(Query.boolean_query([(Occur.Must, reader.term("gram", gram)) for gram in unit.grams]))
    return Query.disjunction_max_query(found, 0.1)


def weigh(unit: Unit, holding: int, total: int) -> Weighed:
    """A unit that `holding` of `total` passages hold, with its rarity."""
    return Weighed(unit, math.log(1 + (total - holding + 0.5) / (holding + 0.5)))


def judge(passage: StoredPassage, units: Sequence[Weighed], average_chars: float) -> Match:
    """Say how well the passage answers the units."""
    prose = said(passage.body, passage.labels, PROSE)
    length = 1 - B + B * len(prose) / max(average_chars, 1.0)
    found, positions = _occurrences(passage, prose, [weighed.unit for weighed in units])
    whole = sum(weighed.rarity for weighed in units) or 1.0
    words: dict[str, float] = {}
    fields: dict[str, None] = {}
    for weighed in units:
        counts = found.get(weighed.unit.stem)
        if not counts:
            continue
        strength = sum(FIELD_WEIGHTS[field] * count for field, count in counts.items()) / length
        words[weighed.unit.word] = weighed.rarity * strength / (K1 + strength) / whole
        fields.update(dict.fromkeys(counts))
    pairs = _pairs([weighed.unit.stem for weighed in units], positions)
    score = sum(words.values())
    if len(units) > 1:
        score = (score + PAIR_WEIGHT * pairs) / (1 + PAIR_WEIGHT)
    return Match(passage, min(score, 1.0), words, tuple(fields), pairs)


def listed(passage: StoredPassage, place: int, places: int) -> Match:
    """A passage that no word chose, with a score by its place in the list."""
    return Match(passage, 1 - place / (places + 1), {}, (), 0.0)


def _occurrences(
    passage: StoredPassage, prose: str, units: list[Unit]
) -> tuple[dict[str, dict[str, int]], dict[str, list[int]]]:
    """How often each unit stands in each field, and where in the prose."""
    wanted = {unit.stem for unit in units} | {part for unit in units for part in unit.parts}
    found: dict[str, dict[str, int]] = {}
    positions: dict[str, list[int]] = {}
    start = 0
    for speaker in (PROMPT, REPLY + PLAIN):
        spoken = schema.terms(schema.STEMMED, said(passage.body, passage.labels, speaker))
        for place, term in enumerate(spoken, start):
            if term in wanted:
                _count(found, term, "text")
                if speaker == PROMPT:
                    _count(found, term, "prompt")
                positions.setdefault(term, []).append(place)
        start += len(spoken) + _APART
    for field, terms in _fields(passage):
        for term in terms:
            if term in wanted:
                _count(found, term, field)
    for unit in units:
        if unit.parts and unit.stem not in found and all(part in found for part in unit.parts):
            found[unit.stem] = {"parts": 1}
        if unit.grams and (times := min(prose.count(gram) for gram in unit.grams)):
            found.setdefault(unit.stem, {}).setdefault("text", times)
    return found, positions


def _count(found: dict[str, dict[str, int]], term: str, field: str) -> None:
    counts = found.setdefault(term, {})
    counts[field] = counts.get(field, 0) + 1


def _fields(passage: StoredPassage) -> Iterable[tuple[str, Sequence[str]]]:
    if TOOL in passage.labels:
        yield "tool", schema.terms(schema.STEMMED, said(passage.body, passage.labels, TOOL))
    for field, text in (("parts", passage.parts), ("paths", passage.paths)):
        if text:
            yield field, schema.terms(schema.STEMMED, text)
    yield "title", _repeated(passage.title)
    yield "head", _repeated(passage.head)


@lru_cache(maxsize=1024)
def _repeated(text: str) -> tuple[str, ...]:
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
