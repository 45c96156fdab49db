"""Recall without a model: the best passages for a question, as they were said, each with where it is from.

Nothing is rephrased; what does not fit into the budget is left out whole, or cut with a mark.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from recall_tui.domain import Hit
from recall_tui.text.cut import shorten
from recall_tui.text.source_ref import source_ref

CHARS_PER_TOKEN = 4
"""English text in common tokenizers, near enough for a budget."""
MIN_PASSAGE_CHARS = 120
"""An extract that would be shorter is left out."""
FIRST_PASSAGE_FRACTION = 0.4
"""What the first passage may take of the budget, so that others have room."""


@dataclass(frozen=True, slots=True)
class RecallPassage:
    """A passage that answers, and where it stands."""

    text: str
    document: str
    lines: tuple[int, int]
    title: str
    date: datetime | None
    session_id: str

    @property
    def citation(self) -> str:
        """Document, lines and day, such as `memory/MEMORY.md:12-20, 2026-03-06`."""
        return passage_citation(self)


def passage_citation(found: RecallPassage | Hit) -> str:
    """Where it stands and of what day: document, lines and day, such as `memory/MEMORY.md:12-20, 2026-03-06`."""
    day = f", {found.date:%Y-%m-%d}" if found.date else ""
    return f"{source_ref(found.document, *found.lines)}{day}"


def select_passages(hits: Sequence[Hit], text_of: Callable[[Hit], str], tokens: int) -> tuple[RecallPassage, ...]:
    """The hits' passages in their order, within `tokens` in all."""
    room = tokens * CHARS_PER_TOKEN
    found: list[RecallPassage] = []
    for hit in hits:
        most = int(room if found else room * FIRST_PASSAGE_FRACTION) if len(hits) > 1 else room
        if most < MIN_PASSAGE_CHARS:
            break
        text = shorten((text_of(hit) or hit.snippet).strip(), most, " […]")
        if text:
            found.append(RecallPassage(text, hit.document, hit.lines, hit.title, hit.date, hit.session_id))
            room -= len(text)
    return tuple(found)
