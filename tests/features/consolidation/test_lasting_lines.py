"""What a page without a model has beyond the model's lines is added, unless the model told it in other words."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from recall_tui.features.consolidation.period_model import PeriodTask, add_lasting_lines
from recall_tui.features.grounding.extractive_summary import ScoredLine, SourceLine

LOG = "memory/2026-02-02.md"
CAUSE = (
    "Invoices were empty because the worker in src/bill/worker.py began before the queue had its lock; it takes the "
    "lock first now."
)
TOLD = "The worker takes the lock of the queue first now, because invoices were empty when it began before."


def added(told: SourceLine, text: str = CAUSE) -> list[str]:
    drawn = (ScoredLine(LOG, SourceLine(text, LOG, (5, 5)), 0, 9.0, 0),)
    groups = add_lasting_lines(([told], [], [], []), cast("PeriodTask", SimpleNamespace(room=5_000.0, drawn=drawn)))
    return [line.text for line in groups[0]][1:]


def test_a_line_that_was_told_in_other_words_is_not_added() -> None:
    assert added(SourceLine(TOLD, LOG, (5, 5))) == []


def test_a_line_of_another_place_or_of_other_words_is_added() -> None:
    assert added(SourceLine(TOLD, LOG, (9, 9))) == [CAUSE]
    other = "Exports of 300 orders took 40 minutes on the old machine, and 3 on the new one."
    assert added(SourceLine(TOLD, LOG, (5, 5)), other) == [other]
