"""One question in, ranked hits out.

A question in words gets an answer whenever the memory holds one of its words, even misspelt; every hit says why it is
there, and the answer says which rung of the ladder gave it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recall_tui.domain import Answer, Hit
from recall_tui.index.store import Index, memory_key
from recall_tui.search import constraint, fuse, fuzzy, lexical, snippet
from recall_tui.search.fuse import Pooled
from recall_tui.search.lexical import Weighed
from recall_tui.search.query import Filters, Query, parse
from recall_tui.storage.store import Store

if TYPE_CHECKING:
    import tantivy

    from recall_tui.index.catalogue import Totals
    from recall_tui.index.passages import PassageReader
    from recall_tui.search.lexical import Match, Unit

CANDIDATES = 64
"""Passages that are judged one by one; Tantivy proposes them."""
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


@dataclass(frozen=True, slots=True)
class _Question:
    """A query against one memory."""

    reader: PassageReader
    store: Store
    query: Query
    memory: tantivy.Query
    """Every passage of the memory, without a say in the order."""
    within: tantivy.Query
    """Those that the filters and phrases let through."""
    totals: Totals


def search(
    index: Index,
    store: Store,
    text: str,
    *,
    limit: int = 10,
    passages: bool = False,
    filters: Filters | None = None,
) -> Answer:
    """The best evidence for `text` in the memory: one hit for each session or document, or for each passage.

    `filters` win over filters in the text. UsageError when the text is blank. Nothing is brought up to date here.
    """
    started = time.perf_counter()
    query = parse(text, store.now())
    totals = index.totals(store)
    reader = index.reader()
    weighed, notes, pooled, rung = list[Weighed](), list[str](), list[Pooled](), NOTHING
    if reader is not None:
        question = _ask(reader, store, query, filters, totals)
        weighed, notes = _weighed(question)
        matches = _matches(question, weighed)
        is_title = not matches and bool(weighed)
        if is_title:
            matches = _by_title(index, question)
        pooled = fuse.alone(matches) if passages else fuse.by_document(matches)
        rung = _rung(weighed, pooled[0].best, is_title) if pooled else NOTHING
    return Answer(
        query=text,
        rung=rung,
        took_ms=round((time.perf_counter() - started) * 1000, 2),
        total=len(pooled),
        hits=tuple(_hit(one, weighed) for one in pooled[: max(limit, 0)]),
        searched={"passages": totals.passages, "sources": totals.sources, "failed": totals.failed},
        notes=(*query.notes, *notes),
    )


def _ask(reader: PassageReader, store: Store, query: Query, filters: Filters | None, totals: Totals) -> _Question:
    """The memory, the filters, the phrases that are there at all, and what may not be."""
    must = [reader.within(memory_key(store))]
    must += constraint.of_filters(reader, filters.over(query.filters) if filters else query.filters)
    without = [constraint.phrase(reader, words) for words in query.without]
    for words in query.phrases:
        needed = constraint.phrase(reader, words)
        if reader.count(constraint.all_of([*must, needed], without)):
            must.append(needed)
    return _Question(reader, store, query, must[0], constraint.unscored(constraint.all_of(must, without)), totals)


def _weighed(question: _Question) -> tuple[list[Weighed], list[str]]:
    """What to look for and how telling each is; words that are nowhere are corrected, and a note says so."""
    notes: list[str] = []
    found: dict[str, Weighed] = {}
    for unit in lexical.units_of(question.query.words):
        count = _holding(question, unit)
        if not count and (better := _corrected(question, unit)):
            notes.append(f"{unit.word} → {better.word}")
            unit, count = better, _holding(question, better)
        found.setdefault(unit.stem, lexical.weigh(unit, count, question.totals.passages))
    return list(found.values()), notes


def _holding(question: _Question, unit: Unit) -> int:
    """How many passages of the memory hold the unit, deleted ones not counted."""
    return question.reader.count(constraint.all_of([question.memory, lexical.seek(question.reader, unit)]))


def _corrected(question: _Question, unit: Unit) -> Unit | None:
    def as_unit(word: str) -> Unit | None:
        return next(iter(lexical.units_of([word])), None)

    def is_there(word: str) -> bool:
        candidate = as_unit(word)
        return candidate is not None and word not in lexical.STOP_WORDS and _holding(question, candidate) > 0

    better = as_unit(fuzzy.correct(question.reader, unit.plain, is_there))
    return replace(better, corrected_from=unit.word) if better else None


def _matches(question: _Question, weighed: list[Weighed]) -> list[Match]:
    """The passages that hold something of the question, each judged."""
    reader = question.reader
    if not weighed:
        addresses = reader.newest(question.within, CANDIDATES)
        return [lexical.listed(reader.stored(at), place, len(addresses)) for place, at in enumerate(addresses)]
    sought = constraint.any_of([lexical.seek(reader, one.unit) for one in weighed])
    query = constraint.all_of([question.within, sought])
    proposed = [*reader.top(query, CANDIDATES), *reader.top(query, CANDIDATES, "tools")]
    average = question.totals.chars / max(question.totals.passages, 1)
    judged = (lexical.judge(reader.stored(at), weighed, average) for _, at in proposed)
    return [match for match in judged if match.words]


def _by_title(index: Index, question: _Question) -> list[Match]:
    """The beginnings of documents whose title is like the whole question."""
    found = []
    reader = question.reader
    for place, key in enumerate(fuzzy.like_title(" ".join(question.query.words), index.titles(question.store))):
        first = reader.top(constraint.all_of([question.within, reader.term("id", f"{key}.0")]), 1)
        found += [lexical.listed(reader.stored(at), place, TITLE_PLACES) for _, at in first]
    return found


def _rung(weighed: list[Weighed], best: Match, is_title: bool) -> str:
    if is_title:
        return TITLE
    if not weighed:
        return FILTERS
    if any(one.unit.corrected_from and one.unit.word in best.words for one in weighed):
        return SPELLING
    if len(best.words) < len(weighed):
        return ANY_WORD
    if best.fields == ("parts",):
        return PARTS
    return EXACT if best.pairs == 1.0 else ALL_WORDS


def _hit(one: Pooled, weighed: list[Weighed]) -> Hit:
    passage = one.best.passage
    stems = {term for each in weighed for term in (each.unit.stem, *each.unit.parts)}
    grams = {gram for each in weighed for gram in each.unit.grams}
    is_derived = passage.kind in fuse.DERIVED or "summary" in passage.roles
    corrected = {
        each.unit.corrected_from: each.unit.word
        for each in weighed
        if each.unit.corrected_from and each.unit.word in one.best.words
    }
    return Hit(
        id=passage.id,
        document=passage.document,
        kind=passage.kind,
        result_type="summary" if is_derived else "raw",
        title=passage.title,
        score=round(one.score, 4),
        snippet=snippet.of(passage, stems, grams),
        lines=passage.lines,
        session_id=passage.session_id,
        project=passage.project,
        date=passage.date,
        heading=passage.heading,
        why={
            "words": list(one.best.words),
            "shares": {word: round(share, 4) for word, share in one.best.words.items()},
            "fields": list(one.best.fields),
            "corrected": corrected,
            "phrase": round(one.best.pairs * lexical.PAIR_WEIGHT, 4),
            "kind_weight": one.weight,
            "when": 1.0,
            "parts": {name: round(value, 4) for name, value in one.parts.items()},
        },
    )
