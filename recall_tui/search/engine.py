"""One question in, ranked hits out.

A question in words gets an answer whenever the memory holds one of its words, even misspelt; every hit says why it is
there, and the answer says which rung of the ladder gave it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from datetime import date, datetime, tzinfo
from typing import TYPE_CHECKING

from recall_tui.domain import Answer, Hit
from recall_tui.index.opener import Index
from recall_tui.index.text.passage import SPEECH, TOOLS, WHOLE
from recall_tui.search import filters as constraint
from recall_tui.search import spelling as fuzzy
from recall_tui.search.bound_query import Question, asked, weighed
from recall_tui.search.options import DEFAULT, Options
from recall_tui.search.query import Filters, parse
from recall_tui.search.ranking import fusion as fuse
from recall_tui.search.ranking import hits as shown
from recall_tui.search.ranking import lexical
from recall_tui.search.ranking.by_time import dated, time_of
from recall_tui.search.ranking.fusion import Candidate
from recall_tui.storage.memory_context import Store
from recall_tui.text.dates import told_day

if TYPE_CHECKING:
    from recall_tui.domain.embedding import Nearest
    from recall_tui.index.text.reader import Address, Hits
    from recall_tui.search.ranking.by_time import Time
    from recall_tui.search.ranking.session_similarity import Aggregate

MOST = {SPEECH: 150, TOOLS: 60, WHOLE: 60}
"""Finds of each shelf that are looked at."""
CALLED = ("wiki", "topic", "typed")
"""Kinds of pages that have a name and a description."""
TITLE_PLACES = 10
NOTHING = "nothing"
"""The rung of an answer without hits."""


def search(
    index: Index,
    store: Store,
    text: str,
    *,
    limit: int = 10,
    passages: bool = False,
    filters: Filters | None = None,
    at: datetime | None = None,
    corrects: bool = True,
    near: Nearest | None = None,
    aggregate: Aggregate | None = None,
    options: Options = DEFAULT,
) -> Answer:
    """The best evidence for `text` in the memory: one hit for each session or document, or for each passage.

    `filters` win over filters in the text; `at` is when the question is asked, for "yesterday" and the like. Unless it
    `corrects`, a word that is nowhere stays unknown and no title is guessed. With `near` what lies near the question
    counts beside its words, with `aggregate` periods are found by the vectors of their days too. `options` are of this
    search alone. UsageError when the text is blank. Nothing is brought up to date here.
    """
    started = time.perf_counter()
    now = at or store.now()
    query = parse(text, now)
    totals = index.totals(store)
    reader = index.reader()
    hits: tuple[Hit, ...] = ()
    total, notes = 0, list[str]()
    if reader is not None:
        question, notes = weighed(asked(index, reader, store, query, filters, totals, options), corrects=corrects)
        close, aggregate = _by_meaning(question, near, aggregate, notes)
        candidates = _candidates(question, close, aggregate, is_single=passages)
        hits, total = _found(index, question, candidates, max(limit, 0), now, corrects=corrects)
    rung = str(hits[0].why["rung"]) if hits else NOTHING
    took = round((time.perf_counter() - started) * 1000, 2)
    searched = {"passages": totals.passages, "sources": totals.sources, "failed": totals.failed}
    return Answer(text, rung, took, total, hits, searched, (*query.notes, *notes))


def _by_meaning(
    question: Question, near: Nearest | None, aggregate: Aggregate | None, notes: list[str]
) -> tuple[fuse.Found, Aggregate | None]:
    """What lies near the question, and what tells how near periods are, for one that failed is not asked again."""
    if near is None:
        return (), aggregate
    from recall_tui.search.ranking.semantic import nearest

    close, troubles = nearest(question, near)
    notes += troubles
    return close, None if troubles else aggregate


def _found(
    index: Index, question: Question, candidates: list[Candidate], limit: int, now: datetime, *, corrects: bool
) -> tuple[tuple[Hit, ...], int]:
    """The hits of the candidates, and how many there are."""
    titled: list[Candidate] = []
    if question.weighed and corrects and not any(one.words for one in candidates):
        titled = _by_title(index, question)
    candidates = titled or candidates
    timed = time_of(question.query.text, now, lambda: _newest(question)) if question.weighed else None
    if timed is not None:
        candidates = _dated(question, candidates, timed, now.tzinfo)
    hits = shown.hits_of(question, candidates, limit, timed, is_title=bool(titled))
    if 0 < len(hits) < limit and question.options.recency_depth and question.is_open:
        from recall_tui.search.ranking.hit_text import newest_weeks

        hits += newest_weeks(question, hits)[: limit - len(hits)]
    return hits, len(candidates)


def _candidates(
    question: Question, near: fuse.Found, aggregate: Aggregate | None, *, is_single: bool
) -> list[Candidate]:
    """What holds something of the question, best first; without words, what the filters let through, newest first."""
    reader, weighed = question.reader, question.weighed
    if not weighed and question.is_open:
        return []
    if not weighed:
        addresses = reader.newest(question.wanted, MOST[SPEECH])
        listed = [(1 - place / (len(addresses) + 1), address) for place, address in enumerate(addresses)]
        return fuse.alone(listed, ()) if is_single else fuse.fused(listed, (), (), reader.counted_with)
    stems = question.stems
    bounds = {SPEECH: question.wanted, TOOLS: question.wanted} | ({} if is_single else {WHOLE: question.within})
    found = reader.top_of_each(
        {
            shelf: (constraint.both(bound, lexical.question(reader, weighed, stems, shelf)), MOST[shelf])
            for shelf, bound in bounds.items()
        }
    )
    weights = fuse.weights_of(question.store.config.get("search.weights"))
    if near:
        from recall_tui.search.ranking.semantic import trusting

        weights = trusting(question, weights, found[SPEECH], near)
    if is_single:
        return fuse.alone(found[SPEECH], found[TOOLS], near, weights)
    candidates = fuse.fused(found[SPEECH], found[TOOLS], found[WHOLE], reader.counted_with, near, weights)
    if not question.is_open:
        candidates = [one for one in candidates if one.passages or one.near]
    return _beside(question, candidates, found, weights, aggregate)


def _beside(
    question: Question,
    candidates: list[Candidate],
    found: Mapping[str, Hits],
    weights: fuse.Weights,
    aggregate: Aggregate | None,
) -> list[Candidate]:
    """The candidates with what pages lead to and what is called so, where the memory has such pages."""

    def has(kinds: Iterable[str]) -> bool:
        return any(question.reader.frequency("kind", kind) for kind in kinds)

    if has(fuse.PARENTS):
        from recall_tui.search.ranking.period_routing import routes

        candidates = fuse.routed(candidates, routes(question, found, candidates, weights, aggregate), weights)
    if has(CALLED):
        from recall_tui.search.ranking.name_match import named

        candidates = fuse.called(candidates, named(question, question.options.typed_boost))
    return candidates if question.is_open else [one for one in candidates if _is_wanted(question, one)]


def _is_wanted(question: Question, candidate: Candidate) -> bool:
    """Whether the filters let something of it through; what was found by its words or its nearness has passed them."""
    if candidate.passages or candidate.near:
        return True
    own = constraint.unscored(question.reader.counted(candidate.key))
    return question.reader.count(constraint.both(question.wanted, own)) > 0


def _dated(question: Question, candidates: list[Candidate], timed: Time, zone: tzinfo | None) -> list[Candidate]:
    reader = question.reader

    def date_of(candidate: Candidate) -> date | None:
        address = next((found[0][1] for found in (candidate.passages, candidate.near) if found), None)
        moment = reader.dates([address])[0] if address else None
        return told_day(moment, zone) if moment else None

    sigma = question.store.config.get("search.sigma_days")
    return dated(candidates, timed, date_of, float(sigma if isinstance(sigma, int | float) else 30))


def _newest(question: Question) -> datetime | None:
    addresses = question.reader.newest(question.within, 1)
    return question.reader.dates(addresses)[0] if addresses else None


def _by_title(index: Index, question: Question) -> list[Candidate]:
    """The beginnings of documents whose title is like the whole question."""
    found: list[tuple[float, Address]] = []
    reader = question.reader
    for place, key in enumerate(fuzzy.like_title(" ".join(question.query.words), index.titles(question.store))):
        first = reader.top(constraint.both(question.wanted, reader.term("key", key)), 1)
        found += [(1 - place / (TITLE_PLACES + 1), address) for _, address in first]
    return fuse.fused(found, (), (), reader.counted_with)
