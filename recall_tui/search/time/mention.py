"""A stretch of text that may name a time, and the days it means.

Days are days of the calendar, without a clock or a zone; what lies beyond it raises OverflowError or ValueError.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Literal, NamedTuple

from recall_tui.text.lazy_pattern import lazy_pattern

TimeUnit = Literal["day", "week", "month", "quarter", "year", "range"]
DateRange = tuple[date, date]
"""The first and the last day."""
_MAX_YEARS_BACK = 9
"""How far back a day that is not in every year is looked for; 1896 to 1904 is the longest way between leap days."""


class Mention(NamedTuple):
    """A stretch of text that may name a time."""

    start: int
    end: int
    """The place after its last character."""
    grain: TimeUnit
    weight: int
    """How exactly it says when; of several the heaviest is meant. About 60 for a day with its year, 54 for one counted
    from today, 45 for a week, 40 and 35 for a month with and without its year, 25 for a quarter, 20 for a year."""
    of_year: Callable[[int], DateRange]
    """Its days in a year; ValueError or OverflowError when that year has none."""
    year: int | None = None
    """The year that was said; None when the most recent is meant."""
    is_sure: bool = True
    is_called: bool = False
    """It was called this one or the last one."""
    is_over: bool = False
    """It was called the last one, so it has ended."""
    number: int = 0
    """N of `day N`, which only the first day of all can place."""

    @property
    def is_guessed(self) -> bool:
        """No year was said; the most recent is taken."""
        return self.year is None and not self.is_over

    def before(self, limit: date) -> DateRange | None:
        """Its days: those of the year that was said, else of the most recent that began by `limit`."""
        for year in [self.year] if self.year is not None else range(limit.year, limit.year - _MAX_YEARS_BACK, -1):
            try:
                first, last = self.of_year(year)
            except (ValueError, OverflowError):
                continue
            if self.year is not None or (last < limit if self.is_over else first <= limit):
                return first, last
        return None

    def after(self, first: date) -> DateRange | None:
        """Its days: those of the year that was said, else the next that end on `first` or later."""
        for year in [self.year] if self.year is not None else range(first.year, first.year + _MAX_YEARS_BACK):
            try:
                period = self.of_year(year)
            except (ValueError, OverflowError):
                continue
            if self.year is not None or period[1] >= first:
                return period
        return None


def month_range(year: int, month: int, months: int = 1) -> DateRange:
    """The days of a month, or of `months` in a row; a month beyond 1 to 12 lies in another year."""
    first, after = year * 12 + month - 1, year * 12 + month - 1 + months
    return date(first // 12, first % 12 + 1, 1), date(after // 12, after % 12 + 1, 1) - timedelta(days=1)


def week_range(day: date) -> DateRange:
    """The days from Monday to Sunday around a day."""
    monday = day - timedelta(days=day.weekday())
    return monday, monday + timedelta(days=6)


def weekday_before(day: date, wanted: int) -> date:
    """The last such weekday before `day`."""
    return day - timedelta(days=(day.weekday() - wanted - 1) % 7 + 1)


def units_before(day: date, amount: int, unit: str) -> date:
    """The day that lies so many units before `day`; a negative amount goes forward."""
    if unit in ("month", "year"):
        months = day.year * 12 + day.month - 1 - amount * (12 if unit == "year" else 1)
        last = month_range(months // 12, months % 12 + 1)[1]
        return last.replace(day=min(day.day, last.day))
    return day - timedelta(days=amount * (7 if unit == "week" else 1))


_TIME_WORD_LIST = """
january february march april may june july august september october november december sept sep jan feb mar apr jun jul
aug oct nov dec monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
spring summer autumn fall winter q quarter minute minutes hour hours day days night week weeks weekend month months
year years yesterday today tonight morning afternoon evening
"""
_RECENCY_WORD_LIST = """
latest newest recent recently current currently nowadays days moment now today original originally initially first
earliest beginning begin onset kickoff revised unchanged same
"""
_TIME_WORDS = frozenset(_TIME_WORD_LIST.split())
_RECENCY_WORDS = frozenset(_RECENCY_WORD_LIST.split())
_WORD = lazy_pattern("[A-Za-z]+")
_FOUR_DIGITS = lazy_pattern("[0-9]{4}")


def may_name_a_time(text: str) -> bool:
    """Whether a word of it stands in the name of some time, or it holds what may be a year."""
    return not _TIME_WORDS.isdisjoint(map(str.lower, _WORD.findall(text))) or _FOUR_DIGITS.search(text) is not None


def may_prefer_recent(text: str) -> bool:
    """Whether a word of it may ask for how things are, or for how they began."""
    return not _RECENCY_WORDS.isdisjoint(map(str.lower, _WORD.findall(text)))
