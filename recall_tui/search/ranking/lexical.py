"""Words as queries: what to look for on each shelf of the index, and what each find is worth.

Each list of finds is scored by BM25 over its own shelf (Robertson & Zaragoza 2009; Tantivy's k1=1.2, b=0.75, with
Lucene's inverse document frequency, which never falls to nothing). The weights were measured on questions about dated
talk, and on commit subjects about the sessions that made the commits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.index.text import schema
from recall_tui.index.text.passage import SPEECH, TOOLS, WHOLE

if TYPE_CHECKING:
    import tantivy

    from recall_tui.index.text.reader import PassageReader

FIELD_WEIGHTS: dict[str, dict[str, float]] = {
    SPEECH: {"window": 1.0, "head": 0.8, "parts": 0.4, "title": 0.3, "branch": 0.2, "paths": 0.2, "tool": 0.1},
    TOOLS: {"thought": 1.0, "tool": 0.15, "plain": 0.1, "parts": 0.2, "paths": 0.2},
    WHOLE: {
        "whole": 0.8,
        "prompt": 0.2,
        "head": 0.7,
        "thought": 0.3,
        "parts": 0.4,
        "tool": 0.4,
        "title": 0.3,
        "branch": 0.3,
        "paths": 0.2,
    },
}
"""What a word weighs in each field of each shelf."""
PAIR_FIELDS = {SPEECH: "window", WHOLE: "whole"}
"""Where words side by side are looked for."""
NEIGHBOUR_WEIGHTS = {WHOLE: 0.3}
"""What two neighbours of the question, one of them telling, add where they stand side by side."""
PAIR_WEIGHTS = {SPEECH: 0.2, WHOLE: 0.3}
"""What two telling words, neighbours once the others are left out, add where they stand near each other."""
_UNSTEMMED_FIELDS = ("plain", "paths")
MIN_PAIR_RARITY = 2.3
"""The rarity of a word that one passage in ten holds: two such words stand near each other by chance."""
PAIR_SLOP = 2
"""Words that may stand between them."""
PART_WEIGHT = 0.6
"""What a piece of an identifier weighs beside a word."""
MAX_PAIRED_WORDS = 24
"""Words of a question whose neighbours are looked at."""
MAX_TERMS = 128
"""Things that are looked for; a name with more pieces than this is text that was pasted."""
MAX_RUN_CHARS = 8
"""Characters of the longest word in a script without spaces; what is longer is a sentence."""
_STOP_WORD_LIST = """
a about after again all also an and any are as at be because been before being both but by can could d did do does don
each ever few for from get got had has have having he her him his how i if in into is it its just ll m may me might
more most my no nor not of on or other our ours own re s same she should so some such t than that the their theirs them
then there these they this those to too up us ve very was we were what when where which while who whom whose why will
with would you your yours am over
"""
STOP_WORDS = frozenset(_STOP_WORD_LIST.split())
"""Words of every text; looked for only when there are no others."""


class Term(NamedTuple):
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


class WeightedTerm(NamedTuple):
    """A unit and how telling it is."""

    unit: Term
    rarity: float
    """Inverse document frequency in Lucene's form, which never falls to nothing."""


def query_terms(words: Iterable[str]) -> list[Term]:
    """What to look for when these words were typed; words of every text are left out unless there are no others."""
    units: dict[str, Term] = {}
    for word in words:
        text = schema.clean_text(word)
        sentences = [run for run in schema.unspaced_runs(text) if len(run) > MAX_RUN_CHARS]
        for run in sentences:
            units |= {gram: Term(gram, gram, gram, (), (gram,)) for gram in _script_grams(run)}
            text = text.replace(run, " ")
        pieces = tuple(schema.terms(schema.STEMMED, schema.identifier_parts(text)))
        stems, plains = schema.terms(schema.STEMMED, text), schema.terms(schema.PLAIN, text)
        for stem, plain in zip(stems, plains, strict=True):
            grams = tuple(gram for run in schema.unspaced_runs(plain) for gram in _script_grams(run))
            parts = pieces if len(pieces) > 1 and len(stems) == 1 else ()
            units.setdefault(stem, Term(word if len(stems) == 1 else plain, stem, plain, parts, grams))
    telling = [unit for unit in units.values() if unit.plain not in STOP_WORDS]
    return (telling or list(units.values()))[:MAX_TERMS]


def word_stems(word: str) -> list[str]:
    """The stems that a word becomes: several for a path or a name with dots."""
    return schema.terms(schema.STEMMED, word)


def _script_grams(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def term_frequency(reader: PassageReader, unit: Term) -> int:
    """How many passages hold the unit, roughly: those of the field that holds it most often."""
    counts = [reader.frequency(field, unit.stem) for field in ("window", "thought", "tool", "head", "title", "parts")]
    counts += [reader.frequency(field, unit.plain) for field in _UNSTEMMED_FIELDS]
    for terms, field in ((unit.parts, "parts"), (unit.grams, "gram")):
        if terms:
            counts.append(min(reader.frequency(field, term) for term in terms))
    return max(counts)


def weight_term(unit: Term, holding: int, total: int) -> WeightedTerm:
    """A unit that `holding` of `total` passages hold, with its rarity."""
    holding = min(holding, total)
    return WeightedTerm(unit, math.log(1 + (total - holding + 0.5) / (holding + 0.5)))


def build_query(
    reader: PassageReader, weighed: Sequence[WeightedTerm], stems: Sequence[str], shelf: str
) -> tantivy.Query:
    """The query for units on a shelf: any of them, in any field, and the more the better.

    `stems` are those of all words of the question in their order, for what stands side by side.
    """
    from tantivy import Occur, Query

    units = [one.unit for one in weighed]
    found: list[tuple[str, str, float]] = []
    for unit in units:
        for field, weight in FIELD_WEIGHTS[shelf].items():
            found.append((field, unit.plain if field in _UNSTEMMED_FIELDS else unit.stem, weight))
            if field not in _UNSTEMMED_FIELDS:
                found += [(field, part, weight * PART_WEIGHT) for part in unit.parts if part != unit.stem]
    queries = [Query.boost_query(reader.term(field, term), weight) for field, term, weight in dict.fromkeys(found)]
    if shelf == SPEECH:
        queries += [_all_terms(reader, "gram", unit.grams) for unit in units if unit.grams]
    queries += _pair_queries(reader, shelf, weighed, stems)
    return Query.boolean_query([(Occur.Should, query) for query in queries])


def _pair_queries(
    reader: PassageReader, shelf: str, weighed: Sequence[WeightedTerm], stems: Sequence[str]
) -> list[tantivy.Query]:
    """Neighbours in the question, side by side or near each other in a text."""
    from tantivy import Query

    telling = {one.unit.stem: one.rarity for one in weighed}
    asked = stems[:MAX_PAIRED_WORDS]
    wanted: list[tuple[tuple[str, str], int, float]] = []
    if weight := NEIGHBOUR_WEIGHTS.get(shelf, 0.0):
        wanted += [(pair, 0, weight) for pair in pairwise(asked) if telling.keys() & set(pair)]
    if weight := PAIR_WEIGHTS.get(shelf, 0.0):
        near = pairwise(stem for stem in asked if stem in telling)
        wanted += [(pair, PAIR_SLOP, weight) for pair in near if max(map(telling.__getitem__, pair)) > MIN_PAIR_RARITY]
    return [
        Query.boost_query(Query.phrase_query(reader.schema, PAIR_FIELDS[shelf], list(pair), slop=slop), weight)
        for pair, slop, weight in dict.fromkeys(wanted)
    ]


def _all_terms(reader: PassageReader, field: str, terms: Sequence[str]) -> tantivy.Query:
    from tantivy import Occur, Query

    return Query.boolean_query([(Occur.Must, reader.term(field, term)) for term in terms])
