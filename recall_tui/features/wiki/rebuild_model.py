"""A page rebuilt by a model: sections of claims, each held against the lines of the page's sources that it cites.

The page's own words, its head and what it says of its past stay as they are; without an answer the page is rebuilt
without a model.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from recall_tui.features.grounding.evidence import NumberedLine, clean_claim, fit_lines, render_lines, select_lines
from recall_tui.features.grounding.extractive_summary import SourceLine
from recall_tui.features.grounding.harness import GroundedAnswer, ask_over_evidence
from recall_tui.features.wiki.present_body import SOURCES_HEADING
from recall_tui.features.wiki.rebuild import source_statements, split_own_text
from recall_tui.llm.client import LLMRequest, ModelClient
from recall_tui.llm.model import Failure
from recall_tui.llm.prompts import render_prompt
from recall_tui.storage.documents.identity import read_identity
from recall_tui.storage.documents.shared_wikis import find_wiki, read_wiki
from recall_tui.storage.documents.statements import page_statements
from recall_tui.storage.documents.wiki_claims import outdated_claims
from recall_tui.storage.documents.wiki_page import WikiPage
from recall_tui.storage.memory_context import Store
from recall_tui.text.classify.similarity import normalize
from recall_tui.text.cut import shorten

PROMPT = "wiki-rebuild"
ANSWER_TOKENS = 3_000
MAX_SECTIONS, MAX_CLAIMS = 8, 20
_MAX_PAGE_CHARS = 8_000
_MAX_SLUGS = 200
_MAX_STALE = 10
_MAX_HEADING_CHARS = 60


class RebuiltPage(NamedTuple):
    """What a model made of a page."""

    body: str
    stale: tuple[str, ...] = ()
    """Sentences of the page that its sources speak against."""
    left_out: int = 0
    """Claims that no line holds."""
    note: str = ""
    """Which claims gave way to the words of their sources, or to nothing, and why."""


class PageClaimSchema(msgspec.Struct):
    """One sentence of the answer."""

    text: str
    lines: list[int] = []


class SectionSchema(msgspec.Struct):
    """Claims under one heading."""

    heading: str
    claims: list[PageClaimSchema] = []


class RebuildSchema(msgspec.Struct):
    """The page as a model has it."""

    sections: list[SectionSchema] = []
    stale: list[str] = []


def rebuild_with_model(store: Store, slug: str, calls: ModelClient, shared: str = "") -> RebuiltPage | Failure:
    """The page as the model for dreaming tells it."""
    wiki = read_wiki(store, find_wiki(store, shared).folder)
    page = wiki.page(slug)
    lines = _number_statements(store, page)
    if not lines:
        return Failure("its sources say nothing of it")
    slugs = frozenset(one.slug for one in wiki.own if one.slug != page.slug)
    asked = LLMRequest(
        render_prompt(
            store,
            PROMPT,
            material={
                "identity": read_identity(store).told,
                "page": f"{page.name}\n{page.description}\n{shorten(page.body, _MAX_PAGE_CHARS)}",
                "pages": " ".join(sorted(slugs)[:_MAX_SLUGS]) or "(none)",
                "lines": render_lines(lines),
            },
        ),
        max_tokens=ANSWER_TOKENS,
    )
    said = ask_over_evidence(calls, "dream", asked, RebuildSchema, lines, slugs)
    return said if isinstance(said, Failure) else _check_answer(store, page, said)


def _number_statements(store: Store, page: WikiPage) -> tuple[NumberedLine, ...]:
    """What the sources say of the page's subject, the newest first as far as there is room, in the order of days."""
    gone = _superseded_days(page)
    drawn = [one for one in source_statements(store, page) if one.is_of_page]
    drawn.sort(key=lambda one: one.day, reverse=True)
    found = (NumberedLine(one.line, one.day, _superseded_note(gone.get(normalize(one.line.text)))) for one in drawn)
    return tuple(sorted(fit_lines(found), key=lambda one: (one.day, one.line.path, one.line.lines)))


def _superseded_days(page: WikiPage) -> dict[str, str]:
    """The claims of the page that hold no longer, with the day since when."""
    return {key: one.on or "a later day" for key, one in outdated_claims(page).items()}


def _superseded_note(day: str | None) -> str:
    return f"held until {day}" if day else ""


def _check_answer(store: Store, page: WikiPage, said: GroundedAnswer[RebuildSchema]) -> RebuiltPage | Failure:
    own, before = split_own_text(store, page)
    gone = _superseded_days(page)
    heard = {normalize(said.text) for said in page_statements(own)}
    parts: list[str] = []
    left_out = 0
    for section in said.answer.sections[:MAX_SECTIONS]:
        chosen: list[SourceLine] = []
        for claim in section.claims[:MAX_CLAIMS]:
            cited = select_lines(said.evidence, claim.lines)
            found = said.claim(claim.text, claim.lines)
            left_out += not found
            for one in found:
                if normalize(one.text) not in heard:
                    heard.add(normalize(one.text))
                    chosen.append(_prefix_end_date(one, cited, gone))
        if chosen:
            parts.append(f"## {_clean_heading(section.heading)}\n\n{_render_list(chosen)}")
    if not parts:
        return Failure(f"nothing that it said is held by the lines it cites; {said.note or 'it made no claim'}")
    kept = [
        one
        for one in before
        if one.path not in {cited.line.path for cited in said.evidence} and normalize(one.text) not in heard
    ]
    if kept:
        parts.append(f"## {SOURCES_HEADING}\n\n{_render_list(kept)}")
    stale = tuple(_stale_sentences(said.answer.stale, own))
    return RebuiltPage(f"{own.rstrip()}\n\n" + "\n".join(parts), stale, left_out, said.note)


def _prefix_end_date(one: SourceLine, cited: tuple[NumberedLine, ...], gone: dict[str, str]) -> SourceLine:
    """The claim, and of one that rests on what holds no longer alone the day until which it did."""
    days = [gone.get(normalize(said.line.text)) for said in cited]
    if not days or not all(days) or "until" in one.text.casefold():
        return one
    return one._replace(text=f"Until {max(filter(None, days))}: {one.text}")


def _stale_sentences(said: list[str], own: str) -> Iterator[str]:
    """Of what the model holds for stale, the sentences that stand on the page."""
    there = {normalize(one.text): one.text for one in page_statements(own)}
    for words in said[:_MAX_STALE]:
        if found := there.get(normalize(words)):
            yield found


def _clean_heading(words: str) -> str:
    heading = shorten(clean_claim(words).replace("[[", "").replace("]]", ""), _MAX_HEADING_CHARS)
    return heading if heading and heading != SOURCES_HEADING else "Facts"


def _render_list(lines: list[SourceLine]) -> str:
    return "".join(f"- {one.text} ({one.citation})\n" for one in lines)
