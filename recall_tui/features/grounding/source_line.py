"""A week or a month in the words of its days: which statements stand for it, and under which heading.

Nothing is rephrased: every line is a statement as it was written, with the document and the lines where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from recall_tui.storage.documents.period_page import Span
from recall_tui.storage.documents.statements import Place, Statement, statements
from recall_tui.text import source_ref as citation
from recall_tui.text.checkable_facts import atoms
from recall_tui.text.classify.keywords import terms
from recall_tui.text.classify.mentions import mentions
from recall_tui.text.classify.similarity import near_duplicates
from recall_tui.text.classify.tags import action_score, decision_score
from recall_tui.text.secrets.redact import redact

SHARE = 0.3
"""Of what the days hold, in characters, that a page takes."""
LEAST_CHARACTERS = 1_200
MOST_CHARACTERS = 12_000
"""Of a page, whatever its days hold."""
HEADINGS: Mapping[Span, tuple[str, str, str, str]] = {
    "weekly": ("Key Outcomes", "Decisions", "Blockers & Open Items", "Context"),
    "monthly": ("Milestones", "Trajectory", "Carried Forward", "Themes"),
}
"""Where outcomes, decisions, open items and all else stand; a month's are the published design's, in its words."""
_RESULT, _DECISION, _UNSETTLED, _OTHER = range(4)
_WORTH = (3.0, 3.5, 2.5, 0.5)
"""What a statement of each group is worth before its facts are counted."""
_CLOSED_BY = 0.6
"""The share of an open item's words that a later outcome or decision has, when it closes it."""
_OUTCOME = re.compile(
    r"\b(?:shipped|released|deployed|merged|fixed|finished|completed?|launched|rolled out|migrated|delivered|landed"
    r"|added|removed|replaced|upgraded|measured|passed|passes|solved|resolved|published|is (?:live|done|out)|works now"
    r"|root cause|turned out|turns out|it was|cut from|down to|up to|reduced|raised)\b",
    re.IGNORECASE,
)
_MILESTONE = re.compile(
    r"\b(?:shipped|released|launched|went live|rolled out|migrated|delivered|signed|hired|deadline)\b", re.IGNORECASE
)
LESSON = re.compile(
    r"\b(?:always|never|lesson|learned|learnt|rule of thumb|as a rule|from now on|in future|gotcha|pitfall|beware"
    r"|root cause|turned out|turns out|the reason (?:was|is)|do not|don't|must not|prefer|avoid|make sure|remember)\b",
    re.IGNORECASE,
)
"""What tells of something learned that holds on, in a line that was found worth keeping already; in a conversation,
where most of such words are small talk, `text.lessons` asks for more."""
_OPEN = re.compile(
    r"\b(?:blocked|blocker|waiting (?:for|on)|open question|open item|unclear|not yet"
    r"|still (?:fails?|broken|open|missing)|fails|broken|flaky|todo|unsolved|unresolved|to be decided"
    r"|needs? (?:a|an|to)|must still)\b",
    re.IGNORECASE,
)
_ROUTINE = re.compile(
    r"\b(?:ran the tests|all tests pass(?:ed)?|tests? (?:are )?green|no changes|nothing new|as usual|standup"
    r"|good morning|checked (?:the )?(?:logs|mail|inbox))\b",
    re.IGNORECASE,
)


class Line(NamedTuple):
    """A statement in the page of a period."""

    text: str
    path: str
    """The document it is from, relative to the memory's root."""
    lines: tuple[int, int]
    also: tuple[Place, ...] = ()
    """Where else it is from."""

    @property
    def places(self) -> tuple[Place, ...]:
        """All that it is from."""
        return (self.path, *self.lines), *self.also

    @property
    def citation(self) -> str:
        """Document and lines, such as `memory/2026-03-06.md:4-6`; several with `; ` between them."""
        return "; ".join(citation.place(*place) for place in self.places)


def line_of(path: str, said: Statement) -> Line:
    """The statement with where it is from: what it cites itself, else where it stands."""
    if said.cited is not None:
        path, *lines = said.cited
        return Line(said.text, path, (lines[0], lines[1]), said.also)
    return Line(said.text, path, said.lines)


class Weighed(NamedTuple):
    """A line of a document with what it is worth in a page."""

    child: str
    """The document, which is not always the one that it cites."""
    line: Line
    group: int
    """Under which of HEADINGS it belongs."""
    score: float
    place: int
    """Its place among all that is said."""

    @property
    def is_standing(self) -> bool:
        """It holds on: a decision with something that can be checked, or what was learned."""
        return bool(LESSON.search(self.line.text)) or (self.group == _DECISION and bool(atoms(self.line.text)))

    @property
    def size(self) -> int:
        """Characters that it takes in a page."""
        return len(self.line.text) + len(self.line.citation) + 6


def weighed(children: Mapping[str, str]) -> list[Weighed]:
    """All that the documents (texts by path, oldest first) say, each thing once and without secrets.

    A line that cites what it is from keeps that citation. What was open and is closed later on is left out.
    """
    found = [one for path, text in children.items() for one in _weighed(path, _without_secrets(text))]
    return _without_closed(_without_twins(found))


def room_of(children: Mapping[str, str], share: float = SHARE) -> float:
    """Characters that a page of these documents may take."""
    return min(max(sum(map(len, children.values())) * share, LEAST_CHARACTERS), MOST_CHARACTERS)


def drawn(found: Sequence[Weighed], shares: Mapping[str, float], room: float) -> list[Weighed]:
    """The lines of a page without a model, in the order in which they were said; `shares` of the room by document."""
    chosen: list[Weighed] = []
    for path, share in shares.items():
        chosen += _best([one for one in found if one.child == path], room * share)
    return sorted(chosen, key=lambda one: one.place)


def grouped(chosen: Iterable[Weighed]) -> tuple[tuple[Line, ...], ...]:
    """The lines in the order of HEADINGS."""
    groups: tuple[list[Line], ...] = ([], [], [], [])
    for one in chosen:
        groups[one.group].append(one.line)
    return tuple(map(tuple, groups))


def body(span: Span, title: str, groups: Sequence[Sequence[Line]]) -> str:
    """The page's text below its head."""
    parts = [f"\n# {title}\n"]
    for heading, lines in zip(HEADINGS[span], groups, strict=True):
        if lines:
            parts.append(f"\n## {heading}\n\n" + "".join(f"- {line.text} ({line.citation})\n" for line in lines))
    return "".join(parts)


def _without_secrets(text: str) -> Iterator[Statement]:
    """What the text says in lines that hold no secret."""
    lines = text.split("\n")
    clean = set(redact(text).split("\n"))
    for one in statements(text):
        if clean.issuperset(lines[one.lines[0] - 1 : one.lines[1]]) and redact(one.text) == one.text:
            yield one


def _weighed(path: str, said: Iterable[Statement]) -> list[Weighed]:
    found = []
    for place, one in enumerate(said):
        line = line_of(path, one)
        decides, asks = decision_score(line.text), action_score(line.text)
        is_open = asks > 1 or bool(_OPEN.search(line.text)) or line.text.endswith("?")
        has_outcome = bool(_OUTCOME.search(line.text))
        is_decided = decides > 1 or (decides > 0 and not is_open)
        group = _DECISION if is_decided else _UNSETTLED if is_open else _RESULT if has_outcome else _OTHER
        score = _WORTH[group] + 0.25 * decides
        score += 0.4 * min(4, len(atoms(line.text))) + 0.3 * min(3, len(mentions(line.text)))
        score += 1.5 * bool(_MILESTONE.search(line.text))
        score += 4.5 * bool(LESSON.search(line.text))
        score -= 3.0 * bool(_ROUTINE.search(line.text))
        found.append(Weighed(path, line, group, score, place))
    return found


def _without_twins(found: list[Weighed]) -> list[Weighed]:
    """Each thing once: of what is said again the last time counts, and it weighs more for being said so often."""
    found = [one._replace(place=place) for place, one in enumerate(found)]
    first_of: dict[int, int] = {}
    for earlier, later in near_duplicates([one.line.text for one in found]):
        first_of[later] = first_of.get(earlier, earlier)
    last: dict[int, int] = {}
    counts: dict[int, int] = {}
    for place in range(len(found)):
        key = first_of.get(place, place)
        last[key] = place
        counts[key] = counts.get(key, 0) + 1
    return [found[place]._replace(score=found[place].score + 0.5 * (counts[key] - 1)) for key, place in last.items()]


def _without_closed(found: list[Weighed]) -> list[Weighed]:
    """The same without open items that a later outcome or decision closes."""
    words = [frozenset(terms(one.line.text)) for one in found]
    settled = [place for place, one in enumerate(found) if one.group in (_RESULT, _DECISION)]
    return [
        one
        for place, one in enumerate(found)
        if one.group != _UNSETTLED
        or not any(later > place and _covers(words[later], words[place]) for later in settled)
    ]


def _covers(later: frozenset[str], item: frozenset[str]) -> bool:
    return len(item) > 1 and len(later & item) >= _CLOSED_BY * len(item)


def _best(found: list[Weighed], room: float) -> list[Weighed]:
    """The weightiest that fit, and at least one that says something."""
    chosen: list[Weighed] = []
    for one in sorted(found, key=lambda one: (-one.score, one.place)):
        if chosen and (one.size > room or one.score <= 0):
            continue
        chosen.append(one)
        room -= one.size
    return chosen
