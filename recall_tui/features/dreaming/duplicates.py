"""Two pages that may be about one subject: by their names, or by their sources and a model's word.

In doubt they stay two; nothing is merged here, it is only proposed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

import msgspec

from recall_tui.features.dreaming.state import SignalAnalysis, WikiOperation
from recall_tui.features.grounding.evidence import clean_claim, document_day
from recall_tui.llm.client import LLMRequest, ModelClient
from recall_tui.llm.model import Failure
from recall_tui.llm.prompts import render_prompt
from recall_tui.storage.documents.wiki_folder import Wiki
from recall_tui.storage.documents.wiki_page import WikiPage
from recall_tui.storage.files.atomic import content_digest
from recall_tui.storage.memory_context import Store
from recall_tui.text.classify.similarity import normalize
from recall_tui.text.cut import shorten

MIN_SOURCES = 3
MIN_JACCARD = 0.5
"""Of the published design: the share of all sources of two pages that both have, from which a model is asked."""
MAX_VERDICTS = 3
"""Pairs that one dream asks about."""
_PROMPT = "dream-same"
_ANSWER_TOKENS = 200
_MAX_PAGE_CHARS = 3_000
_MAX_COMPARED_PAGES = 200
"""Pages that are compared with each other; beyond that their number is too large for pairs."""


class PagePair(NamedTuple):
    """Two pages; the first would become the second."""

    gone: WikiPage
    kept: WikiPage

    @property
    def key(self) -> str:
        """What the pair is known by."""
        return f"same {' '.join(sorted((self.gone.slug, self.kept.slug)))}"

    @property
    def digest(self) -> str:
        """Of both as they are; the same is not asked twice."""
        return content_digest(f"{self.gone.body}\n{self.kept.body}")[:16]


class MergeVerdict(msgspec.Struct):
    """Whether two pages are one."""

    same: bool = False
    why: str = ""


def similar_names(wiki: Wiki) -> Iterator[WikiOperation]:
    """Pages whose names are one but for case, hyphens and spaces, or of which one is a known alias of the other's."""
    named: dict[str, WikiPage] = {}
    for page in wiki.own:
        if page.slug.endswith("-trajectory"):
            continue
        names = {_normal_name(page.name), *map(_normal_name, _page_aliases(page))}
        other = next((named[name] for name in sorted(names) if name in named), None)
        if other is not None:
            pair = _ordered_pair(page, other)
            yield _merge_operation(pair, "their names are the same but for how they are written")
        for name in names:
            named.setdefault(name, page)


def similar_sources(wiki: Wiki) -> tuple[PagePair, ...]:
    """Pages that rest on much the same sources, the likest first; those whose names are alike are left out."""
    named = {frozenset((one.slug, *one.others)) for one in similar_names(wiki)}
    pages = [
        page for page in wiki.own if len(_source_paths(page)) >= MIN_SOURCES and not page.slug.endswith("-trajectory")
    ]
    found = [
        (_jaccard(one, other), _ordered_pair(one, other))
        for one, other in combinations(pages[:_MAX_COMPARED_PAGES], 2)
        if may_merge(one, other) and frozenset((one.slug, other.slug)) not in named
    ]
    return tuple(pair for _, pair in sorted(found, key=lambda row: (-row[0], row[1].key)))


def may_merge(one: WikiPage, other: WikiPage) -> bool:
    """Whether two pages rest on enough of the same sources to be thought one."""
    enough = min(len(_source_paths(one)), len(_source_paths(other))) >= MIN_SOURCES
    return enough and one.slug != other.slug and _jaccard(one, other) >= MIN_JACCARD


def ask_verdict(store: Store, calls: ModelClient, pair: PagePair) -> SignalAnalysis | Failure:
    """What a model says of a pair; whatever is no clear yes is a no."""
    material: Mapping[str, str] = {"one": _render_page(pair.gone), "other": _render_page(pair.kept)}
    asked = LLMRequest(render_prompt(store, _PROMPT, material=material), max_tokens=_ANSWER_TOKENS)
    said = calls.answer("dream", asked, MergeVerdict)
    if isinstance(said, Failure):
        return said
    why = shorten(clean_claim(said.why), 200) or "a model holds them for one subject"
    operations = (_merge_operation(pair, why)._replace(is_told=True),) if said.same else ()
    return SignalAnalysis(operations, is_told=True, digest=pair.digest)


def _ordered_pair(one: WikiPage, other: WikiPage) -> PagePair:
    """The pair with the page of the latest source as the one that stays."""
    older, newer = sorted((one, other), key=lambda page: (_latest_source(page), page.slug))
    return PagePair(older, newer)


def _merge_operation(pair: PagePair, why: str) -> WikiOperation:
    gone, kept = pair
    return WikiOperation(gone.slug, gone.category, gone.name, why, (), action="merge", others=(kept.slug,))


def _latest_source(page: WikiPage) -> str:
    return max((document_day(source.ref.document) for source in page.sources), default="")


def _source_paths(page: WikiPage) -> frozenset[str]:
    return frozenset(source.ref.document for source in page.sources)


def _jaccard(one: WikiPage, other: WikiPage) -> float:
    both = _source_paths(one) | _source_paths(other)
    return len(_source_paths(one) & _source_paths(other)) / len(both) if both else 0.0


def _page_aliases(page: WikiPage) -> list[str]:
    listed = page.extra.get("aliases")
    return [one for one in listed if isinstance(one, str)] if isinstance(listed, list) else []


def _normal_name(name: str) -> str:
    return normalize(name).replace(" ", "")


def _render_page(page: WikiPage) -> str:
    return f"{page.name} ({page.category}): {page.description}\n{shorten(page.body.strip(), _MAX_PAGE_CHARS)}"
