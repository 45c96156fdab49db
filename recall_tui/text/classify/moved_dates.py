"""Tell lines that move a date, and those that choose one of the values that somebody asked about."""

from __future__ import annotations

import re

_MOVED_TO = re.compile(
    r"\b(?:moved|postponed|shifted|put off|delayed|brought forward)\b[^.]*? to (?:the )?"
    r"(?P<date>\d{1,2} [A-Z][a-z]{2,})"
)
_DATE = re.compile(
    r"\b\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
)
_OTHER_TIME = re.compile(
    r"\b(?:moved|postponed|shifted|put off|delayed|brought forward|later|earlier"
    r"|more (?:days|weeks|months|time)|granted)\b",
    re.IGNORECASE,
)
CHOSEN = re.compile(r"(?P<value>[\w.-]+) it is(?=[,.;]|$)")
_BARE_CHOICE = re.compile(r"\W*(?P<value>\d[\d.,:]*) it is(?=[,.;]|$)")
_NAME = re.compile(r"(?<=[a-z,] )\(?([A-Z][a-z]{2,}|[A-Z]{2,})\b")
_TIMES = frozenset(
    (
        *("January", "February", "March", "April", "May", "June", "July", "August", "September", "October"),
        *("November", "December", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    )
)


def gives_other_date(later: str, text: str) -> bool:
    """Return whether a later line gives another date for what a line gives one for."""
    dates = set(_DATE.findall(text))
    if moved := _MOVED_TO.search(later):
        return bool(dates) and moved["date"] not in dates
    others = set(_DATE.findall(later))
    return bool(dates and others and _OTHER_TIME.search(later)) and not dates & others


def is_postponed(text: str) -> bool:
    """Return whether a line moves something to another date."""
    return bool(_MOVED_TO.search(text))


def find_choice(text: str) -> str | None:
    """Return the value of a line that begins with a choice and does not say of what: `3 it is`."""
    found = _BARE_CHOICE.match(text)
    return found["value"] if found else None


def names_in_both(text: str, other: str) -> frozenset[str]:
    """Return the names that two lines have inside of their sentences, without months and days."""
    return frozenset(_NAME.findall(text)) & frozenset(_NAME.findall(other)) - _TIMES
