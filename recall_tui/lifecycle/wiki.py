"""The wiki's verbs: a page begun, added to, made one with another, renamed; a claim that holds no longer.

Every verb is a plan, takes the list of pages with it, and keeps each source, superseded claim and inbound link.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from recall_tui.domain import Create, Edit, Plan, Replace
from recall_tui.errors import ConflictError, UsageError
from recall_tui.storage import wiki_folder
from recall_tui.storage.atomic import digest, read_text
from recall_tui.storage.store import Store
from recall_tui.storage.wiki_folder import Wiki
from recall_tui.storage.wiki_page import (
    CATEGORIES,
    INDEX,
    Category,
    Source,
    Superseded,
    WikiPage,
    is_slug,
    relinked,
    render,
    slug_of,
    with_source,
)
from recall_tui.text.redact import redact

LEAST_SOURCES = 3
"""Sources from which a page is more than a beginning."""
_FROM = re.compile(r"\s*\([^\s()]{1,200}:\d{1,7}(?:-\d{1,7})?\)$")


class Stub(NamedTuple):
    """What a page begins with."""

    slug: str
    category: Category
    source: Source
    name: str = ""
    description: str = ""
    lede: str = ""
    parts: Mapping[str, str] = {}
    """Further parts by their label, such as `Why` and `How to apply`."""


PARTS: Mapping[Category, tuple[str, ...]] = {
    "entity": (),
    "concept": ("Why", "How to apply"),
    "project": ("Why", "How to apply"),
    "reference": ("Where to find it", "When to use it"),
    "theme": (),
}
"""What a page of each category says beside its first words."""


def wiki_of(store: Store) -> Wiki:
    """The memory's wiki as it is now."""
    return wiki_folder.read(store.layout.wiki)


def stub(store: Store, begun: Stub) -> Plan:
    """The plan that begins a page; ConflictError when there is one, UsageError for a slug that no page may have."""
    wiki = wiki_of(store)
    if not is_slug(begun.slug):
        near = slug_of(begun.slug)
        raise UsageError(f"{begun.slug!r} is no slug", hint=f"such as {near}" if near else "such as jwt-auth")
    if begun.category not in CATEGORIES or begun.category == "theme":
        raise UsageError(f"no page begins as a {begun.category}", hint=", ".join(CATEGORIES[:-1]))
    if begun.slug in wiki.pages or wiki.path(begun.slug).exists():
        raise ConflictError(f"the wiki has a page {begun.slug}", hint=f"recall-tui wiki append {begun.slug}")
    today = _today(store)
    name = begun.name.strip() or begun.slug.replace("-", " ")
    lede = redact(begun.lede.strip()) or name
    parts = "".join(
        f"\n**{label}:** {redact(words.strip())}\n" for label, words in begun.parts.items() if words.strip()
    )
    page = WikiPage(
        slug=begun.slug,
        name=redact(name),
        description=redact(begun.description.strip()) or _first(lede),
        category=begun.category,
        sources=(begun.source,),
        body=f"\n{lede}\n{parts}",
        created=today,
        updated=today,
        confidence="low",
    )
    return _plan(store, wiki, f"Began {begun.slug} ({begun.category})", {begun.slug: page})


def page_with(
    store: Store,
    page: WikiPage | None,
    begun: Stub,
    fragments: Iterable[tuple[str, Source]],
    superseded: Iterable[Superseded] = (),
) -> WikiPage | None:
    """The page with what the fragments say, begun when there is none; None when it says all of it already."""
    today = _today(store)
    grown = page or WikiPage(
        slug=begun.slug,
        name=begun.name or begun.slug,
        description="",
        category=begun.category,
        sources=(),
        body="",
        created=today,
        confidence="low",
    )
    for text, source in fragments:
        fragment = redact(text.strip())
        if fragment and fragment not in grown.body:
            body = grown.body.rstrip()
            gap = "\n" if not body or body.rpartition("\n")[2].startswith("- ") else "\n\n"
            grown = replace(with_source(grown, source), body=f"{body}{gap}- {fragment}\n")
    grown = _with_superseded(grown, superseded)
    if page is not None and grown == page:
        return None
    description = grown.description or _first(grown.body)
    return replace(grown, description=description, updated=today) if grown.sources else None


def append(store: Store, slug: str, text: str, source: Source, superseded: Iterable[Superseded] = ()) -> Plan:
    """The plan that adds a fragment and its source to a page; a fragment that stands there already is not added."""
    wiki = wiki_of(store)
    page = wiki.page(slug)
    fragment = redact(text.strip())
    if not fragment:
        raise UsageError("there is nothing to add", hint='recall-tui wiki append SLUG --source S --body "…"')
    grown = with_source(page, source)
    if fragment not in page.body:
        grown = replace(grown, body=f"{page.body.rstrip()}\n\n{fragment}\n")
    grown = _with_superseded(grown, superseded)
    if grown == page:
        return Plan(f"{page.slug} says that already")
    count = len(grown.sources)
    title = f"Added to {page.slug} ({count} source{'' if count == 1 else 's'} now)"
    return _plan(store, wiki, title, {page.slug: replace(grown, updated=_today(store))})


def supersede(store: Store, slug: str, superseded: Superseded) -> Plan:
    """The plan that notes a claim of the page which holds no longer: what, by which evidence and from which day."""
    wiki = wiki_of(store)
    page = wiki.page(slug)
    grown = _with_superseded(page, (superseded,))
    if grown == page:
        return Plan(f"{page.slug}: that is known to be superseded already")
    title = f"Superseded a claim of {page.slug}"
    return _plan(store, wiki, title, {page.slug: replace(grown, updated=_today(store))})


def merge(store: Store, source: str, target: str) -> Plan:
    """The plan that makes one page a part of another; links to it lead there, and it stays as a redirect."""
    wiki = wiki_of(store)
    gone, kept = wiki.page(source), wiki.page(target)
    if gone.slug == kept.slug:
        raise UsageError("a page cannot be merged with itself", hint="name two pages")
    whole = kept
    for one in gone.sources:
        whole = with_source(whole, one)
    whole = replace(
        _with_superseded(whole, gone.supersedes),
        body=f"{kept.body.rstrip()}\n\n## Merged from {gone.name}\n\n{gone.body.strip()}\n",
        related=_united(kept.related, gone.related, but=(gone.slug, kept.slug)),
        contradicts=_united(kept.contradicts, gone.contradicts, but=(gone.slug, kept.slug)),
        updated=_today(store),
    )
    changed = _moved(store, wiki, gone, whole)
    return _plan(store, wiki, f"Merged {gone.slug} into {kept.slug}", changed)


def rename(store: Store, old: str, new: str) -> Plan:
    """The plan that gives a page another slug; links follow, and the old one stays as a redirect."""
    wiki = wiki_of(store)
    page = wiki.page(old)
    if not is_slug(new):
        raise UsageError(f"{new!r} is no slug", hint=f"such as {slug_of(new) or 'jwt-auth'}")
    if new in wiki.pages or wiki.path(new).exists():
        raise ConflictError(f"the wiki has a page {new}", hint=f"recall-tui wiki merge {page.slug} {new}")
    changed = _moved(store, wiki, page, replace(page, slug=new, updated=_today(store)))
    return _plan(store, wiki, f"Renamed {page.slug} to {new}", changed)


def _moved(store: Store, wiki: Wiki, gone: WikiPage, there: WikiPage) -> dict[str, WikiPage]:
    """The pages that change when one page is found at another's place: both, and all that lead to the old one."""
    changed: dict[str, WikiPage] = {}
    for slug, page in wiki.pages.items():
        if slug in (gone.slug, there.slug):
            continue
        led = replace(
            page,
            body=relinked(page.body, gone.slug, there.slug),
            related=_united(_renamed(page.related, gone.slug, there.slug), (), but=(page.slug,)),
            contradicts=_united(_renamed(page.contradicts, gone.slug, there.slug), (), but=(page.slug,)),
            redirect_to=there.slug if page.redirect_to == gone.slug else page.redirect_to,
        )
        if led != page:
            changed[slug] = led
    own = replace(there, body=relinked(there.body, gone.slug, there.slug))
    redirect = replace(
        gone, redirect_to=there.slug, body=f"\nThis page is now [[{there.slug}]].\n", updated=_today(store), related=()
    )
    return {there.slug: own, gone.slug: redirect, **changed}


def _renamed(slugs: Iterable[str], old: str, new: str) -> tuple[str, ...]:
    return tuple(new if slug == old else slug for slug in slugs)


def _united(one: Iterable[str], other: Iterable[str], *, but: Iterable[str]) -> tuple[str, ...]:
    left = set(but)
    return tuple(dict.fromkeys(slug for slug in (*one, *other) if slug not in left))


def _with_superseded(page: WikiPage, superseded: Iterable[Superseded]) -> WikiPage:
    """The page with the claims noted; the same claim by the same source once, however many a source supersedes."""
    there = {(one.source, one.fact) for one in page.supersedes}
    new = [
        one._replace(fact=redact(one.fact), by=redact(one.by))
        for one in superseded
        if (one.source, redact(one.fact)) not in there
    ]
    return replace(page, supersedes=(*page.supersedes, *new)) if new else page


def _plan(store: Store, wiki: Wiki, title: str, changed: Mapping[str, WikiPage]) -> Plan:
    """The plan for these pages, with the list of all pages as it is then."""
    edits = [_edit(wiki, slug, render(page)) for slug, page in changed.items()]
    pages = {**wiki.pages, **changed}
    edits.append(_edit(wiki, INDEX, wiki_folder.index_page(pages.values(), store.now().date())))
    facts = {"pages": [*changed]}
    return Plan(title, tuple(edit for edit in edits if edit is not None), facts=facts)


def _edit(wiki: Wiki, slug: str, text: str) -> Edit | None:
    path = wiki.path(slug)
    now = read_text(path)
    if not now and not path.exists():
        return Create(path, text)
    return None if now == text else Replace(path, digest(now), text)


def _first(text: str) -> str:
    """The first sentence without where it is from, for a page that has no description."""
    from recall_tui.text.cut import cut, one_line
    from recall_tui.text.sentences import sentences

    said = one_line(next(iter(sentences(text)), text))
    return cut(_FROM.sub("", said) or said, 160)


def _today(store: Store) -> str:
    return store.now().date().isoformat()
