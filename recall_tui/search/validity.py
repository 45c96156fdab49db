"""Which claims hold, and which held before: told with the hit, and heeded when the question asks for a time.

Nothing is left out for holding no longer. Only what was found is compared; a claim is superseded when a page says so,
when it is struck out, or when a later day says the same with another value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.index import schema
from recall_tui.search.shown import CLAIMING
from recall_tui.storage.cited import text_of
from recall_tui.storage.dated_facts import is_revised, replaced
from recall_tui.storage.statements import statements
from recall_tui.text.cut import cut, one_line
from recall_tui.text.dates import local
from recall_tui.text.similarity import normal

if TYPE_CHECKING:
    from recall_tui.index.stored import StoredPassage
    from recall_tui.search.dating import Time
    from recall_tui.search.question import Question
    from recall_tui.search.shown import Found
    from recall_tui.storage.wiki_page import Superseded

MOST = 60
"""Claims that are compared with each other."""
FACT = 300
"""Characters of a fact that are told."""
LEAST_SHARED = 2
"""Words of the question that a claim holds, or all there are."""
_STRUCK = re.compile(
    r"(?:until (?P<before>\d{4}-\d{2}-\d{2}): )?~~(?P<fact>[^~\n]{1,500})~~(?:,? until (?P<after>\d{4}-\d{2}-\d{2}))?"
    r"(?:[.,]? [Tt]hen: (?P<now>[^(\n]{1,500}))?(?: ?\((?P<source>[^()\s]{1,300})\))?"
)
_SPAN = timedelta(days=1)
"""Days that count as inside the time that is asked for, as with `when.TOLERANCE`."""


class Claim(NamedTuple):
    """A statement of a day, found for the question."""

    passage: str
    """The id of its passage."""
    day: date
    place: str
    """Document and line."""
    text: str


class Claims:
    """What the hits of a question claim, and what of that holds no longer."""

    def __init__(self, question: Question, found: Sequence[Found]) -> None:
        self._question = question
        self._superseded: list[Superseded] = list(_noted(question, found))
        claims = [claim for one in found for claim in _claims(question, one.passage)][:MOST]
        self._later: dict[Claim, Claim] = {}
        """The next claim of the same, by the one it supersedes."""
        for claim in claims:
            after = [one for one in claims if one.day > claim.day and _supersedes(one.text, claim.text)]
            if after:
                self._later[claim] = min(after, key=lambda one: (one.day, one.place))

    def ordered(self, found: list[Found], time: Time) -> list[Found]:
        """The finds with the claim that holds at the time that is asked for above those of other times."""
        ordered = list(found)
        for earlier, later in sorted(self._later.items(), key=lambda pair: pair[1].day):
            first, second = (later, earlier) if _is_later_meant(time, later.day) else (earlier, later)
            places = {one.passage.id: place for place, one in enumerate(ordered)}
            wanted, other = places[first.passage], places[second.passage]
            if wanted > other:
                raised = ordered.pop(wanted)
                ordered.insert(other, raised._replace(score=ordered[other].score))
        return ordered

    def validity(self, passage: StoredPassage) -> dict[str, str]:
        """Until when what the passage claims held, and what came then; or since when it holds; empty for neither."""
        for earlier, later in self._later.items():
            if earlier.passage == passage.id:
                return {"until": later.day.isoformat(), "by": later.place, "fact": cut(later.text, FACT)}
        body = normal(passage.body)
        for one in self._superseded:
            if one.fact and normal(one.fact) in body and passage.kind != "wiki":
                return _told(one.on, one.source, one.by)
        if struck := _STRUCK.search(passage.body):
            return _told(struck["before"] or struck["after"] or "", struck["source"] or "", struck["now"] or "")
        since = [one.day for one in self._later.values() if one.passage == passage.id]
        return {"since": max(since).isoformat()} if since else {}


def words(why: Mapping[str, object]) -> str:
    """What a hit's reasons say of its claim: `held until 2026-03-12, then: memory/2026-03-12.md:14`, or nothing."""
    held = why.get("validity")
    if not isinstance(held, Mapping):
        return ""
    if since := held.get("since"):
        return f"holds since {one_line(str(since))}"
    until, by = (one_line(str(held.get(name) or "")) for name in ("until", "by"))
    then = f", then: {by}" if by else ""
    return f"held until {until}{then}" if until else f"holds no longer{then}"


def _told(until: str, by: str, fact: str) -> dict[str, str]:
    told = {"until": until, "by": by, "fact": cut(one_line(fact), FACT)}
    return {name: text for name, text in told.items() if text} or {"until": ""}


def _claims(question: Question, passage: StoredPassage) -> Iterator[Claim]:
    """What a passage says of the question's subject; nothing when nobody knows of which day it is."""
    if passage.kind not in CLAIMING or passage.passage.is_turn or passage.date is None:
        return
    stems = {one.unit.stem for one in question.weighed}
    day = local(passage.date, question.store.now().tzinfo).date()
    for said in statements(passage.body):
        if len(stems.intersection(schema.terms(schema.STEMMED, said.text))) >= min(LEAST_SHARED, len(stems)):
            line = passage.lines[0] + said.lines[0] - 1
            yield Claim(passage.id, day, f"{passage.document}:{line}", said.text)


def _supersedes(later: str, earlier: str) -> bool:
    if is_revised(later, earlier):
        return True
    change = replaced(later)
    return change is not None and f" {normal(change[0])} " in f" {normal(earlier)} " and normal(change[1]) != ""


def _noted(question: Question, found: Sequence[Found]) -> Iterator[Superseded]:
    """What the wiki pages among the finds say holds no longer."""
    from recall_tui.storage import wiki_page

    for one in found:
        if one.passage.kind == "wiki" and "supersedes" in (text := text_of(question.store, one.passage.document)):
            page = wiki_page.parse(text, "")
            yield from page.supersedes if isinstance(page, wiki_page.WikiPage) else ()


def _is_later_meant(time: Time, day: date) -> bool:
    """Whether a question about that time means the claim of `day` rather than the one before it."""
    named, leaning = time
    if named is not None and named.end is not None:
        return day <= named.end + _SPAN
    return leaning != "first"
