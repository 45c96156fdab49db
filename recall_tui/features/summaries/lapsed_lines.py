"""Lines of sessions that nobody summarised which hold no more: a later session undid them, or they are of their time.

Details of the code and wordings are changed again and again; what people use, what was decided and what holds outside
of the project lasts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING

from recall_tui.features.grounding.session_texts import SessionTexts
from recall_tui.features.grounding.superseded import Overtaken
from recall_tui.features.summaries.extract_points import ExtractPoint, extract_points
from recall_tui.features.summaries.synthesis_evolution import find_decided_change
from recall_tui.features.summaries.synthesis_points import subject_terms
from recall_tui.storage.documents.master_file import DECISIONS
from recall_tui.text.classify.line_names import is_detail, is_wording

if TYPE_CHECKING:
    from recall_tui.features.summaries.synthesis_sources import SessionSummary
    from recall_tui.storage.memory_context import Store

MAX_DETAIL_AGE = timedelta(days=14)
"""Before the newest session; older details of the code are history."""


def lapsed_lines(store: Store, summaries: Sequence[SessionSummary]) -> frozenset[tuple[str, str]]:
    """Return the lines of drafted summaries that hold no more, with the ids of their sources."""
    return frozenset(_find_lapsed(store, summaries))


def _find_lapsed(store: Store, summaries: Sequence[SessionSummary]) -> Iterator[tuple[str, str]]:
    drafted = [one for one in summaries if one.is_extract]
    texts = SessionTexts(store)
    overtaken = Overtaken({one.name: _as_entry(one, texts) for one in summaries})
    newest = max((day for one in summaries if (day := _day(one))), default=None)
    points = {one.source.id: list(extract_points(one)) for one in drafted}
    replaced = [
        (one.when, subject_terms(change[0]))
        for one in drafted
        for point in points[one.source.id]
        if point.section == DECISIONS and (change := find_decided_change(point.text))
    ]
    for one in drafted:
        day = _day(one)
        is_old = bool(newest and day and newest - day > MAX_DETAIL_AGE)
        for point in points[one.source.id]:
            if _is_stage(point, one.when, replaced):
                continue
            if (
                is_wording(point.text)
                or not overtaken.holds(point.text, one.name, 1)
                or (is_old and (is_detail(point.text) or texts.lost_sight_of(point.text, one.name)))
            ):
                yield one.source.id, point.text


def _is_stage(point: ExtractPoint, when: str, replaced: Sequence[tuple[str, frozenset[str]]]) -> bool:
    """Whether it was decided on what a later decision replaces by name: it is a part of that one's path."""
    about = subject_terms(point.text) if point.section == DECISIONS else frozenset()
    return any(later > when and old and old <= about for later, old in replaced)


def _as_entry(summary: SessionSummary, texts: SessionTexts) -> str:
    """A summary, with what else its session says is gone, as one entry of a log."""
    return "\n  ".join((*summary.text.split("\n"), *texts.removals(summary.name)))


def _day(summary: SessionSummary) -> date | None:
    try:
        return date.fromisoformat(summary.when[:10])
    except ValueError:
        return None
