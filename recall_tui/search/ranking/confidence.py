"""How sure an answer is: how much of a question stands in what was found, and how far it stands above the rest.

A word that is nowhere in the memory counts the most, so that a question about something else is never mistaken. Words
that meet by chance, or in many sessions, are told by hits that are nearly as good.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.index.text import schema
from recall_tui.index.text.passage import SPEECH, WHOLE
from recall_tui.search import filters as constraint
from recall_tui.search.query import parse_query
from recall_tui.search.ranking import lexical

if TYPE_CHECKING:
    import tantivy

    from recall_tui.domain import Hit
    from recall_tui.index.opener import Index
    from recall_tui.index.text.reader import PassageReader
    from recall_tui.search.ranking.lexical import WeightedTerm
    from recall_tui.storage.memory_context import Store

_STEMMED_FIELDS = ("whole", "prompt", "head", "thought", "tool", "title", "parts")
_UNSTEMMED_FIELD = "paths"

COMPARED_CANDIDATES = 8
"""Sessions and documents among which the best must stand out."""
BASE, PASSAGE, SESSION, WEIGHT, PAIRS, FOCUS, SECOND, LAST = -0.3, 1.7, 1.4, 0.5, 0.8, 1.4, -2.3, -3.1
"""What each reason adds to the odds: a logistic regression over questions about the two sets of sessions that
`tests/qa/bench/retrieval.py` reads and the tuned half of `tests/qa/bench/prompts.toml`, each asked twice: once as it
is, once without the sessions that answer it."""
MAX_TERM_WEIGHT = 4.0


class MatchStats(NamedTuple):
    """What a hit holds of a question."""

    passage: float
    """The share of the question, by rarity, that its passage holds, from 0 to 1."""
    whole: float
    """The share that all of its session or document holds."""
    weight: float
    """How much its session says that few passages say, in rarities of a word that a single passage holds."""
    pairs: float
    """The share of neighbouring words of the question that are neighbours in its passage."""
    names: tuple[str, ...]
    """What the question names that the session holds as it was named."""
    focus: float
    """The share that the session has in all passages that hold one of these names, the most of them."""


def estimate_confidence(best: MatchStats, scores: Sequence[float], more: float = 0.0) -> float:
    """How likely the best hit is an answer, from 0 to 1; even odds are 0.5.

    `scores` are those of the hits, the best first; `more` is what else speaks for it, in logarithmic odds.
    """
    second, last = (
        scores[place] / (scores[0] or 1.0) if place < len(scores) else 0.0 for place in (1, COMPARED_CANDIDATES - 1)
    )
    odds = BASE + more + PASSAGE * best.passage + SESSION * best.whole + PAIRS * best.pairs + FOCUS * best.focus
    odds += WEIGHT * min(best.weight, MAX_TERM_WEIGHT) + SECOND * second + LAST * last
    return 1 / (1 + math.exp(-odds))


def match_ratio(hit: Hit) -> float:
    """How much of the question the hit's own passage holds, by rarity, from 0 to 1."""
    return sum(hit.why.get("shares", {}).values())


def match_stats(
    index: Index,
    store: Store,
    question: str,
    hits: Sequence[Hit],
    names: Sequence[str] = (),
    *,
    least_passages: int = 0,
) -> list[MatchStats]:
    """What each of the hits holds of the question that found them, and which of `names`. Empty without an index.

    A name is held where its words stand side by side; nothing is corrected. In a memory of fewer than `least_passages`
    a word counts as rare as in one of so many.
    """
    reader = index.reader()
    if reader is None:
        return []
    total = max(index.totals(store).passages, least_passages)
    units = lexical.query_terms(parse_query(question, store.now()).words)
    weighed = [lexical.weight_term(unit, lexical.term_frequency(reader, unit), total) for unit in units]
    phrases = {name: constraint.phrase_query(reader, name) for name in names}
    named = {name: (phrase, count) for name, phrase in phrases.items() if (count := reader.count(phrase))}
    return [_hit_stats(reader, weighed, hit, named, math.log(total + 1) or 1.0) for hit in hits]


def _hit_stats(
    reader: PassageReader,
    weighed: Sequence[WeightedTerm],
    hit: Hit,
    named: Mapping[str, tuple[tantivy.Query, int]],
    alone: float,
) -> MatchStats:
    """What a hit holds; `named` are the names that are anywhere, with how many passages hold them."""
    own = reader.counted(schema.count_number(hit.session_id or hit.id.rpartition(".")[0]))
    found = [one for one in weighed if reader.count(constraint.all_of([own, _any_field_query(reader, one)]), WHOLE)]
    weight, asked = (sum(one.rarity for one in each) for each in (found, weighed))
    counts = {name: reader.count(constraint.all_of([own, phrase])) for name, (phrase, _) in named.items()}
    return MatchStats(
        passage=match_ratio(hit),
        whole=weight / (asked or 1.0),
        weight=weight / alone,
        pairs=hit.why.get("phrase", 0.0) / lexical.PAIR_WEIGHTS[SPEECH],
        names=tuple(name for name, count in counts.items() if count),
        focus=max((count / named[name][1] for name, count in counts.items()), default=0.0),
    )


def _any_field_query(reader: PassageReader, one: WeightedTerm) -> tantivy.Query:
    """The query for a unit in any field of a stretch."""
    unit = one.unit
    fields = [reader.term(field, unit.stem) for field in _STEMMED_FIELDS]
    if unit.parts:
        fields.append(constraint.all_of([reader.term("parts", part) for part in unit.parts]))
    if unit.grams:
        fields.append(constraint.all_of([reader.term("gram", gram) for gram in unit.grams]))
    return constraint.any_of([*fields, reader.term(_UNSTEMMED_FIELD, unit.plain)])
