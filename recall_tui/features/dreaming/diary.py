"""DREAMS.md: a diary with one entry for each dream, in the published design's form.

An entry is only ever added, and the same one never twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from recall_tui.domain import Append, Create, Plan
from recall_tui.features.dreaming.signals import Signal
from recall_tui.features.dreaming.state import Insight, PendingDiaryEntry
from recall_tui.storage.files import atomic
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.memory_context import Store
from recall_tui.text.cut import one_line

if TYPE_CHECKING:
    from recall_tui.features.dreaming.dream import DreamResult

_GAP_SIGNALS = ("null_query", "temporal_gap")
_REVIEW_SIGNALS = ("stale_memory", "wisdom_drift", "high_frequency")


def render_entry(day: date, dreamt: DreamResult, looked_into: Sequence[Signal]) -> str:
    """What a dream came to, as the diary tells it."""
    counts = f"Candidates examined: {dreamt.signals}\n\nLLM calls: {dreamt.calls}\n"
    parts = [f"## {day}\n\n{counts}"]
    gaps = [f"{one.subject}: {one.description}" for one in looked_into if one.kind in _GAP_SIGNALS]
    others = [f"{one.subject}: {one.description}" for one in looked_into if one.kind in _REVIEW_SIGNALS]
    for title, rows in (
        ("Insights Generated", map(_insight_row, dreamt.insights)),
        ("Contradictions", map(_insight_row, dreamt.contradictions)),
        ("Gaps Identified", [*gaps, *map(_insight_row, dreamt.gaps)]),
        ("Wiki Updates", [f"{one.title}: {one.why}" for one in dreamt.proposed]),
        ("Worth a look", others),
        ("Without a model", dreamt.failed),
        ("Left out", dreamt.notes),
    ):
        listed = "".join(f"- {one_line(row)}\n" for row in rows)
        if listed:
            parts.append(f"\n### {title}\n\n{listed}")
    return "".join((*parts, "\n---\n"))


def plan_entry(store: Store, untold: PendingDiaryEntry | None) -> Plan:
    """The plan that adds what is untold; none when the diary has it already."""
    path = store.layout.dreams
    held = read_text(path)
    if untold is None or (untold.entry in held and atomic.file_digest(path) != untold.was):
        return Plan("the diary is up to date")
    edit = Append(path, f"\n{untold.entry}") if held else Create(path, f"# Dream Diary\n\n{untold.entry}")
    return Plan("Dreamt", (edit,))


def _insight_row(one: Insight) -> str:
    return f"{one.text} ({', '.join(one.evidence)})" if one.evidence else one.text
