"""What is wrong in a wiki: each finding with its page, its rule and what would mend it.

A page that cannot be read is a finding like any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Literal, NamedTuple

from recall_tui.storage.wiki_folder import Wiki
from recall_tui.storage.wiki_page import WikiPage

STALE_DAYS = 90
TARGETS = ("", "wiki", "private")
"""The wikis that a link of a page of this memory may name; further ones are handed in."""
Rule = Literal[
    "malformed",
    "broken-link",
    "orphan",
    "stale",
    "slug-drift",
    "contradiction-loop",
    "unknown-target",
    "no-source",
    "broken-redirect",
]


class Finding(NamedTuple):
    """One thing that is wrong."""

    rule: Rule
    slug: str
    what: str
    line: int = 1
    """Of the page's file where that is known, else 1."""


def lint(wiki: Wiki, today: date, targets: tuple[str, ...] = ()) -> tuple[Finding, ...]:
    """Everything that is wrong, page by page."""
    found = [Finding("malformed", one.slug, one.reason, one.line) for one in wiki.malformed]
    linked = _linked(wiki)
    for name, page in wiki.pages.items():
        found += _of_page(wiki, name, page, (*TARGETS, *targets))
        if page.redirect_to:
            continue
        if name not in linked:
            found.append(Finding("orphan", name, "no other page leads to it"))
        if page.updated and (age := _age(page, today)) > STALE_DAYS:
            found.append(Finding("stale", name, f"it was updated {age} days ago, on {page.updated}"))
    return tuple(sorted(found, key=lambda one: (one.slug, one.rule, one.line)))


def _of_page(wiki: Wiki, name: str, page: WikiPage, targets: tuple[str, ...]) -> Iterator[Finding]:
    if page.slug != name:
        yield Finding("slug-drift", name, f"its head says {page.slug}")
    if page.redirect_to:
        if page.redirect_to not in wiki.pages:
            yield Finding("broken-redirect", name, f"it leads to {page.redirect_to}, which is not there")
        return
    if not page.sources:
        yield Finding("no-source", name, "nothing says where it is from")
    for link in page.links:
        line = page.body_line + link.line - 1
        if link.target not in targets:
            yield Finding("unknown-target", name, f"[[{link.target}:{link.slug}]] names no known wiki", line)
        elif link.target in ("", "wiki") and link.slug not in wiki.pages:
            yield Finding("broken-link", name, f"[[{link.slug}]] is not there", line)
    for other in page.related:
        if other not in wiki.pages:
            yield Finding("broken-link", name, f"related: {other} is not there")
    for other in page.contradicts:
        if (twin := wiki.pages.get(other)) and name in twin.contradicts and name < other:
            yield Finding("contradiction-loop", name, f"it and {other} contradict each other")


def _linked(wiki: Wiki) -> set[str]:
    """The slugs that some other page leads to."""
    found: set[str] = set()
    for name, page in wiki.pages.items():
        to = (
            {link.slug for link in page.links} | set(page.related) | ({page.redirect_to} if page.redirect_to else set())
        )
        found |= to - {name}
    return found


def _age(page: WikiPage, today: date) -> int:
    try:
        return (today - date.fromisoformat(page.updated)).days
    except ValueError:
        return 0
