"""What of a week is worth a page of the wiki: subjects about which its logs say enough.

Each becomes a proposal, to begin a page or to add to one; every line of it is cited, and what a person did not want is
not put forward again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.domain.documents import SourceRef
from recall_tui.features.grounding.evidence import CitedLines, document_day
from recall_tui.features.grounding.extractive_summary import ScoredLine, SourceLine
from recall_tui.features.grounding.verify import is_supported
from recall_tui.features.wiki.page_changes import NewPage, add_fragments, find_pending_page
from recall_tui.features.wiki.subjects import find_subjects, is_subject
from recall_tui.storage.documents.changing_facts import DatedStatement
from recall_tui.storage.documents.master_file import clean_text
from recall_tui.storage.documents.statements import Statement
from recall_tui.storage.documents.wiki_page import CATEGORIES, Category, PageSource, WikiPage, make_slug, rewrite_page
from recall_tui.storage.files.atomic import content_digest, read_text
from recall_tui.storage.state import proposals
from recall_tui.storage.state.proposals import DocumentChange, Proposal
from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.classify.lasting import log_weight
from recall_tui.text.cut import one_line, shorten

if TYPE_CHECKING:
    from recall_tui.features.consolidation.period_model import MemoryItem
    from recall_tui.storage.documents.wiki_folder import Wiki
    from recall_tui.storage.memory_context import Store

MAX_CANDIDATES = 3
"""Of one week."""
MAX_PAGE_LINES = 4
"""Lines with which a page begins."""
_MAX_NAME_CHARS = 60
MAX_LINE_CHARS = 400
"""Characters of a line."""


class WikiCandidate(NamedTuple):
    """Something that may have a page."""

    slug: str
    category: Category
    name: str
    lede: str
    """With where it is from at its end."""
    lines: tuple[SourceLine, ...]
    """What it is from, the weightiest first."""
    why: str
    description: str = ""
    """Empty for the first words of the page."""


def find_candidates(found: Sequence[ScoredLine]) -> tuple[WikiCandidate, ...]:
    """What of the statements of a week is worth a page, the weightiest first."""
    lines = {_statement(one): one.line for one in found}
    made = []
    for subject in find_subjects(tuple(lines)):
        chosen = tuple(lines[one] for one in sorted(subject.lines, key=lambda one: -log_weight(one.said.text)))
        days = len({one.path for one in subject.lines})
        lede = f"{chosen[0].text} ({chosen[0].citation})"
        why = f"{len(chosen)} sentences of {days} logs of one week are about it."
        slug = make_slug(subject.name)
        if slug:
            made.append(WikiCandidate(slug, subject.category, subject.name, lede, chosen[:MAX_PAGE_LINES], why))
    return tuple(made[:MAX_CANDIDATES])


def model_candidates(
    store: Store, told: Iterable[MemoryItem], children: Mapping[str, str]
) -> tuple[WikiCandidate, ...]:
    """What a model holds for worth a page, as far as the lines that it names bear it out."""
    cited = CitedLines(store, children)
    return tuple(one for each in told if (one := _check_candidate(each, cited)) is not None)[:MAX_CANDIDATES]


def propose_pages(store: Store, wiki: Wiki, found: Iterable[WikiCandidate]) -> tuple[Proposal, ...]:
    """Put pages for them into review: one that is begun, or added to where there is one or one waits already."""
    held = [one for one in proposals.list_all(store) if one.kind == "wiki"]
    made = (_build_proposal(store, wiki, one, [other for other in held if other.subject == one.slug]) for one in found)
    return tuple(put for one in made if one is not None and (put := proposals.save(store, one)) is not None)


def _statement(one: ScoredLine) -> DatedStatement:
    """The line as a statement of the day in its document's name."""
    day = document_day(one.line.path) or date.min.isoformat()
    return DatedStatement(date.fromisoformat(day), one.line.path, Statement(one.line.text, one.line.lines, ""))


def _check_candidate(told: MemoryItem, cited: CitedLines) -> WikiCandidate | None:
    name = shorten(one_line(told.name), _MAX_NAME_CHARS)
    slug = make_slug(name)
    said = cited.said(place for line in told.lines for place in line.places)
    words = frozenset(topic_terms(name))
    if not (told.lines and slug and words and is_subject(name) and words <= frozenset(topic_terms(said))):
        return None
    first = told.lines[0]
    places = tuple(dict.fromkeys(place for line in told.lines for place in line.places))
    lede = _supported_text(told.lede, said)
    line = SourceLine(lede, places[0][0], places[0][1:], places[1:]) if lede else first
    category: Category = told.category if told.category in CATEGORIES[:-1] else "concept"
    description = _supported_text(told.description, said)
    why = "The model of consolidation holds it for worth a page; its words are checked."
    return WikiCandidate(slug, category, name, f"{line.text} ({line.citation})", told.lines, why, description)


def _supported_text(words: str, said: str) -> str:
    """A model's words as a line of a page; empty when what was said does not bear them out."""
    text = clean_text(words, MAX_LINE_CHARS)
    return text if text and is_supported(text, said) else ""


def _build_proposal(store: Store, wiki: Wiki, one: WikiCandidate, held: Sequence[Proposal]) -> Proposal | None:
    """The proposal for a page; None when it says all of it, or a person did not want it."""
    page = _find_page(wiki, one)
    slug = page.slug if page else one.slug
    dismissed = {cited for other in held if other.fate == "dismissed" for cited in other.evidence}
    lines = [line for line in one.lines if line.citation not in dismissed]
    if not lines or (dismissed and page is None):
        return None
    path = wiki.path(slug)
    base, waiting = find_pending_page(store, "wiki", slug, path) or (page, None)
    begun = base or _begin_page(store, one)
    fragments = [(f"{line.text} ({line.citation})", _page_source(line)) for line in lines]
    if base is None:
        fragments = [fragment for fragment in fragments if fragment[0] != one.lede]
    grown = add_fragments(store, begun, NewPage(slug, one.category, _page_source(lines[0])), fragments)
    if grown is None and base is not None:
        return None
    there = read_text(path)
    text = rewrite_page(there, grown or begun)
    was = content_digest(there) if path.exists() else ""
    evidence = tuple(dict.fromkeys((*(waiting.evidence if waiting else ()), *(line.citation for line in lines))))
    title = f"{'Add to' if page else 'Begin'} the page {(grown or begun).name or slug}"
    changes = (DocumentChange(store.relative(path), text, was),)
    is_safe = waiting is None or waiting.is_safe
    return Proposal("wiki", slug, title, one.why, changes, evidence, is_safe)


def _find_page(wiki: Wiki, one: WikiCandidate) -> WikiPage | None:
    """The page that there is for it, by its slug or its name."""
    if one.slug in wiki.pages:
        return wiki.page(one.slug)
    return next((page for page in wiki.own if page.name.casefold() == one.name.casefold()), None)


def _begin_page(store: Store, one: WikiCandidate) -> WikiPage:
    today = store.now().date().isoformat()
    return WikiPage(
        slug=one.slug,
        name=one.name,
        description=one.description or shorten(one.lines[0].text, 160),
        category=one.category,
        sources=(_page_source(one.lines[0]),),
        body=f"\n{one.lede}\n",
        created=today,
        updated=today,
        confidence="low",
    )


def _page_source(line: SourceLine) -> PageSource:
    first, last = line.lines
    return PageSource(SourceRef(line.path, first, last))
