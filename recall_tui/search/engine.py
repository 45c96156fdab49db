"""One question in, ranked hits out.

A question in words gets an answer whenever the memory holds one of its words, even misspelt; every hit says why it is
there, and the answer says which rung of the ladder gave it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from datetime import date, datetime, tzinfo
from typing import TYPE_CHECKING

from recall_tui.domain import Hit, SearchResult
from recall_tui.domain.documents import NAMED_KINDS, PERIOD_KINDS
from recall_tui.index.text.passage import SPEECH, TOOLS, WHOLE
from recall_tui.search import filters as constraint
from recall_tui.search import spelling
from recall_tui.search.bound_query import BoundQuery, bind, with_weights
from recall_tui.search.query import DEFAULT_OPTIONS, Filters, SearchOptions, parse_query
from recall_tui.search.ranking import fusion, lexical
from recall_tui.search.ranking import hits as shown
from recall_tui.search.ranking.by_time import (
    asked_days,
    days_filter,
    find_time,
    missing_note,
    sort_by_time,
    without_counts,
    without_ends,
)
from recall_tui.text.dates import local_day

if TYPE_CHECKING:
    from recall_tui.domain.embedding import Nearest
    from recall_tui.index.opener import Index
    from recall_tui.index.text.reader import PassageAddress, ScoredAddresses
    from recall_tui.search.ranking.by_time import Time
    from recall_tui.search.ranking.fusion import SearchCandidate
    from recall_tui.search.ranking.period_routing import Aggregate
    from recall_tui.storage.memory_context import Store

MAX_MATCHES = {SPEECH: 150, TOOLS: 60, WHOLE: 60}
"""Finds of each shelf that are looked at."""
MAX_TITLE_MATCHES = 10
NO_MATCH_RUNG = "nothing"
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
    options: SearchOptions = DEFAULT_OPTIONS,
) -> SearchResult:
    """The best evidence for `text` in the memory: one hit for each session or document, or for each passage.

    `filters` win over filters in the text; `at` is when the question is asked, for "yesterday" and the like. Unless it
    `corrects`, a word that is nowhere stays unknown and no title is guessed. With `near` what lies near the question
    counts beside its words, with `aggregate` periods are found by the vectors of their days too. `options` are of this
    search alone. UsageError when the text is blank. Nothing is brought up to date here.
    """
    started = time.perf_counter()
    now = at or store.now()
    query = parse_query(text, now)
    totals = index.totals(store)
    query = query._replace(words=without_counts(query.words, query.rest, totals.passages))
    reader = index.reader()
    hits: tuple[Hit, ...] = ()
    total, notes, unknown = 0, list[str](), list[str]()
    if reader is not None:
        question = bind(index, reader, store, query, filters, totals, options)
        timed = find_time(query.text, now, lambda: _newest_time(question))
        named, days = question, None
        if timed and timed[0]:
            days = asked_days(query.text, timed[0])
            question = question._replace(query=query._replace(words=without_ends(query.words, query.text, timed[0])))
        if days:
            of_days = (filters or Filters()).over(days_filter(days, now.tzinfo))
            question = bind(index, reader, store, query._replace(words=()), of_days, totals, options)
            question = question._replace(days=days)
        question, notes, unknown = with_weights(question, corrects=corrects)
        question = question._replace(is_single=passages)
        close, aggregate = _search_semantic(question, near, aggregate, notes)
        candidates = _find_candidates(question, close, aggregate, is_single=passages)
        hits, total, missing = _find_hits(
            index, question, candidates, max(limit, 0), timed, now.tzinfo, corrects=corrects
        )
        notes += filter(None, (missing,))
        if days and len(query.words) == 1 and len(hits) < limit:
            # A single word, such as `friday`, may be one that a text names.
            more = _find_word_hits(index, named._replace(is_single=passages), limit, timed, now.tzinfo)
            hits, total = _with_others(hits, more, limit), total + len(more)
    rung = hits[0].why["rung"] if hits else NO_MATCH_RUNG
    notes += [f"not found: {', '.join(unknown)}"] if hits and unknown else []
    took = round((time.perf_counter() - started) * 1000, 2)
    own = index.own_totals(store)
    searched = {"passages": own.passages, "sources": own.sources, "failed": own.failed}
    return SearchResult(text, rung, took, total, hits, searched, (*query.notes, *notes))


def _find_word_hits(
    index: Index, question: BoundQuery, limit: int, timed: Time | None, zone: tzinfo | None
) -> tuple[Hit, ...]:
    """What holds the words of a question, as they are typed."""
    question, *_ = with_weights(question, corrects=False)
    candidates = _find_candidates(question, (), None, is_single=question.is_single)
    return _find_hits(index, question, candidates, limit, timed, zone, corrects=False)[0]


def _with_others(hits: tuple[Hit, ...], more: tuple[Hit, ...], limit: int) -> tuple[Hit, ...]:
    """The hits, and after them those of others that are not among them; no score above those before it."""
    known = {hit.id for hit in hits}
    least = hits[-1].score if hits else 1.0
    added = (hit._replace(score=min(hit.score, least)) for hit in more if hit.id not in known)
    return (*hits, *added)[:limit]


def _search_semantic(
    question: BoundQuery, near: Nearest | None, aggregate: Aggregate | None, notes: list[str]
) -> tuple[fusion.RankedList, Aggregate | None]:
    """What lies near the question, and what tells how near periods are, for one that failed is not asked again."""
    if near is None:
        return (), aggregate
    from recall_tui.search.ranking.semantic import find_similar

    close, troubles = find_similar(question, near)
    notes += troubles
    return close, None if troubles else aggregate


def _find_hits(
    index: Index,
    question: BoundQuery,
    candidates: list[SearchCandidate],
    limit: int,
    timed: Time | None,
    zone: tzinfo | None,
    *,
    corrects: bool,
) -> tuple[tuple[Hit, ...], int, str]:
    """The hits of the candidates, how many there are, and that none is of the time that was named."""
    titled: list[SearchCandidate] = []
    if question.weighed and corrects and not any(one.words for one in candidates):
        titled = _match_titles(index, question)
    candidates = titled or candidates
    if question.days is not None and question.days.also:
        days = {one.key: _day_of(question, one, zone) for one in candidates}
        candidates = [one for one in candidates if (day := days[one.key]) and question.days.holds(day)]
    timed = timed if question.weighed else None
    if timed is not None:
        candidates = _sort_by_time(question, candidates, timed, zone)
    hits, repeated = shown.build_hits(question, candidates, limit, timed, is_title=bool(titled))
    if 0 < len(hits) < limit and question.options.recency_depth and question.is_open:
        from recall_tui.search.ranking.hit_text import newest_weeks

        hits += newest_weeks(question, hits)[: limit - len(hits)]
    named = question.days or (timed[0] if timed else None)
    missing = ""
    if named and (hits or question.days):
        # A session over midnight is of both days, whichever passage of it is shown.
        held = question.reader.dates([address for one in candidates[:limit] for _, address in one.passages])
        moments = (*(hit.date for hit in hits), *held)
        days_found = (local_day(moment, zone) if moment else None for moment in moments)
        missing = missing_note(named, question.query.text, days_found)
    return hits, max(len(candidates) - repeated, len(hits)), missing


def _find_candidates(
    question: BoundQuery, near: fusion.RankedList, aggregate: Aggregate | None, *, is_single: bool
) -> list[SearchCandidate]:
    """What holds something of the question, best first; without words, what the filters let through, newest first."""
    reader, weighed = question.reader, question.weighed
    if not weighed and question.is_open:
        return []
    if not weighed:
        addresses = reader.newest(question.wanted, MAX_MATCHES[SPEECH])
        if question.days is not None and question.wanted is not None:
            logs = constraint.and_query(question.wanted, constraint.unscored(reader.term("kind", "daily")))
            addresses = list(dict.fromkeys((*reader.newest(logs, MAX_MATCHES[SPEECH]), *addresses)))
        listed = [(1 - place / (len(addresses) + 1), address) for place, address in enumerate(addresses)]
        return fusion.one_per_passage(listed, ()) if is_single else fusion.fuse(listed, (), (), reader.counted_with)
    stems = question.stems
    bounds = {SPEECH: question.wanted, TOOLS: question.wanted} | ({} if is_single else {WHOLE: question.within})
    found = reader.top_of_each(
        {
            shelf: (constraint.and_query(bound, lexical.build_query(reader, weighed, stems, shelf)), MAX_MATCHES[shelf])
            for shelf, bound in bounds.items()
        }
    )
    weights = fusion.parse_weights(question.store.config.get("search.weights"))
    if near:
        from recall_tui.search.ranking.semantic import scale_weights

        weights = scale_weights(question, weights, found[SPEECH], near)
    if is_single:
        return fusion.one_per_passage(found[SPEECH], found[TOOLS], near, weights)
    candidates = fusion.fuse(found[SPEECH], found[TOOLS], found[WHOLE], reader.counted_with, near, weights)
    if not question.is_open:
        candidates = [one for one in candidates if one.passages or one.near]
    return _with_routes(question, candidates, found, weights, aggregate)


def _with_routes(
    question: BoundQuery,
    candidates: list[SearchCandidate],
    found: Mapping[str, ScoredAddresses],
    weights: fusion.FusionWeights,
    aggregate: Aggregate | None,
) -> list[SearchCandidate]:
    """The candidates with what pages lead to and what is called so, where the memory has such pages."""

    def has(kinds: Iterable[str]) -> bool:
        return any(question.reader.frequency("kind", kind) for kind in kinds)

    if has(PERIOD_KINDS):
        from recall_tui.search.ranking.period_routing import find_routes

        candidates = fusion.apply_routes(
            candidates, find_routes(question, found, candidates, weights, aggregate), weights
        )
    if has(NAMED_KINDS):
        from recall_tui.search.ranking.name_match import below_whole_answers, match_names

        candidates = fusion.apply_name_matches(candidates, match_names(question, question.options.typed_boost))
        candidates = below_whole_answers(question, candidates)
    return candidates if question.is_open else [one for one in candidates if _passes_filters(question, one)]


def _passes_filters(question: BoundQuery, candidate: SearchCandidate) -> bool:
    """Whether the filters let something of it through; what was found by its words or its nearness has passed them."""
    if candidate.passages or candidate.near:
        return True
    own = constraint.unscored(question.reader.counted(candidate.key))
    return question.reader.count(constraint.and_query(question.wanted, own)) > 0


def _sort_by_time(
    question: BoundQuery, candidates: list[SearchCandidate], timed: Time, zone: tzinfo | None
) -> list[SearchCandidate]:
    config = question.store.config
    sigmas = (config.get(name) for name in ("search.sigma_days", "search.sigma_exact_days"))
    vague, exact = (float(sigma if isinstance(sigma, int | float) else 30) for sigma in sigmas)
    return sort_by_time(candidates, timed, lambda one: _day_of(question, one, zone), vague, exact)


def _day_of(question: BoundQuery, candidate: SearchCandidate, zone: tzinfo | None) -> date | None:
    address = next((found[0][1] for found in (candidate.passages, candidate.near) if found), None)
    moment = question.reader.dates([address])[0] if address else None
    return local_day(moment, zone) if moment else None


def _newest_time(question: BoundQuery) -> datetime | None:
    addresses = question.reader.newest(question.within, 1)
    return question.reader.dates(addresses)[0] if addresses else None


def _match_titles(index: Index, question: BoundQuery) -> list[SearchCandidate]:
    """The beginnings of documents whose title is like the whole question."""
    found: list[tuple[float, PassageAddress]] = []
    reader = question.reader
    for place, key in enumerate(spelling.similar_titles(" ".join(question.query.words), index.titles(question.store))):
        first = reader.top(constraint.and_query(question.wanted, reader.term("key", key)), 1)
        found += [(1 - place / (MAX_TITLE_MATCHES + 1), address) for _, address in first]
    return fusion.fuse(found, (), (), reader.counted_with)
