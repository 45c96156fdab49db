"""The timeline as rows of a tree: months, in them weeks, days and sessions, as far as they are unfolded.

Pure functions of values: what is folded is handed in, and nothing that is folded costs anything.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal

from recall_tui.features.consolidation.timeline import Day, Month, Timeline, Week
from recall_tui.features.documents.past_sessions import PastSession
from recall_tui.search.time.mention import week_of
from recall_tui.tui.document_pointer import Pointer

Kind = Literal["month", "week", "day", "log", "session", "undated"]
Key = tuple[object, ...]
"""By what a row is known again."""
UNDATED: Key = ("undated",)


@dataclass(frozen=True, slots=True)
class Undated:
    """The sessions of which no day is known."""

    sessions: tuple[PastSession, ...]


@dataclass(frozen=True, slots=True)
class Node:
    """One row of the tree."""

    kind: Kind
    key: Key
    thing: Month | Week | Day | Path | PastSession | Undated
    depth: int
    first: date | None = None
    last: date | None = None
    """The days it is about; None of what has no date."""
    is_open: bool | None = None
    """None when there is nothing in it."""
    parent: Key = ()

    @property
    def pages(self) -> tuple[Path, ...]:
        """What was written of it."""
        match self.thing:
            case Month(page=Path() as page) | Week(page=Path() as page):
                return (page,)
            case Day(logs=logs):
                return logs
            case Path() as path:
                return (path,)
        return ()

    @property
    def item(self) -> Pointer | None:
        """The document that it opens: its page, or a session's."""
        if isinstance(self.thing, PastSession):
            return pointer_of(self.thing)
        return Pointer(str(self.pages[0]), self.pages[0].stem) if self.pages else None

    @property
    def is_page(self) -> bool:
        """What it opens was written of days, and not in a session."""
        return bool(self.pages)


def pointer_of(session: PastSession) -> Pointer:
    """The document of a session."""
    return Pointer(session.reference, session.title, session.session_id if session.is_gone else "")


def month_key(day: date) -> Key:
    """The key of the month that a day lies in."""
    return ("month", day.year, day.month)


def week_key(day: date) -> Key:
    """The key of the part of a week, in its month, that a day lies in."""
    return ("week", day.year, day.month, week_of(day)[0])


def day_key(day: date) -> Key:
    """The key of a day."""
    return ("day", day)


def way_to(day: date) -> frozenset[Key]:
    """What must be unfolded to see a day."""
    return frozenset((month_key(day), week_key(day)))


def day_node(day: Day) -> Node:
    """The row of a day by itself."""
    return Node("day", day_key(day.date), day, 2, day.date, day.date)


def nodes(timeline: Timeline, opened: Collection[Key]) -> list[Node]:
    """The rows, newest first."""
    return list(_nodes(timeline, opened))


def _nodes(timeline: Timeline, opened: Collection[Key]) -> Iterator[Node]:
    for month in timeline.months:
        key = month_key(month.first)
        is_open = key in opened if month.weeks else None
        yield Node("month", key, month, 0, month.first, month.last, is_open)
        if is_open:
            for week in month.weeks:
                yield from _of_week(week, key, opened)
    if timeline.undated:
        is_open = UNDATED in opened
        yield Node("undated", UNDATED, Undated(timeline.undated), 0, is_open=is_open)
        if is_open:
            yield from (_of_session(one, 1, UNDATED) for one in timeline.undated)


def _of_week(week: Week, parent: Key, opened: Collection[Key]) -> Iterator[Node]:
    key = week_key(week.first)
    is_open = key in opened if week.days else None
    yield Node("week", key, week, 1, week.first, week.last, is_open, parent)
    if is_open:
        for day in week.days:
            yield from _of_day(day, key, opened)


def _of_day(day: Day, parent: Key, opened: Collection[Key]) -> Iterator[Node]:
    key = day_key(day.date)
    # One log is the day's own row; of several each has one.
    logs = day.logs if len(day.logs) > 1 else ()
    is_open = key in opened if logs or day.sessions else None
    yield Node("day", key, day, 2, day.date, day.date, is_open, parent)
    if is_open:
        for log in logs:
            yield Node("log", ("log", log), log, 3, day.date, day.date, parent=key)
        yield from (_of_session(one, 3, key) for one in day.sessions)


def _of_session(session: PastSession, depth: int, parent: Key) -> Node:
    return Node("session", ("session", session.reference), session, depth, session.day, session.day, parent=parent)
