"""Tell lines that no page of a period has: what is personal, and what every day has."""

from __future__ import annotations

import re

_TRIVIA = re.compile(
    r"\b(?:(?:weekly|monthly|status) report (?:is )?(?:sent|out|done|mailed)|cake|waffles?|pizza|ice cream"
    r"|sandwich(?:es)?|lunch|birthday|flowers (?:for|from)|sent flowers|['’]s farewell|blankets|our contact (?:at"
    r"|for|with)"
    r"|(?:midsummer|christmas|farewell|summer|office) party"
    r"|(?:weekend |duty )?roster: "
    r"|dentist|doctor's|at the doctor|flu shots?|vaccination|wedding|barbecue|coffee machine|(?:my|'s) (?:desk"
    r"|chair)|kuchen|waffeln|zahnarzt"
    r"|(?:is|are|was|am|calls? in) (?:ill|sick|on (?:leave|vacation|holiday)|krank)|out of office|day off"
    r"|parental leave|geburtstag|lost (?:his|her) voice)\b",
    re.IGNORECASE,
)
"""Personal and recurring things, which are in no page of a period."""
_ROUTINE_WORDS = re.compile(
    r"\b(?:(?:can|does) (?:anybody|anyone|somebody) (?:tell|know)|ran the tests"
    r"|all tests pass(?:ed)?|tests? (?:are )?green|no changes|nothing new|as usual|standup|is any(?:body|one) against"
    r"|good morning|checked (?:the )?(?:logs|mail|inbox)|done, fine"
    r"|added (?:a |the )?tests?|fixed (?:a |the |some )?typos?"
    r"|(?:tidied|groomed|cleaned) (?:up )?the backlog|backlog grooming)\b",
    re.IGNORECASE,
)
_ERRAND = re.compile(r"(?:I |we )?(?:ordered|bought|entered|counted)\b", re.IGNORECASE)
"""An errand of the day, without a result."""
_BARE_RELEASE = re.compile(
    r"(?:(?:released?|shipped|deployed|tagged)(?: as)? )?v?\d+\.\d+(?:\.\d+)?(?: (?:is )?(?:released|out|live))?"
    r"(?: (?:to|on) \w+)?[.!]?",
    re.IGNORECASE,
)
"""A number of a release, without what is new in it."""


def has_trivia(text: str) -> bool:
    """Return whether a line has something personal in it, or what every day has."""
    return bool(_TRIVIA.search(text))


def is_errand(text: str) -> bool:
    """Return whether a line tells of an errand of the day, without a result."""
    return bool(_ERRAND.match(text))


def is_trivia(text: str) -> bool:
    """Return whether a line is personal, or tells of what every day has."""
    is_of_day = _ROUTINE_WORDS.search(re.sub("[Ss]tandup", "", text)) or _ERRAND.match(text)
    return bool(has_trivia(text) or is_of_day)


def is_routine(text: str) -> bool:
    """Return whether a line tells of what every day has."""
    return bool(_ROUTINE_WORDS.search(text) or _ERRAND.match(text))


def is_bare_release(text: str) -> bool:
    """Return whether a line is the number of a release alone."""
    return bool(_BARE_RELEASE.fullmatch(text))
