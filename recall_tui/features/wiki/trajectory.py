"""Trajectory pages: how a subject changed, as soon as two of its claims hold no longer.

Such a page is made from its subject's page alone, and a page of that name that a person wrote is never touched.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from recall_tui.domain.documents import SourceRef
from recall_tui.storage.documents.statements import page_statements
from recall_tui.storage.documents.wiki_claims import outdated_claims, present_claims
from recall_tui.storage.documents.wiki_folder import Wiki
from recall_tui.storage.documents.wiki_page import MAX_SLUG_CHARS, PageSource, SupersededClaim, WikiPage, with_source
from recall_tui.text.classify.similarity import normalize
from recall_tui.text.cut import one_line, shorten

MIN_SUPERSEDED = 2
"""Superseded claims from which a subject has a trajectory."""
_SLUG_SUFFIX = "-trajectory"
_MAX_STATEMENTS = 3
"""Statements of the subject's page that say what holds now."""


def slug_for(slug: str) -> str:
    """The slug of a subject's trajectory page."""
    return slug[: MAX_SLUG_CHARS - len(_SLUG_SUFFIX)].rstrip("-") + _SLUG_SUFFIX


def with_trajectories(wiki: Wiki, changed: Mapping[str, WikiPage], today: str) -> dict[str, WikiPage]:
    """The changed pages with their trajectory pages, which link to them and are linked to."""
    made = dict(changed)
    for slug, page in changed.items():
        if page.redirect_to:
            _redirect_page(wiki, made, slug, page.redirect_to, today)
        elif len(page.supersedes) >= MIN_SUPERSEDED and not slug.endswith(_SLUG_SUFFIX):
            _make_page(wiki, made, slug, today)
    return made


def _make_page(wiki: Wiki, made: dict[str, WikiPage], slug: str, today: str) -> None:
    name = slug_for(slug)
    before = wiki.pages.get(name)
    if wiki.holds(name) and not (before is not None and is_trajectory(before, slug)):
        return
    page = made[slug]
    if name not in page.related:
        page = made[slug] = replace(page, related=(*page.related, name))
    drawn = _build_page(page, name, before.created if before is not None and before.created else today, today)
    if before is None or replace(before, updated=today) != drawn:
        made[name] = drawn


def _redirect_page(wiki: Wiki, made: dict[str, WikiPage], slug: str, to: str, today: str) -> None:
    """Have the trajectory of a page that became another lead to that one's."""
    old, new = slug_for(slug), slug_for(to)
    page = wiki.pages.get(old)
    if old == new or page is None or not is_trajectory(page, slug):
        return
    if len(made[to].supersedes if to in made else ()) >= MIN_SUPERSEDED:
        body = f"\nThis page is now [[{new}]].\n"
        made[old] = replace(page, redirect_to=new, body=body, related=(), updated=today)
        there = made[to]
        made[to] = replace(there, related=tuple(one for one in there.related if one != old))
        _make_page(wiki, made, to, today)


def is_trajectory(page: WikiPage, slug: str) -> bool:
    """Whether it is the page that was made for the subject."""
    return page.category == "reference" and page.related == (slug,) and not page.redirect_to


def _build_page(page: WikiPage, name: str, created: str, today: str) -> WikiPage:
    past = sorted(page.supersedes, key=lambda one: one.on)
    whole = WikiPage(
        slug=name,
        name=f"{page.name}: trajectory",
        description=f"How {page.name} changed, and what it was before",
        category="reference",
        sources=(),
        body="\n"
        + "\n".join((f"[[{page.slug}]] as it is, and what was said of it before.", "", *_render_lines(page, past))),
        created=created,
        updated=today,
        related=(page.slug,),
        confidence="high",
    )
    for one in past:
        whole = with_source(whole, PageSource(SourceRef(one.source)))
    return whole


def _render_lines(page: WikiPage, past: list[SupersededClaim]) -> list[str]:
    lines = [
        "## Now",
        "",
        *(f"- {text}" for text in _present_texts(page)),
        "",
        "## Before",
        "",
    ]
    gone = outdated_claims(page)
    return [*lines, *(_render_line(one, holds_again=normalize(one.fact) not in gone) for one in past), ""]


def _present_texts(page: WikiPage) -> list[str]:
    """What holds now: the claims that took the place of others, the newest first, then the page's own."""
    gone = outdated_claims(page)
    own = [said.text for said in page_statements(page.body) if normalize(said.text) not in gone]
    texts = [*(one_line(one.by) for one in reversed(present_claims(page))), *own]
    unique = {normalize(text): text for text in reversed(texts)}
    return [text for text in texts if unique.pop(normalize(text), None)][:_MAX_STATEMENTS]


def _render_line(one: SupersededClaim, *, holds_again: bool = False) -> str:
    """`- until 2026-03-09: ~~Tokens last 15 minutes.~~ Then: Tokens last an hour. (memory/days/2026-03-09.md)`"""
    when = f"until {one.on}: " if one.on else ""
    fact = one_line(one.fact).replace("~", "-")
    then = f" Then: {shorten(one_line(one.by), 300)}" if one.by else ""
    said = f"{fact} (it holds again)" if holds_again else f"~~{fact}~~"
    return f"- {when}{said if fact else 'what was said before'}{then} ({one.source})"
