"""A question against one memory: what it may find there, and which words to look for.

What a memory may not see is never found, whichever list of finds it would stand in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from recall_tui.index import project_scope
from recall_tui.index.opener import Index, memory_key
from recall_tui.search import filters as constraint
from recall_tui.search import spelling
from recall_tui.search.query import DEFAULT_OPTIONS, Filters, Query, SearchOptions
from recall_tui.search.ranking import lexical
from recall_tui.search.ranking.lexical import Term, WeightedTerm
from recall_tui.storage.memory_context import Store

if TYPE_CHECKING:
    import tantivy

    from recall_tui.index.catalogue import CatalogueTotals
    from recall_tui.index.text.reader import PassageReader
    from recall_tui.search.time.interpret import TimeConstraint


class BoundQuery(NamedTuple):
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
    totals: CatalogueTotals
    weighed: tuple[WeightedTerm, ...] = ()
    """What to look for, and how telling each is."""
    options: SearchOptions = DEFAULT_OPTIONS
    days: TimeConstraint | None = None
    """The days that are asked for and nothing else."""
    is_single: bool = False
    """Every passage is a hit of its own."""

    @property
    def memory(self) -> str:
        """What the memory's own documents are filed under."""
        return memory_key(self.store)

    @property
    def stems(self) -> list[str]:
        """The stems of all words of the question in their order, corrected ones as corrected."""
        better = {one.unit.corrected_from: one.unit.stem for one in self.weighed if one.unit.corrected_from}
        stems: list[str] = []
        for word in self.query.words:
            stems += [better[word]] if word in better else lexical.word_stems(word)
        return stems


def bind(
    index: Index,
    reader: PassageReader,
    store: Store,
    query: Query,
    filters: Filters | None,
    totals: CatalogueTotals,
    options: SearchOptions = DEFAULT_OPTIONS,
) -> BoundQuery:
    """The memory, the filters, the phrases that are there at all, and what may not be."""
    projects = project_scope.own_project_keys(index, reader, store, is_unasked=options.is_unasked)
    is_alone = projects is None and not totals.others
    within = None if is_alone else reader.within(memory_key(store), projects)
    chosen = filters.over(query.filters) if filters else query.filters
    must = constraint.filter_query(reader, chosen, project_scope.folder_aliases(store))
    must = must if within is None else [within, *must]
    without = [constraint.phrase_query(reader, words) for words in query.without]
    for words in query.phrases:
        needed = constraint.phrase_query(reader, words)
        if reader.count(constraint.all_of([*must, needed], without)):
            must.append(needed)
    is_open = len(must) == (within is not None) and not without
    wanted = within if is_open else constraint.unscored(constraint.all_of(must, without))
    if options.without_wiki and reader.frequency("kind", "wiki"):
        bounds = [wanted] if wanted is not None else []
        wanted = constraint.unscored(constraint.all_of(bounds, [reader.term("kind", "wiki")]))
    return BoundQuery(reader, store, query, within, wanted, is_open, totals, options=options)


def with_weights(question: BoundQuery, *, corrects: bool) -> tuple[BoundQuery, list[str], list[str]]:
    """The question with what to look for; words that are nowhere are corrected, and a note says so.

    The last list is of words that are nowhere and stay so.
    """
    notes: list[str] = []
    unknown: list[str] = []
    found: dict[str, WeightedTerm] = {}
    for unit in lexical.query_terms(question.query.words):
        count = lexical.term_frequency(question.reader, unit)
        meant = [unit]
        if not count and corrects and (better := _correct(question, unit)):
            notes.append(f"{unit.word} → {', '.join(one.word for one in better)}")
            meant = better
        elif not count:
            unknown.append(unit.word)
        for one in meant:
            count = lexical.term_frequency(question.reader, one)
            found.setdefault(one.stem, lexical.weight_term(one, count, question.totals.passages))
    return question._replace(weighed=tuple(found.values())), notes, unknown


def _correct(question: BoundQuery, unit: Term) -> list[Term]:
    """The word that was meant, or those that begin with it; empty for neither."""
    word = spelling.correct_word(question.reader, question.within, unit.plain)
    meant = [] if not word or word in lexical.STOP_WORDS or spelling.is_english(unit.stem) else [word]
    words = meant or spelling.complete_word(question.reader, question.within, unit.plain)
    return [one._replace(corrected_from=unit.word) for one in lexical.query_terms(words)]
