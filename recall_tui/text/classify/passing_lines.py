"""Tell lines whose time is over when a later reader comes: what was to happen, and what somebody wished for."""

from __future__ import annotations

import re

from recall_tui.text.sentences import split_sentences

_WHEN = (
    r"(?:(?:Jan|Febr)uary|March|April|May|June|July|August|(?:Septem|Octo|Novem|Decem)ber|spring|summer|autumn|fall"
    r"|winter|week|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d{1,2}(?:th|st|nd|rd)?\b)"
)
_EVENT = re.compile(
    r"\b(?:arrives?|comes?|goes|starts?|begins?|follows?|ends?|stops?|leaves?|retires?"
    r"|(?:is|are) (?:due|planned|removed|deleted|(?:switched|turned|taken) (?:off|down))"
    rf")(?: \w+){{0,3}} (?:in|on|by|next|until) (?:the |early |late )?{_WHEN}",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"\b(?:we|I|they|you) (?:really )?(?:need|want|should|would like)\b|\b(?:would be|it would) (?:nice|good|great)\b"
    r"|\bwill need\b",
    re.IGNORECASE,
)
_UNDECIDED = re.compile(
    r"\W*(?:proposal|idea|suggestion)s?\s?[:–—]"
    r"|\b(?:has|have|is|was) not (?:yet )?(?:been )?(?:decided|tried|settled)\b"
    r"|\bha(?:s|ve) not (?:said (?:yes|no)|answered)\b|\bno decision\b"
    r"|\bnothing (?:is |was )?(?:decided|signed|settled)\b|\bnobody (?:has decided|knew|knows)\b|\bideas are welcome\b"
    r"|\b(?:thinks?|finds?) (?:that|this|it) (?:is |are )?too \w+\.?$|[.;] (?:still )?open\.?$"
    r"|\((?:a )?(?:wish|request|idea) (?:of|by|from) [^)]+\)\.?$",
    re.IGNORECASE,
)
_REHEARSAL = re.compile(r"(?:dress )?(?:rehears(?:al|ed)|dry run)\b|[\w ]{2,30} (?:dry run|rehearsal)\b", re.IGNORECASE)
_SUCCESS = re.compile(
    r"\b(?:everything worked|went (?:well|fine|smoothly)|no surprises|(?:was|were) (?:content|happy|pleased)|as planned"
    r"|without (?:a hitch|a stop|trouble|problems|incident)|plan\b[^,.]* holds|all held)\b|^[^.]*[,:] (?:works|fine"
    r"|ok(?:ay)?)(?=[.,;!]|$)",
    re.IGNORECASE,
)
_BARE_COUNT = re.compile(
    r"[^:.]{5,45}: (?:\d+|none|one|two|three|four|five|six|seven|eight|nine|ten)\.?$", re.IGNORECASE
)
_COUNTED_WORK = re.compile(
    r"all \d+ [\w ]{3,60}\b(?:checked|updated|sent|read|done|tested|printed|counted|delivered)\b", re.IGNORECASE
)
_APPOINTMENT = re.compile(
    rf"(?:the )?[\w-]+(?:(?: [\w-]+)? (?:(?:is )?(?:planned|scheduled|due) (?:for|on)|on|at)|(?: [\w-]+){{1,2}} is on) "
    rf"(?:the )?(?:{_WHEN})[^.]{{0,40}}\.?",
    re.IGNORECASE,
)
_MAX_APPOINTMENT_WORDS = 10
_CHECKED_SOME = re.compile(
    r".*, (?-i:[A-Z])\w+ (?:checked|compared|counted|tested|looked at|read) (?:all |about )?"
    r"(?:\d[\d,.]*|\w+ty|ten|twelve|some|a few)(?: \w+){0,3}\.?$",
    re.IGNORECASE,
)
_POSTED = re.compile(
    r"(?:the |a |an )?(?:\w+ )?(?:list|sheet|plan|table|note|notice|sign|poster|map)s?\b[^.;]* (?:hangs?|hung"
    r"|(?:on|at) the (?:wall|door|board|whiteboard|fridge))\b[^.;]*\.?$",
    re.IGNORECASE,
)
"""The place of a paper that hangs."""
_STOPGAP = re.compile(r"[^.;]+[.;] Until then,? [^.]+\.?$", re.IGNORECASE)
"""An announcement, and a makeshift for the time before."""
_BARE_EVENT = re.compile(
    r"(?:first|second|third|last|next) (?:\w+ )?(?:use|test|try|run|attempt|finding|trial)\s?:"
    r"|release \d[\d.]* (?:is )?(?:out|released|live)\b",
    re.IGNORECASE,
)


_PROGRESS = re.compile(
    r"[\w' -]{3,30} (?:runs?|works?|is|are) (?:beside|alongside|in parallel)\b"
    r"|[\w' -]{3,30} (?:begins|starts) (?:in production|today|tonight|this \w+)\b|[\w-]+ (?:is )?empty[,.]"
    r"|[^.:]{3,50}\b(?:begun|half done|half way|in progress|under way)\b"
    r"|[\w' -]{3,30} (?:is|are) (?:printed|ordered|packed|booked|invited)(?=[,.;]|$)"
    r"|.*\b(?:added|fixed|corrected|restored|done) at \d{1,2}[:.]\d{2}\.?$"
    r"|(?:the )?(?:first|next|second|(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|half) of [^.]{0,6}\w+)"
    r" [^.]{0,40}\b(?:is|are|came) (?:in|there|done|up|installed|mapped|ready)"
    r"\b[^.]*\.?$",
    re.IGNORECASE,
)
"""The state of work that goes on."""
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_RANGE = re.compile(
    rf"\bfrom (?:the )?(?P<first>\d{{1,2}})(?: (?P<month>{'|'.join(_MONTHS)}))? (?:to|until|till) (?:the )?"
    rf"(?P<last>\d{{1,2}})(?: (?P<end>{'|'.join(_MONTHS)}))\b"
)
_DAYS_OF_MONTH = 30
_MAX_SHORT_DAYS = 31


_COUNT = re.compile(
    r"(?:[^.:?]{3,40}: )?(?:about |over )?\d[\d,.]* (?:of (?:the )?\d|(?!(?:second|minute|hour|day|week|month|year"
    r"|euro)s?\b"
    r"|percent\b)[a-z-]{3,})"
    r"|(?:[^.:?]{3,40}: )?[\w' -]{3,30}\b\d+ of (?:the )?\d+\b"
    r"|[A-Z][\w' -]{3,40} \d[\d,.]*(?:, [\w' -]{2,30} \d[\d,.]*)+$"
)
_NEXT_ITEM = re.compile(r"[.!] [a-z]{3,} \w")
"""An item of a list that is joined to the one before."""
_MAX_OCCASION_WORDS = 3
_STATEMENT = re.compile(r"\d|\b(?:is|are|was|were|has|have)\b")
_FACT = re.compile(
    r"\b(?:is|are|was|were|must|may|can|needs?|will|became|become|instead|now|no longer|since|because|so|not|only"
    r"|keep|max\w*|at (?:most|least)|percent|per|each|every)\b|%|->|→|\bfrom\b|\ban? (?:minute|hour|day|week|month"
    r"|year)\b"
)
"""Words by which a number is more than a count: it holds, or it changed."""


def counts_events(text: str) -> bool:
    """Return whether a line begins with how many things a day had: `62 letters, 58 of them answered`."""
    if _NEXT_ITEM.search(text):
        return False
    first, *rest = split_sentences(text) or [text]
    if rest and len(first.split()) <= _MAX_OCCASION_WORDS and not _STATEMENT.search(first):
        first = rest[0]
    return bool(_COUNT.match(first)) and not _FACT.search(first)


def is_short_lived(text: str) -> bool:
    """Return whether a line says itself that it holds from one day to another, a month at most."""
    found = _RANGE.search(text)
    if found is None:
        return False
    months = _MONTHS.index(found["end"]) - _MONTHS.index(found["month"] or found["end"])
    days = months % len(_MONTHS) * _DAYS_OF_MONTH + int(found["last"]) - int(found["first"])
    return 0 <= days <= _MAX_SHORT_DAYS


def is_rehearsal(text: str) -> bool:
    """Return whether a line begins with a rehearsal or a dry run: what it measures is over with it."""
    return bool(_REHEARSAL.match(text))


def is_undecided(text: str) -> bool:
    """Return whether a line says that nobody has decided yet."""
    return bool(_UNDECIDED.search(text))


def is_of_its_day(text: str) -> bool:
    """Return whether a line tells of a rehearsal, progress, a success, some days, or of what nobody has decided.

    Such a line is over when the next one is written, which says what came of it.
    """
    is_meeting = len(text.split()) <= _MAX_APPOINTMENT_WORDS and bool(_APPOINTMENT.fullmatch(text))
    found = (
        is_undecided(text),
        is_short_lived(text),
        counts_events(text),
        _PROGRESS.match(text),
        _BARE_COUNT.match(text),
        _REHEARSAL.match(text),
        _SUCCESS.search(text),
        _COUNTED_WORK.match(text),
        _CHECKED_SOME.match(text),
        _POSTED.match(text),
        _STOPGAP.match(text),
    )
    return is_meeting or any(found) or bool(_BARE_EVENT.match(text))


_PRESENCE = re.compile(
    r"back (?:from|again|at)\b[^.]{0,40}\.?|(?-i:(?:The )?[A-Z]?\w+) (?:is|was) (?:back|here|away"
    r"|there)(?: \w+){0,3}\.?"
    r"|(?-i:[A-Z]\w+) (?!is\b|was\b)\w+(?:ed|s)\.|(?-i:[A-Z][\w ]{2,30}) (?:asked|called|wrote)(?: again| back)?\."
    r"|to (?-i:[A-Z]\w+): (?:no|yes)\.",
    re.IGNORECASE,
)


def is_presence(text: str) -> bool:
    """Return whether a sentence says only that somebody was there, or did something without an object."""
    return bool(_PRESENCE.fullmatch(text))


_UNTIL = re.compile(
    rf"\b(?:stays?|remains?|keeps?|runs?|is)\b[^.;]* until (?:(?:the |\d+ )?{_WHEN}|(?:somebody|someone"
    rf"|further notice)\b)",
    re.IGNORECASE,
)


def lasts_until(text: str) -> bool:
    """Return whether a line says itself until when it holds."""
    return bool(_UNTIL.search(text))


_THIS_SEASON = re.compile(
    r"(?<!from )(?<!since )\bthis (?:season|year|quarter|month|week|spring|summer|autumn|fall|winter)\b", re.IGNORECASE
)


def names_this_season(text: str) -> bool:
    """Return whether a line says that it is of the season or the year in which it was written."""
    return bool(_THIS_SEASON.search(text))


def announces_event(text: str) -> bool:
    """Return whether a line says what comes, ends or is removed at a time; after that it is out of date."""
    return bool(_EVENT.search(text))


_COST_ESTIMATE = re.compile(r"\bwould (?:cost|take|need|mean)\b", re.IGNORECASE)
_SCHEDULE = re.compile(
    r"[.;] (?:(?:it )?(?:is|goes) )?(?:live|done|due|ready|out) (?:after|on|in|from|by|before) [^.]{2,40}\.?$",
    re.IGNORECASE,
)


def names_schedule(text: str) -> bool:
    """Return whether a line ends in when it will be done: `Live after the audit.`"""
    return bool(_SCHEDULE.search(text))


def estimates_cost(text: str) -> bool:
    """Return whether a line says what something would cost or take: what was decided is told by others."""
    return bool(_COST_ESTIMATE.search(text))


def is_request(text: str) -> bool:
    """Return whether a line says what somebody needs or would like, and not what was done about it."""
    return bool(_REQUEST.search(text))
