"""A session's entry in a day's log is the same find as the session: where both were found, the session is shown.

What a log says besides its sessions is a find of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from recall_tui.index.text import schema
from recall_tui.index.text.passage import labelled_lines
from recall_tui.storage.documents.day_logs import named_session

if TYPE_CHECKING:
    from recall_tui.index.text.stored_passage import StoredPassage
    from recall_tui.search.bound_query import BoundQuery
    from recall_tui.search.ranking.candidates import RankedPassage

_ALL_LABELS = "prstm"


def drop_day_lines(question: BoundQuery, found: Sequence[RankedPassage]) -> list[RankedPassage]:
    """Return the hits without the day logs whose matching lines are all about sessions among the hits."""
    sessions = {one.passage.session_id for one in found if one.passage.session_id}
    stems = {term for one in question.weighed for term in (one.unit.stem, *one.unit.parts)}
    return [
        one
        for one in found
        if one.passage.kind != "daily" or one.candidate.is_named or not _repeats(one.passage, sessions, stems)
    ]


def _repeats(passage: StoredPassage, sessions: Collection[str], stems: set[str]) -> bool:
    """Whether every line that holds a word of the question is the entry of one of the sessions."""
    section = named_session(f"## {passage.heading.rpartition(' › ')[2]}")
    named = [
        named_session(line) or section
        for _, line in labelled_lines(passage.body, passage.labels, _ALL_LABELS)
        if not stems.isdisjoint(schema.terms(schema.STEMMED, line))
    ]
    return bool(named) and all(name and any(one.startswith(name) for one in sessions) for name in named)
