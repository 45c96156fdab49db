"""One question in, ranked hits out.

A question in words gets an answer whenever the memory holds one of its words, even misspelt; every hit says why it is
there, and the answer says which rung of the ladder gave it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Literal, NamedTuple

from recall_tui.domain import Answer, Hit
from recall_tui.index import scope
from recall_tui.index.passage import SPEECH, TOOLS, WHOLE
from recall_tui.index.store import Index, memory_key
from recall_tui.search import constraint, fuse, fuzzy, lexical, snippet
from recall_tui.search.dating import dated
from recall_tui.search.fuse import Candidate
from recall_tui.search.lexical import Unit, Weighed
from recall_tui.search.query import Filters, Query, parse
from recall_tui.search.reasons import Reasons, reasons
from recall_tui.storage.store import Store
from recall_tui.text.dates import local

if TYPE_CHECKING:
    import tantivy

    from recall_tui.index.catalogue import Totals
    from recall_tui.index.passages import Address, PassageReader
    from recall_tui.index.stored import StoredPassage

MOST = {SPEECH: 150, TOOLS: 60, WHOLE: 60}
"""Finds of each shelf that are looked at."""
EXACT, ALL_WORDS, ANY_WORD, PARTS, SPELLING, TITLE, FILTERS = (
    "exact",
    "all-words",
    "any-word",
    "parts",
    "spelling",
    "title",
    "filters",
)
TITLE_PLACES = 10
NOTHING = "nothing"
"""The rung of an answer without hits."""
MARGIN = 10
"""Candidates beyond the limit whose kind is looked at before the order is final."""
LOOKED_AT = 6
"""Passages of a hit that are looked at for the one that stands for it."""
ENOUGH = 0.34
"""The share of the question, by rarity, that lets a passage stand for a hit without looking further."""


class _Question(NamedTuple):
    """A query against one memory."""

    reader: PassageReader
    store: Store
    query: Query
    within: tantivy.Query | None
    """What the memory may see; None when that is all there is."""
    wanted: tantivy.Query | None
    """Of that, what the filters and phrases let through."""
    is_open: bool
    """No filter and no phrase: everything that the memory may see is wanted."""
    totals: Totals


class _Found(NamedTuple):
    """A candidate with the passage that stands for it."""

    candidate: Candidate
    passage: StoredPassage
    weight: float
    score: float


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
) -> Answer:
    """The best evidence for `text` in the memory: one hit for each session or document, or for each passage.

    `filters` win over filters in the text; `at` is when the question is asked, for "yesterday" and the like. Unless it
    `corrects`, a word that is nowhere stays unknown and no title is guessed. UsageError when the text is blank.
    Nothing is brought up to date here.
    """
    started = time.perf_counter()
    now = at or store.now()
    query = parse(text, now)
    totals = index.totals(store)
    reader = index.reader()
    weighed: list[Weighed] = []
    notes: list[str] = []
    hits: tuple[Hit, ...] = ()
    total, rung = 0, NOTHING
    if reader is not None:
        question = _ask(index, reader, store, query, filters, totals)
        weighed, notes = _weighed(question, corrects)
        candidates = _candidates(question, weighed, is_single=passages)
        is_title = not candidates and bool(weighed) and corrects
        if is_title:
            candidates = _by_title(index, question)
        if weighed:
            candidates = _dated(question, candidates, now)
        total = len(candidates)
        told = [_told(question, one, weighed) for one in _shown(question, candidates, weighed, max(limit, 0))]
        rungs = [_rung(weighed, why, is_title) for _, why in told]
        hits = tuple(_hit(one, why, rung, weighed) for (one, why), rung in zip(told, rungs, strict=True))
        rung = rungs[0] if rungs else NOTHING
    return Answer(
        query=text,
        rung=rung,
        took_ms=round((time.perf_counter() - started) * 1000, 2),
        total=total,
        hits=hits,
        searched={"passages": totals.passages, "sources": totals.sources, "failed": totals.failed},
        notes=(*query.notes, *notes),
    )


def _ask(
    index: Index, reader: PassageReader, store: Store, query: Query, filters: Filters | None, totals: Totals
) -> _Question:
    """The memory, the filters, the phrases that are there at all, and what may not be."""
    projects = scope.own_projects(index, reader, store)
    is_alone = projects is None and not totals.others
    within = None if is_alone else reader.within(memory_key(store), projects)
    chosen = filters.over(query.filters) if filters else query.filters
    must = constraint.of_filters(reader, chosen, scope.aliases_of(store))
    must = must if within is None else [within, *must]
    without = [constraint.phrase(reader, words) for words in query.without]
    for words in query.phrases:
        needed = constraint.phrase(reader, words)
        if reader.count(constraint.all_of([*must, needed], without)):
            must.append(needed)
    is_open = len(must) == (within is not None) and not without
    wanted = within if is_open else constraint.unscored(constraint.all_of(must, without))
    return _Question(reader, store, query, within, wanted, is_open, totals)


def _weighed(question: _Question, corrects: bool) -> tuple[list[Weighed], list[str]]:
    """What to look for and how telling each is; words that are nowhere are corrected, and a note says so."""
    notes: list[str] = []
    found: dict[str, Weighed] = {}
    for unit in lexical.units_of(question.query.words):
        count = lexical.frequency(question.reader, unit)
        if not count and corrects and (better := _corrected(question, unit)):
            notes.append(f"{unit.word} → {better.word}")
            unit, count = better, lexical.frequency(question.reader, better)
        found.setdefault(unit.stem, lexical.weigh(unit, count, question.totals.passages))
    return list(found.values()), notes


def _corrected(question: _Question, unit: Unit) -> Unit | None:
    word = fuzzy.correct(question.reader, question.within, unit.plain)
    better = next(iter(lexical.units_of([word])), None) if word and word not in lexical.STOP_WORDS else None
    return better._replace(corrected_from=unit.word) if better else None


def _candidates(question: _Question, weighed: Sequence[Weighed], *, is_single: bool) -> list[Candidate]:
    """What holds something of the question, best first; without words, what the filters let through, newest first."""
    reader = question.reader
    if not weighed and question.is_open:
        return []
    if not weighed:
        addresses = reader.newest(question.wanted, MOST[SPEECH])
        listed = [(1 - place / (len(addresses) + 1), address) for place, address in enumerate(addresses)]
        return fuse.alone(listed, ()) if is_single else fuse.fused(listed, (), (), reader.counted_with)
    stems = _stems(question, weighed)
    bounds = {SPEECH: question.wanted, TOOLS: question.wanted} | ({} if is_single else {WHOLE: question.within})
    found = reader.top_of_each(
        {
            shelf: (constraint.both(bound, lexical.question(reader, weighed, stems, shelf)), MOST[shelf])
            for shelf, bound in bounds.items()
        }
    )
    if is_single:
        return fuse.alone(found[SPEECH], found[TOOLS])
    candidates = fuse.fused(found[SPEECH], found[TOOLS], found[WHOLE], reader.counted_with)
    return candidates if question.is_open else [one for one in candidates if one.passages]


def _stems(question: _Question, weighed: Sequence[Weighed]) -> list[str]:
    """The stems of all words of the question in their order, corrected ones as corrected."""
    better = {one.unit.corrected_from: one.unit.stem for one in weighed if one.unit.corrected_from}
    stems: list[str] = []
    for word in question.query.words:
        stems += [better[word]] if word in better else lexical.stems_of(word)
    return stems


def _dated(question: _Question, candidates: list[Candidate], now: datetime) -> list[Candidate]:
    reader = question.reader

    def date_of(candidate: Candidate) -> date | None:
        address = candidate.passages[0][1] if candidate.passages else None
        moment = reader.dates([address])[0] if address else None
        return local(moment, now.tzinfo).date() if moment else None

    sigma = question.store.config.get("search.sigma_days")
    return dated(
        candidates,
        question.query.text,
        now,
        lambda: _newest(question),
        date_of,
        float(sigma if isinstance(sigma, int | float) else 30),
    )


def _newest(question: _Question) -> datetime | None:
    addresses = question.reader.newest(question.within, 1)
    return question.reader.dates(addresses)[0] if addresses else None


def _by_title(index: Index, question: _Question) -> list[Candidate]:
    """The beginnings of documents whose title is like the whole question."""
    found: list[tuple[float, Address]] = []
    reader = question.reader
    for place, key in enumerate(fuzzy.like_title(" ".join(question.query.words), index.titles(question.store))):
        first = reader.top(constraint.both(question.wanted, reader.term("key", key)), 1)
        found += [(1 - place / (TITLE_PLACES + 1), address) for _, address in first]
    return fuse.fused(found, (), (), reader.counted_with)


def _shown(question: _Question, candidates: list[Candidate], weighed: Sequence[Weighed], limit: int) -> list[_Found]:
    """The hits, in their last order: derived documents a little lower, and evidence never crowded out by them."""
    found = []
    for candidate in candidates[: limit + MARGIN]:
        passage = _evidence(question, candidate, weighed)
        if passage is not None:
            weight = fuse.weight_of(passage.kind)
            found.append(_Found(candidate, passage, weight, candidate.score * weight))
    found.sort(key=lambda one: (-round(one.score, 9), one.passage.document, one.passage.lines))
    kept, derived = [], 0
    for one in found:
        derived += one.weight < 1.0
        if one.weight == 1.0 or derived <= max(1, limit // 2):
            kept.append(one)
    return kept[:limit]


def _evidence(question: _Question, candidate: Candidate, weighed: Sequence[Weighed]) -> StoredPassage | None:
    """The passage that stands for a candidate: its best one, said rather than derived where both were found."""
    reader = question.reader
    addresses = [address for _, address in candidate.passages]
    if not addresses:
        addresses = _inside(question, candidate.key, weighed)
    best: StoredPassage | None = None
    for address in addresses[:3]:
        passage = reader.stored(address)
        if fuse.weight_of(passage.kind) == 1.0:
            return passage
        best = best or passage
    return best


def _inside(question: _Question, counted: int, weighed: Sequence[Weighed]) -> list[Address]:
    """The best passage of a session or document that was found as a whole."""
    reader = question.reader
    own = constraint.both(question.wanted, constraint.unscored(reader.counted(counted)))
    for shelf in (SPEECH, TOOLS):
        if found := reader.top(constraint.both(own, lexical.question(reader, weighed, (), shelf)), 1, shelf):
            return [address for _, address in found]
    return [address for _, address in reader.top(own, 1)]


def _told(question: _Question, found: _Found, weighed: Sequence[Weighed]) -> tuple[_Found, Reasons]:
    """The hit with a passage that shows enough of the question, or else with the one of its best that shows most.

    A passage is also found by the turns beside it, so that the best one need not hold a word of the question itself.
    """
    why = reasons(found.passage, weighed)
    for _, address in found.candidate.passages[1:LOOKED_AT] if weighed else ():
        if _share(why) >= ENOUGH:
            break
        passage = question.reader.stored(address)
        if passage.id != found.passage.id and fuse.weight_of(passage.kind) == found.weight:
            other = reasons(passage, weighed)
            if _share(other) > _share(why):
                found, why = found._replace(passage=passage), other
    return found, why


def _share(why: Reasons) -> float:
    return sum(why.words.values())


def _rung(weighed: Sequence[Weighed], why: Reasons, is_title: bool) -> str:
    if is_title:
        return TITLE
    if not weighed:
        return FILTERS
    if any(one.unit.corrected_from and one.unit.word in why.words for one in weighed):
        return SPELLING
    if len(why.words) < len(weighed):
        return ANY_WORD
    if why.fields == ("parts",):
        return PARTS
    return EXACT if why.pairs == 1.0 else ALL_WORDS


def _hit(one: _Found, why: Reasons, rung: str, weighed: Sequence[Weighed]) -> Hit:
    passage, candidate = one.passage, one.candidate
    stems = {term for each in weighed for term in (each.unit.stem, *each.unit.parts)}
    grams = {gram for each in weighed for gram in each.unit.grams}
    is_derived = one.weight < 1.0 or "summary" in passage.roles or "compact_summary" in passage.roles
    corrected = {
        each.unit.corrected_from: each.unit.word
        for each in weighed
        if each.unit.corrected_from and each.unit.word in why.words
    }
    result_type: Literal["raw", "summary"] = "summary" if is_derived else "raw"
    return Hit(
        id=passage.id,
        document=passage.document,
        kind=passage.kind,
        result_type=result_type,
        title=passage.title,
        score=round(one.score, 4),
        snippet=snippet.of(passage, stems, grams),
        lines=passage.lines,
        session_id=passage.session_id,
        project=passage.project,
        date=passage.date,
        heading=passage.heading,
        why={
            "rung": rung,
            "words": list(why.words),
            "shares": {word: round(share, 4) for word, share in why.words.items()},
            "fields": list(why.fields),
            "corrected": corrected,
            "phrase": round(why.pairs * lexical.NEAR[SPEECH], 4),
            "kind_weight": one.weight,
            "when": round(candidate.factors.get("when", 1.0), 4),
            "lean": round(candidate.factors.get("lean", 1.0), 4),
            "parts": {"passage": round(candidate.passage, 4), "whole": round(candidate.whole, 4)},
        },
    )
