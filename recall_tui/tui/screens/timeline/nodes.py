"""The timeline as rows of a tree: months, in them weeks, days and sessions, as far as they are unfolded.

Pure functions of values: what is folded is handed in, and nothing that is folded costs anything.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal

from recall_tui.features.consolidation.timeline import MemoryTimeline, TimelineDay, TimelineMonth, TimelineWeek
from recall_tui.features.documents.past_sessions import PastSession
from recall_tui.search.time.mention import week_range
from recall_tui.tui.document_pointer import DocumentPointer

NodeKind = Literal["month", "week", "day", "log", "session", "undated"]
NodeKey = tuple[object, ...]
"""By what a row is known again."""
UNDATED_KEY: NodeKey = ("undated",)


@dataclass(frozen=True, slots=True)
class UndatedSessions:
    """The sessions of which no day is known."""

    sessions: tuple[PastSession, ...]


@dataclass(frozen=True, slots=True)
class TimelineNode:
    """One row of the tree."""

    kind: NodeKind
    key: NodeKey
    thing: TimelineMonth | TimelineWeek | TimelineDay | Path | PastSession | UndatedSessions
    depth: int
    first: date | None = None
    last: date | None = None
    """The days it is about; None of what has no date."""
    is_open: bool | None = None
    """None when there is nothing in it."""
    parent: NodeKey = ()

    @property
    def pages(self) -> tuple[Path, ...]:
        """What was written of it."""
        match self.thing:
            case TimelineMonth(page=Path() as page) | TimelineWeek(page=Path() as page):
                return (page,)
            case TimelineDay(logs=logs):
                return logs
            case Path() as path:
                return (path,)
        return ()

    @property
    def item(self) -> DocumentPointer | None:
        """The document that it opens: its page, or a session's."""
        if isinstance(self.thing, PastSession):
            return session_pointer(self.thing)
        return DocumentPointer(str(self.pages[0]), self.pages[0].stem) if self.pages else None

    @property
    def is_page(self) -> bool:
        """What it opens was written of days, and not in a session."""
        return bool(self.pages)


def session_pointer(session: PastSession) -> DocumentPointer:
    """The document of a session."""
    return DocumentPointer(session.reference, session.title, session.session_id if session.is_gone else "")


def month_key(day: date) -> NodeKey:
    """The key of the month that a day lies in."""
    return ("month", day.year, day.month)


def week_key(day: date) -> NodeKey:
    """The key of the part of a week, in its month, that a day lies in."""
    return ("week", day.year, day.month, week_range(day)[0])


def day_key(day: date) -> NodeKey:
    """The key of a day."""
    return ("day", day)


def path_to_day(day: date) -> frozenset[NodeKey]:
    """What must be unfolded to see a day."""
    return frozenset((month_key(day), week_key(day)))


def day_node(day: TimelineDay) -> TimelineNode:
    """The row of a day by itself."""
    return TimelineNode("day", day_key(day.date), day, 2, day.date, day.date)


def build_nodes(timeline: MemoryTimeline, opened: Collection[NodeKey]) -> list[TimelineNode]:
    """The rows, newest first."""
    return list(_month_nodes(timeline, opened))


def _month_nodes(timeline: MemoryTimeline, opened: Collection[NodeKey]) -> Iterator[TimelineNode]:
    for month in timeline.months:
        key = month_key(month.first)
        is_open = key in opened if month.weeks else None
        yield TimelineNode("month", key, month, 0, month.first, month.last, is_open)
        if is_open:
            for week in month.weeks:
                yield from _week_nodes(week, key, opened)
    if timeline.undated:
        is_open = UNDATED_KEY in opened
        yield TimelineNode("undated", UNDATED_KEY, UndatedSessions(timeline.undated), 0, is_open=is_open)
        if is_open:
            yield from (_session_node(one, 1, UNDATED_KEY) for one in timeline.undated)


def _week_nodes(week: TimelineWeek, parent: NodeKey, opened: Collection[NodeKey]) -> Iterator[TimelineNode]:
    key = week_key(week.first)
    is_open = key in opened if week.days else None
    yield TimelineNode("week", key, week, 1, week.first, week.last, is_open, parent)
    if is_open:
        for day in week.days:
            yield from _day_nodes(day, key, opened)


def _day_nodes(day: TimelineDay, parent: NodeKey, opened: Collection[NodeKey]) -> Iterator[TimelineNode]:
    key = day_key(day.date)
    # One log is the day's own row; of several each has one.
    logs = day.logs if len(day.logs) > 1 else ()
    is_open = key in opened if logs or day.sessions else None
    yield TimelineNode("day", key, day, 2, day.date, day.date, is_open, parent)
    if is_open:
        for log in logs:
            yield TimelineNode("log", ("log", log), log, 3, day.date, day.date, parent=key)
        yield from (_session_node(one, 3, key) for one in day.sessions)


def _session_node(session: PastSession, depth: int, parent: NodeKey) -> TimelineNode:
    return TimelineNode(
        "session", ("session", session.reference), session, depth, session.day, session.day, parent=parent
    )
