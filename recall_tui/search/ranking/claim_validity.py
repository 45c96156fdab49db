"""Which claims hold, and which held before: told with the hit, and heeded when the question asks for a time.

Nothing is left out for holding no longer. Only what was found is compared; a claim is superseded when a page says so,
when it is struck out, or when a later day says the same with another value.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.domain.documents import FACT_KINDS
from recall_tui.index.text import schema
from recall_tui.storage.documents.changing_facts import is_revised, parse_change
from recall_tui.storage.markdown.source_refs import document_text
from recall_tui.text.classify.similarity import normalize
from recall_tui.text.cut import one_line, shorten
from recall_tui.text.dates import local_day, parse_time
from recall_tui.text.markup import strip_markers
from recall_tui.text.sentences import split_sentences

if TYPE_CHECKING:
    from recall_tui.domain.search_result import HitReasons
    from recall_tui.index.text.stored_passage import StoredPassage
    from recall_tui.search.bound_query import BoundQuery
    from recall_tui.search.ranking.by_time import Time
    from recall_tui.search.ranking.candidates import RankedPassage
    from recall_tui.storage.documents.wiki_page import SupersededClaim

MAX_CLAIMS = 60
"""Claims that are compared with each other."""
MAX_FACT_CHARS = 300
"""Characters of a fact that are told."""
PREFIX_CHARS = 4
"""Letters of a word by which a line that may hold it is told."""
MAX_LINE_CHARS = 600
"""Characters of a line that are looked at; a longer one is a paste."""
MIN_SHARED_WORDS = 2
"""Words of the question that a claim holds, or all there are."""
_ISO_DAY = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)", re.ASCII)
_STRIKETHROUGH = re.compile(
    r"(?:until (?P<before>\d{4}-\d{2}-\d{2}): )?~~(?P<fact>[^~\n]{1,500})~~(?:,? until (?P<after>\d{4}-\d{2}-\d{2}))?"
    r"(?:[.,]? [Tt]hen: (?P<now>[^(\n]{1,500}))?(?: ?\((?P<source>[^()\s]{1,300})\))?"
)
_TOLERANCE = timedelta(days=1)
"""Days that count as inside the time that is asked for, as with `search.time.interpret`."""


class DatedClaim(NamedTuple):
    """A statement of a day, found for the question."""

    passage: str
    """The id of its passage."""
    day: date
    place: str
    """Document and line."""
    text: str


class ClaimValidity:
    """What the hits of a question claim, and what of that holds no longer."""

    def __init__(self, question: BoundQuery, found: Sequence[RankedPassage]) -> None:
        self._question = question
        self._superseded: list[SupersededClaim] = list(_superseded_claims(question, found))
        claims = (claim for one in found for claim in _find_claims(question, one.passage))
        self._later = _find_successor([claim for _, claim in zip(range(MAX_CLAIMS), claims, strict=False)])

    def ordered(self, found: list[RankedPassage], time: Time) -> list[RankedPassage]:
        """The finds with the claim that holds at the time that is asked for above those of other times."""
        ordered = list(found)
        for earlier, later in sorted(self._later.items(), key=lambda pair: pair[1].day):
            first, second = (later, earlier) if _prefers_later(time, later.day) else (earlier, later)
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
                return {"until": later.day.isoformat(), "by": later.place, "fact": shorten(later.text, MAX_FACT_CHARS)}
        body = normalize(passage.body)
        for one in self._superseded:
            is_there = bool(one.fact) and normalize(one.fact) in body and passage.kind != "wiki"
            if is_there and not (one.by and normalize(one.by) in body):
                return _validity_fields(one.on, one.source, one.by)
        if struck := _STRIKETHROUGH.search(passage.body):
            return _validity_fields(
                struck["before"] or struck["after"] or "", struck["source"] or "", struck["now"] or ""
            )
        since = [one.day for one in self._later.values() if one.passage == passage.id]
        return {"since": max(since).isoformat()} if since else {}


def validity_text(why: HitReasons) -> str:
    """What a hit's reasons say of its claim: `held until 2026-03-12, then: memory/2026-03-12.md:14`, or nothing."""
    held = why.get("validity")
    if held is None:
        return ""
    if since := held.get("since"):
        return f"holds since {one_line(since)}"
    until, by = (one_line(held.get(name) or "") for name in ("until", "by"))
    then = f", then: {by}" if by else ""
    return f"held until {until}{then}" if until else f"holds no longer{then}"


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


def _find_claims(question: BoundQuery, passage: StoredPassage) -> Iterator[DatedClaim]:
    """What a passage says of the question's subject, on one line each; nothing when nobody knows of which day it is."""
    if passage.kind not in FACT_KINDS or passage.passage.is_turn or passage.date is None:
        return
    stems = {one.unit.stem for one in question.weighed}
    beginnings = [one.unit.plain[:PREFIX_CHARS] for one in question.weighed]
    least = min(MIN_SHARED_WORDS, len(stems))
    day = local_day(passage.date, question.store.now().tzinfo)
    if passage.kind == "wiki":
        day = _source_day(question, passage.document, day)
    for number, line in enumerate(passage.body.split("\n"), passage.lines[0]):
        lowered = line.lower()
        if sum(word in lowered for word in beginnings) < least:
            continue
        for said in split_sentences(strip_markers(line)[:MAX_LINE_CHARS]):
            if len(stems.intersection(schema.terms(schema.STEMMED, said))) >= least:
                told = day if passage.kind == "daily" else _quoted_day(line, day)
                yield DatedClaim(passage.id, told, f"{passage.document}:{number}", said)


def _quoted_day(text: str, day: date) -> date:
    """The last day that a page's line names, for it quotes that day or cites its log; else the page's own."""
    named = (moment.date() for found in _ISO_DAY.findall(text) if (moment := parse_time(found)))
    return max((one for one in named if one <= day), default=day)


def _source_day(question: BoundQuery, document: str, day: date) -> date:
    """The last day among the sources of a page: what it says was known then, however often it was written since."""
    from recall_tui.storage.documents import wiki_page

    page = wiki_page.parse_wiki_page(document_text(question.store, document), "")
    sources = page.sources if isinstance(page, wiki_page.WikiPage) else ()
    return _quoted_day(" ".join(source.ref.document for source in sources), day)


def _find_successor(claims: Sequence[DatedClaim]) -> dict[DatedClaim, DatedClaim]:
    """The next claim of the same, by the one that it supersedes."""
    begun: defaultdict[str, list[DatedClaim]] = defaultdict(list)
    for claim in claims:
        begun[claim.text.casefold().split()[0]].append(claim)
    changes = [(claim, change) for claim in claims if (change := parse_change(claim.text))]
    later: dict[DatedClaim, DatedClaim] = {}
    for claim in claims:
        alike = begun[claim.text.casefold().split()[0]]
        after = [one for one in alike if one.day > claim.day and is_revised(one.text, claim.text)]
        said = f" {normalize(claim.text)} " if changes else ""
        after += [one for one, change in changes if one.day > claim.day and f" {normalize(change[0])} " in said]
        after = [one for one in after if not _is_quote(one.text, claim.text)]
        if after:
            later[claim] = min(after, key=lambda one: (one.day, one.place))
    return later


def _is_quote(text: str, claim: str) -> bool:
    """Whether a text repeats a claim, word for word or as the change that it tells of."""
    change = parse_change(claim)
    return f" {normalize(claim)} " in f" {normalize(text)} " or (change is not None and change == parse_change(text))


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
