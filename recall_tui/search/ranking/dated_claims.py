"""The statements of a day that a question finds: each with its day, its line, and how much of the question it holds.

A statement is a sentence; the sentence before it in its paragraph and the heading above lend it its subject. A page
that was drawn from days claims only what a line cites a day for, as of that day.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from datetime import date
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.domain.documents import DERIVED_KINDS, FACT_KINDS
from recall_tui.index.text import schema
from recall_tui.storage.documents import day_logs
from recall_tui.storage.markdown.source_refs import document_text
from recall_tui.text.change_words import ChangeWords, parse_change_words
from recall_tui.text.dates import local_day, parse_time
from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.markup import has_marker, prose_text, strip_markers
from recall_tui.text.sentences import split_sentences
from recall_tui.text.typed_values import TypedValue, typed_values

if TYPE_CHECKING:
    from recall_tui.index.text.stored_passage import StoredPassage
    from recall_tui.search.bound_query import BoundQuery

MAX_PARAGRAPH_CHARS = 2_000
"""Characters of a paragraph that are looked at; a longer one is a paste."""
MAX_PASSAGE_CHARS = 20_000
"""Characters of a passage that are looked at."""
SEARCHED_CHARS = 20
"""Characters at the beginning of a sentence by which its line is found."""
CONTEXT_SHARE = 0.7
"""What a word of the question counts that only the sentence before holds."""
PREFIX_CHARS = 4
"""Letters of a word by which a paragraph that may hold it is told."""
EMPTY_STEMS = frozenset(("now", "current", "today", "use", "happen"))
"""Words of a question that say which time it asks for, or stand for any verb, and not what it asks for."""
MIN_SHARED_WORDS = 2
"""Words of the question that a claim holds, or all there are."""
MIN_SHARE = 0.15
"""How much of the question a claim holds that holds fewer words."""
_ISO_DAY = lazy_pattern(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)", re.ASCII)
_DAY_LOG = lazy_pattern(r"(?<!\d)(\d{4}-\d{2}-\d{2})(?:[-_][^\s/:]*)?\.md", re.ASCII)
_CLOCK = lazy_pattern(r"\s*\d{1,2}[:.]\d{2}(?: ?(?:am|pm|Uhr|h))?\b[:,]?\s+(?:[-–—]\s+)?", re.IGNORECASE)
"""The time of day with which a line of a log begins; such a line is a paragraph of its own."""


_CITATION = lazy_pattern(r"\s*\(([\w./-]{1,200}\.md(?::\d{1,7}(?:-\d{1,7})?)?)(?:[;,][^()\n]{0,300})?\)")
"""Where a line of a page is from."""
_HEADING = lazy_pattern(r"\s*(?:#{1,6}\s+(.+)|\*\*([^*]+)\*\*:?)\s*")
"""A heading, or a line in bold that stands for it."""


class Sentence(NamedTuple):
    """A sentence of a passage."""

    line: int
    """Its line in the passage, from 0."""
    text: str
    before: str
    """The heading above it and the sentence before it in its paragraph, where there are such."""
    source: str
    """The lines of its paragraph as they stand."""


class DatedClaim(NamedTuple):
    """A statement of a day, found for the question."""

    passage: str
    """The id of its passage."""
    day: date
    place: str
    """Document and line."""
    text: str
    before: str
    share: float
    """How much of the question it holds, by rarity, from 0 to 1."""
    own_share: float
    """The same without the sentence before."""
    asked: frozenset[str]
    """The stems of the question that it or the sentence before holds."""
    is_statement: bool = True
    """Somebody wrote it on its day: no page that was drawn from days, and no line that tells of a session."""
    is_dated: bool = True
    """It is known of which day it is; else `day` is when its document was changed last, and it supersedes nothing."""

    @property
    def document(self) -> str:
        """The document that it stands in."""
        return self.place.rpartition(":")[0]

    @property
    def words(self) -> frozenset[str]:
        """Its stems."""
        return stems(self.text)

    @property
    def topic(self) -> frozenset[str]:
        """Its stems and those of the sentence before."""
        return stems(self.text) | stems(self.before)

    @property
    def change(self) -> ChangeWords:
        """What it says of a change."""
        return parse_change_words(self.text)

    @property
    def values(self) -> tuple[TypedValue, ...]:
        """The values that it names."""
        return typed_values(self.text)


class AskedWords(NamedTuple):
    """The words of a question that say what it asks for."""

    shares: dict[str, float]
    """How much of the question each stem is, by its rarity; all together 1."""
    beginnings: tuple[str, ...]
    """The first letters of each, by which a paragraph that may hold it is told."""


def asked_words(question: BoundQuery, passages: Iterable[StoredPassage]) -> AskedWords:
    """The words of a question that any of the passages holds, but for those that say nothing of its subject."""
    text = "\n".join(one.body for one in passages).casefold()
    beginnings = {one.unit.stem: one.unit.plain[:PREFIX_CHARS].casefold() for one in question.weighed}
    held = {stem for stem, beginning in beginnings.items() if stem not in EMPTY_STEMS and beginning in text}
    weights = {one.unit.stem: one.rarity for one in question.weighed if one.unit.stem in held}
    whole = sum(weights.values()) or 1.0
    return AskedWords(
        {stem: weight / whole for stem, weight in weights.items()}, tuple(beginnings[stem] for stem in weights)
    )


def find_claims(question: BoundQuery, passage: StoredPassage, asked: AskedWords) -> Iterator[DatedClaim]:
    """The statements of a passage that hold words of the question; none when nobody knows of which day they are."""
    if passage.kind not in FACT_KINDS or passage.passage.is_turn or passage.date is None:
        return
    shares = asked.shares
    least = min(MIN_SHARED_WORDS, len(shares))
    day = local_day(passage.date, question.store.now().tzinfo)
    sources_day = _source_day(question, passage.document, day) if passage.kind == "wiki" else None
    lowered: dict[str, str] = {}
    for one in _sentences(passage.body[:MAX_PASSAGE_CHARS]):
        if one.source not in lowered:
            lowered[one.source] = one.source.casefold()
        if not any(word in lowered[one.source] for word in asked.beginnings):
            continue
        own = shares.keys() & stems(one.text)
        before = (shares.keys() & stems(one.before)) - own
        if not own and not (before and (typed_values(one.text) or parse_change_words(one.text).is_present)):
            continue
        own_share = sum(shares[stem] for stem in own)
        share = own_share + CONTEXT_SHARE * sum(shares[stem] for stem in before)
        if len(own | before) < least and share < MIN_SHARE:
            continue
        told = day if passage.kind == "daily" else _quoted_day(one.source, day) or sources_day
        if told is None and passage.kind in DERIVED_KINDS:
            continue
        cited = _CITATION.search(one.source) if passage.kind in DERIVED_KINDS else None
        place = cited[1] if cited else f"{passage.document}:{passage.lines[0] + one.line}"
        claim = DatedClaim(
            passage.id, told or day, place, one.text, one.before, share, own_share, frozenset(own | before)
        )
        is_statement = passage.kind not in DERIVED_KINDS and not day_logs.entry_text(one.source)
        yield claim._replace(is_statement=is_statement, is_dated=told is not None)


@lru_cache(maxsize=512)
def _sentences(body: str) -> tuple[Sentence, ...]:
    """The sentences of the paragraphs and list items of a text."""
    found: list[Sentence] = []
    heading = ""
    for first, lines in _paragraphs(body):
        if len(lines) == 1 and (title := _HEADING.fullmatch(lines[0])):
            heading = prose_text(title[1] or title[2])
        source = "\n".join(lines)[:MAX_PARAGRAPH_CHARS]
        bare = [_CITATION.sub("", strip_markers(line)) for line in source.split("\n")]
        ends = list(accumulate(len(line) + 1 for line in bare))
        words, before = " ".join(bare), ""
        clock = _CLOCK.match(words)
        at = clock.end() if clock else 0
        for said in split_sentences(words[at:]):
            at = max(words.find(said[:SEARCHED_CHARS], at), at)
            text = prose_text(said)
            lead = " ".join(filter(None, (heading if heading != text else "", before)))
            found.append(Sentence(first + min(bisect_right(ends, at), len(bare) - 1), text, lead, source))
            before = text
    return tuple(found)


def _paragraphs(body: str) -> Iterator[tuple[int, list[str]]]:
    """The paragraphs and list items of a text, each with the number of its first line, from 0."""
    held: list[str] = []
    first = 0
    for number, line in enumerate(body.split("\n")):
        bare = line.strip()
        begins = has_marker(line) or _CLOCK.match(line) is not None
        if held and (not bare or begins):
            yield first, held
            held = []
        if bare and not bare.startswith(("|", "```", "<!--")):
            if not held:
                first = number
            held.append(line)
            if bare.startswith("#"):
                yield first, held
                held = []
    if held:
        yield first, held


@lru_cache(maxsize=4_096)
def stems(text: str) -> frozenset[str]:
    """The stems of the words of a sentence."""
    return frozenset(schema.terms(schema.STEMMED, text)) if text else frozenset()


def _quoted_day(text: str, day: date) -> date | None:
    """The last day whose log a page's line cites, else the last by `day` that it names; None when it names none."""
    cited = [moment.date() for found in _DAY_LOG.findall(text) if (moment := parse_time(found))]
    named = (moment.date() for found in _ISO_DAY.findall(text) if (moment := parse_time(found)))
    return max(cited or (one for one in named if one <= day), default=None)


def _source_day(question: BoundQuery, document: str, day: date) -> date:
    """The last day among the sources of a page: what it says was known then, however often it was written since."""
    from recall_tui.storage.documents import wiki_page

    page = wiki_page.parse_wiki_page(document_text(question.store, document), "")
    sources = page.sources if isinstance(page, wiki_page.WikiPage) else ()
    return _quoted_day(" ".join(source.ref.document for source in sources), day) or day
