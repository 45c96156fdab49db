"""The wiki's verbs: a page begun, added to, made one with another, renamed; a claim that holds no longer.

Every verb is a plan, takes the list of pages with it, and keeps each source, superseded claim and inbound link.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from recall_tui.domain import Create, Edit, Plan, Replace
from recall_tui.errors import ConflictError, UsageError
from recall_tui.features.wiki.present_body import with_present_claims
from recall_tui.features.wiki.trajectory import with_trajectories
from recall_tui.storage.documents import wiki_folder
from recall_tui.storage.documents.conflicts import expect_settled
from recall_tui.storage.documents.shared_wikis import PRIVATE_WIKI, find_wiki, read_wiki
from recall_tui.storage.documents.wiki_folder import Wiki
from recall_tui.storage.documents.wiki_page import (
    CATEGORIES,
    INDEX_SLUG,
    Category,
    PageSource,
    SupersededClaim,
    WikiPage,
    find_links,
    is_slug,
    make_slug,
    parse_wiki_page,
    retarget_links,
    rewrite_page,
    with_source,
)
from recall_tui.storage.files import atomic
from recall_tui.storage.files.atomic import content_digest, read_text
from recall_tui.storage.files.symlinks import expect_within
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import own_lines, proposals
from recall_tui.storage.state.proposals import Proposal
from recall_tui.text.classify.similarity import normalize
from recall_tui.text.secrets.redact import redact

MIN_SOURCES = 3
"""Sources from which a page is more than a beginning."""
_CITATION_SUFFIX = re.compile(r"\s*\([^\s()]{1,200}:\d{1,7}(?:-\d{1,7})?\)$")


class NewPage(NamedTuple):
    """What a page begins with."""

    slug: str
    category: Category
    source: PageSource
    name: str = ""
    description: str = ""
    lede: str = ""
    parts: Mapping[str, str] = {}
    """Further parts by their label, such as `Why` and `How to apply`."""


PART_LABELS: Mapping[Category, tuple[str, ...]] = {
    "entity": (),
    "concept": ("Why", "How to apply"),
    "project": ("Why", "How to apply"),
    "reference": ("Where to find it", "When to use it"),
    "theme": (),
}
"""What a page of each category says beside its first words."""


def open_wiki(store: Store, shared: str = "") -> Wiki:
    """The memory's wiki as it is now, or the shared one of a name."""
    return read_wiki(store, find_wiki(store, shared).folder)


def stub(store: Store, begun: NewPage, shared: str = "") -> Plan:
    """The plan that begins a page; ConflictError when there is one, UsageError for a slug that no page may have."""
    wiki = _writable_wiki(store, shared)
    if not is_slug(begun.slug):
        near = make_slug(begun.slug)
        raise UsageError(f"{begun.slug!r} is no slug", hint=f"such as {near}" if near else "such as jwt-auth")
    if begun.category not in CATEGORIES or begun.category == "theme":
        raise UsageError(f"no page begins as a {begun.category}", hint=", ".join(CATEGORIES[:-1]))
    if wiki.holds(begun.slug) or wiki.path(begun.slug).exists():
        raise ConflictError(f"the wiki has a page {begun.slug}", hint=f"recall-tui wiki append {begun.slug}")
    today = _today_iso(store)
    name = begun.name.strip() or begun.slug.replace("-", " ")
    lede = redact(begun.lede.strip()) or name
    parts = "".join(
        f"\n**{label}:** {redact(words.strip())}\n" for label, words in begun.parts.items() if words.strip()
    )
    page = WikiPage(
        slug=begun.slug,
        name=redact(name),
        description=redact(begun.description.strip()) or _first_sentence(lede),
        category=begun.category,
        sources=(begun.source,),
        body=f"\n{lede}\n{parts}",
        created=today,
        updated=today,
        confidence="low",
    )
    _check_links(page, shared)
    return plan_pages(store, wiki, f"Started the page {begun.slug} ({begun.category})", {begun.slug: page})


def add_fragments(
    store: Store,
    page: WikiPage | None,
    begun: NewPage,
    fragments: Iterable[tuple[str, PageSource]],
    superseded: Iterable[SupersededClaim] = (),
) -> WikiPage | None:
    """The page with what the fragments say, begun when there is none; None when it says all of it already."""
    today = _today_iso(store)
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
    grown = _add_superseded(grown, superseded)
    if page is not None and grown == page:
        return None
    description = grown.description or _first_sentence(grown.body)
    return replace(grown, description=description, updated=today) if grown.sources else None


def append(
    store: Store, slug: str, text: str, source: PageSource, superseded: Iterable[SupersededClaim] = (), shared: str = ""
) -> Plan:
    """The plan that adds a fragment and its source to a page; a fragment that stands there already is not added."""
    wiki = _writable_wiki(store, shared)
    page = wiki.page(slug)
    fragment = redact(text.strip())
    if not fragment:
        raise UsageError("there is nothing to add", hint='recall-tui wiki append SLUG --source S --body "…"')
    grown = with_source(page, source)
    if fragment not in page.body:
        grown = replace(grown, body=f"{page.body.rstrip()}\n\n{fragment}\n")
    grown = _add_superseded(grown, superseded)
    if grown == page:
        return Plan(f"{page.slug} says that already")
    _check_links(grown, shared)
    count = len(grown.sources)
    title = f"Added to {page.slug} ({count} source{'' if count == 1 else 's'} now)"
    return plan_pages(store, wiki, title, {page.slug: replace(grown, updated=_today_iso(store))})


def supersede(store: Store, slug: str, superseded: SupersededClaim, shared: str = "") -> Plan:
    """The plan that notes a claim of the page which holds no longer: what, by which evidence and from which day."""
    wiki = _writable_wiki(store, shared)
    page = wiki.page(slug)
    grown = _add_superseded(page, (superseded,))
    if grown == page:
        return Plan(f"{page.slug}: that is known to be superseded already")
    is_said = normalize(superseded.fact) in normalize(page.body)
    notes = () if is_said else (f"{page.slug} does not say that in these words; it is noted at the page's head",)
    title = f"Superseded a claim of {page.slug}"
    return plan_pages(store, wiki, title, {page.slug: replace(grown, updated=_today_iso(store))}, notes)


def merge(store: Store, source: str, into: str, shared: str = "") -> Plan:
    """The plan that makes one page a part of another; links to it lead there, and it stays as a redirect."""
    wiki = _writable_wiki(store, shared)
    gone, kept = wiki.page(source), wiki.page(into)
    if gone.slug == kept.slug:
        raise UsageError("a page cannot be merged with itself", hint="name two pages")
    whole = kept
    for one in gone.sources:
        whole = with_source(whole, one)
    body = f"{kept.body.rstrip()}\n\n## Merged from {gone.name}\n\n{gone.body.strip()}\n"
    whole = replace(
        _add_superseded(replace(whole, body=body), gone.supersedes),
        related=_merge_slugs(kept.related, gone.related, but=(gone.slug, kept.slug)),
        contradicts=_merge_slugs(kept.contradicts, gone.contradicts, but=(gone.slug, kept.slug)),
        updated=_today_iso(store),
    )
    changed = _move_page(store, wiki, gone, whole)
    return plan_pages(store, wiki, f"Merged {gone.slug} into {kept.slug}", changed)


def rename(store: Store, old: str, new: str, shared: str = "") -> Plan:
    """The plan that gives a page another slug; links follow, and the old one stays as a redirect."""
    wiki = _writable_wiki(store, shared)
    page = wiki.page(old)
    if not is_slug(new):
        raise UsageError(f"{new!r} is no slug", hint=f"such as {make_slug(new) or 'jwt-auth'}")
    if wiki.holds(new) or wiki.path(new).exists():
        raise ConflictError(f"the wiki has a page {new}", hint=f"recall-tui wiki merge {page.slug} {new}")
    changed = _move_page(store, wiki, page, replace(page, slug=new, updated=_today_iso(store)))
    return plan_pages(store, wiki, f"Renamed {page.slug} to {new}", changed)


def _writable_wiki(store: Store, shared: str) -> Wiki:
    return read_wiki(store, find_wiki(store, shared, writes=True).folder)


def _check_links(page: WikiPage, shared: str) -> None:
    """A page that others read leads to no page that they have not."""
    if shared and shared != PRIVATE_WIKI:
        for link in find_links(page.body):
            if link.target == PRIVATE_WIKI:
                raise UsageError(
                    f"[[{PRIVATE_WIKI}:{link.slug}]] links to a page that others cannot read", hint="leave it out"
                )


def _move_page(store: Store, wiki: Wiki, gone: WikiPage, there: WikiPage) -> dict[str, WikiPage]:
    """The pages that change when one page is found at another's place: both, and all that lead to the old one."""
    changed: dict[str, WikiPage] = {}
    for slug, page in wiki.pages.items():
        if slug in (gone.slug, there.slug):
            continue
        led = replace(
            page,
            body=retarget_links(page.body, gone.slug, there.slug),
            related=_merge_slugs(_replace_slug(page.related, gone.slug, there.slug), (), but=(page.slug,)),
            contradicts=_merge_slugs(_replace_slug(page.contradicts, gone.slug, there.slug), (), but=(page.slug,)),
            redirect_to=there.slug if page.redirect_to == gone.slug else page.redirect_to,
        )
        if led != page:
            changed[slug] = led
    own = replace(there, body=retarget_links(there.body, gone.slug, there.slug))
    redirect = replace(
        gone,
        redirect_to=there.slug,
        body=f"\nThis page is now [[{there.slug}]].\n",
        updated=_today_iso(store),
        related=(),
    )
    return {there.slug: own, gone.slug: redirect, **changed}


def _replace_slug(slugs: Iterable[str], old: str, new: str) -> tuple[str, ...]:
    return tuple(new if slug == old else slug for slug in slugs)


def _merge_slugs(one: Iterable[str], other: Iterable[str], *, but: Iterable[str]) -> tuple[str, ...]:
    left = set(but)
    return tuple(dict.fromkeys(slug for slug in (*one, *other) if slug not in left))


def _add_superseded(page: WikiPage, superseded: Iterable[SupersededClaim]) -> WikiPage:
    """The page with the claims noted; the same claim by the same source once, however many a source supersedes."""
    there = {(one.source, one.fact) for one in page.supersedes}
    new = [
        one._replace(fact=redact(one.fact), by=redact(one.by))
        for one in superseded
        if (one.source, redact(one.fact)) not in there
    ]
    return with_present_claims(replace(page, supersedes=(*page.supersedes, *new))) if new else page


def plan_pages(
    store: Store, wiki: Wiki, title: str, changed: Mapping[str, WikiPage], notes: Iterable[str] = ()
) -> Plan:
    """The plan for these pages and their trajectories, with the list of all pages as it is then."""
    changed = with_trajectories(wiki, changed, _today_iso(store))
    for slug in changed:
        expect_settled(store, wiki.path(slug))
    texts = {slug: rewrite_page(read_text(wiki.path(slug)), page) for slug, page in changed.items()}
    texts[INDEX_SLUG] = render_index(store, wiki.path(INDEX_SLUG), {**wiki.pages, **changed}.values())
    is_private = wiki.folder == store.layout.wiki
    if not is_private:
        expect_within(wiki.folder, map(wiki.path, texts))
    edits = [_text_edit(wiki.path(slug), text, is_private=is_private) for slug, text in texts.items()]
    edits.append(_map_edit(store, replace(wiki, pages={**wiki.pages, **changed})))
    facts = {"pages": [*changed]}
    return Plan(title, tuple(edit for edit in edits if edit is not None), notes=tuple(notes), facts=facts)


def listing_edits(store: Store, texts: Mapping[str, str]) -> tuple[Edit, ...]:
    """The edits that bring the list of all pages and the map in WISDOM.md up to date when these become so."""
    wiki = open_wiki(store)
    read = {slug: parse_wiki_page(text, slug) for slug, text in texts.items() if slug != INDEX_SLUG}
    pages = {**wiki.pages, **{slug: page for slug, page in read.items() if isinstance(page, WikiPage)}}
    path = wiki.path(INDEX_SLUG)
    index = _text_edit(path, render_index(store, path, pages.values()), is_private=True)
    return tuple(edit for edit in (index, _map_edit(store, replace(wiki, pages=pages))) if edit is not None)


def _map_edit(store: Store, wiki: Wiki) -> Edit | None:
    """The edit that brings a Knowledge Map up to date that stands in WISDOM.md; None where there is none."""
    from recall_tui.features.wiki.knowledge_map import has_map, render_wisdom

    path = store.layout.wisdom
    now = read_text(path)
    if wiki.folder != store.layout.wiki or not has_map(now):
        return None
    return _text_edit(path, render_wisdom(store, now, wiki), is_private=True)


def render_index(store: Store, path: Path, pages: Iterable[WikiPage]) -> str:
    """The list of these pages at `path`, with what a person wrote into the one that stands there."""
    new = wiki_folder.render_index(pages, store.now().date())
    return own_lines.merge_user_lines(store.state, path, new, read_text(path), wiki_folder.is_index_line)


def _text_edit(path: Path, text: str, *, is_private: bool) -> Edit | None:
    now = read_text(path)
    if not now and not path.exists():
        return Create(path, text, is_private=is_private)
    return None if now == text else Replace(path, content_digest(now), text)


def _first_sentence(text: str) -> str:
    """The first sentence without where it is from, for a page that has no description."""
    from recall_tui.text.cut import one_line, shorten
    from recall_tui.text.sentences import split_sentences

    said = one_line(next(iter(split_sentences(text)), text))
    return shorten(_CITATION_SUFFIX.sub("", said) or said, 160)


def _today_iso(store: Store) -> str:
    return store.now().date().isoformat()


def find_pending_page(store: Store, kind: str, slug: str, path: Path) -> tuple[WikiPage, Proposal] | None:
    """The page as the newest open proposal of the kind would have it, with that proposal; None when none fits."""
    one = next((one for one in proposals.list_open(store) if (one.kind, one.subject) == (kind, slug)), None)
    change = next((change for change in one.left if change.path == store.relative(path)), None) if one else None
    if one is None or change is None or change.text is None or change.was != atomic.file_digest(path):
        return None
    page = parse_wiki_page(change.text, slug)
    return (page, one) if isinstance(page, WikiPage) else None
