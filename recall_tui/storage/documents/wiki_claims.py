"""Claims of a wiki page through time: those that hold no longer, and those that took their place and hold now.

The page, its description, the lists of pages, its trajectory and search all read it here, so that they agree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from recall_tui.storage.documents.wiki_page import SupersededClaim, WikiPage
from recall_tui.text.classify.similarity import normalize
from recall_tui.text.cut import one_line, shorten

MAX_DESCRIPTION_CHARS = 160
"""Characters of a description that is made of a claim."""


def outdated_claims(page: WikiPage) -> Mapping[str, SupersededClaim]:
    """Return the claims that hold no longer, by their normalized words; one that holds again is none of them."""
    gone: dict[str, SupersededClaim] = {}
    for one in _by_day(page):
        if one.fact:
            gone[normalize(one.fact)] = one
        if one.by:
            gone.pop(normalize(one.by), None)
    return gone


def present_claims(page: WikiPage) -> tuple[SupersededClaim, ...]:
    """Return those whose `by` holds now, oldest first."""
    gone = outdated_claims(page)
    found = {normalize(one.by): one for one in _by_day(page) if one.by and normalize(one.by) not in gone}
    return tuple(found.values())


def present_text(page: WikiPage, text: str) -> str:
    """Return what holds instead of the text now; the text itself when it holds, empty when nobody knows."""
    gone = outdated_claims(page)
    seen: set[str] = set()
    while (key := normalize(text)) in gone:
        if key in seen:
            return ""
        seen.add(key)
        text = gone[key].by
    return text


def with_present_description(page: WikiPage) -> WikiPage:
    """Return the page with a description that holds: one that was superseded gives way to what took its place."""
    said = normalize(page.description.removesuffix("…"))
    for key, one in outdated_claims(page).items():
        if said and (key == said or (page.description.endswith("…") and key.startswith(said)) or key in said):
            now = present_text(page, one.fact)
            return replace(page, description=shorten(one_line(now), MAX_DESCRIPTION_CHARS) or page.name)
    return page


def _by_day(page: WikiPage) -> list[SupersededClaim]:
    return sorted(page.supersedes, key=lambda one: one.on)
