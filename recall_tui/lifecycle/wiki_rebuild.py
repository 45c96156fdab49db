"""A wiki page in order again: what its sources say of it, each statement once, with its lines, the newest first.

Nothing is rephrased and nothing that only the page says is lost: what a person wrote stays where it stands, what a
source says too becomes a cited line, and what is superseded is left to the page's head.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from recall_tui.domain import Plan
from recall_tui.errors import NotFoundError, RecallError, UsageError
from recall_tui.lifecycle.citations import of_path
from recall_tui.lifecycle.period_extract import Line
from recall_tui.lifecycle.wiki import LEAST_SOURCES, plan_of
from recall_tui.storage import wiki_folder
from recall_tui.storage.atomic import read_text
from recall_tui.storage.frontmatter import split
from recall_tui.storage.markdown import lines_of, sections
from recall_tui.storage.statements import Statement, statements
from recall_tui.storage.store import Store
from recall_tui.storage.wiki_page import Source, WikiPage
from recall_tui.storage.wiki_targets import target
from recall_tui.text.cut import cut
from recall_tui.text.keywords import terms
from recall_tui.text.redact import redact
from recall_tui.text.similarity import near_duplicates, normal

HEADING = "From its sources"
"""Where the cited lines stand."""
MOST_OF_SOURCE = 8
"""Statements that are drawn from a source of which the page names no lines."""
LEAST_TO_REBUILD = 2
"""Sources from which a page is rebuilt with all others."""
_LABEL = re.compile(r"\*\*[^*\n]{1,60}:\*\*")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


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


def rebuild(store: Store, slug: str, shared: str = "", body: str | None = None) -> Plan:
    """The plan that puts a page in order again; `body` is what a model made of the page and its material before."""
    wiki = wiki_folder.read(target(store, shared, writes=True).folder)
    page = wiki.page(slug)
    new = _rebuilt(store, page, body)
    if new == page:
        return Plan(f"{page.slug} is in order already")
    return plan_of(store, wiki, f"Rebuilt {page.slug}", {page.slug: replace(new, updated=_today(store))})


def rebuild_all(store: Store, shared: str = "") -> Plan:
    """The plan that puts every page of at least two sources in order; its facts say which it was, and which not."""
    wiki = wiki_folder.read(target(store, shared, writes=True).folder)
    changed: dict[str, WikiPage] = {}
    skipped: list[str] = [one.slug for one in wiki.malformed]
    failed: dict[str, str] = {}
    for slug, page in wiki.pages.items():
        if page.redirect_to or len({source.uri for source in page.sources}) < LEAST_TO_REBUILD:
            skipped.append(slug)
            continue
        try:
            new = _rebuilt(store, page, None)
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


def _rebuilt(store: Store, page: WikiPage, body: str | None) -> WikiPage:
    if page.redirect_to:
        raise UsageError(f"{page.slug} became {page.redirect_to}", hint=f"recall-tui wiki rebuild {page.redirect_to}")
    if body is None:
        body = _ordered(page, material(store, page))
    is_much = len({source.uri for source in page.sources}) >= LEAST_SOURCES
    return replace(page, body=body, confidence=(page.confidence or "medium") if is_much else "low")


def _of_source(
    store: Store, page: WikiPage, source: Source, path: str, lines: tuple[int, int] | None
) -> Iterator[Drawn]:
    text = read_text(store.root / path)
    day = _day_of(path, text)
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
        where = Line(said.text, *said.cited[:1], said.cited[1:]) if said.cited else Line(said.text, path, said.lines)
        yield Drawn(where, day, is_of_page)


def _speaks_of(said: Statement, wanted: frozenset[str]) -> bool:
    """Whether half of the words of the subject's name are in it."""
    there = wanted & frozenset(terms(said.text))
    return bool(there) and 2 * len(there) >= len(wanted)


def _day_of(path: str, text: str) -> str:
    """The day in a document's name, else at its head."""
    if named := _DAY.search(path.rpartition("/")[2]):
        return named[0]
    dated = _DAY.match(str(split(text)[0].get("date", "")))
    return dated[0] if dated else ""


def _ordered(page: WikiPage, drawn: tuple[Drawn, ...]) -> str:
    """The page's own words as they stand, then the cited lines."""
    own, before = _parted(page.body)
    gone = {normal(one.fact) for one in page.supersedes if one.fact}
    places: dict[str, Drawn] = {}
    for one in drawn:
        places.setdefault(normal(one.line.text), one)
    own, moved = _without_cited(own, places, gone)
    days = {one.line.path: one.day for one in drawn}
    kept = [Drawn(line, days.get(line.path) or _day_of(line.path, ""), True) for line in before]
    lines = [*(one for one in drawn if one.is_of_page), *moved, *kept]
    lines = [one for one in lines if normal(one.line.text) not in gone]
    lines.sort(key=lambda one: (one.line.path, one.line.lines))
    lines.sort(key=lambda one: one.day, reverse=True)
    chosen = _once(lines, [said.text for said in statements(own)])
    if not chosen:
        return own
    listed = "".join(f"- {one.line.text} ({one.line.citation})\n" for one in chosen)
    return f"{own.rstrip()}\n\n## {HEADING}\n\n{listed}"


def _parted(body: str) -> tuple[str, list[Line]]:
    """The body without the part of cited lines, and those."""
    lines = lines_of(body)
    for section in sections(body):
        if section.level == 2 and section.title == HEADING:
            listed = statements("".join(lines[section.start : section.end]))
            cited = [Line(said.text, said.cited[0], said.cited[1:]) for said in listed if said.cited]
            loose = [f"{said.text}\n" for said in listed if not said.cited]
            rest = "".join((*lines[: section.start], *lines[section.end :])).rstrip("\n")
            return "\n\n".join((rest, *loose)).rstrip("\n") + "\n", cited
    return body, []


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
