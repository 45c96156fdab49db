"""Which claims hold, and which held before: told with the hit, and heeded in the order of the hits.

Nothing is left out for holding no longer. What was found is compared with all logs of days that speak of the same; a
claim is superseded when a page says so, when it is struck out, or when a later day gives its subject another value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import islice
from typing import TYPE_CHECKING

from recall_tui.domain.documents import FACT_KINDS
from recall_tui.index.text.passage import SPEECH
from recall_tui.search import filters as constraint
from recall_tui.search.ranking import lexical
from recall_tui.search.ranking.candidates import RankedPassage
from recall_tui.search.ranking.dated_claims import DatedClaim, asked_words, find_claims
from recall_tui.search.ranking.fusion import SearchCandidate
from recall_tui.search.ranking.supersession import find_successors, may_supersede
from recall_tui.storage.markdown.source_refs import document_text
from recall_tui.text.classify.similarity import claim_words
from recall_tui.text.cut import one_line, shorten
from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.typed_values import asked_sorts

if TYPE_CHECKING:
    from recall_tui.domain.search_result import HitReasons
    from recall_tui.index.text.stored_passage import StoredPassage
    from recall_tui.search.bound_query import BoundQuery
    from recall_tui.search.ranking.by_time import Time
    from recall_tui.storage.documents.wiki_page import SupersededClaim

MAX_CLAIMS = 100
"""Claims that are compared with each other."""
MAX_DAYS = 15
"""Passages of logs that are looked at beside those that were found."""
MAX_FACT_CHARS = 300
"""Characters of a fact that are told."""
LEAD_SHARE = 0.85
"""How much of what a passage's best claim holds of the question another claim holds that stands for the passage too."""
CLOSE_SCORE = 0.9
"""How much of the score of what held before the claim that holds has that stands above it, whatever is asked."""
MIN_SHARE = 1 / 3
"""How much of the question a claim holds of whose end something is said."""
_STRIKETHROUGH = lazy_pattern(
    r"(?:until (?P<before>\d{4}-\d{2}-\d{2}): )?~~(?P<fact>[^~\n]{1,500})~~(?:,? until (?P<after>\d{4}-\d{2}-\d{2}))?"
    r"(?:[.,]? [Tt]hen: (?P<now>[^(\n]{1,500}))?(?: ?\((?P<source>[^()\s]{1,300})\))?"
)
_TOLERANCE = timedelta(days=1)
"""Days that count as inside the time that is asked for, as with `search.time.interpret`."""


class ClaimValidity:
    """What the hits of a question claim, and what of that holds no longer."""

    def __init__(self, question: BoundQuery, found: Sequence[RankedPassage]) -> None:
        self._superseded: list[SupersededClaim] = list(_superseded_claims(question, found))
        self._others = {one.passage.id: one for one in _other_day_passages(question, found)}
        self._claims: dict[str, list[DatedClaim]] = {}
        passages = [one.passage for one in (*found, *self._others.values()) if one.passage.kind in FACT_KINDS]
        asked = asked_words(question, passages)
        claims = (claim for passage in passages for claim in find_claims(question, passage, asked))
        for claim in islice(claims, MAX_CLAIMS):
            self._claims.setdefault(claim.passage, []).append(claim)
        known = (claim for claims in self._claims.values() for claim in claims)
        self._changes = [one for one in known if one.is_dated and one.is_statement and one.change.is_present]
        self._sorts = asked_sorts(question.query.text)
        self._later = self._find_successors([one.passage.id for one in found])

    def _find_successors(self, found: Sequence[str]) -> dict[DatedClaim, DatedClaim]:
        """What supersedes the claims that stand for the passages found, and what supersedes that in turn."""
        known = [claim for claims in self._claims.values() for claim in claims]
        leads = [claim for key in found for claim in self._claims.get(key, ()) if self._is_lead(claim)]
        quoted = {(one.day, one.text) for one in leads if not one.is_statement}
        unseen = dict.fromkeys((*leads, *(one for one in known if (one.day, one.text) in quoted)))
        seen: set[DatedClaim] = set()
        later: dict[DatedClaim, DatedClaim] = {}
        while unseen:
            seen.update(unseen)
            following = find_successors(known, unseen, self._sorts)
            later |= following
            unseen = dict.fromkeys(one for one in following.values() if one not in seen)
        ended = {(claim.day, claim.text): one for claim, one in later.items()}
        return {one: ended[one.day, one.text] for one in leads if (one.day, one.text) in ended} | later

    def ordered(self, found: Sequence[RankedPassage], time: Time) -> list[RankedPassage]:
        """The finds with the claim that holds at the time that is asked for above those of other times."""
        ordered = list(found)
        for earlier, later in self.successions():
            first, second = (later, earlier) if _prefers_later(time, later.day) else (earlier, later)
            raise_above(ordered, first.passage, second.passage)
        return ordered

    def holding_first(self, found: Sequence[RankedPassage]) -> list[RankedPassage]:
        """The finds with the claim that holds above the one that it superseded, where it answers about as well."""
        ordered, scores = list(found), {one.passage.id: one.score for one in found}
        for earlier, later in self.successions():
            if scores.get(later.passage, 0.0) >= CLOSE_SCORE * scores.get(earlier.passage, 0.0):
                raise_above(ordered, later.passage, earlier.passage)
        return ordered

    def lead(self, passage: StoredPassage) -> DatedClaim | None:
        """The claim of a passage that holds most of the question; None when it claims nothing."""
        return max(self._claims.get(passage.id, ()), key=lambda one: one.share, default=None)

    def successions(self) -> list[tuple[DatedClaim, DatedClaim]]:
        """What was superseded and by what, where it stands for its passage; the earliest change first."""
        pairs = [(one, other) for one, other in self._later.items() if self._is_lead(one)]
        return sorted(pairs, key=lambda pair: pair[1].day)

    def restatement(self, passage: StoredPassage) -> DatedClaim | None:
        """The latest statement that may be of the same as the passage's, with another value; None for none."""
        lead = self.lead(passage)
        if lead is None or lead in self._later:
            return None
        later = [one for one in self._changes if may_supersede(one, lead, self._sorts)]
        return max(later, key=lambda one: (one.day, one.own_share), default=None)

    def with_successors(self, found: Sequence[RankedPassage]) -> list[RankedPassage]:
        """The finds with what supersedes one of them below it, where it was not found."""
        complete = list(found)
        for earlier, later in self.successions():
            places = {one.passage.id: place for place, one in enumerate(complete)}
            is_shown = any(one.passage.document == later.document for one in complete)
            if earlier.passage in places and not is_shown and (more := self._others.get(later.passage)):
                place = places[earlier.passage]
                complete.insert(place + 1, more._replace(score=complete[place].score))
        return complete

    def _is_lead(self, claim: DatedClaim) -> bool:
        best = max(one.share for one in self._claims[claim.passage])
        return claim.share >= max(LEAD_SHARE * best, MIN_SHARE)

    def validity(self, passage: StoredPassage) -> dict[str, str]:
        """Until when what the passage claims held, and what came then; or since when it holds; empty for neither."""
        leads = [one for one in self._claims.get(passage.id, ()) if self._is_lead(one)]
        if ended := [one for one in leads if one in self._later]:
            later = self._later[ended[0]]
            return {"until": later.day.isoformat(), "by": later.place, "fact": shorten(later.text, MAX_FACT_CHARS)}
        body = f" {claim_words(passage.body)} " if self._superseded else ""
        for one in self._superseded:
            is_there = bool(one.fact) and claim_words(one.fact) in body and passage.kind != "wiki"
            if is_there and not (one.by and claim_words(one.by) in body):
                return _validity_fields(one.on, one.source, one.by)
        if struck := _STRIKETHROUGH.search(passage.body):
            return _validity_fields(
                struck["before"] or struck["after"] or "", struck["source"] or "", struck["now"] or ""
            )
        since = [one.day for one in self._later.values() if one.passage == passage.id]
        return {"since": max(since).isoformat()} if since else {}


def raise_above(ordered: list[RankedPassage], wanted: str, other: str) -> None:
    """Put a passage in the place of another that stands above it, with its score."""
    places = {one.passage.id: place for place, one in enumerate(ordered)}
    if wanted in places and other in places and places[wanted] > places[other]:
        raised = ordered.pop(places[wanted])
        ordered.insert(places[other], raised._replace(score=ordered[places[other]].score))


def _other_day_passages(question: BoundQuery, found: Sequence[RankedPassage]) -> Iterator[RankedPassage]:
    """The passages of logs of days that hold words of the question and were not found."""
    reader = question.reader
    own = [reader.term("memory", question.memory), reader.term("kind", "daily")]
    bound = constraint.and_query(question.wanted, constraint.unscored(constraint.all_of(own)))
    words = lexical.build_query(reader, question.weighed, question.stems, SPEECH)
    known = {one.passage.id for one in found}
    scored = reader.top(constraint.and_query(bound, words), MAX_DAYS)
    keys = reader.counted_with([address for _, address in scored])
    for (score, address), key in zip(scored, keys, strict=True):
        passage = reader.stored(address)
        if passage.id not in known:
            yield RankedPassage(SearchCandidate(key, ((score, address),)), passage, 1.0, 0.0)


def validity_text(why: HitReasons) -> str:
    """What a hit's reasons say of its claim: `held until 2026-03-12, then: memory/2026-03-12.md:14`, or nothing."""
    held = why.get("validity")
    if held is None:
        return ""
    if since := held.get("since"):
        return f"holds since {one_line(since)}"
    until, by = (one_line(held.get(name) or "") for name in ("until", "by"))
    then = f", then: {by}" if by else ""
    return f"held until {until}{then}" if until else f"outdated{then}"


def validity_label(why: HitReasons) -> str:
    """The same in a few characters: `held until 03-12`, `since 03-20`, `held before`, or nothing."""
    held = why.get("validity")
    if held is None:
        return ""
    since, until = ((held.get(name) or "")[5:10] for name in ("since", "until"))
    return f"since {one_line(since)}" if since else f"held until {one_line(until)}" if until else "held before"


def _validity_fields(until: str, by: str, fact: str) -> dict[str, str]:
    told = {"until": until, "by": by, "fact": shorten(one_line(fact), MAX_FACT_CHARS)}
    return {name: text for name, text in told.items() if text} or {"until": ""}


def _superseded_claims(question: BoundQuery, found: Sequence[RankedPassage]) -> Iterator[SupersededClaim]:
    """What the wiki pages among the finds say holds no longer."""
    from recall_tui.storage.documents import wiki_claims, wiki_page

    for one in found:
        if one.passage.kind == "wiki" and "supersedes" in (text := document_text(question.store, one.passage.document)):
            page = wiki_page.parse_wiki_page(text, "")
            yield from wiki_claims.outdated_claims(page).values() if isinstance(page, wiki_page.WikiPage) else ()


def _prefers_later(time: Time, day: date) -> bool:
    """Whether a question about that time means the claim of `day` rather than the one before it."""
    named, leaning = time
    if named is not None and named.end is not None:
        return day <= named.end + _TOLERANCE
    return leaning != "first"
