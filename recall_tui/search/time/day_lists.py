"""Days that share the name of their month, as in `Nov 7 and 24` and `7, 15 and 24 November`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import cache, partial

from recall_tui.search.time import expressions
from recall_tui.search.time.mention import DateRange, Mention


def find_listed_days(text: str, today: date) -> Iterator[Mention]:
    """Yield each day of such a list; the year that is said behind it is that of all its days."""
    for pattern in _patterns():
        for match in pattern.finditer(text):
            if not expressions.is_isolated(text, *match.span()):
                continue
            month, year = expressions.month_number(match["month"]), expressions.explicit_year(match, today)
            is_sure = bool(year) or not expressions.is_also_a_word(match["month"])
            days = list(re.finditer("([0-9]+)[a-z]*", match["days"]))
            for at, day in enumerate(days):
                start = match.start() if at == 0 else match.start("days") + day.start()
                end = match.end() if at == len(days) - 1 else match.start("days") + day.end()
                in_year = partial(_day_of, month, int(day[1]))
                yield Mention(start, end, "day", 60 if year else 55, in_year, year, is_sure)


def _day_of(month: int, day: int, year: int) -> DateRange:
    return (date(year, month, day),) * 2


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    month, suffix = expressions.MONTH_PATTERN, expressions.ORDINAL_SUFFIX
    day = rf"(?:the\s+)?{expressions.DAY_PATTERN}{suffix}?"
    days = rf"(?P<days>{day}(?:,\s*{day})*,?\s+(?:and|or|&)\s+{day})"
    year = rf",?\s*{expressions.YEAR_OR_RELATIVE}"
    end = rf"\s*(?:[?!,;)\"']|\.(?!\w)|\Z)|\s+(?:{expressions.CLAUSE_WORDS})\b"
    written = (
        rf"(?P<month>{month})\b\.?\s+{days}\b(?!\s*(?:of\s+)?(?:{month})\b)(?:{year}|(?={end}))",
        rf"{days}\s+(?:of\s+)?(?P<month>{month})\b(?:{year})?",
    )
    return tuple(re.compile(rf"\b(?:{words})", re.ASCII | re.IGNORECASE) for words in written)
