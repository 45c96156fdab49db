"""The days that somebody names who was asked for nothing else.

What in a question is a time only beside other words, such as `may` or `tuesday`, is one here by itself.
"""

from __future__ import annotations

from datetime import date, datetime

from recall_tui.search.time.interpret import When, when
from recall_tui.text.dates import parse_since

UNDERSTOOD = "yesterday, last tuesday, 6 march, march 2025, last week, 2026-W09, three weeks ago, 2026-03-06, 10d"
"""What may be said, for a person."""


def days_of(words: str, now: datetime) -> When | None:
    """The days that the words mean; None when they name none."""
    words = " ".join(words.split())
    for said in (words, f"in {words.title()}", f"on {words.title()}", f"last {words.title()}"):
        if found := when(said, now):
            return found
    moment = parse_since(words, now)
    if moment is None:
        return None
    day = moment.astimezone(now.tzinfo).date()
    return When(day, day, "day", (0, len(words)))


def bounds(meant: When) -> tuple[date, date]:
    """The first and the last of the days; those of the calendar where an end is open."""
    return meant.start or date.min, meant.end or date.max
