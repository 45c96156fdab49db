"""Times in a question: hits near the time that it names, or the latest or the first when it asks for those, come first.

Nothing is left out for its age, and age counts only when the question speaks of time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import TYPE_CHECKING, Literal

from recall_tui.search.query import Filters
from recall_tui.search.ranking.fusion import SearchCandidate, sort_by_score
from recall_tui.search.time.mention import may_name_a_time, may_prefer_recent
from recall_tui.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from recall_tui.search.time.interpret import TimeConstraint

    Time = tuple[TimeConstraint | None, Literal["latest", "first"] | None]
    """What a question says of time: the time that it names, and where it leans."""

MIN_TIME_WEIGHT = 0.5
"""What a hit far from the time that was named still counts: people misremember, and "last year" is not always meant."""
EDGE_WEIGHT = 0.98
"""What a day beside the time that was named counts, which is as near as one inside it."""
MAX_RECENCY_BONUS = 0.15
"""What being the latest, or the first, adds at most."""
MAX_CANDIDATES = 120
"""Candidates whose dates are looked at."""
_DOING_WORD_LIST = """
do did done doing does happen happened happening happens work worked working go went going on up to session sessions
talk talked discuss discussed get got anything something everything all about summary news new show list tell me us
we i you the of in during for what which was were is are had have has that this
"""
_DOING_WORDS = frozenset(_DOING_WORD_LIST.split())
"""Words of a question that asks for a time alone."""

_COUNT_OF_TIME = lazy_pattern(
    r"\b(?P<n>\d{1,3})(?=\s+(?:minute|hour|day|night|week|month|year)s?\s+(?:ago|before|after|earlier|later)\b)"
    r"|\b(?:last|past|previous)\s+(?P<last>\d{1,3})(?=\s+(?:hour|day|week|month|year)s?\b)"
    r"|\bweek\s+(?P<week>\d{1,2})\b|\b(?P<nth>\d{1,2}(?:st|nd|rd|th))(?=\s+week\b)",
    re.ASCII | re.IGNORECASE,
)
"""A figure that counts days or the like, as in `3 days ago` and `week 10`."""
_MONTHS = (
    r"(?:May|Mar(?:ch)?|Sep|Oct|Dec|(?i:jan(?:uary)?|feb(?:ruary)?|apr(?:il)?|june?|july?|aug(?:ust)?|sept(?:ember)?"
    r"|september|october|nov(?:ember)?|december))"
)
"""Names of months; those that are other words too only as names are written."""
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_DAYS = rf"{_DAY}(?:\s*[-–—]\s*{_DAY})?"
_DAYS_OF_MONTH = lazy_pattern(
    rf"\b{_MONTHS}\b\.?\s+(?P<after>{_DAYS})\b|\b(?P<before>{_DAYS})\s+(?:of\s+)?{_MONTHS}\b", re.ASCII
)
"""A day or a range of days with the name of its month, as in `Mar 1` and `April 10-20`."""
SMALL_MEMORY_PASSAGES = 500
"""Passages below which the figure of a day is rarer than the words of a question; in more of them it helps to find
what was said on such a day."""

DateOf = Callable[[SearchCandidate], date | None]
NewestOf = Callable[[], datetime | None]
"""When the newest passage was said; asked for only when that matters."""


def find_time(text: str, now: datetime, newest_of: NewestOf) -> Time | None:
    """What `text` says of time; None when it says nothing.

    A year that was not said is that of the newest passage when that is older than now.
    """
    if not (may_name_a_time(text) or may_prefer_recent(text)):
        return None
    # Reading times costs a process as much as the whole search.
    from recall_tui.search.time.interpret import interpret_time, recency_preference

    named = interpret_time(text, now)
    is_guessed = named is not None and all(one.is_year_guessed for one in (named, *named.also))
    if is_guessed and (newest := newest_of()) is not None and newest < now:
        named = interpret_time(text, newest)
    leaning = recency_preference(text)
    return None if named is None and leaning is None else (named, leaning)


def without_counts(words: Sequence[str], text: str, passages: int) -> tuple[str, ...]:
    """The words of a question without the figures that only count time: `3 days ago` asks for no 3, as `three` does.

    Nor does `April 10-20` ask for a 20, which the date of any month may hold; a lone day, such as `Mar 1`, asks for no
    1 in a memory of few `passages`.
    """
    counts = {match[match.lastgroup or 0] for match in _COUNT_OF_TIME.finditer(text)}
    if may_name_a_time(text):
        figures = [(match["after"] or match["before"]).split() for match in _DAYS_OF_MONTH.finditer(text)]
        is_small = passages < SMALL_MEMORY_PASSAGES
        counts.update(*(said for said in figures if is_small or re.search("[-–—]", "".join(said))))
    if not counts:
        return tuple(words)
    kept = set(_DAYS_OF_MONTH.sub(" ", _COUNT_OF_TIME.sub(" ", text)).split())
    return tuple(word for word in words if word.rstrip(",.;:?!") not in counts or word in kept)


def without_ends(words: Sequence[str], text: str, named: TimeConstraint) -> tuple[str, ...]:
    """The words of a question without those that name the ends of a range: `before 2026` asks for no day of 2026."""
    if not named.names_ends:
        return tuple(words)
    start, end = named.span
    others = {word.casefold() for word in f"{text[:start]} {text[end:]}".split()}
    ends = {word.casefold() for word in text[start:end].split()} - others
    return tuple(word for word in words if word.casefold().rstrip(",.;:?!") not in ends)


def asked_days(text: str, named: TimeConstraint) -> TimeConstraint | None:
    """The days that a question asks for and nothing else, as "what did we do yesterday" does; None for any other.

    Of a date in figures alone, such as `2026-03-06`, the words count instead.
    """
    if named.day_number:
        return None
    from recall_tui.search.ranking.lexical import STOP_WORDS

    others = re.findall(r"\w+", _text_without(text, named).casefold())
    is_alone = all(word in STOP_WORDS or word in _DOING_WORDS for word in others)
    is_said = (
        others
        or named.names_ends
        or re.fullmatch(r"\D+", _COUNT_OF_TIME.sub(" ", text))
        or _DAYS_OF_MONTH.fullmatch(text[named.span[0] : named.span[1]])
    )
    return named if is_alone and is_said else None


def _text_without(text: str, named: TimeConstraint) -> str:
    """The text without the words that name the times."""
    for start, end in sorted((one.span for one in (named, *named.also)), reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return text


def days_filter(days: TimeConstraint, zone: tzinfo | None) -> Filters:
    """The filters that let through what is of these days, where the person is."""
    first, last = min(first for first, _ in days.ranges()), max(last for _, last in days.ranges())
    try:
        since, until = (
            datetime.combine(day, time.min, zone).astimezone(UTC) if day not in (date.min, None) else None
            for day in (first, last + timedelta(days=1) if last < date.max else None)
        )
    except OverflowError:
        return Filters()
    return Filters(since=since, until=until)


def missing_note(named: TimeConstraint, text: str, days: Iterable[date | None]) -> str:
    """The sentence that nothing found is of the time that was named; empty when something is."""
    if named.day_number or any(day and named.holds(day) for day in days):
        return ""
    spans = [one.span for one in (named, *named.also)]
    words = " ".join(text[min(spans)[0] : max(spans)[1]].split())
    return f"nothing that was found is of {words}: {', '.join(map(_days_text, (named, *named.also)))}"


def _days_text(named: TimeConstraint) -> str:
    if named.start == named.end and named.start:
        return f"{named.start}"
    return f"{named.start or 'the beginning'} to {named.end or 'today'}"


def sort_by_time(
    candidates: list[SearchCandidate], time: Time, date_of: DateOf, sigma: float, exact_sigma: float
) -> list[SearchCandidate]:
    """The candidates in the order that the time asks for."""
    from recall_tui.search.time.interpret import time_score

    named, leaning = time
    first, rest = candidates[:MAX_CANDIDATES], candidates[MAX_CANDIDATES:]
    days = {one.key: date_of(one) for one in first}
    if named is not None:
        known = [day for day in days.values() if day is not None]
        named = named.resolve(min(known)) if known else named
        first = [
            _sort_by_distance(
                one,
                _prefer_named(named, day, time_score(named, day, sigma, exact_sigma))
                if (day := days[one.key])
                else 0.0,
            )
            for one in first
        ]
    if leaning is not None:
        first = _sort_by_recency(first, days, leaning == "latest")
    return sort_by_score([*first, *(_sort_by_distance(one, 0.0) if named is not None else one for one in rest)])


def _prefer_named(named: TimeConstraint, day: date, nearness: float) -> float:
    """The nearness; of days that are all as near as can be, those that were named go before those beside them."""
    return nearness if nearness < 1 or named.holds(day) else EDGE_WEIGHT


def _sort_by_distance(candidate: SearchCandidate, nearness: float) -> SearchCandidate:
    return candidate.times("when", MIN_TIME_WEIGHT + (1 - MIN_TIME_WEIGHT) * nearness)


def _sort_by_recency(
    candidates: list[SearchCandidate], days: dict[int, date | None], is_latest: bool
) -> list[SearchCandidate]:
    known = sorted({day for day in days.values() if day is not None}, reverse=not is_latest)
    places = {day: place / max(len(known) - 1, 1) for place, day in enumerate(known)}
    leaned = []
    for one in candidates:
        day = days[one.key]
        leaned.append(one.times("lean", 1 + MAX_RECENCY_BONUS * places[day]) if day is not None else one)
    return leaned
