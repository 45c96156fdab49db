"""A wiki page in order again: what its sources say of it, each statement once, with its lines, the newest first.

Nothing is rephrased and nothing that only the page says is lost: what a person wrote stays where it stands, what a
source says too becomes a cited line, and what is superseded is left to the page's head.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from recall_tui.domain import Plan
from recall_tui.errors import NotFoundError, RecallError, UsageError
from recall_tui.features.documents.citations import of_path
from recall_tui.features.grounding.evidence import Numbered, day_of
from recall_tui.features.grounding.page_note import grounding
from recall_tui.features.grounding.source_line import Line, line_of
from recall_tui.features.wiki.page_changes import LEAST_SOURCES, plan_of
from recall_tui.storage.documents.shared_wikis import target, wiki_in
from recall_tui.storage.documents.statements import Statement, statements
from recall_tui.storage.documents.wiki_folder import Wiki
from recall_tui.storage.documents.wiki_page import Source, WikiPage
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.markdown.outline import lines_of, sections
from recall_tui.storage.memory_context import Store
from recall_tui.text.classify.keywords import terms
from recall_tui.text.classify.similarity import near_duplicates, normal
from recall_tui.text.cut import cut
from recall_tui.text.secrets.redact import redact

HEADING = "From its sources"
"""Where the cited lines stand."""
MOST_OF_SOURCE = 8
"""Statements that are drawn from a source of which the page names no lines."""
LEAST_TO_REBUILD = 2
"""Sources from which a page is rebuilt with all others."""
_LABEL = re.compile(r"\*\*[^*\n]{1,60}:\*\*")


class Drawn(NamedTuple):
    """A statement of a source."""

    line: Line
    day: str
    """When it was said, as an ISO date; empty when nobody knows."""
    is_of_page: bool
    """Whether it speaks of the page's subject; the others only tell where the page's own words are from."""


def material(store: Store, page: WikiPage) -> tuple[Drawn, ...]:
    """What the page's sources say, in their order; NotFoundError when none of them can be read."""
    found: list[Drawn] = []
    is_any = False
    for source in page.sources:
        cited = of_path(store.layout, source.uri)
        if cited.is_there:
            is_any = True
            found += _of_source(store, page, source, cited.reference, cited.lines)
    if not is_any:
        raise NotFoundError(f"none of the sources of {page.slug} can be read", hint="see: recall-tui wiki show")
    return tuple(found)


def rebuild(store: Store, slug: str, shared: str = "", body: str | None = None, stale: Collection[str] = ()) -> Plan:
    """The plan that puts a page in order again.

    `body` is what a model made of the page and its material before, and `stale` what it holds for outdated on it.
    """
    wiki = wiki_in(store, target(store, shared, writes=True).folder)
    page = wiki.page(slug)
    new = _rebuilt(store, page, body, stale)
    if new == page:
        return Plan(f"{page.slug} is in order already")
    return plan_of(store, wiki, f"Rebuilt {page.slug}", {page.slug: replace(new, updated=_today(store))})


def of_many(wiki: Wiki) -> tuple[str, ...]:
    """The pages that are rebuilt with all others."""
    return tuple(slug for slug, page in wiki.pages.items() if _is_one_of_many(page))


def rebuild_all(
    store: Store, shared: str = "", bodies: Mapping[str, tuple[str, Collection[str]]] | None = None
) -> Plan:
    """The plan that puts every page of at least two sources in order; its facts say which it was, and which not.

    `bodies` has what a model made of pages, with what it holds for outdated on them.
    """
    wiki = wiki_in(store, target(store, shared, writes=True).folder)
    changed: dict[str, WikiPage] = {}
    skipped: list[str] = [one.slug for one in wiki.malformed]
    failed: dict[str, str] = {}
    for slug, page in wiki.pages.items():
        if not _is_one_of_many(page):
            skipped.append(slug)
            continue
        try:
            new = _rebuilt(store, page, *(bodies or {}).get(slug, (None, ())))
        except RecallError as error:
            failed[slug] = error.message
            continue
        if new == page:
            skipped.append(slug)
        else:
            changed[slug] = replace(new, updated=_today(store))
    facts: dict[str, object] = {"rebuilt": [*changed], "skipped": skipped, "failed": [*failed]}
    title = f"Rebuilt {len(changed)} pages ({len(skipped)} skipped, {len(failed)} failed)"
    if not changed:
        return Plan(title, notes=tuple(failed.values()), facts=facts)
    plan = plan_of(store, wiki, title, changed, failed.values())
    return replace(plan, facts={**plan.facts, **facts})


def own_words(store: Store, page: WikiPage) -> tuple[str, list[Line]]:
    """The page's body without what its sources say, and the cited lines that were drawn from them before."""
    own, before = _parted(page.body, with_told=True)
    places = {normal(one.line.text): one for one in material(store, page)}
    gone = {normal(one.fact) for one in page.supersedes if one.fact}
    own, _ = _without_cited(own, places, gone)
    return own, before


def _is_one_of_many(page: WikiPage) -> bool:
    return not page.redirect_to and len({source.uri for source in page.sources}) >= LEAST_TO_REBUILD


def _rebuilt(store: Store, page: WikiPage, body: str | None, stale: Collection[str]) -> WikiPage:
    if page.redirect_to:
        raise UsageError(f"{page.slug} became {page.redirect_to}", hint=f"recall-tui wiki rebuild {page.redirect_to}")
    is_much = len({source.uri for source in page.sources}) >= LEAST_SOURCES
    confidence = (page.confidence or "medium") if is_much else "low"
    if body is None:
        return replace(page, body=_ordered(page, material(store, page)), confidence=confidence)
    told = replace(page, body=body, confidence=confidence)
    lines = [Numbered(one.line, one.day) for one in material(store, page)]
    return replace(told, grounding=grounding(store, told, lines, stale))


def _of_source(
    store: Store, page: WikiPage, source: Source, path: str, lines: tuple[int, int] | None
) -> Iterator[Drawn]:
    text = read_text(store.root / path)
    day = day_of(path, text)
    span = (source.start, source.start + source.lines - 1) if source.start else lines
    wanted = frozenset(terms(f"{page.name} {page.slug.replace('-', ' ')}"))
    drawn = 0
    for said in statements(text):
        if redact(said.text) != said.text:
            continue
        if span is not None:
            is_of_page = span[0] <= said.lines[0] and said.lines[1] <= span[1]
        else:
            is_of_page = drawn < MOST_OF_SOURCE and _speaks_of(said, wanted)
        drawn += is_of_page
        yield Drawn(line_of(path, said), day, is_of_page)


def _speaks_of(said: Statement, wanted: frozenset[str]) -> bool:
    """Whether half of the words of the subject's name are in it."""
    there = wanted & frozenset(terms(said.text))
    return bool(there) and 2 * len(there) >= len(wanted)


def _ordered(page: WikiPage, drawn: tuple[Drawn, ...]) -> str:
    """The page's own words as they stand, then the cited lines."""
    own, before = _parted(page.body)
    gone = {normal(one.fact) for one in page.supersedes if one.fact}
    places: dict[str, Drawn] = {}
    for one in drawn:
        places.setdefault(normal(one.line.text), one)
    own, moved = _without_cited(own, places, gone)
    days = {one.line.path: one.day for one in drawn}
    kept = [Drawn(line, days.get(line.path) or day_of(line.path, ""), True) for line in before]
    lines = [*(one for one in drawn if one.is_of_page), *moved, *kept]
    lines = [one for one in lines if normal(one.line.text) not in gone]
    lines.sort(key=lambda one: (one.line.path, one.line.lines))
    lines.sort(key=lambda one: one.day, reverse=True)
    chosen = _once(lines, [said.text for said in statements(own)])
    if not chosen:
        return own
    listed = "".join(f"- {one.line.text} ({one.line.citation})\n" for one in chosen)
    return f"{own.rstrip()}\n\n## {HEADING}\n\n{listed}"


def _parted(body: str, *, with_told: bool = False) -> tuple[str, list[Line]]:
    """The body without the part of cited lines, and those; with what a model told, when that is made anew, too."""
    lines = lines_of(body)
    kept = list(lines)
    cited: list[Line] = []
    loose: list[str] = []
    for section in sections(body):
        inside = lines[section.start + 1 : section.end]
        is_ours = section.title == HEADING or (with_told and _is_told(inside))
        if section.level == 2 and is_ours:
            listed = statements("".join(inside))
            cited += (line_of("", said) for said in listed if said.cited)
            loose += (f"{said.text}\n" for said in listed if not said.cited)
            kept[section.start : section.end] = [""] * (section.end - section.start)
    if not cited and not loose:
        return body, []
    rest = "".join(kept).rstrip("\n")
    return "\n\n".join((rest, *loose)).rstrip("\n") + "\n", cited


def _is_told(lines: Iterable[str]) -> bool:
    """Whether nothing but list items with where each is from stands there, as a model's sections have it."""
    rows = [line for line in lines if line.strip()]
    return bool(rows) and all(row.startswith("- ") and any(said.cited for said in statements(row)) for row in rows)


def _without_cited(body: str, places: dict[str, Drawn], gone: set[str]) -> tuple[str, list[Drawn]]:
    """The body without what is superseded, said twice, or said by a source word for word; and the last with its place.

    The first words of a page and its labelled parts stay.
    """
    moved: list[Drawn] = []
    taken: set[int] = set()
    heard: set[str] = set()
    lines = lines_of(body)
    for number, stretch in enumerate(_stretches(body)):
        said = [normal(one.text) for one in stretch]
        first, last = stretch[0].lines
        is_fixed = number == 0 or _LABEL.match(lines[first - 1].lstrip()) is not None
        if all(one in gone for one in said) or (heard.issuperset(said) and not is_fixed):
            taken.update(range(first, last + 1))
        elif not is_fixed and all(one in places for one in said):
            moved += (places[one]._replace(is_of_page=True) for one in said)
            taken.update(range(first, last + 1))
        heard.update(said)
    if not taken:
        return body, moved
    kept = "".join(line for number, line in enumerate(lines, 1) if number not in taken)
    return re.sub(r"\n{3,}", "\n\n", kept), moved


def _stretches(body: str) -> Iterator[list[Statement]]:
    """The statements of each paragraph and list item that says nothing else."""
    lines = lines_of(body)
    together: dict[tuple[int, int], list[Statement]] = {}
    for said in statements(body):
        together.setdefault(said.lines, []).append(said)
    for (first, last), stretch in together.items():
        whole = normal(" ".join(lines[first - 1 : last]))
        if whole == normal(" ".join(said.text for said in stretch)):
            yield stretch


def _once(lines: list[Drawn], own: Iterable[str]) -> list[Drawn]:
    """Each thing once, and not what the page says in its own words."""
    already = list(own)
    twins = near_duplicates([*already, *(one.line.text for one in lines)])
    again = {later - len(already) for _, later in twins}
    heard = {normal(text) for text in already}
    chosen: list[Drawn] = []
    for place, one in enumerate(lines):
        words = normal(one.line.text)
        if place not in again and words not in heard:
            chosen.append(one._replace(line=one.line._replace(text=cut(one.line.text, 600))))
            heard.add(words)
    return chosen


def _today(store: Store) -> str:
    return store.now().date().isoformat()
