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
from recall_tui.storage.documents.shared_wikis import PRIVATE, expect_readable, wiki_in
from recall_tui.storage.documents.wiki_folder import Wiki
from recall_tui.storage.documents.wiki_page import CATEGORIES, OWN, Link, Malformed, Superseded, WikiPage

if TYPE_CHECKING:
    from recall_tui.domain import Hit
    from recall_tui.features.documents.citations import Citation
    from recall_tui.features.wiki.lint import Finding
    from recall_tui.storage.memory_context import Store
    from recall_tui.tui.document_pointer import Pointer
    from recall_tui.workbench import Workbench

LONGEST = 200_000
"""Characters of a page that are shown; nobody reads further here."""
Key = tuple[str, str]
"""A page by its wiki and its slug."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the list: a page, or a file that is none."""

    target: str
    slug: str
    page: WikiPage | Malformed

    @property
    def key(self) -> Key:
        """By what it is known again."""
        return self.target, self.slug

    @property
    def name(self) -> str:
        """What it is called."""
        return self.slug if isinstance(self.page, Malformed) else self.page.name or self.slug


@dataclass(frozen=True, slots=True)
class Wrong:
    """What lint found, and in which wiki."""

    target: str
    finding: Finding


@dataclass(frozen=True, slots=True)
class Tie:
    """What a page is tied to: one that links to it, or a source."""

    kind: Literal["backlink", "related", "source"]
    words: str
    key: Key | None = None
    """The page that it leads to."""
    source: Citation | None = None
    """The document that it leads to."""


@dataclass(frozen=True, slots=True)
class SeenWiki:
    """One look at the memory's wiki and those that are shared."""

    entries: tuple[Entry, ...]
    wikis: Mapping[str, Wiki]
    wrong: tuple[Wrong, ...]
    texts: Mapping[Key, str]
    """The files that are no pages, as they are."""

    def entry(self, key: Key) -> Entry | None:
        """The page of a key, through redirects; None when there is none."""
        target, slug = key
        wiki = self.wikis.get(target)
        if wiki is None:
            return None
        if bad := next((one for one in wiki.malformed if one.slug == slug), None):
            return Entry(target, slug, bad)
        seen: set[str] = set()
        while (page := wiki.pages.get(slug)) and page.redirect_to and slug not in seen:
            seen.add(slug)
            slug = page.redirect_to
        return Entry(target, slug, page) if page is not None and slug not in seen else None

    def led_to(self, link: Link, here: str) -> Key:
        """What a link on a page of the wiki `here` leads to."""
        return (here if link.target in OWN else link.target), link.slug


def look(bench: Workbench) -> SeenWiki:
    """Read every wiki of the memory, and find what is wrong."""
    from recall_tui.features.wiki.lint import among
    from recall_tui.storage.documents.shared_wikis import targets
    from recall_tui.storage.files.atomic import read_text

    store = bench.store
    wikis = {one.name: wiki_in(store, one.folder) for one in targets(store)}
    entries = [Entry(name, page.slug, page) for name, wiki in wikis.items() for page in wiki.own]
    entries.sort(key=_order)
    bad = [Entry(name, one.slug, one) for name, wiki in wikis.items() for one in wiki.malformed]
    today = store.now().date()
    wrong = tuple(Wrong(name, finding) for name in wikis for finding in among(wikis, name, today))
    texts = {one.key: read_text(wikis[one.target].path(one.slug)) for one in bad if _is_readable(store, one, wikis)}
    return SeenWiki((*entries, *bad), wikis, wrong, texts)


def _is_readable(store: Store, entry: Entry, wikis: Mapping[str, Wiki]) -> bool:
    path = wikis[entry.target].path(entry.slug)
    try:
        expect_readable(store, path.parent, path)
        with files.opened(path):
            return True
    except (RecallError, OSError):
        return False


def _order(entry: Entry) -> tuple[bool, int, str]:
    page = entry.page
    place = CATEGORIES.index(page.category) if isinstance(page, WikiPage) else len(CATEGORIES)
    return entry.target != PRIVATE, place, entry.name.casefold()


def text_of(seen: SeenWiki, entry: Entry) -> str:
    """The page as it is read: what it is about, its text, and what of it holds no longer; a malformed one as it is."""
    page = entry.page
    if isinstance(page, Malformed):
        raw = seen.texts.get(entry.key, "")[:LONGEST].rstrip("\n")
        fence = "~" * (3 + max(map(len, re.findall("~+", raw)), default=0))
        told = f"**▲ This file is no page**: {_inline(page.reason)} (line {page.line})."
        return f"{told}\n\nIt holds, as it stands; o opens it in your editor:\n\n{fence}\n{raw}\n{fence}\n"
    gone = "\n".join(map(_gone, sorted(page.supersedes, key=lambda one: one.on, reverse=True)))
    past = f"\n\n## Superseded\n\n{gone}\n" if gone else "\n"
    lead = f"*{_inline(page.description)}*\n" if page.description else ""
    body = page.body.strip("\n")
    if len(body) > LONGEST:
        body = f"{body[:LONGEST]} …\n\n*The page goes on; o opens it in your editor.*"
    return f"{lead}\n{body}{past}"


def _inline(text: str) -> str:
    return " ".join(text.split()).replace("*", "\\*")


def _gone(one: Superseded) -> str:
    """`- ~~Tokens last 15 minutes.~~ until 2026-03-09, then: Tokens last an hour. (memory/days/2026-03-09.md)`"""
    fact = " ".join(one.fact.split()).replace("~", "-")
    until = f" until {one.on}" if one.on else ""
    then = f", then: {' '.join(one.by.split())}" if one.by else ""
    return f"- {f'~~{fact}~~' if fact else 'what was said before'}{until}{then} ({one.source})"


def ties_of(bench: Workbench, seen: SeenWiki, entry: Entry) -> tuple[Tie, ...]:
    """What links to the page, then what it is related to, then where it is from."""
    from recall_tui.features.documents.citations import of_path

    page, wiki = entry.page, seen.wikis[entry.target]
    if isinstance(page, Malformed):
        return ()
    ties: list[Tie] = []
    back = [slug for slug in wiki.backlinks(page.slug) if not wiki.pages[slug].redirect_to]
    for slug in back:
        ties.append(Tie("backlink", wiki.pages[slug].name or slug, (entry.target, slug)))
    for slug in page.related:
        if slug not in back:
            ties.append(Tie("related", slug, (entry.target, slug)))
    for source in page.sources:
        cited = of_path(bench.layout, source.place)
        ties.append(Tie("source", f"{cited.words}  {source.summary}".strip(), source=cited))
    return tuple(ties)


def cited(bench: Workbench, seen: SeenWiki, entry: Entry) -> str:
    """The page and where it is from, without secrets, ready to be pasted."""
    from recall_tui.text.secrets.redact import redact
    from recall_tui.tui.text import clean, one_line

    path = seen.wikis[entry.target].path(entry.slug)
    return f"{redact(clean(text_of(seen, entry))).strip()}\n— {one_line(bench.store.relative(path))}"


def source_item(cited: Citation) -> Hit | Pointer:
    """The document of a source, at its lines when the page says which."""
    from recall_tui.domain import Hit
    from recall_tui.tui.document_pointer import Pointer

    if cited.lines is None:
        return Pointer(cited.reference, cited.words)
    return Hit("", cited.reference, "", "raw", cited.words, 0.0, "", cited.lines)
