"""A question, asked in a thread, and what to light in its answer.

Each function reads and returns; none of them touches a widget.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recall_tui.domain import Answer, Hit
from recall_tui.tui.messages import HitsFound, Sifted
from recall_tui.tui.text import pattern_of_forms

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench

HITS = 20
"""Answers that are asked for: what a screen shows, and a little more."""
MORE = 50
"""Answers that are asked for when the cursor comes to the end of those that are there."""
_FILTER = re.compile(r"^-|^\w+:\S")


@dataclass(frozen=True, slots=True)
class Question:
    """What stands in the search."""

    number: int
    """Grows with every change of the text."""
    text: str
    limit: int = HITS
    """How many answers are wanted."""
    by_words: bool = True
    """Vectors are left aside, for they take their time while somebody types."""

    def more(self) -> Question:
        """The same question, to be answered with more."""
        return replace(self, limit=self.limit + MORE)

    def by_meaning(self) -> Question:
        """The same question, to be answered by vectors as well."""
        return replace(self, by_words=False)

    def pattern_of(self, answer: Answer) -> re.Pattern[str] | None:
        """What to light in the hits: the words that the engine matched, else those of the question, and their stems."""
        matched = {word for hit in answer.hits for word in words_of(hit)}
        own = {word.strip('"') for word in self.text.split() if not _FILTER.match(word)}
        return pattern_of_forms(matched or own)


def words_of(hit: Hit) -> tuple[str, ...]:
    """The words of the question that a hit holds."""
    words = hit.why.get("words")
    return tuple(map(str, words)) if isinstance(words, list | tuple) else ()


def ask(bench: Workbench, question: Question, stopwatch: Callable[[], float]) -> HitsFound:
    """Search for the question; `stopwatch` gives seconds."""
    from recall_tui.search.query import parse

    start = stopwatch()
    answer = bench.search(question.text, limit=question.limit, sync=False, by_words=question.by_words)
    took_ms = (stopwatch() - start) * 1000
    query = parse(question.text, bench.store.now())
    without = 0
    if query.filtered and query.rest and not answer.hits:
        without = bench.search(query.rest, limit=1, sync=False, by_words=True).total
    return HitsFound(question.number, answer, took_ms, Sifted(query.filtered, without))


def section_count(bench: Workbench) -> int:
    """How many sections of MEMORY.md are ready to be extracted."""
    from recall_tui.features.curation.distill import suggestions

    return sum(suggestion.kind == "extract" for suggestion in suggestions(bench.store))
