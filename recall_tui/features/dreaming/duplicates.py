"""Two pages that may be about one subject: by their names, or by their sources and a model's word.

In doubt they stay two; nothing is merged here, it is only proposed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

import msgspec

from recall_tui.features.dreaming.state import Analysis, Operation
from recall_tui.features.grounding.evidence import clean, day_of
from recall_tui.llm.client import Asked, Calls
from recall_tui.llm.model import Failure
from recall_tui.llm.prompts import prompt
from recall_tui.storage.documents.wiki_folder import Wiki
from recall_tui.storage.documents.wiki_page import WikiPage
from recall_tui.storage.files.atomic import digest
from recall_tui.storage.memory_context import Store
from recall_tui.text.classify.similarity import normal
from recall_tui.text.cut import cut

LEAST_SOURCES = 3
LEAST_JACCARD = 0.5
"""Of the published design: the share of all sources of two pages that both have, from which a model is asked."""
MOST_VERDICTS = 3
"""Pairs that one dream asks about."""
_PROMPT = "dream-same"
_ANSWER_TOKENS = 200
_OF_PAGE = 3_000
_NAMES = 200
"""Pages that are compared with each other; beyond that their number is too large for pairs."""


class Pair(NamedTuple):
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
        return digest(f"{self.gone.body}\n{self.kept.body}")[:16]


class Verdict(msgspec.Struct):
    """Whether two pages are one."""

    same: bool = False
    why: str = ""


def alike_by_name(wiki: Wiki) -> Iterator[Operation]:
    """Pages whose names are one but for case, hyphens and spaces, or of which one is a known alias of the other's."""
    named: dict[str, WikiPage] = {}
    for page in wiki.own:
        if page.slug.endswith("-trajectory"):
            continue
        names = {_bare(page.name), *map(_bare, _aliases(page))}
        other = next((named[name] for name in sorted(names) if name in named), None)
        if other is not None:
            pair = _pair(page, other)
            yield _operation(pair, "their names are the same but for how they are written")
        for name in names:
            named.setdefault(name, page)


def alike_by_sources(wiki: Wiki) -> tuple[Pair, ...]:
    """Pages that rest on much the same sources, the likest first; those whose names are alike are left out."""
    named = {frozenset((one.slug, *one.others)) for one in alike_by_name(wiki)}
    pages = [
        page for page in wiki.own if len(_sources(page)) >= LEAST_SOURCES and not page.slug.endswith("-trajectory")
    ]
    found = [
        (_jaccard(one, other), _pair(one, other))
        for one, other in combinations(pages[:_NAMES], 2)
        if may_merge(one, other) and frozenset((one.slug, other.slug)) not in named
    ]
    return tuple(pair for _, pair in sorted(found, key=lambda row: (-row[0], row[1].key)))


def may_merge(one: WikiPage, other: WikiPage) -> bool:
    """Whether two pages rest on enough of the same sources to be thought one."""
    enough = min(len(_sources(one)), len(_sources(other))) >= LEAST_SOURCES
    return enough and one.slug != other.slug and _jaccard(one, other) >= LEAST_JACCARD


def verdict(store: Store, calls: Calls, pair: Pair) -> Analysis | Failure:
    """What a model says of a pair; whatever is no clear yes is a no."""
    material: Mapping[str, str] = {"one": _shown(pair.gone), "other": _shown(pair.kept)}
    asked = Asked(prompt(store, _PROMPT, material=material), max_tokens=_ANSWER_TOKENS)
    said = calls.answer("dream", asked, Verdict)
    if isinstance(said, Failure):
        return said
    why = cut(clean(said.why), 200) or "a model holds them for one subject"
    operations = (_operation(pair, why)._replace(is_told=True),) if said.same else ()
    return Analysis(operations, is_told=True, digest=pair.digest)


def _pair(one: WikiPage, other: WikiPage) -> Pair:
    """The pair with the page of the latest source as the one that stays."""
    older, newer = sorted((one, other), key=lambda page: (_latest(page), page.slug))
    return Pair(older, newer)


def _operation(pair: Pair, why: str) -> Operation:
    gone, kept = pair
    return Operation(gone.slug, gone.category, gone.name, why, (), action="merge", others=(kept.slug,))


def _latest(page: WikiPage) -> str:
    return max((day_of(source.uri) for source in page.sources), default="")


def _sources(page: WikiPage) -> frozenset[str]:
    return frozenset(source.uri for source in page.sources)


def _jaccard(one: WikiPage, other: WikiPage) -> float:
    both = _sources(one) | _sources(other)
    return len(_sources(one) & _sources(other)) / len(both) if both else 0.0


def _aliases(page: WikiPage) -> list[str]:
    listed = page.extra.get("aliases")
    return [one for one in listed if isinstance(one, str)] if isinstance(listed, list) else []


def _bare(name: str) -> str:
    return normal(name).replace(" ", "")


def _shown(page: WikiPage) -> str:
    return f"{page.name} ({page.category}): {page.description}\n{cut(page.body.strip(), _OF_PAGE)}"
