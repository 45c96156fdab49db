"""A page rebuilt by a model: sections of claims, each held against the lines of the page's sources that it cites.

The page's own words, its head and what it says of its past stay as they are; without an answer the page is rebuilt
without a model.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from recall_tui.features.grounding.evidence import Numbered, clean, fitting, held, picked, shown
from recall_tui.features.grounding.source_line import Line
from recall_tui.features.wiki.rebuild import HEADING, material, own_words
from recall_tui.llm.client import Asked, Calls
from recall_tui.llm.model import Failure
from recall_tui.llm.prompts import prompt
from recall_tui.storage.documents.identity import read as read_identity
from recall_tui.storage.documents.shared_wikis import target, wiki_in
from recall_tui.storage.documents.statements import statements
from recall_tui.storage.documents.wiki_page import WikiPage
from recall_tui.storage.memory_context import Store
from recall_tui.text.classify.similarity import normal
from recall_tui.text.cut import cut

PROMPT = "wiki-rebuild"
ANSWER_TOKENS = 3_000
MOST_SECTIONS, MOST_CLAIMS = 8, 20
_MOST_OF_PAGE = 8_000
_MOST_SLUGS = 200
_MOST_STALE = 10
_MOST_HEADING = 60


class Told(NamedTuple):
    """What a model made of a page."""

    body: str
    stale: tuple[str, ...] = ()
    """Sentences of the page that its sources speak against."""
    left_out: int = 0
    """Claims that no line holds."""


class Claim(msgspec.Struct):
    """One sentence of the answer."""

    text: str
    lines: list[int] = []


class Section(msgspec.Struct):
    """Claims under one heading."""

    heading: str
    claims: list[Claim] = []


class Answer(msgspec.Struct):
    """The page as a model has it."""

    sections: list[Section] = []
    stale: list[str] = []


def told(store: Store, slug: str, calls: Calls, shared: str = "") -> Told | Failure:
    """The page as the model for dreaming tells it."""
    wiki = wiki_in(store, target(store, shared).folder)
    page = wiki.page(slug)
    lines = _numbered(store, page)
    if not lines:
        return Failure("its sources say nothing of it")
    slugs = frozenset(one.slug for one in wiki.own if one.slug != page.slug)
    asked = Asked(
        prompt(
            store,
            PROMPT,
            material={
                "identity": read_identity(store).told,
                "page": f"{page.name}\n{page.description}\n{cut(page.body, _MOST_OF_PAGE)}",
                "pages": " ".join(sorted(slugs)[:_MOST_SLUGS]) or "(none)",
                "lines": shown(lines),
            },
        ),
        max_tokens=ANSWER_TOKENS,
    )
    answer = calls.answer("dream", asked, Answer)
    return answer if isinstance(answer, Failure) else _checked(store, page, answer, lines, slugs)


def _numbered(store: Store, page: WikiPage) -> tuple[Numbered, ...]:
    """What the sources say of the page's subject, the newest first as far as there is room, in the order of days."""
    gone = _gone(page)
    drawn = [one for one in material(store, page) if one.is_of_page]
    drawn.sort(key=lambda one: one.day, reverse=True)
    found = (Numbered(one.line, one.day, _note(gone.get(normal(one.line.text)))) for one in drawn)
    return tuple(sorted(fitting(found), key=lambda one: (one.day, one.line.path, one.line.lines)))


def _gone(page: WikiPage) -> dict[str, str]:
    """The claims of the page that hold no longer, with the day since when."""
    return {normal(one.fact): one.on or "a later day" for one in page.supersedes if one.fact}


def _note(day: str | None) -> str:
    return f"held until {day}" if day else ""


def _checked(
    store: Store, page: WikiPage, answer: Answer, lines: tuple[Numbered, ...], slugs: frozenset[str]
) -> Told | Failure:
    own, before = own_words(store, page)
    gone = _gone(page)
    heard = {normal(said.text) for said in statements(own)}
    parts: list[str] = []
    left_out = 0
    for section in answer.sections[:MOST_SECTIONS]:
        chosen: list[Line] = []
        for claim in section.claims[:MOST_CLAIMS]:
            cited = picked(lines, claim.lines)
            found = held(claim.text, cited, slugs)
            left_out += not found
            for one in found:
                if normal(one.text) not in heard:
                    heard.add(normal(one.text))
                    chosen.append(_dated(one, cited, gone))
        if chosen:
            parts.append(f"## {_heading(section.heading)}\n\n{_listed(chosen)}")
    if not parts:
        return Failure("nothing that it said is held by the lines it cites")
    kept = [
        one for one in before if one.path not in {said.line.path for said in lines} and normal(one.text) not in heard
    ]
    if kept:
        parts.append(f"## {HEADING}\n\n{_listed(kept)}")
    stale = tuple(_quoted(answer.stale, own))
    return Told(f"{own.rstrip()}\n\n" + "\n".join(parts), stale, left_out)


def _dated(one: Line, cited: tuple[Numbered, ...], gone: dict[str, str]) -> Line:
    """The claim, and of one that rests on what holds no longer alone the day until which it did."""
    days = [gone.get(normal(said.line.text)) for said in cited]
    if not days or not all(days) or "until" in one.text.casefold():
        return one
    return one._replace(text=f"Until {max(filter(None, days))}: {one.text}")


def _quoted(said: list[str], own: str) -> Iterator[str]:
    """Of what the model holds for stale, the sentences that stand on the page."""
    there = {normal(one.text): one.text for one in statements(own)}
    for words in said[:_MOST_STALE]:
        if found := there.get(normal(words)):
            yield found


def _heading(words: str) -> str:
    heading = cut(clean(words).replace("[[", "").replace("]]", ""), _MOST_HEADING)
    return heading if heading and heading != HEADING else "Facts"


def _listed(lines: list[Line]) -> str:
    return "".join(f"- {one.text} ({one.citation})\n" for one in lines)
