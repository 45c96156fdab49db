"""The wiki as the app shows it, read in a thread: pages in their order, what is wrong, and each page as a text.

Each function reads and returns; none of them touches a widget.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from recall_tui import files
from recall_tui.errors import RecallError
from recall_tui.storage.documents.shared_wikis import PRIVATE_WIKI, expect_readable, read_wiki
from recall_tui.storage.documents.wiki_folder import Wiki
from recall_tui.storage.documents.wiki_page import (
    CATEGORIES,
    OWN_WIKI_NAMES,
    InvalidPage,
    SupersededClaim,
    WikiLink,
    WikiPage,
)

if TYPE_CHECKING:
    from recall_tui.domain import Hit
    from recall_tui.features.documents.citations import Citation
    from recall_tui.features.wiki.lint import LintFinding
    from recall_tui.storage.memory_context import Store
    from recall_tui.tui.document_pointer import DocumentPointer
    from recall_tui.workbench import Workbench

MAX_PAGE_CHARS = 200_000
"""Characters of a page that are shown; nobody reads further here."""
PageKey = tuple[str, str]
"""A page by its wiki and its slug."""


@dataclass(frozen=True, slots=True)
class PageRow:
    """One row of the list: a page, or a file that is none."""

    target: str
    slug: str
    page: WikiPage | InvalidPage

    @property
    def key(self) -> PageKey:
        """By what it is known again."""
        return self.target, self.slug

    @property
    def name(self) -> str:
        """What it is called."""
        return self.slug if isinstance(self.page, InvalidPage) else self.page.name or self.slug


@dataclass(frozen=True, slots=True)
class LintRow:
    """What lint found, and in which wiki."""

    target: str
    finding: LintFinding


@dataclass(frozen=True, slots=True)
class PageLink:
    """What a page is tied to: one that links to it, or a source."""

    kind: Literal["backlink", "related", "source"]
    words: str
    key: PageKey | None = None
    """The page that it leads to."""
    source: Citation | None = None
    """The document that it leads to."""


@dataclass(frozen=True, slots=True)
class WikiView:
    """One look at the memory's wiki and those that are shared."""

    entries: tuple[PageRow, ...]
    wikis: Mapping[str, Wiki]
    wrong: tuple[LintRow, ...]
    texts: Mapping[PageKey, str]
    """The files that are no pages, as they are."""

    def entry(self, key: PageKey) -> PageRow | None:
        """The page of a key, through redirects; None when there is none."""
        target, slug = key
        wiki = self.wikis.get(target)
        if wiki is None:
            return None
        if bad := next((one for one in wiki.malformed if one.slug == slug), None):
            return PageRow(target, slug, bad)
        seen: set[str] = set()
        while (page := wiki.pages.get(slug)) and page.redirect_to and slug not in seen:
            seen.add(slug)
            slug = page.redirect_to
        return PageRow(target, slug, page) if page is not None and slug not in seen else None

    def led_to(self, link: WikiLink, here: str) -> PageKey:
        """What a link on a page of the wiki `here` leads to."""
        return (here if link.target in OWN_WIKI_NAMES else link.target), link.slug


def load_wiki(bench: Workbench) -> WikiView:
    """Read every wiki of the memory, and find what is wrong."""
    from recall_tui.features.wiki.lint import lint_among
    from recall_tui.storage.documents.shared_wikis import list_wikis
    from recall_tui.storage.files.atomic import read_text

    store = bench.store
    wikis = {one.name: read_wiki(store, one.folder) for one in list_wikis(store)}
    entries = [PageRow(name, page.slug, page) for name, wiki in wikis.items() for page in wiki.own]
    entries.sort(key=_sort_pages)
    bad = [PageRow(name, one.slug, one) for name, wiki in wikis.items() for one in wiki.malformed]
    wrong = tuple(LintRow(name, finding) for name in wikis for finding in lint_among(bench.store, wikis, name))
    texts = {one.key: read_text(wikis[one.target].path(one.slug)) for one in bad if _is_readable(store, one, wikis)}
    return WikiView((*entries, *bad), wikis, wrong, texts)


def _is_readable(store: Store, entry: PageRow, wikis: Mapping[str, Wiki]) -> bool:
    path = wikis[entry.target].path(entry.slug)
    try:
        expect_readable(store, path.parent, path)
        with files.open_file(path):
            return True
    except (RecallError, OSError):
        return False


def _sort_pages(entry: PageRow) -> tuple[bool, int, str]:
    page = entry.page
    place = CATEGORIES.index(page.category) if isinstance(page, WikiPage) else len(CATEGORIES)
    return entry.target != PRIVATE_WIKI, place, entry.name.casefold()


def page_text(seen: WikiView, entry: PageRow) -> str:
    """The page as it is read: what it is about, its text, and what of it holds no longer; a malformed one as it is."""
    page = entry.page
    if isinstance(page, InvalidPage):
        raw = seen.texts.get(entry.key, "")[:MAX_PAGE_CHARS].rstrip("\n")
        fence = "~" * (3 + max(map(len, re.findall("~+", raw)), default=0))
        told = f"**▲ This file is not a page**: {_inline(page.reason)} (line {page.line})."
        return f"{told}\n\nIts text, unchanged; o opens it in your editor:\n\n{fence}\n{raw}\n{fence}\n"
    gone = "\n".join(map(_superseded_line, sorted(page.supersedes, key=lambda one: one.on, reverse=True)))
    past = f"\n\n## Superseded\n\n{gone}\n" if gone else "\n"
    lead = f"*{_inline(page.description)}*\n" if page.description else ""
    body = page.body.strip("\n")
    if len(body) > MAX_PAGE_CHARS:
        body = f"{body[:MAX_PAGE_CHARS]} …\n\n*The page continues; o opens it in your editor.*"
    return f"{lead}\n{body}{past}"


def _inline(text: str) -> str:
    return " ".join(text.split()).replace("*", "\\*")


def _superseded_line(one: SupersededClaim) -> str:
    """`- ~~Tokens last 15 minutes.~~ until 2026-03-09, then: Tokens last an hour. (memory/days/2026-03-09.md)`"""
    fact = " ".join(one.fact.split()).replace("~", "-")
    until = f" until {one.on}" if one.on else ""
    then = f", then: {' '.join(one.by.split())}" if one.by else ""
    return f"- {f'~~{fact}~~' if fact else 'the earlier statement'}{until}{then} ({one.source})"


def page_links(bench: Workbench, seen: WikiView, entry: PageRow) -> tuple[PageLink, ...]:
    """What links to the page, then what it is related to, then where it is from."""
    from recall_tui.features.documents.citations import resolve_path

    page, wiki = entry.page, seen.wikis[entry.target]
    if isinstance(page, InvalidPage):
        return ()
    ties: list[PageLink] = []
    back = [slug for slug in wiki.backlinks(page.slug) if not wiki.pages[slug].redirect_to]
    for slug in back:
        ties.append(PageLink("backlink", wiki.pages[slug].name or slug, (entry.target, slug)))
    for slug in page.related:
        if slug not in back:
            ties.append(PageLink("related", slug, (entry.target, slug)))
    for source in page.sources:
        cited = resolve_path(bench.layout, str(source.ref))
        ties.append(PageLink("source", f"{cited.words}  {source.summary}".strip(), source=cited))
    return tuple(ties)


def page_citation(bench: Workbench, seen: WikiView, entry: PageRow) -> str:
    """The page and where it is from, without secrets, ready to be pasted."""
    from recall_tui.text.secrets.redact import redact
    from recall_tui.tui.text import plain_line, strip_controls

    path = seen.wikis[entry.target].path(entry.slug)
    return f"{redact(strip_controls(page_text(seen, entry))).strip()}\n— {plain_line(bench.store.relative(path))}"


def source_item(cited: Citation) -> Hit | DocumentPointer:
    """The document of a source, at its lines when the page says which."""
    from recall_tui.domain import Hit
    from recall_tui.tui.document_pointer import DocumentPointer

    if cited.lines is None:
        return DocumentPointer(cited.reference, cited.words)
    return Hit("", cited.reference, "", "raw", cited.words, 0.0, "", cited.lines)
