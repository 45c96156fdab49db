"""Times in a question: hits near the time that it names, or the latest or the first when it asks for those, come first.

Nothing is left out for its age, and age counts only when the question speaks of time.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import TYPE_CHECKING, Literal

from recall_tui.search.ranking.fusion import Candidate, ordered_by_score
from recall_tui.search.time.hints import may_lean, may_name_a_time

if TYPE_CHECKING:
    from recall_tui.search.time.interpret import When

    Time = tuple[When | None, Literal["latest", "first"] | None]
    """What a question says of time: the time that it names, and where it leans."""

LEAST = 0.5
"""What a hit far from the time that was named still counts: people misremember, and "last year" is not always meant."""
LEAN_SHARE = 0.15
"""What being the latest, or the first, adds at most."""
MOST_DATED = 120
"""Candidates whose dates are looked at."""

DateOf = Callable[[Candidate], date | None]
NewestOf = Callable[[], datetime | None]
"""When the newest passage was said; asked for only when that matters."""


def time_of(text: str, now: datetime, newest_of: NewestOf) -> Time | None:
    """What `text` says of time; None when it says nothing.

    A year that was not said is that of the newest passage when that is older than now.
    """
    if not (may_name_a_time(text) or may_lean(text)):
        return None
    # Reading times costs a process as much as the whole search.
    from recall_tui.search.time.interpret import lean, when

    named = when(text, now)
    if named is not None and named.is_year_guessed and (newest := newest_of()) is not None and newest < now:
        named = when(text, newest)
    leaning = lean(text)
    return None if named is None and leaning is None else (named, leaning)


def dated(candidates: list[Candidate], time: Time, date_of: DateOf, sigma: float) -> list[Candidate]:
    """The candidates in the order that the time asks for."""
    from recall_tui.search.time.interpret import affinity

    named, leaning = time
    first, rest = candidates[:MOST_DATED], candidates[MOST_DATED:]
    days = {one.key: date_of(one) for one in first}
    if named is not None:
        known = [day for day in days.values() if day is not None]
        named = named.resolve(min(known)) if known else named
        first = [_near(one, affinity(named, day, sigma) if (day := days[one.key]) else 0.0) for one in first]
    if leaning is not None:
        first = _leaned(first, days, leaning == "latest")
    return ordered_by_score([*first, *(_near(one, 0.0) if named is not None else one for one in rest)])


def _near(candidate: Candidate, nearness: float) -> Candidate:
    return candidate.times("when", LEAST + (1 - LEAST) * nearness)


def _leaned(candidates: list[Candidate], days: dict[int, date | None], is_latest: bool) -> list[Candidate]:
    known = sorted({day for day in days.values() if day is not None}, reverse=not is_latest)
    places = {day: place / max(len(known) - 1, 1) for place, day in enumerate(known)}
    leaned = []
    for one in candidates:
        day = days[one.key]
        leaned.append(one.times("lean", 1 + LEAN_SHARE * places[day]) if day is not None else one)
    most = max((one.score for one in leaned), default=1.0)
    return [one._replace(score=one.score / max(most, 1.0)) for one in leaned]
