"""The time that a question names, and how near to it a day is.

Any text is a good question: one that names no time, or only seems to, has none. What is not said leans to the past: a
bare "March" is the most recent one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from functools import cache
from itertools import pairwise
from math import exp
from typing import Literal

from recall_tui.search.time import context, expressions
from recall_tui.search.time.day_lists import find_listed_days
from recall_tui.search.time.mention import (
    DateRange,
    Mention,
    TimeUnit,
    may_prefer_recent,
    units_before,
    week_range,
    weekday_before,
)
from recall_tui.text.dates import parse_since

SIGMA_DAYS = 30.0
"""Days in which the affinity to a time falls to 1/e; the settings `search.sigma_days` and, for a day, a week or a short
range, `search.sigma_exact_days` change it."""
TOLERANCE_DAYS = 1
"""Days that count as inside, for logs written around midnight and in other time zones."""
MAX_SHORT_RANGE_DAYS = 14
"""A range of up to so many days is as exact as a week."""
MAX_QUERY_CHARS = 4_000
"""Characters that are looked at; a question that is longer is a text that was pasted."""
_COMPOSITION_WEIGHT = 6
"""What a range or a count from a day weighs beyond its parts."""
DATE_EXAMPLES = "yesterday, last tuesday, 6 march, march 2025, last week, 2026-W09, three weeks ago, 2026-03-06, 10d"
"""What may be said, for a person."""


@dataclass(frozen=True, slots=True)
class TimeConstraint:
    """The days that a question is about, the first and the last of them included."""

    start: date | None
    """None when it begins with the first day there is, or when `day_number` is not resolved."""
    end: date | None
    """None when it lasts until the last day there is."""
    grain: TimeUnit
    span: tuple[int, int]
    """Where the words are in the text: from the first character to the place after the last."""
    is_year_guessed: bool = False
    """No year was said, and the most recent was taken."""
    day_number: int = 0
    """N of "day N", counted from 1 at the first day of all; 0 once it is resolved, and for everything else."""
    names_ends: bool = False
    """Its words name the first or the last day, or both, and say nothing of those between."""
    also: tuple[TimeConstraint, ...] = ()
    """Other times that are listed beside it, as in `on 7 November and 24 November`."""

    def ranges(self) -> Iterator[DateRange]:
        """Each stretch of days that is meant, from its first to its last day."""
        for one in (self, *self.also):
            yield one.start or date.min, one.end or date.max

    def holds(self, day: date) -> bool:
        """Whether the day is one of those that are meant."""
        return any(first <= day <= last for first, last in self.ranges())

    def resolve(self, first_day: date) -> TimeConstraint:
        """The same with the day that `day_number` stands for; as it is when that is none, or beyond the calendar."""
        if not self.day_number:
            return self
        try:
            day = first_day + timedelta(days=self.day_number - 1)
        except OverflowError:
            return self
        return replace(self, start=day, end=day, day_number=0)


def interpret_time(text: str, now: datetime) -> TimeConstraint | None:
    """The time that `text` names; None when it names none.

    Of several the most exact counts, then the first, with those that are listed beside it.
    """
    today = now.date()
    text = text[:MAX_QUERY_CHARS]
    found = expressions.find_mentions(text, today, find_listed_days(text, today))
    best: TimeConstraint | None = None
    heaviest = 0
    candidates = _candidate_times(text, found, today)
    for weight, one in candidates:
        if weight > heaviest:
            best, heaviest = one, weight
    return replace(best, also=_listed_beside(text, best, [one for _, one in candidates])) if best else None


def _listed_beside(text: str, one: TimeConstraint, others: list[TimeConstraint]) -> tuple[TimeConstraint, ...]:
    """The times that stand in one list with `one`, in their order; none beside a range, or a day that has a number."""
    listed: list[list[TimeConstraint]] = []
    for other in sorted(others, key=lambda other: other.span):
        if other.names_ends or other.day_number or other.start is None or other.end is None:
            continue
        if listed and context.is_listed(text, listed[-1][-1].span[1], other.span[0]):
            listed[-1].append(other)
        else:
            listed.append([other])
    group = next((group for group in listed if one in group), [])
    return tuple(other for other in group if other != one)


def time_score(
    when: TimeConstraint, day: date, sigma_days: float = SIGMA_DAYS, exact_sigma_days: float = SIGMA_DAYS
) -> float:
    """How near `day` is to the time, from 0 to 1: exp(-distance/σ) in days, and 1.0 inside it.

    σ is `exact_sigma_days` for a day, a week and a short range, else `sigma_days`. A day number that is not resolved
    excludes none.
    """
    if isinstance(day, datetime):
        day = day.date()
    outside = min(max((first - day).days, (day - last).days, 0) for first, last in when.ranges())
    sigma = exact_sigma_days if _is_exact(when) else sigma_days
    return exp(-max(0, outside - TOLERANCE_DAYS) / sigma)


def recency_preference(text: str) -> Literal["latest", "first"] | None:
    """Whether `text` asks for how things are now or for how they began; None for neither, or for both.

    Words that code uses too, such as `current`, `now` and `first`, say so only in a question.
    """
    text = text[:MAX_QUERY_CHARS]
    if not may_prefer_recent(text):
        return None
    words = _recency_words()
    is_question = words["question"].search(text) is not None
    is_latest = bool(words["latest"].search(text) or (is_question and words["present"].search(text)))
    is_first = bool(words["first"].search(text) or (is_question and words["beginning"].search(text)))
    if is_latest == is_first:
        return None
    return "latest" if is_latest else "first"


@cache
def _recency_words() -> dict[str, re.Pattern[str]]:
    code = (
        "directory|dir|folder|working|file|line|branch|user|thread|process|tab|window|page|cursor|selection|buffer|scope|"
        "context|frame|node|object|element|item|index|row|column|session|shell|time|date|timestamp|position|path|locale|"
        "repo|repository|worktree|commit|head|package|module|class|function"
    )
    owners = ("the", "a", "his", "her", "their", "our", "my", "your", "its", "this", "at")
    owned = "".join(rf"(?<!\b{owner} )" for owner in owners) + "(?<!'s )"
    question = (
        r"\?|\A\W*(?:what|when|where|which|who|whom|whose|why|how|is|are|was|were|do|does|did|has|have|had|can|could|"
        r"should|tell|show|remind)\b"
    )
    cues = {
        "latest": r"latest|newest|most\s+recent(?:ly)?|currently|nowadays|these\s+days|at\s+the\s+moment|"
        r"as\s+of\s+(?:now|today)|(?:stays?|stayed|kept)\s+(?:unchanged|the\s+same)",
        "first": r"originally|initially|at\s+first|earliest|in\s+the\s+beginning(?!\s+of)|to\s+begin\s+with|"
        r"first\s+(?:time|ever|proposed|recorded|noted|established|captured)|at\s+(?:the\s+)?(?:onset|kickoff)|"
        r"before\s+(?:\w+\s+){1,4}(?:was|were)\s+revised",
        # those that need a question
        "present": rf"current(?!\s+(?:{code})s?\b)|(?<!for )(?<!by )(?<!until )(?<!just )(?<!from )now(?!\s+that)",
        "beginning": rf"original(?!\s+(?:{code}|content|text|message|value|error|exit)s?\b)"
        rf"|(?<=\w ){owned}first(?!\s+(?:names?|class|aid|person|half|place|principles?|two|three)\b)",
    }
    alone = {name: rf"(?<![\w@:./\\-])(?:{words})(?![\w(/=-]|\.\w|:\w)" for name, words in cues.items()}
    patterns = {"question": question, **alone}
    return {name: re.compile(words, re.ASCII | re.IGNORECASE) for name, words in patterns.items()}


def _is_exact(when: TimeConstraint) -> bool:
    if when.grain != "range":
        return when.grain in ("day", "week")
    return when.start is not None and when.end is not None and (when.end - when.start).days <= MAX_SHORT_RANGE_DAYS


def _candidate_times(text: str, found: list[Mention], today: date) -> list[tuple[int, TimeConstraint]]:
    """Every time that the mentions say, alone and two together, with its weight."""
    read: list[tuple[int, TimeConstraint]] = []
    paired: set[int] = set()
    for left, right in pairwise(found):
        if left.start not in paired and (whole := _closed_range(text, left, right, today)):
            paired.update((left.start, right.start))
            read.append((max(left.weight, right.weight) + _COMPOSITION_WEIGHT, whole))
    for at, one in enumerate(found):
        if one.start in paired or not context.is_time(text, one):
            continue
        one = _with_year_of_next(text, one, found[at + 1 :])
        span = (one.start, one.end)
        if one.number:
            read.append((one.weight, TimeConstraint(None, None, "day", span, day_number=one.number)))
        elif period := one.before(today):
            composed = _offset_from_mention(text, one, period) or _open_range(text, one, period)
            plain = TimeConstraint(*period, one.grain, span, one.is_guessed)
            read.append((one.weight + (_COMPOSITION_WEIGHT if composed else 0), composed or plain))
    return read


def _with_year_of_next(text: str, one: Mention, following: list[Mention]) -> Mention:
    """The mention; of `Nov 7 and Nov 24, 2025` the first has the year of the last, too."""
    for before, after in pairwise((one, *following)):
        if one.year is not None or before.grain != after.grain or not context.is_listed(text, before.end, after.start):
            break
        if after.year is not None and str(after.year) in text[after.start : after.end]:
            return one._replace(year=after.year)
    return one


def _closed_range(text: str, left: Mention, right: Mention, today: date) -> TimeConstraint | None:
    """The range between two mentions; the one without a year has the year that makes it the shortest."""
    joint = context.range_separator(text, left, right)
    if not joint or left.number or right.number:
        return None
    opening = context.words_before(text, left, "opening")
    if opening and (joint == "and") != (opening[1].lower() == "between"):
        opening = None
    is_month = left.grain == "month" and not expressions.is_also_a_word(text[left.start : left.end])
    if not opening and (joint == "and" or not ((left.is_sure or is_month) and right.is_sure)):
        return None
    if left.year is not None and right.year is None:
        first = left.before(today)
        last = right.after(first[0]) if first else None
    else:
        last = right.before(today)
        first = left.before(last[1]) if last else None
    if not first or not last or last[1] < first[0]:
        return None
    span = (opening.start() if opening else left.start, right.end)
    return TimeConstraint(first[0], last[1], "range", span, left.is_guessed and right.is_guessed, names_ends=True)


def _open_range(text: str, one: Mention, period: DateRange) -> TimeConstraint | None:
    """The time since, until, before or after a mention, of which one end is open."""
    direction, onwards = context.words_before(text, one, "direction"), context.since_word(text, one)
    if direction is None and onwards is None:
        return None
    start: date | None = None
    end: date | None = None
    word = " ".join(direction[1].lower().split()) if direction else "since"
    try:
        if word == "after":
            start = period[1] + timedelta(days=1)
        elif word in ("before", "prior to"):
            end = period[0] - timedelta(days=1)
        elif word in ("until", "till", "til", "up to"):
            end = period[1]
        else:
            start = period[0]
    except OverflowError:
        return None
    span = (direction.start() if direction else one.start, onwards.end() if onwards and not direction else one.end)
    return TimeConstraint(start, end, "range", span, one.is_guessed, names_ends=True)


def _offset_from_mention(text: str, one: Mention, period: DateRange) -> TimeConstraint | None:
    """What lies so many days before or after a mention, that mention included: it is often told about on that day."""
    counted = context.words_before(text, one, "counted")
    if counted is None:
        return None
    unit, way = counted["unit"].lower(), " ".join(counted["way"].lower().split())
    amount = expressions.parse_number(counted["n"]) if counted["n"] else 1
    first, last = period
    try:
        if way == "of":
            if unit != "week" or one.grain != "day":
                return None
            first, last = week_range(first)
        elif way in ("after", "following"):
            last = _offset_day(last, -amount, unit)
        else:
            first = _offset_day(first, amount, unit)
    except (ValueError, OverflowError):
        return None
    grain: TimeUnit = "week" if unit == "week" and amount == 1 else "range"
    return TimeConstraint(first, last, grain, (counted.start(), one.end), one.is_guessed)


def _offset_day(day: date, amount: int, unit: str) -> date:
    """The day so many units before `day`; a negative amount goes forward."""
    if unit in ("night", "morning", "evening"):
        unit = "day"
    if unit in ("day", "week", "month", "year"):
        return units_before(day, amount, unit)
    wanted = expressions.parse_weekday("saturday" if unit == "weekend" else unit)
    return weekday_before(day if amount > 0 else day + timedelta(days=8), wanted)


def parse_days(words: str, now: datetime) -> TimeConstraint | None:
    """The days that somebody names who was asked for nothing else; None when they name none.

    What in a question is a time only beside other words, such as `may` or `tuesday`, is one here by itself.
    """
    words = " ".join(words.split())
    for said in (words, f"in {words.title()}", f"on {words.title()}", f"last {words.title()}"):
        if found := interpret_time(said, now):
            return found
    moment = parse_since(words, now)
    if moment is None:
        return None
    day = moment.astimezone(now.tzinfo).date()
    return TimeConstraint(day, day, "day", (0, len(words)))


def moments_of(words: str, now: datetime) -> tuple[datetime | None, datetime | None]:
    """Return the first moment of the days that somebody names, and the one after their last, in the zone of `now`.

    None for an end that is open, and both for words that name no days.
    """
    meant = parse_days(words, now)
    if meant is None:
        return None, None
    first, last = (datetime.combine(day, time(), now.tzinfo) if day else None for day in (meant.start, meant.end))
    return first, last + timedelta(days=1) if last else None


def closed_range(meant: TimeConstraint) -> tuple[date, date]:
    """The first and the last of the days; those of the calendar where an end is open."""
    return meant.start or date.min, meant.end or date.max
