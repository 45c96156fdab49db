"""What of a week is worth a page of the wiki: names that come up day after day, and what was learned outright.

Each becomes a proposal, to begin a page or to add to one; every line of it is cited, and what a person did not want is
not put forward again.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.features.grounding.source_line import LESSON, Line, Weighed
from recall_tui.features.grounding.verify import Cited, checked
from recall_tui.features.wiki.page_changes import Stub, page_with
from recall_tui.features.wiki.pending_page import waiting_page
from recall_tui.storage.documents.wiki_page import CATEGORIES, Category, Source, WikiPage, rewritten, slug_of
from recall_tui.storage.files.atomic import digest, read_text
from recall_tui.storage.state import proposals
from recall_tui.storage.state.proposals import Change, Proposal
from recall_tui.text.classify.keywords import terms
from recall_tui.text.classify.lessons import LessonCollector
from recall_tui.text.classify.mentions import BARE_NUMBER, mentions
from recall_tui.text.cut import cut, one_line

if TYPE_CHECKING:
    from recall_tui.features.consolidation.model import Remembered
    from recall_tui.storage.documents.wiki_folder import Wiki
    from recall_tui.storage.memory_context import Store

MOST = 3
"""Of one week."""
LEAST_DAYS = 3
"""Logs in which a name comes up."""
MOST_LINES = 4
"""Lines with which a page begins."""
_ID_WORDS = 4
_LONGEST_NAME = 60
_LONGEST_LESSON = 240
_LABEL = re.compile(r"^\w[\w ]{0,23}:\s+")
_CLAUSE = re.compile(r"[,;:.]\s|\.$|\s(?:because|since|so that|as)\s")


class Candidate(NamedTuple):
    """Something that may have a page."""

    slug: str
    category: Category
    name: str
    lede: str
    """With where it is from at its end."""
    lines: tuple[Line, ...]
    """What it is from, the weightiest first."""
    why: str
    description: str = ""
    """Empty for the first words of the page."""


def candidates(found: Sequence[Weighed]) -> tuple[Candidate, ...]:
    """What of the statements of a week is worth a page, the weightiest first."""
    return tuple(list(_lessons(found))[:1] + list(_names(found)))[:MOST]


def of_model(store: Store, told: Iterable[Remembered], children: Mapping[str, str]) -> tuple[Candidate, ...]:
    """What a model holds for worth a page, as far as the lines that it names bear it out."""
    cited = Cited(store, children)
    return tuple(one for each in told if (one := _checked(each, cited)) is not None)[:MOST]


def propose(store: Store, wiki: Wiki, found: Iterable[Candidate]) -> tuple[Proposal, ...]:
    """Put pages for them into review: one that is begun, or added to where there is one or one waits already."""
    held = [one for one in proposals.every(store) if one.kind == "wiki"]
    made = (_proposal(store, wiki, one, [other for other in held if other.subject == one.slug]) for one in found)
    return tuple(put for one in made if one is not None and (put := proposals.put(store, one)) is not None)


def _names(found: Sequence[Weighed]) -> Iterator[Candidate]:
    said: defaultdict[str, list[Weighed]] = defaultdict(list)
    for one in found:
        for name in mentions(one.line.text):
            if not BARE_NUMBER.fullmatch(name) and slug_of(name):
                said[name].append(one)
    days = {name: len({one.child for one in lines}) for name, lines in said.items()}
    for name in sorted(said, key=lambda name: (-days[name], name)):
        if days[name] < LEAST_DAYS:
            return
        lines = tuple(one.line for one in sorted(said[name], key=lambda one: (-one.score, one.place))[:MOST_LINES])
        category: Category = "entity" if " " in name or name.istitle() else "concept"
        lede = f"{lines[0].text} ({lines[0].citation})"
        yield Candidate(slug_of(name), category, name, lede, lines, f"Spoken of in {days[name]} logs of one week.")


def _lessons(found: Sequence[Weighed]) -> Iterator[Candidate]:
    collector = LessonCollector()
    lines = {one_line(one.line.text): one for one in found}
    for text in lines:
        collector.say(text)
    kept = [lines[words] for words in collector.lessons() if words in lines]
    for one in sorted(kept, key=lambda one: (-one.score, one.place)):
        text = one.line.text
        slug = slug_of(" ".join(list(dict.fromkeys(terms(text)))[:_ID_WORDS]))
        if slug and len(text) <= _LONGEST_LESSON and LESSON.search(text):
            name = cut(_CLAUSE.split(_LABEL.sub("", text), maxsplit=1)[0], _LONGEST_NAME)
            lede = f"{text} ({one.line.citation})"
            yield Candidate(slug, "concept", name, lede, (one.line,), "It was said outright as something learned.")


def _checked(told: Remembered, cited: Cited) -> Candidate | None:
    name = cut(one_line(told.name), _LONGEST_NAME)
    slug = slug_of(name)
    said = cited.said(place for line in told.lines for place in line.places)
    words = frozenset(terms(name))
    if not (told.lines and slug and words and words <= frozenset(terms(said))):
        return None
    first = told.lines[0]
    places = tuple(dict.fromkeys(place for line in told.lines for place in line.places))
    lede = checked(told.lede, said)
    line = Line(lede, places[0][0], places[0][1:], places[1:]) if lede else first
    category: Category = told.category if told.category in CATEGORIES[:-1] else "concept"
    description = checked(told.description, said)
    why = "The model of consolidation holds it for worth a page; its words are checked."
    return Candidate(slug, category, name, f"{line.text} ({line.citation})", told.lines, why, description)


def _proposal(store: Store, wiki: Wiki, one: Candidate, held: Sequence[Proposal]) -> Proposal | None:
    """The proposal for a page; None when it says all of it, or a person did not want it."""
    page = _page(wiki, one)
    slug = page.slug if page else one.slug
    dismissed = {cited for other in held if other.fate == "dismissed" for cited in other.evidence}
    lines = [line for line in one.lines if line.citation not in dismissed]
    if not lines or (dismissed and page is None):
        return None
    path = wiki.path(slug)
    base, waiting = waiting_page(store, "wiki", slug, path) or (page, None)
    begun = base or _begun(store, one)
    fragments = [(f"{line.text} ({line.citation})", _source(line)) for line in lines]
    if base is None:
        fragments = [fragment for fragment in fragments if fragment[0] != one.lede]
    grown = page_with(store, begun, Stub(slug, one.category, _source(lines[0])), fragments)
    if grown is None and base is not None:
        return None
    there = read_text(path)
    text = rewritten(there, grown or begun)
    was = digest(there) if path.exists() else ""
    evidence = tuple(dict.fromkeys((*(waiting.evidence if waiting else ()), *(line.citation for line in lines))))
    title = f"{'Add to' if page else 'Begin'} the page {(grown or begun).name or slug}"
    changes = (Change(store.relative(path), text, was),)
    is_safe = waiting is None or waiting.is_safe
    return Proposal("wiki", slug, title, one.why, changes, evidence, is_safe)


def _page(wiki: Wiki, one: Candidate) -> WikiPage | None:
    """The page that there is for it, by its slug or its name."""
    if one.slug in wiki.pages:
        return wiki.page(one.slug)
    return next((page for page in wiki.own if page.name.casefold() == one.name.casefold()), None)


def _begun(store: Store, one: Candidate) -> WikiPage:
    today = store.now().date().isoformat()
    return WikiPage(
        slug=one.slug,
        name=one.name,
        description=one.description or cut(one.lines[0].text, 160),
        category=one.category,
        sources=(_source(one.lines[0]),),
        body=f"\n{one.lede}\n",
        created=today,
        updated=today,
        confidence="low",
    )


def _source(line: Line) -> Source:
    first, last = line.lines
    return Source(line.path, first, last - first + 1)
