"""Find passwords at fixed positions in calls: `login(user, "…")`, `new PDO(…, …, "…")`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.secrets import values
from recall_tui.text.secrets.commands import LOGIN, is_likely_password

Span = tuple[int, int]

_QUOTE = r"\\{0,7}[\"'`]"
_ANY = rf"(?:{_QUOTE}[^\"'`\n\\]{{1,200}}{_QUOTE}|[\w.$>\[\]-]{{1,60}})"
_SECRET = rf"(?:Some\()?{_QUOTE}(?P<value>[^\"'`\n\\\s]{{6,128}}){_QUOTE}"
_SECOND = lazy_pattern(rf"\s{{0,20}}{_ANY},\s{{0,40}}{_SECRET}\s{{0,20}}[,)]")
_THIRD = lazy_pattern(rf"\s{{0,20}}{_ANY},\s{{0,40}}{_ANY},\s{{0,40}}{_SECRET}")
_NO_SECRET = lazy_pattern(
    r"[-/#.\[<{$:@]|[^@\s]+@[\w-]+\.[\w.-]+\Z|[\w.-]+\.(?:com|org|net|io|dev|local|lan)\b|\w+(?:\[[^\]]*\]|=)"
)
"""Selectors, paths, addresses and code."""


def second_argument(text: str, end: int) -> Iterator[Span]:
    """Yield the password of a call that takes a user name first; the opening bracket ends at `end`."""
    yield from _judged(text, _SECOND.match(text, end))


def third_argument(text: str, end: int) -> Iterator[Span]:
    """Yield the password of a call that takes an address and a user name first."""
    yield from _judged(text, _THIRD.match(text, end))


def logins(text: str, low: str) -> Iterator[Span]:
    """Yield the passwords of login calls; `low` is the text in lower case."""
    place = low.find(LOGIN)
    while place >= 0:
        yield from second_argument(text, place + len(LOGIN))
        place = low.find(LOGIN, place + len(LOGIN))


def _judged(text: str, call: re.Match[str] | None) -> Iterator[Span]:
    if (
        call
        and is_likely_password(call["value"])
        and not _NO_SECRET.match(call["value"])
        and not values.is_code_label(call["value"])
    ):
        yield call.span("value")
