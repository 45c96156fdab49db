"""Facts that were said again with another value: which holds now, which held before, and from when to when.

Two statements are of one fact when they are the same but for the values in them; the later one holds.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from recall_tui.storage.documents.statements import Statement, page_statements
from recall_tui.text.checkable_facts import checkable_facts
from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.classify.similarity import normalize
from recall_tui.text.source_ref import source_ref

MIN_SHARED_WORDS = 3
"""Words that two statements share beside their values, so that they are taken for one fact."""
MIN_WORD_CHARS = 4
"""Letters of a word that says what a statement is about."""
MAX_VALUE_WORDS = 6
"""Words of a value, at most, where a statement differs from another in it alone."""
_LEADING_WORDS = frozenset(
    """
    is are was were be to as = stays remains called named uses use using runs costs lasts takes on at after every than
    with holds
    """.split()  # noqa: SIM905
)
"""Words that stand before a value."""
_PRESENT_WORDS = frozenset(("now", "currently", "again", "meanwhile"))
"""Words by which one says that it is so by now; they are no part of the value, nor of what it is the value of."""
_EDGES = ".,;:!?()[]*`\"'"
_VALUE_MARK = "\u0000"
CHANGE_PATTERN = re.compile(
    r"\b(?P<verb>moved|changed|switched|raised|lowered|cut|increased|reduced|bumped|upgraded|downgraded|renamed)\b"
    r"(?P<what>.{0,80}?)\bfrom\b\s+(?P<old>.{1,60}?)\s+\bto\b\s+(?P<new>[^.,;()]{1,60})",
    re.IGNORECASE,
)
"""What says that something is another by now, with what it was and what it is."""


class DatedStatement(NamedTuple):
    """A statement with its day and where it stands."""

    day: date
    path: str
    said: Statement

    @property
    def citation(self) -> str:
        """Document and lines."""
        return source_ref(self.path, *self.said.lines)


class ChangingFact(NamedTuple):
    """What was said of one thing, oldest first; the last one holds."""

    subject: tuple[str, ...]
    """The words that all of them share."""
    claims: tuple[DatedStatement, ...]

    @property
    def now(self) -> DatedStatement:
        """What holds."""
        return self.claims[-1]

    @property
    def before(self) -> tuple[DatedStatement, ...]:
        """What held before, oldest first."""
        return self.claims[:-1]


def find_changing_facts(days: Mapping[date, Mapping[str, str]]) -> tuple[ChangingFact, ...]:
    """The facts that changed their value, by the day of their last one (texts by path, by day)."""
    groups: defaultdict[str, list[DatedStatement]] = defaultdict(list)
    for day, texts in sorted(days.items()):
        for path, text in texts.items():
            for said in page_statements(text):
                if key := _subject_key(said.text):
                    groups[key].append(DatedStatement(day, path, said))
    found = []
    for claims in groups.values():
        told = _distinct_values(claims)
        if len(told) > 1:
            found.append(ChangingFact(tuple(dict.fromkeys(topic_terms(_without_values(told[-1].said.text)))), told))
    return tuple(sorted(found, key=lambda fact: (fact.now.day, fact.now.path, fact.now.said.lines)))


def conflicts_with(text: str, other: str) -> bool:
    """Whether both say the same of one thing, and with another value."""
    key = _subject_key(text)
    return bool(key) and key == _subject_key(other) and _numeric_values(text) != _numeric_values(other)


def is_revised(text: str, other: str) -> bool:
    """Whether both say the same of one thing but for one value: a few words that follow `is`, `to`, `on` and the like.

    What happened on two days to two things is no revision, so what stands before the value must be the same.
    """
    one, two = _normalized_words(text), _normalized_words(other)
    room = min(len(one), len(two))
    head = next((place for place in range(room) if one[place] != two[place]), room)
    tail = next((place for place in range(room - head) if one[-1 - place] != two[-1 - place]), room - head)
    values = one[head : len(one) - tail], two[head : len(two) - tail]
    if (
        not all(0 < len(value) <= MAX_VALUE_WORDS for value in values)
        or not head
        or one[head - 1] not in _LEADING_WORDS
    ):
        return False
    shared = {word for word in (*one[:head], *one[len(one) - tail :]) if len(word) >= MIN_WORD_CHARS}
    return len(shared) >= MIN_SHARED_WORDS


def parse_change(text: str) -> tuple[str, str] | None:
    """What a statement says was changed, `from` and `to`; None when it does not say so."""
    found = CHANGE_PATTERN.search(text)
    return (found["old"].strip(), found["new"].strip()) if found else None


def _distinct_values(claims: list[DatedStatement]) -> tuple[DatedStatement, ...]:
    """One claim for each value in turn, on different days; what is only said again is left out."""
    told: list[DatedStatement] = []
    for claim in claims:
        if told and _numeric_values(told[-1].said.text) == _numeric_values(claim.said.text):
            continue
        if told and told[-1].day == claim.day:
            return ()  # Two values on one day are two things, and no change.
        told.append(claim)
    return tuple(told)


def _normalized_words(text: str) -> list[str]:
    return [bare for word in text.casefold().split() if (bare := word.strip(_EDGES)) and bare not in _PRESENT_WORDS]


def _subject_key(text: str) -> str:
    """What statements of one fact have in common; empty for one without a value or with too few words."""
    if not _numeric_values(text):
        return ""
    bare = " ".join(word for word in normalize(_without_values(text)).split() if word not in _PRESENT_WORDS)
    return bare if len(set(topic_terms(bare))) >= MIN_SHARED_WORDS else ""


def _numeric_values(text: str) -> tuple[str, ...]:
    """The values in it, those that hold a digit."""
    return tuple(atom for atom in checkable_facts(text) if any(map(str.isdigit, atom)))


def _without_values(text: str) -> str:
    for value in sorted(_numeric_values(text), key=len, reverse=True):
        text = text.replace(value, _VALUE_MARK)
    return text.replace(_VALUE_MARK, " ")
