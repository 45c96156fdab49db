"""The words of a text that may name a time: dates, months, seasons, years, and those that count back from today.

A mention keeps its place in the text as it stands, and is sure when it needs no other word to be understood as a time.
Reading never raises: what is no day of the calendar is no mention.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import date, timedelta
from functools import cache

from recall_tui.search.time.mention import (
    DateRange,
    Mention,
    TimeUnit,
    may_name_a_time,
    month_range,
    units_before,
    week_range,
    weekday_before,
)

MONTH_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
WEEKDAY_NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
"""The first month of each, as the weather services of the north count them."""
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_VAGUE_NUMBERS = {"a": 1, "an": 1, "a couple of": 2, "couple of": 2, "a few": 3, "few": 3, "several": 4}
_WEEK_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    *("eleventh", "twelfth"),
)
_ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}
MONTH_PATTERN = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?"
)
WEEKDAY_PATTERN = (
    "mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?"
)
NUMBER_PATTERN = f"[0-9]{{1,3}}|(?:a )?couple of|(?:a )?few|several|an?|{'|'.join(_NUMBERS[1:])}"
_YEAR = "(?P<year>(?:19[7-9]|20[0-9])[0-9])"
YEAR_OR_RELATIVE = rf"(?:{_YEAR}\b|(?P<rel>last|this)\s+year\b)"
DAY_PATTERN = "(?:3[01]|[12][0-9]|0?[1-9])"
ORDINAL_SUFFIX = "(?:st|nd|rd|th)"
_TO = r"(?:\s*[-–—]\s*|\s+(?:to|until|through)\s+)"
_MODE = r"(?:(?P<mode>last|this|past|previous)\s+)?"
CLAUSE_WORDS = (
    "we|i|you|they|he|she|it|the|that|was|were|did|do|had|and|or|about|for|with|when|to|on|at|as|after|before|because"
    "|how|what|why|which|who"
)
"""Words that begin another part of a sentence after a time."""
_DAY_PART = (
    r"(?:(?:the\s+)?(?P<part>early|mid|late|beginning|start|middle|end|(?:first|second)\s+half"
    rf"|(?:{'|'.join(_ORDINALS)}|last)\s+week)(?:\s+(?:of|in)\s+|[\s-]+))?"
)


def find_mentions(text: str, today: date, known: Iterable[Mention] = ()) -> list[Mention]:
    """What may name a time in `text`, in order and none inside another; those `known` go before others as long."""
    if not may_name_a_time(text):
        return []
    found = list(known)
    for pattern, read in _patterns():
        for match in pattern.finditer(text):
            if is_isolated(text, *match.span()) and (mention := read(match, today)):
                found.append(mention)
    taken: list[Mention] = []
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        if not taken or one.start >= taken[-1].end:
            taken.append(one)
        elif one.end - one.start > taken[-1].end - taken[-1].start:
            taken[-1] = one
    return taken


def is_also_a_word(month: str) -> bool:
    """Whether it reads as a verb or as a function's name unless something says that it is a month."""
    return not is_capitalized(month) and month.lower() in ("may", "march", "mar", "dec", "sep", "oct")


def is_capitalized(word: str) -> bool:
    """Whether the word is written as names are, `May` and not `may` or `MAY`."""
    return word[:1].isupper() and word[1:].islower()


def parse_number(word: str) -> int:
    """The number that `word` says, in figures or not."""
    word = " ".join(word.lower().split())
    if word.isdigit():
        return int(word)
    return _VAGUE_NUMBERS.get(word) or _NUMBERS.index(word)


def parse_weekday(word: str) -> int:
    """0 for Monday to 6 for Sunday."""
    return WEEKDAY_NAMES.index(word[:3].lower())


def is_isolated(text: str, start: int, end: int) -> bool:
    """Not a piece of an identifier, a path, a version or a call."""
    before, after = text[start - 1 : start], text[end : end + 2]
    if before and (before.isalnum() or before in "_./\\@#$:=-+~") and text[start - 2 : start] != "..":
        return False
    if after[:1].isalnum() or after[:1] in tuple("_(/\\=@%"):
        return False
    return not (len(after) == 2 and after[0] in ".-:" and after[1].isalnum())


MatchParser = Callable[["re.Match[str]", date], Mention | None]


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], MatchParser], ...]:
    of = r"\.?,?\s+(?:of\s+)?"
    written: tuple[tuple[str, MatchParser], ...] = (
        (
            r"(?P<year>(?:19|20)[0-9]{2})(?P<sep>[-/])(?P<month>[0-9]{2})"
            r"(?:(?P=sep)(?P<day>[0-9]{2})(?:[T ][0-9]{2}:[0-9:.,]{1,15}[0-9](?:Z|[+-][0-9:]{2,5})?)?)?(?![-/][0-9])",
            _iso,
        ),
        (r"(?P<year>20[0-9]{2})-?W(?P<week>[0-5][0-9])", _iso_week),
        (rf"{_YEAR},?\s+(?:calendar\s+)?week\s+(?P<week>[0-5]?[0-9])", _iso_week),
        (
            rf"(?:calendar\s+)?w(?:eek\s+)?(?P<week>{'|'.join((*_NUMBERS[1:], '[0-5]?[0-9]'))}){of}{YEAR_OR_RELATIVE}",
            _iso_week,
        ),
        (
            rf"(?:the\s+)?(?P<week>{'|'.join(_WEEK_ORDINALS)}|[0-5]?[0-9]{ORDINAL_SUFFIX}|last)\s+week"
            rf"\s+(?:of|in)\s+{YEAR_OR_RELATIVE}",
            _iso_week,
        ),
        (rf"(?:calendar\s+)?week\s+(?P<week>[1-4]?[0-9]|5[0-3])(?:{of}{YEAR_OR_RELATIVE})?", _week_number),
        (
            rf"(?:the\s+)?(?P<day>{DAY_PATTERN})(?P<nth>{ORDINAL_SUFFIX})?(?:{_TO}(?P<last>{DAY_PATTERN}){ORDINAL_SUFFIX}?)?\s+(?P<of>of\s+)?"
            rf"(?P<month>{MONTH_PATTERN})\b(?:\.?,?\s*{YEAR_OR_RELATIVE})?",
            _date,
        ),
        (
            rf"(?P<month>{MONTH_PATTERN})\b\.?\s+(?P<of>the\s+)?(?P<day>{DAY_PATTERN})(?P<nth>{ORDINAL_SUFFIX})?\b"
            rf"(?:{_TO}(?P<last>{DAY_PATTERN}){ORDINAL_SUFFIX}?\b(?!\s*(?:of\s+)?(?:{MONTH_PATTERN})\b))?(?:,?\s*{YEAR_OR_RELATIVE})?",
            _date,
        ),
        (rf"{_DAY_PART}{_MODE}(?P<month>{MONTH_PATTERN})\b(?:{of}{YEAR_OR_RELATIVE})?", _month),
        (
            rf"{_MODE}(?:q(?P<quarter>[1-4])|(?P<nth>{'|'.join(_ORDINALS)})\s+quarter)\b(?:(?:{of}|[/-]){YEAR_OR_RELATIVE})?",
            _quarter,
        ),
        (rf"{_YEAR}[\s-]?q(?P<quarter>[1-4])", _quarter),
        (rf"{_MODE}(?P<season>{'|'.join(SEASONS)})\b(?:{of}{YEAR_OR_RELATIVE}(?:[/-][0-9]{{2,4}}\b)?)?", _season),
        (rf"{_DAY_PART}{_YEAR}(?!\s*[-–—]\s*[0-9])", _year),
        (rf"(?P<n>{NUMBER_PATTERN})\s+(?P<unit>minute|hour|day|night|week|month|year)s?\s+ago", _ago),
        (
            rf"(?:the\s+)?(?:last|past|previous)\s+(?P<n>{NUMBER_PATTERN})\s+(?P<unit>hour|day|week|month|year)s?",
            _recently,
        ),
        (r"(?P<mode>last|this|past|previous)\s+(?P<unit>week(?:end)?|month|quarter|year)", _parse_unit),
        (r"(?:the\s+)?(?P<unit>week(?:end)?|month|year)\s+(?P<mode>before\s+last)", _parse_unit),
        (r"(?P<mode>over|at|on)\s+the\s+(?P<unit>weekend)", _parse_unit),
        (
            r"(?:the\s+)?day\s+before\s+yesterday|yesterday|today|tonight|last\s+(?:night|evening)"
            r"|this\s+(?:morning|afternoon|evening)",
            _around,
        ),
        (rf"{_MODE}(?P<name>{WEEKDAY_PATTERN})\b(?P<time>\s+(?:morning|afternoon|evening|night))?", _weekday),
        (r"day\s+(?P<n>[0-9]{1,5})", _numbered),
    )
    return tuple((re.compile(rf"\b(?:{words})\b", re.ASCII | re.IGNORECASE), read) for words, read in written)


def _fixed_expression(match: re.Match[str], grain: TimeUnit, weight: int, first: date, last: date) -> Mention:
    return Mention(match.start(), match.end(), grain, weight, lambda _year: (first, last), first.year)


def explicit_year(match: re.Match[str], today: date) -> int | None:
    groups = match.groupdict()
    if groups.get("rel"):
        return today.year - (groups["rel"].lower() == "last")
    if (groups.get("mode") or "").lower() == "this":
        return today.year
    return int(groups["year"]) if groups.get("year") else None


def _iso(match: re.Match[str], _today: date) -> Mention | None:
    year, month, day = (int(match[name] or 0) for name in ("year", "month", "day"))
    try:
        first, last = (date(year, month, day),) * 2 if day else month_range(year, month)
    except ValueError:
        return None
    if not day and match["sep"] == "/":
        return None
    return _fixed_expression(match, "day" if day else "month", 60 if day else 40, first, last)


def _iso_week(match: re.Match[str], today: date) -> Mention | None:
    word, year = match["week"].lower(), explicit_year(match, today) or today.year
    if word == "last":
        week = date(year, 12, 28).isocalendar().week
    elif word in _WEEK_ORDINALS:
        week = _WEEK_ORDINALS.index(word) + 1
    else:
        week = parse_number(word.rstrip("stndrh") if word[0].isdigit() else word)
    try:
        first = date.fromisocalendar(year, week, 1)
        return _fixed_expression(match, "week", 48, first, first + timedelta(days=6))
    except (ValueError, OverflowError):
        return None


def _week_number(match: re.Match[str], today: date) -> Mention:
    week, year = int(match["week"]), explicit_year(match, today)

    def of_year(year: int) -> DateRange:
        first = date.fromisocalendar(year, week, 1)
        return first, first + timedelta(days=6)

    is_sure = year is not None or match[0].lower().startswith("calendar")
    return Mention(match.start(), match.end(), "week", 48 if year else 46, of_year, year, is_sure)


def _date(match: re.Match[str], today: date) -> Mention:
    month, day = month_number(match["month"]), int(match["day"])
    last = int(match["last"] or day)
    year = explicit_year(match, today)

    def of_year(year: int) -> DateRange:
        first, end = date(year, month, day), date(year, month, last)
        if end < first:
            raise ValueError("the days are in the wrong order")
        return first, end

    is_sure = bool(year or match["nth"] or match["of"]) or not is_also_a_word(match["month"])
    grain: TimeUnit = "range" if match["last"] else "day"
    return Mention(match.start(), match.end(), grain, 60 if year else 55, of_year, year, is_sure)


def month_number(word: str) -> int:
    return MONTH_NAMES.index(word[:3].lower()) + 1


def _month(match: re.Match[str], today: date) -> Mention | None:
    if match["mode"] and match["mode"].lower() == "this" and is_also_a_word(match["month"]):
        return None
    month, part, year = month_number(match["month"]), match["part"], explicit_year(match, today)
    is_sure = bool(part or match["year"] or match["rel"] or (match["mode"] and not is_also_a_word(match["month"])))
    return Mention(
        match.start(),
        match.end(),
        "week" if part else "month",
        (40 if year else 35) + (3 if part else 0),
        lambda year: _period_part(month_range(year, month), part),
        year,
        is_sure,
        bool(match["mode"]),
        _is_last(match),
    )


def _is_last(match: re.Match[str]) -> bool:
    return (match.groupdict().get("mode") or "").lower() in ("last", "past", "previous")


def _period_part(period: DateRange, part: str | None) -> DateRange:
    """The early, middle or late third of a period, a half of it, or one of its weeks."""
    if not part:
        return period
    first, last = period
    days = (last - first).days + 1
    words = part.lower().split()
    if words[-1] == "week":
        begin = days - 7 if words[0] == "last" else 7 * (_ORDINALS[words[0]] - 1)
        return first + timedelta(days=begin), first + timedelta(days=begin + 6)
    if words[-1] == "half":
        pieces, place = 2, _ORDINALS[words[0]] - 1
    else:
        pieces, place = 3, {"early": 0, "beginning": 0, "start": 0, "mid": 1, "middle": 1}.get(words[0], 2)
    return first + timedelta(days=days * place // pieces), first + timedelta(days=days * (place + 1) // pieces - 1)


def _quarter(match: re.Match[str], today: date) -> Mention:
    groups = match.groupdict()
    quarter = int(groups["quarter"]) if groups.get("quarter") else _ORDINALS[match["nth"].lower()]
    return _three_months(match, quarter * 3 - 2, explicit_year(match, today), bool(groups.get("mode")))


def _season(match: re.Match[str], today: date) -> Mention:
    month, year = SEASONS[match["season"].lower()], explicit_year(match, today)
    if year is not None and month == 12 and year >= today.year and today.month < 12:
        year -= 1  # the winter that is over or still lasts, for the next one has not come yet
    return _three_months(match, month, year, False)


def _three_months(match: re.Match[str], month: int, year: int | None, is_sure: bool) -> Mention:
    groups = match.groupdict()
    return Mention(
        match.start(),
        match.end(),
        "quarter",
        30 if year is not None else 25,
        lambda year: month_range(year, month, 3),
        year,
        is_sure or bool(groups.get("year") or groups.get("rel")),
        bool(groups.get("mode")),
        _is_last(match),
    )


def _year(match: re.Match[str], today: date) -> Mention | None:
    year, part = int(match["year"]), match["part"]
    if year > today.year + 1 or (part and part.lower().endswith("week")):
        return None
    first, last = _period_part((date(year, 1, 1), date(year, 12, 31)), part)
    grain: TimeUnit = "quarter" if part else "year"
    return Mention(match.start(), match.end(), grain, 22 if part else 20, lambda _year: (first, last), year, bool(part))


def _ago(match: re.Match[str], today: date) -> Mention | None:
    amount, unit = parse_number(match["n"]), match["unit"].lower()
    try:
        day = units_before(today, amount if unit not in ("minute", "hour") else _days_of(amount, unit), unit)
        if unit == "week":
            return _fixed_expression(match, "week", 45, day - timedelta(days=3), day + timedelta(days=3))
        if unit == "month":
            return _fixed_expression(match, "month", 34, *month_range(day.year, day.month))
        if unit == "year":
            return _fixed_expression(match, "year", 15, date(day.year, 1, 1), date(day.year, 12, 31))
        return _fixed_expression(match, "day", 54, day, day)
    except (ValueError, OverflowError):
        return None


def _days_of(amount: int, unit: str) -> int:
    return amount // 24 if unit == "hour" else amount // 1440


def _recently(match: re.Match[str], today: date) -> Mention | None:
    amount, unit = parse_number(match["n"]), match["unit"].lower()
    try:
        first = units_before(today, -(-amount // 24), "day") if unit == "hour" else units_before(today, amount, unit)
    except (ValueError, OverflowError):
        return None
    return _fixed_expression(match, "range", 33, first, today)


def _parse_unit(match: re.Match[str], today: date) -> Mention | None:
    unit, mode = match["unit"].lower(), " ".join(match["mode"].lower().split())
    back = {"last": 1, "previous": 1, "before last": 2}.get(mode, 0)
    try:
        if unit == "weekend":
            saturday = today - timedelta(days=(today.weekday() - 5) % 7)
            is_now = mode == "last" and today.weekday() >= 5
            saturday -= timedelta(days=7 * (is_now + (mode == "before last")))
            return _fixed_expression(match, "range", 50, saturday, saturday + timedelta(days=1))
        if mode == "past":
            first = units_before(today, 3, "month") if unit == "quarter" else units_before(today, 1, unit)
            return _fixed_expression(match, "range", 33, first, today)
        if unit == "week":
            return _fixed_expression(match, "week", 45, *week_range(today - timedelta(days=7 * back)))
        if unit == "month":
            return _fixed_expression(match, "month", 34, *month_range(today.year, today.month - back))
        if unit == "quarter":
            return _fixed_expression(
                match, "quarter", 24, *month_range(today.year, (today.month - 1) // 3 * 3 + 1 - 3 * back, 3)
            )
        return _fixed_expression(match, "year", 15, *month_range(today.year - back, 1, 12))
    except (ValueError, OverflowError):
        return None


def _around(match: re.Match[str], today: date) -> Mention | None:
    words = match[0].lower().split()
    back = 2 if "before" in words else 1 if words[0] in ("yesterday", "last") else 0
    try:
        day = today - timedelta(days=back)
    except OverflowError:
        return None
    return _fixed_expression(match, "day", 54, day, day)


def _weekday(match: re.Match[str], today: date) -> Mention | None:
    name, mode = match["name"], (match["mode"] or "").lower()
    is_short = len(name) < 6
    if is_short and not (is_capitalized(name) and (mode == "last" or name.lower() not in ("sat", "sun"))):
        return None
    try:
        limit = today if mode in ("last", "past", "previous") else today + timedelta(days=1)
        day = weekday_before(limit, parse_weekday(name))
    except OverflowError:
        return None
    is_sure = bool(mode) or (match["time"] is not None and not is_short)
    return Mention(match.start(), match.end(), "day", 53, lambda _year: (day, day), day.year, is_sure)


def _numbered(match: re.Match[str], today: date) -> Mention | None:
    number = int(match["n"])
    return Mention(
        match.start(), match.end(), "day", 52, lambda _year: (today, today), today.year, False, number=number
    )
