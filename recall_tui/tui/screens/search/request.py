"""A question, asked in a thread, and what to light in its answer.

Each function reads and returns; none of them touches a widget.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recall_tui.domain import Hit, SearchResult
from recall_tui.tui.messages import HitsFound, SearchFiltered
from recall_tui.tui.text import stem_pattern

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench

HIT_LIMIT = 20
"""Answers that are asked for: what a screen shows, and a little more."""
MORE_HIT_LIMIT = 50
"""Answers that are asked for when the cursor comes to the end of those that are there."""
_FILTER = re.compile(r"^-|^\w+:\S")


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What stands in the search."""

    number: int
    """Grows with every change of the text."""
    text: str
    limit: int = HIT_LIMIT
    """How many answers are wanted."""
    by_words: bool = True
    """Vectors are left aside, for they take their time while somebody types."""

    def more(self) -> SearchRequest:
        """The same question, to be answered with more."""
        return replace(self, limit=self.limit + MORE_HIT_LIMIT)

    def by_meaning(self) -> SearchRequest:
        """The same question, to be answered by vectors as well."""
        return replace(self, by_words=False)

    def pattern_of(self, answer: SearchResult) -> re.Pattern[str] | None:
        """What to light in the hits: the words that the engine matched, else those of the question, and their stems."""
        matched = {word for hit in answer.hits for word in matched_words(hit)}
        own = {word.strip('"') for word in self.text.split() if not _FILTER.match(word)}
        return stem_pattern(matched or own)


def matched_words(hit: Hit) -> tuple[str, ...]:
    """The words of the question that a hit holds."""
    return tuple(hit.why.get("words", ()))


def run_search(bench: Workbench, question: SearchRequest, stopwatch: Callable[[], float]) -> HitsFound:
    """Search for the question; `stopwatch` gives seconds."""
    from recall_tui.search.query import parse_query
    from recall_tui.search.session_labels import with_labels

    start = stopwatch()
    answer = bench.search(question.text, limit=question.limit, sync=False, by_words=question.by_words)
    answer = with_labels(bench.index, bench.store, answer)
    took_ms = (stopwatch() - start) * 1000
    query = parse_query(question.text, bench.store.now())
    without = 0
    if query.filtered and query.rest and not answer.hits:
        without = bench.search(query.rest, limit=1, sync=False, by_words=True).total
    return HitsFound(question.number, answer, took_ms, SearchFiltered(query.filtered, without))


def count_sections(bench: Workbench) -> int:
    """How many sections of MEMORY.md are ready to be extracted."""
    from recall_tui.features.curation.distill import suggestions

    return sum(suggestion.kind == "extract" for suggestion in suggestions(bench.store))
