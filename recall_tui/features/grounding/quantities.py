"""Numbers with their units, and dates, in whatever form they are written.

"six" is 6, "120s" is "120 seconds" is "2 min", "1,200" is 1200, and "12 Jan" is a day of "2026-01-12".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
NUMBER_WORDS = {
    **{word: float(value) for value, word in enumerate(_WORDS)},
    **{word: 10.0 * value for value, word in enumerate(_TENS, 2)},
    "dozen": 12.0,
    "hundred": 100.0,
    "thousand": 1000.0,
    "million": 1e6,
    "twice": 2.0,
    "thrice": 3.0,
}
_UNITS: dict[str, tuple[str, float]] = {}
for _kind, _factor, _names in (
    ("time", 1e-9, "ns nanosecond nanoseconds"),
    ("time", 1e-6, "µs us microsecond microseconds"),
    ("time", 1e-3, "ms msec millisecond milliseconds"),
    ("time", 1.0, "s sec secs second seconds"),
    ("time", 60.0, "m min mins minute minutes"),
    ("time", 3600.0, "h hr hrs hour hours"),
    ("time", 86400.0, "d day days"),
    ("time", 604800.0, "w week weeks"),
    ("month", 1.0, "month months"),
    ("month", 12.0, "year years"),
    ("size", 1.0, "byte bytes"),
    ("size", 1e3, "kb kilobyte kilobytes"),
    ("size", 1e6, "mb megabyte megabytes"),
    ("size", 1e9, "gb gigabyte gigabytes"),
    ("size", 1e12, "tb terabyte terabytes"),
    ("size", 1024.0, "kib"),
    ("size", 1024.0**2, "mib"),
    ("size", 1024.0**3, "gib"),
    ("bit", 1.0, "bit bits"),
    ("rate", 1.0, "req/s rps"),
    ("rate", 1 / 60, "req/min rpm"),
    ("share", 1.0, "% percent"),
    ("share", 0.1, "‰"),
    ("length", 1e-3, "mm"),
    ("length", 1e-2, "cm"),
    ("length", 1.0, "metre metres meter meters"),
    ("length", 1e3, "km"),
    ("frequency", 1.0, "hz"),
    ("frequency", 1e3, "khz"),
    ("frequency", 1e6, "mhz"),
    ("frequency", 1e9, "ghz"),
    ("euro", 1.0, "€ eur euro euros"),
    ("dollar", 1.0, "$ usd dollar dollars"),
    ("pound", 1.0, "£ gbp pounds"),
    ("cent", 1.0, "cent cents"),
):
    _UNITS |= dict.fromkeys(_names.split(), (_kind, _factor))
_MONTH_NAMES = (
    "jan january", "feb february", "mar march", "apr april", "may", "jun june", "jul july", "aug august",
    "sep sept september", "oct october", "nov november", "dec december",
)  # fmt: skip
_MONTHS = {name: number for number, names in enumerate(_MONTH_NAMES, 1) for name in names.split()}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATE = re.compile(
    rf"(?<![\w.])(?:(?P<y>\d{{4}})-(?P<m>\d{{2}})(?:-(?P<d>\d{{2}}))?"
    rf"|(?P<d1>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?(?P<m1>{_MONTH})\b\.?(?:,?\s+(?P<y1>\d{{4}}))?"
    rf"|(?P<m2>{_MONTH})\b\.?\s+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:\d)(?:,?\s+(?P<y2>\d{{4}}))?"
    rf"|(?P<m3>(?!may\b){_MONTH})(?:\s+(?P<y3>\d{{4}}))?)(?![\w-]*\w)",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"(?<![\w:.])(\d{1,2}):(\d{2})(?::\d{2})?\s*(am|pm)?(?![\w:])", re.IGNORECASE)
_UNIT = "|".join(re.escape(name) for name in sorted(_UNITS, key=len, reverse=True))
_NUMBER = re.compile(
    rf"(?<![\w.:])(?<![A-Za-z]-)(?P<money>[$€£])?(?P<sign>(?<![\w\])])-)?(?P<value>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    rf"(?P<thousands>k(?![\w/]))?\+?(?:[ -]?(?P<unit>{_UNIT})(?![\w/]))?(?![\w]|\.\d|:\w)",
    re.IGNORECASE,
)
_SPELLED = re.compile(
    rf"\b(?:(?P<tens>{'|'.join(_TENS)})[ -](?P<ones>{'|'.join(_WORDS[1:10])})|(?P<word>{'|'.join(NUMBER_WORDS)}))"
    rf"(?:[ -](?P<scale>hundred|thousand|million|dozen))?(?:[ -](?P<unit>{_UNIT}))?\b",
    re.IGNORECASE,
)


class Day(NamedTuple):
    """A date; 0 stands for a part that is not written."""

    year: int
    month: int
    day: int

    def matches(self, other: Day) -> bool:
        """Return whether the source's date `other` bears this one out; a year left open may be any."""
        return (
            self.month == other.month
            and self.day in (0, other.day)
            and (not other.year or self.year in (0, other.year))
        )


class Quantity(NamedTuple):
    """A number in the base of its unit."""

    value: float
    kind: str
    """The dimension, such as "time"; empty for a bare number."""
    bare: float
    """The number as it is written, without its unit."""

    def matches(self, other: Quantity) -> bool:
        """Return whether the source's quantity `other` bears this one out; a unit may be left away, never changed."""
        return abs(self.value - other.value) < 1e-9 * max(1.0, abs(self.value)) and self.kind == other.kind


class Found(NamedTuple):
    """A date, a time of day or a number at its place in a text."""

    start: int
    end: int
    value: Day | Quantity


def find_quantities(text: str) -> Iterator[Found]:
    """Yield the dates, times and numbers of a text; no two of them overlap, but they come in no order."""
    taken = bytearray(len(text))

    def is_free(match: re.Match[str]) -> bool:
        start, end = match.span()
        if any(taken[start:end]):
            return False
        taken[start:end] = b"\1" * (end - start)
        return True

    for match in _DATE.finditer(text):
        if (day := _day(match)) is not None and is_free(match):
            yield Found(*match.span(), day)
    for match in _CLOCK.finditer(text):
        if is_free(match):
            hour = int(match[1]) % 12 + 12 * (match[3].lower() == "pm") if match[3] else int(match[1])
            yield Found(*match.span(), Quantity(hour * 60.0 + int(match[2]), "clock", -1.0))
    for match in _NUMBER.finditer(text):
        if is_free(match):
            value = float(match["value"].replace(",", "")) * (1000 if match["thousands"] else 1)
            yield _found(match, -value if match["sign"] else value, match["money"] or match["unit"])
    for match in _SPELLED.finditer(text):
        if is_free(match):
            value = (
                NUMBER_WORDS[match["tens"].lower()] + NUMBER_WORDS[match["ones"].lower()]
                if match["tens"]
                else NUMBER_WORDS[match["word"].lower()]
            )
            yield _found(match, value * NUMBER_WORDS.get((match["scale"] or "").lower(), 1.0), match["unit"])


def _found(match: re.Match[str], value: float, unit: str | None) -> Found:
    kind, factor = _UNITS.get((unit or "").lower(), ("", 1.0))
    if unit == "M":
        kind, factor = "", 1e6
    return Found(match.start(), match.end(), Quantity(value * factor, kind, value))


def _day(match: re.Match[str]) -> Day | None:
    part = match.groupdict()
    year = int(part["y"] or part["y1"] or part["y2"] or part["y3"] or 0)
    day = int(part["d"] or part["d1"] or part["d2"] or 0)
    name = part["m1"] or part["m2"] or part["m3"]
    month = _MONTHS[name.lower()] if name else int(part["m"])
    if name and not name[0].isupper():
        return None
    return Day(year, month, day) if 1 <= month <= 12 and day <= 31 else None
