"""Tell lines whose time is over when a later reader comes: what was to happen, and what somebody wished for."""

from __future__ import annotations

import re

_WHEN = (
    r"(?:(?:Jan|Febr)uary|March|April|May|June|July|August|(?:Septem|Octo|Novem|Decem)ber|spring|summer|autumn|fall"
    r"|winter|week|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d{1,2}(?:th|st|nd|rd)?\b)"
)
_EVENT = re.compile(
    r"\b(?:arrives?|comes?|goes|starts?|begins?|follows?|ends?|stops?|leaves?|retires?"
    r"|(?:is|are) (?:due|planned|removed|deleted|(?:switched|turned|taken) (?:off|down))"
    rf")(?: \w+){{0,2}} (?:in|on|by|next|until) (?:the |early |late )?{_WHEN}",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"\b(?:we|I|they|you) (?:really )?(?:need|want|should|would like)\b|\b(?:would be|it would) (?:nice|good|great)\b"
    r"|\bwill need\b",
    re.IGNORECASE,
)


_UNTIL = re.compile(rf"\b(?:stays?|remains?|keeps?|runs?|is)\b[^.;]* until (?:the |\d+ )?{_WHEN}", re.IGNORECASE)


def lasts_until(text: str) -> bool:
    """Return whether a line says itself until when it holds."""
    return bool(_UNTIL.search(text))


def announces_event(text: str) -> bool:
    """Return whether a line says what comes, ends or is removed at a time; after that it is out of date."""
    return bool(_EVENT.search(text))


def is_request(text: str) -> bool:
    """Return whether a line says what somebody needs or would like, and not what was done about it."""
    return bool(_REQUEST.search(text))
