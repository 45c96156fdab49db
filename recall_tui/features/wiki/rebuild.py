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
from recall_tui.features.documents.session_points import is_session_page, parse_session_entry
from recall_tui.features.grounding.evidence import NumberedLine, document_day
from recall_tui.features.grounding.extractive_summary import SourceLine, report_source, to_source_line
from recall_tui.features.grounding.session_report import entry_report
from recall_tui.features.wiki.page_changes import MIN_SOURCES, plan_pages
from recall_tui.features.wiki.page_note import grounding_note
from recall_tui.features.wiki.page_sources import OpenedSource, open_source
from recall_tui.features.wiki.present_body import SOURCES_HEADING, with_evidence
from recall_tui.storage.documents.shared_wikis import find_wiki, read_wiki
from recall_tui.storage.documents.statements import Statement, page_statements
from recall_tui.storage.documents.wiki_claims import (
    outdated_claims,
    present_claims,
    present_text,
    with_present_description,
)
from recall_tui.storage.documents.wiki_folder import Wiki
from recall_tui.storage.documents.wiki_page import WikiPage
from recall_tui.storage.markdown.outline import parse_sections, split_lines
from recall_tui.storage.memory_context import Store
from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.classify.similarity import claim_words, near_duplicates, normalize
from recall_tui.text.cut import shorten
from recall_tui.text.secrets.redact import redact

MAX_SOURCE_STATEMENTS = 8
"""Statements that are drawn from a source of which the page names no lines."""
MIN_REBUILD_SOURCES = 2
"""Sources from which a page is rebuilt with all others."""
_LABEL = re.compile(r"\*\*[^*\n]{1,60}:\*\*")


class SourceStatement(NamedTuple):
    """A statement of a source."""

    line: SourceLine
    day: str
    """When it was said, as an ISO date; empty when nobody knows."""
    is_of_page: bool
    """Whether it speaks of the page's subject; the others only tell where the page's own words are from."""


def source_statements(store: Store, page: WikiPage) -> tuple[SourceStatement, ...]:
    """What the page's sources say, in their order; NotFoundError when none of them can be read."""
    found: list[SourceStatement] = []
    opened = [one for source in page.sources if (one := open_source(store, source))]
    for one in opened:
        found += _statements_of(page, one)
    if not opened:
        raise NotFoundError(f"none of the sources of {page.slug} can be read", hint="see: recall-tui wiki lint")
    return tuple(found)


def rebuild(store: Store, slug: str, shared: str = "", body: str | None = None, stale: Collection[str] = ()) -> Plan:
    """The plan that puts a page in order again.

    `body` is what a model made of the page and its material before, and `stale` what it holds for outdated on it.
    """
    wiki = read_wiki(store, find_wiki(store, shared, writes=True).folder)
    page = wiki.page(slug)
    new = _rebuild_page(store, page, body, stale)
    if new == page:
        return Plan(f"{page.slug} is in order already")
    return plan_pages(store, wiki, f"Rebuilt {page.slug}", {page.slug: replace(new, updated=_today_iso(store))})


def rebuildable_pages(wiki: Wiki) -> tuple[str, ...]:
    """The pages that are rebuilt with all others."""
    return tuple(slug for slug, page in wiki.pages.items() if _is_rebuildable(page))


def rebuild_all(
    store: Store, shared: str = "", bodies: Mapping[str, tuple[str, Collection[str]]] | None = None
) -> Plan:
    """The plan that puts every page of at least two sources in order; its facts say which it was, and which not.

    `bodies` has what a model made of pages, with what it holds for outdated on them.
    """
    wiki = read_wiki(store, find_wiki(store, shared, writes=True).folder)
    changed: dict[str, WikiPage] = {}
    skipped: list[str] = [one.slug for one in wiki.malformed]
    failed: dict[str, str] = {}
    for slug, page in wiki.pages.items():
        if not _is_rebuildable(page):
            skipped.append(slug)
            continue
        try:
            new = _rebuild_page(store, page, *(bodies or {}).get(slug, (None, ())))
        except RecallError as error:
            failed[slug] = error.message
            continue
        if new == page:
            skipped.append(slug)
        else:
            changed[slug] = replace(new, updated=_today_iso(store))
    facts: dict[str, object] = {"rebuilt": [*changed], "skipped": skipped, "failed": [*failed]}
    count = "1 page" if len(changed) == 1 else f"{len(changed)} pages"
    title = f"Rebuilt {count} ({len(skipped)} skipped, {len(failed)} failed)"
    if not changed:
        return Plan(title, notes=tuple(failed.values()), facts=facts)
    plan = plan_pages(store, wiki, title, changed, failed.values())
    return replace(plan, facts={**plan.facts, **facts})


def split_own_text(store: Store, page: WikiPage) -> tuple[str, list[SourceLine]]:
    """The page's body without what its sources say, and the cited lines that were drawn from them before."""
    own, before = _split_cited(page.body, with_told=True)
    places = {normalize(one.line.text): one for one in source_statements(store, page)}
    gone = set(outdated_claims(page))
    own, _ = _drop_cited(own, places, gone)
    return own, before


def _is_rebuildable(page: WikiPage) -> bool:
    return not page.redirect_to and len({source.ref.document for source in page.sources}) >= MIN_REBUILD_SOURCES


def _rebuild_page(store: Store, page: WikiPage, body: str | None, stale: Collection[str]) -> WikiPage:
    if page.redirect_to:
        raise UsageError(f"{page.slug} became {page.redirect_to}", hint=f"recall-tui wiki rebuild {page.redirect_to}")
    page = with_present_description(with_evidence(page))
    is_much = len({source.ref.document for source in page.sources}) >= MIN_SOURCES
    confidence = ("high" if page.confidence == "high" else "medium") if is_much else "low"
    if body is None:
        return replace(page, body=_render_body(page, source_statements(store, page)), confidence=confidence)
    told = replace(page, body=body, confidence=confidence)
    lines = [NumberedLine(one.line, one.day) for one in source_statements(store, page)]
    return replace(told, grounding=grounding_note(store, told, lines, stale))


def _statements_of(page: WikiPage, source: OpenedSource) -> Iterator[SourceStatement]:
    path, text, span = source
    day = document_day(path, text)
    wanted = frozenset(topic_terms(f"{page.name} {page.slug.replace('-', ' ')}"))
    drawn = 0
    entry = parse_session_entry(path, text) if is_session_page(text) else None
    for one in entry_report(entry) if entry else ():
        if redact(one.text) != one.text:
            continue
        line = report_source(path, one)
        places = [at for place in line.places for at in (place.first, place.last)]
        is_cited = span is not None and any(span[0] <= at <= span[1] for at in places)
        is_of_page = is_cited or (span is None and drawn < MAX_SOURCE_STATEMENTS and _speaks_of(one.text, wanted))
        drawn += is_of_page
        yield SourceStatement(line, day, is_of_page)
    for said in page_statements(text):
        if redact(said.text) != said.text:
            continue
        if entry is not None:
            is_of_page = False  # Of a session that has a digest, its report says what is worth a line.
        elif span is not None:
            is_of_page = span[0] <= said.lines[0] and said.lines[1] <= span[1]
        else:
            is_of_page = drawn < MAX_SOURCE_STATEMENTS and _speaks_of(said.text, wanted)
        drawn += is_of_page
        yield SourceStatement(to_source_line(path, said), day, is_of_page)


def _speaks_of(text: str, wanted: frozenset[str]) -> bool:
    """Whether half of the words of the subject's name are in it."""
    there = wanted & frozenset(topic_terms(text))
    return bool(there) and 2 * len(there) >= len(wanted)


def _render_body(page: WikiPage, drawn: tuple[SourceStatement, ...]) -> str:
    """The page's own words as they stand, then the cited lines."""
    gone = set(outdated_claims(page))
    places: dict[str, SourceStatement] = {}
    for one in drawn:
        places.setdefault(normalize(one.line.text), one)
    own, before = _split_cited(_with_present_lede(page, places))
    own, moved = _drop_cited(own, places, gone)
    days = {one.line.path: one.day for one in drawn}
    kept = [SourceStatement(line, days.get(line.path) or document_day(line.path, ""), True) for line in before]
    lines = [*(one for one in drawn if one.is_of_page), *moved, *kept]
    outdated = {claim_words(one) for one in gone}
    lines = [one for one in lines if claim_words(one.line.text) not in outdated]
    lines.sort(key=lambda one: (one.line.path, one.line.lines))
    lines.sort(key=lambda one: one.day, reverse=True)
    chosen = _drop_duplicates(lines, [said.text for said in page_statements(own)])
    own = _with_present_claims(page, own, chosen)
    if not chosen:
        return own
    listed = "".join(f"- {one.line.text} ({one.line.citation})\n" for one in chosen)
    return f"{own.rstrip()}\n\n## {SOURCES_HEADING}\n\n{listed}"


def _with_present_lede(page: WikiPage, places: Mapping[str, SourceStatement]) -> str:
    """The body with what holds now in place of first words that hold no longer."""
    first = next(_statement_groups(page.body), None)
    if first is None:
        return page.body
    now = " ".join(dict.fromkeys(present_text(page, said.text) for said in first)).strip()
    at = places.get(normalize(now))
    is_claim = normalize(now) in {normalize(one.by) for one in present_claims(page)}
    needs_place = bool(at) and is_claim and not any(said.cited for said in first)
    if not now or (now == " ".join(said.text for said in first) and not needs_place):
        return page.body
    lines = list(split_lines(page.body))
    start, end = first[0].lines
    lines[start - 1 : end] = [f"{now} ({at.line.citation})\n" if at else f"{now}\n"]
    return "".join(lines)


def _with_present_claims(page: WikiPage, own: str, chosen: Iterable[SourceStatement]) -> str:
    """The page's own words with each claim that took another's place, where nothing on the page says it."""
    there = {normalize(said.text) for said in page_statements(own)} | {normalize(one.line.text) for one in chosen}
    missing = [one for one in present_claims(page) if normalize(one.by) not in there and one.fact]
    return own.rstrip("\n") + "".join(f"\n\n{redact(one.by)}" for one in missing) + "\n" if missing else own


def _split_cited(body: str, *, with_told: bool = False) -> tuple[str, list[SourceLine]]:
    """The body without the part of cited lines, and those; with what a model told, when that is made anew, too."""
    lines = split_lines(body)
    kept = list(lines)
    cited: list[SourceLine] = []
    loose: list[str] = []
    for section in parse_sections(body):
        inside = lines[section.start + 1 : section.end]
        is_ours = section.title == SOURCES_HEADING or (with_told and _is_cited_list(inside))
        if section.level == 2 and is_ours:
            listed = page_statements("".join(inside))
            cited += (to_source_line("", said) for said in listed if said.cited)
            loose += (f"{said.text}\n" for said in listed if not said.cited)
            kept[section.start : section.end] = [""] * (section.end - section.start)
    if not cited and not loose:
        return body, []
    rest = "".join(kept).rstrip("\n")
    return "\n\n".join((rest, *loose)).rstrip("\n") + "\n", cited


def _is_cited_list(lines: Iterable[str]) -> bool:
    """Whether nothing but list items with where each is from stands there, as a model's sections have it."""
    rows = [line for line in lines if line.strip()]
    return bool(rows) and all(row.startswith("- ") and any(said.cited for said in page_statements(row)) for row in rows)


def _drop_cited(body: str, places: dict[str, SourceStatement], gone: set[str]) -> tuple[str, list[SourceStatement]]:
    """The body without what is superseded, said twice, or said by a source word for word; and the last with its place.

    The first words of a page and its labelled parts stay.
    """
    moved: list[SourceStatement] = []
    taken: set[int] = set()
    heard: set[str] = set()
    lines = split_lines(body)
    for number, stretch in enumerate(_statement_groups(body)):
        said = [normalize(one.text) for one in stretch]
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


def _statement_groups(body: str) -> Iterator[list[Statement]]:
    """The statements of each paragraph and list item that says nothing else."""
    lines = split_lines(body)
    together: dict[tuple[int, int], list[Statement]] = {}
    for said in page_statements(body):
        together.setdefault(said.lines, []).append(said)
    for (first, last), stretch in together.items():
        whole = normalize(" ".join(lines[first - 1 : last]))
        if whole == normalize(" ".join(said.text for said in stretch)):
            yield stretch


def _drop_duplicates(lines: list[SourceStatement], own: Iterable[str]) -> list[SourceStatement]:
    """Each thing once, and not what the page says in its own words."""
    already = list(own)
    twins = near_duplicates([*already, *(one.line.text for one in lines)])
    again = {later - len(already) for _, later in twins}
    heard = {normalize(text) for text in already}
    chosen: list[SourceStatement] = []
    for place, one in enumerate(lines):
        words = normalize(one.line.text)
        if place not in again and words not in heard:
            chosen.append(one._replace(line=one.line._replace(text=shorten(one.line.text, 600))))
            heard.add(words)
    return chosen


def _today_iso(store: Store) -> str:
    return store.now().date().isoformat()
