"""Facts restated with another value: the current value, the earlier ones, and the days between.

Two statements concern the same fact when they differ only in their values; the later one is current.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from recall_tui.domain.documents import SourceRef
from recall_tui.storage.documents.statements import Statement, page_statements
from recall_tui.text.checkable_facts import checkable_facts
from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.classify.similarity import normalize
from recall_tui.text.lazy_pattern import lazy_pattern

MIN_SHARED_WORDS = 3
"""The fewest words that two statements of one fact share, apart from their values."""
MIN_WORD_CHARS = 4
"""The shortest word that counts as naming a statement's subject."""
MAX_VALUE_WORDS = 6
"""The most words of a value, where two statements differ only in it."""
_LEADING_WORDS = frozenset(
    """
    is are was were be to as = stays remains called named uses use using runs costs lasts takes on at after every than
    with holds
    """.split()  # noqa: SIM905
)
"""Words that precede a value."""
_PRESENT_WORDS = frozenset(("now", "currently", "again", "meanwhile"))
"""Words that stress the present; they belong neither to the value nor to its subject."""
_EDGES = ".,;:!?()[]*`\"'"
_VALUE_MARK = "\u0000"
VALUE_END = (
    r"(?=\s*(?:\.(?!\w)|,(?!\d)|[;()!]|$)|\s+(?:because|since|so|as|after|due|from now|for|and|weil"
    r"|to (?:avoid|prevent|keep|ensure|allow|protect|survive|save))\b)"
)
"""The end of a value: a stop, or the beginning of its reason or circumstances."""
CHANGE_PATTERN = lazy_pattern(
    r"\b(?P<verb>moved|changed|switched|raised|lowered|cut|increased|reduced|bumped|upgraded|downgraded|renamed)\b"
    r"(?P<what>.{0,80}?)\bfrom\b\s+(?P<old>.{1,60}?)\s+\bto\b\s+(?P<new>(?:[^.,;()]|\.(?=\w)|,(?=\d)){1,120}?)"
    rf"{VALUE_END}",
    re.IGNORECASE,
)
"""A statement that something changed, with its old and new value."""


class DatedStatement(NamedTuple):
    """A statement with its day and document."""

    day: date
    path: str
    said: Statement

    @property
    def citation(self) -> str:
        """The document and lines."""
        return str(SourceRef(self.path, *self.said.lines))


class ChangingFact(NamedTuple):
    """All statements of one fact, oldest first; the last one is current."""

    subject: tuple[str, ...]
    """The words that all statements share."""
    claims: tuple[DatedStatement, ...]

    @property
    def now(self) -> DatedStatement:
        """The current statement."""
        return self.claims[-1]

    @property
    def before(self) -> tuple[DatedStatement, ...]:
        """The earlier statements, oldest first."""
        return self.claims[:-1]


def find_changing_facts(days: Mapping[date, Mapping[str, str]]) -> tuple[ChangingFact, ...]:
    """Find the facts whose value changed, ordered by the day of the current statement.

    `days` maps each day to texts by path.
    """
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
    """Return whether both state the same fact with different values."""
    key = _subject_key(text)
    return bool(key) and key == _subject_key(other) and _numeric_values(text) != _numeric_values(other)


def is_revised(text: str, other: str) -> bool:
    """Return whether both state the same fact but for one value: a few words after `is`, `to`, `on` and the like.

    Events on two days are no revision, so the text before the value must be equal.
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
    """Parse a statement of a change into its `from` and `to`; None when it states none."""
    found = CHANGE_PATTERN.search(text)
    return (found["old"].strip(), found["new"].strip()) if found else None


def _distinct_values(claims: list[DatedStatement]) -> tuple[DatedStatement, ...]:
    """Return one claim for each value in turn, on different days; repetitions are left out."""
    told: list[DatedStatement] = []
    for claim in claims:
        if told and _numeric_values(told[-1].said.text) == _numeric_values(claim.said.text):
            continue
        if told and told[-1].day == claim.day:
            return ()  # Two values on one day are two things, and no change.
        told.append(claim)
    return tuple(told)


@lru_cache(maxsize=1_024)
def _normalized_words(text: str) -> tuple[str, ...]:
    words = (word.strip(_EDGES) for word in text.casefold().split())
    return tuple(word for word in words if word and word not in _PRESENT_WORDS)


def _subject_key(text: str) -> str:
    """Return the text that statements of one fact share; empty for one without a value or with too few words."""
    if not _numeric_values(text):
        return ""
    bare = " ".join(word for word in normalize(_without_values(text)).split() if word not in _PRESENT_WORDS)
    return bare if len(set(topic_terms(bare))) >= MIN_SHARED_WORDS else ""


def _numeric_values(text: str) -> tuple[str, ...]:
    """Return the checkable values in the text that contain a digit."""
    return tuple(atom for atom in checkable_facts(text) if any(map(str.isdigit, atom)))


def _without_values(text: str) -> str:
    for value in sorted(_numeric_values(text), key=len, reverse=True):
        text = text.replace(value, _VALUE_MARK)
    return text.replace(_VALUE_MARK, " ")
