"""What is wrong in a wiki: each finding with its page, its rule and what would mend it.

A page that cannot be read is a finding like any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from types import MappingProxyType
from typing import Literal, NamedTuple

from recall_tui.features.wiki.page_sources import find_source_problems
from recall_tui.storage.documents.shared_wikis import PRIVATE_WIKI, find_wiki, list_wikis, read_wiki
from recall_tui.storage.documents.wiki_folder import Wiki
from recall_tui.storage.documents.wiki_page import OWN_WIKI_NAMES, WikiLink, WikiPage
from recall_tui.storage.memory_context import Store

STALE_DAYS = 90
LintRule = Literal[
    "malformed",
    "broken-link",
    "orphan",
    "stale",
    "slug-drift",
    "contradiction-loop",
    "unknown-target",
    "private-link",
    "no-source",
    "missing-source",
    "no-description",
    "broken-redirect",
]
ADVISORY_RULES: frozenset[LintRule] = frozenset({"orphan", "stale"})
"""What is worth a look and breaks nothing: every page is led to by none and grows old at some time."""


class LintFinding(NamedTuple):
    """One thing that is wrong."""

    rule: LintRule
    slug: str
    what: str
    line: int = 1
    """Of the page's file where that is known, else 1."""


def lint_wiki(wiki: Wiki, today: date, others: Mapping[str, Wiki] = MappingProxyType({})) -> tuple[LintFinding, ...]:
    """Everything that is wrong, page by page; `others` are the wikis that its links may name beside its own.

    `private` is the memory's own wiki: from the others no link leads there.
    """
    found = [LintFinding("malformed", one.slug, one.reason, one.line) for one in wiki.malformed]
    linked = _linked_slugs(wiki)
    for name, page in wiki.pages.items():
        found += _lint_page(wiki, name, page, others)
        if page.redirect_to:
            continue
        if name not in linked:
            found.append(LintFinding("orphan", name, "no other page links to it"))
        if page.updated and (age := _age_days(page, today)) > STALE_DAYS:
            found.append(LintFinding("stale", name, f"it was updated {age} days ago, on {page.updated}"))
    return tuple(sorted(found, key=lambda one: (one.slug, one.rule, one.line)))


def lint_target(store: Store, name: str = "") -> tuple[LintFinding, ...]:
    """Everything that is wrong in the memory's own wiki, or in a shared one."""
    here = find_wiki(store, name)
    wikis = {one.name: read_wiki(store, one.folder) for one in list_wikis(store)}
    return lint_among(store, wikis, here.name)


def lint_among(store: Store, wikis: Mapping[str, Wiki], name: str) -> tuple[LintFinding, ...]:
    """Everything that is wrong in one of all the wikis that a memory works with, in its own with their sources."""
    others = {other: wiki for other, wiki in wikis.items() if name == PRIVATE_WIKI or other != PRIVATE_WIKI}
    found = [*lint_wiki(wikis[name], store.now().date(), others)]
    for slug, page in wikis[name].pages.items() if name == PRIVATE_WIKI else ():
        problems = () if page.redirect_to else find_source_problems(store, page)
        found += (LintFinding("missing-source", slug, words, line) for words, line in problems)
    return tuple(sorted(found, key=lambda one: (one.slug, one.rule, one.line)))


def _lint_page(wiki: Wiki, name: str, page: WikiPage, others: Mapping[str, Wiki]) -> Iterator[LintFinding]:
    if name in wiki.drifted:
        yield LintFinding("slug-drift", name, f"its head says {wiki.drifted[name]}")
    if page.redirect_to:
        if page.redirect_to not in wiki.pages:
            yield LintFinding("broken-redirect", name, f"it redirects to {page.redirect_to}, which does not exist")
        elif wiki.is_circular(name):
            yield LintFinding("broken-redirect", name, f"it redirects to {page.redirect_to}, and that back to it")
        return
    if not page.sources:
        yield LintFinding("no-source", name, "nothing says where it is from")
    if not page.description:
        yield LintFinding("no-description", name, "it has no one-line description")
    for link in page.links:
        if broken := _lint_link(wiki, link, others):
            yield LintFinding(broken[0], name, broken[1], page.body_line + link.line - 1)
    for other in page.related:
        if not wiki.holds(other):
            yield LintFinding("broken-link", name, f"related: {other} is not there")
    for other in page.contradicts:
        if (twin := wiki.pages.get(other)) and name in twin.contradicts and name < other:
            yield LintFinding("contradiction-loop", name, f"it and {other} contradict each other")


def _lint_link(wiki: Wiki, link: WikiLink, others: Mapping[str, Wiki]) -> tuple[LintRule, str] | None:
    """What is wrong with a link."""
    if link.target in OWN_WIKI_NAMES:
        return None if wiki.holds(link.slug) else ("broken-link", f"[[{link.slug}]] is not there")
    words = f"[[{link.target}:{link.slug}]]"
    there = others.get(link.target)
    if there is not None:
        return None if there.holds(link.slug) else ("broken-link", f"{words} is not there")
    if link.target == PRIVATE_WIKI:
        return "private-link", f"{words} links to a page that others cannot read"
    return "unknown-target", f"{words} names no known wiki"


def _linked_slugs(wiki: Wiki) -> set[str]:
    """The slugs that some other page leads to."""
    found: set[str] = set()
    for name, page in wiki.pages.items():
        to = (
            {link.slug for link in page.links if link.target in OWN_WIKI_NAMES}
            | set(page.related)
            | ({page.redirect_to} if page.redirect_to else set())
        )
        found |= to - {name}
    return found


def _age_days(page: WikiPage, today: date) -> int:
    try:
        return (today - date.fromisoformat(page.updated)).days
    except ValueError:
        return 0
