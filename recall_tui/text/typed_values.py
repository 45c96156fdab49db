"""Values that a sentence names, each with its sort, so that two sentences can be told to give the same thing another.

A sort is a time of day, a date, a day of the week, or an amount of a unit. A bare number counts only where a word such
as `is` or `to` leads to it; others are part of a name.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from recall_tui.text.lazy_pattern import lazy_pattern

_NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)  # noqa: SIM905
}
_NUMBER = rf"\d+(?:[.,]\d+)*|(?:{'|'.join(_NUMBER_WORDS)})\b"
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.?"
_VALUE = lazy_pattern(
    rf"(?P<date>\b\d{{1,2}}(?:st|nd|rd|th)?\.?\s(?:of\s)?{_MONTH}(?![a-z])|\b{_MONTH}\s\d{{1,2}}(?!\d)|\b\d{{4}}-\d\d-\d\d\b)"
    r"|(?P<time>\b\d{1,2}:\d\d\b(?!:)|\b\d{1,2}\s?(?:am|pm)\b)"
    r"|(?P<ratio>\b\d+(?::\d+)+\b)"
    r"|(?P<weekday>\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b)"
    rf"|(?<![\w.,/-])(?P<number>{_NUMBER})(?:\s?(?P<unit>°\s?[CF]\b|%|€|\$|[^\W\d_]+)|(?![\w/-]))",
    re.IGNORECASE,
)
_LEADING = lazy_pattern(
    r"(?:\b(?:is|are|was|were|be|to|at|of|by|than|above|below|under|over|only|limit|minimum|maximum)|[:=<>≤≥])\s*$",
    re.IGNORECASE,
)
_MAX_LEADING_CHARS = 12
"""Characters before a number that are looked at for the word that leads to it."""
_NO_UNITS = frozenset(
    """
    a an and are as at because before but by for from had has have if in instead is it no not now of off on or since so
    than that the their them then there these they this to until was we were when which while who with
    """.split()  # noqa: SIM905
)
_NAMED_SORTS = frozenset(("time", "date", "weekday", "ratio"))
_DURATIONS = frozenset(("second", "sec", "s", "ms", "minute", "min", "hour", "h", "day", "week", "month", "year"))
_ASKED_SORTS = (
    (r"\b(?:who|whom|whose|where)\b", frozenset[str]()),
    (r"\bhow (?:long|often)\b", _DURATIONS | {"number", "time", "weekday"}),
    (r"\b(?:when|(?:what|which) (?:time|day|date|weekday|month))\b", frozenset(("time", "date", "weekday", "month"))),
    (r"\btemperature\b|\bhow (?:hot|warm|cold)\b", frozenset(("°c", "°f", "°", "degree", "c", "f", "number"))),
)
"""Words of a question, and the sorts of value that may answer it."""


class TypedValue(NamedTuple):
    """A value of a sentence."""

    sort: str
    """`time`, `date`, `weekday`, `ratio`, or a number's unit; `number` without one."""
    value: str
    start: int
    """Its place in the sentence."""


def is_amount(sort: str) -> bool:
    """Return whether values of a sort are amounts, with a unit or without."""
    return sort not in _NAMED_SORTS


def asked_sorts(question: str) -> frozenset[str] | None:
    """The sorts of value that a question may be answered by; empty for a name, None for any."""
    for words, sorts in _ASKED_SORTS:
        if lazy_pattern(words, re.IGNORECASE).search(question):
            return sorts
    return None


@lru_cache(maxsize=2_048)
def typed_values(sentence: str) -> tuple[TypedValue, ...]:
    """The values of a sentence in their order."""
    found = []
    for match in _VALUE.finditer(sentence):
        sort, at = match.lastgroup or "", match.start()
        if sort not in ("number", "unit"):
            found.append(TypedValue(sort, _plain_value(sort, match[0].casefold()), at))
            continue
        unit = (match["unit"] or "").casefold().replace(" ", "")
        number = _NUMBER_WORDS.get(match["number"].casefold(), match["number"])
        if unit and unit not in _NO_UNITS:
            found.append(TypedValue(unit.removesuffix("s") or unit, number, at))
        elif _LEADING.search(sentence[max(0, at - _MAX_LEADING_CHARS) : at]):
            found.append(TypedValue("number", number, at))
    return tuple(found)


def _plain_value(sort: str, value: str) -> str:
    """A weekday in the singular; a date's day and the first letters of its month, whichever is first."""
    if sort != "date":
        return value.removesuffix("s") if sort == "weekday" else value
    parts = (part.strip(".")[:3] if part[:1].isalpha() else part.rstrip(".stndrh") for part in value.split())
    return " ".join(sorted(part for part in parts if part != "of"))
