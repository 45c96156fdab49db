"""What the home screen asks the workbench, from a thread.

Each function reads and returns a message; none of them touches a widget.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recall_tui.domain import Answer, Hit, IndexRow, WindowEntry
from recall_tui.tui.messages import DocumentRead, HitsFound
from recall_tui.tui.rendered import Rendered
from recall_tui.tui.seen import EXPECTED, Trouble
from recall_tui.tui.text import clean, pattern_of

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench

HITS = 50
"""Answers that are asked for."""
_FILTER = re.compile(r"^-|^\w+:\S")
Item = IndexRow | Hit | WindowEntry


@dataclass(frozen=True, slots=True)
class Question:
    """What stands in the search."""

    number: int
    """Grows with every change of the text."""
    text: str

    def pattern_of(self, answer: Answer) -> re.Pattern[str] | None:
        """What to light in the hits: the words that the engine matched, else those of the question."""
        matched = {str(word) for hit in answer.hits[:HITS] for word in _words(hit)}
        own = [word.strip('"') for word in self.text.split() if not _FILTER.match(word)]
        return pattern_of(matched or own)


def _words(hit: Hit) -> tuple[object, ...]:
    words = hit.why.get("words")
    return tuple(words) if isinstance(words, list | tuple) else ()


def ask(bench: Workbench, question: Question, stopwatch: Callable[[], float]) -> HitsFound:
    """Search for the question; `stopwatch` gives seconds."""
    start = stopwatch()
    answer = bench.search(question.text, limit=HITS, sync=False)
    return HitsFound(question.number, answer, (stopwatch() - start) * 1000)


def section_count(bench: Workbench) -> int:
    """How many sections of MEMORY.md are ready to be extracted."""
    return sum(suggestion.kind == "extract" for suggestion in bench.suggestions())


def reference_of(item: Item) -> str:
    """By what the workbench finds the document of a row."""
    if isinstance(item, Hit):
        return item.document
    return item.archive if isinstance(item, WindowEntry) else str(item.number)


def title_of(item: Item) -> str:
    """What the document of a row is called until it is read."""
    if isinstance(item, Hit):
        return item.document
    return item.archive if isinstance(item, WindowEntry) else f"conversation-{item.number:03d}"


def read_document(bench: Workbench, number: int, item: Item) -> DocumentRead:
    """Read the document of a row, ready to be shown."""
    hit = item if isinstance(item, Hit) else None
    try:
        document = bench.document(reference_of(item))
    except EXPECTED as error:
        # A transcript may be gone, or lie outside the memory; its passage was kept in the index.
        if hit is not None and hit.snippet:
            return DocumentRead(number, title_of(item), Rendered(hit.snippet), replace(hit, lines=(0, 0)))
        return DocumentRead(number, title_of(item), Trouble.of(error), hit)
    if hit is not None:
        hit = replace(hit, lines=document.lines_in_text(hit.lines))
    return DocumentRead(number, document.path.stem, Rendered(document.text), hit)


def citation(bench: Workbench, item: Item) -> str:
    """The passage of a row and where it is from, without secrets, ready to be pasted."""
    from recall_tui.text.redact import redact

    document = bench.document(reference_of(item))
    where = bench.store.relative(document.path)
    if isinstance(item, Hit):
        first, last = document.lines_in_text(item.lines)
        words = "\n".join(document.text.split("\n")[first - 1 : last])
        where = f"{where}:{item.lines[0]}-{item.lines[1]}"
    else:
        words = item.summary if isinstance(item, WindowEntry) else _summary(document.text)
    return f"{redact(clean(words)).strip()}\n— {where}"


def _summary(text: str) -> str:
    """The summary of an archive, else its first lines."""
    match = re.search(r"^## Summary\s*\n(.*?)(?=^#|\Z)", text, re.MULTILINE | re.DOTALL)
    return match[1] if match else "\n".join(text.split("\n")[:40])
