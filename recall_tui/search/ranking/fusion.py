"""From lists of passages to documents in one order.

A session or document is worth half what it is as a whole and half its best passages; each list counts in shares of its
own best, so that neither drowns the other. What lies near the question fills what its words leave open when there are
vectors; without them the words count whole. What was derived never stands above its evidence for being shorter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from recall_tui.domain.documents import DERIVED_KINDS
from recall_tui.index.text.reader import PassageAddress

DOCUMENT_WEIGHT = 0.5
"""How much of the score is the session or document as a whole."""
TOOL_WEIGHT = 0.9
"""What a passage of thoughts or tools counts beside one of speech."""
NEXT_PASSAGE_WEIGHT = 0.3
"""What each further passage adds, of its own score, to the power of its place."""
MAX_PASSAGES = 6
DERIVED_WEIGHT = 0.9
NAME_MATCH_WEIGHT = 0.5
"""What a page counts whose name and description hold the whole question: less than the best evidence."""
EXACT_NAME = 2.0
"""The share of a page that is called exactly what was asked for."""
MAX_SIMILAR_PASSAGES = 100
"""How many of the nearest passages are looked at; when there are more, what is as far as the last counts nothing."""
MIN_SIMILARITY_ALONE = 0.3
"""The share of the nearest below which nothing is an answer for its nearness alone."""
SIMILARITY_WEIGHT = 0.75
"""What the nearest comes to for its nearness alone: a session whose words answer best of all stays before it."""

RankedList = Sequence[tuple[float, PassageAddress]]
Route = tuple[float, str]
"""What a page that leads to a document lends it, from 0 to 1, and that page, such as `weekly/2026-W10`."""


class FusionWeights:
    """What each part of a score counts: the setting, together 1, and how far a question can trust words and vectors."""

    __slots__ = ("embedding", "news", "parent", "told", "words")

    def __init__(
        self, embedding: float = 0.5, words: float = 0.3, parent: float = 0.2, *, told: float = 1.0, news: float = 1.0
    ) -> None:
        self.embedding = embedding
        self.words = words
        self.parent = parent
        self.told = told
        self.news = news

    def trusting(self, told: float, news: float) -> FusionWeights:
        """These, with how far the words are believed and how far nearness; see `nearness.trusting`."""
        return FusionWeights(self.embedding, self.words, self.parent, told=told, news=news)

    def score(self, words: float, embedding: float | None) -> float:
        """What words and nearness come to: nearness takes its share of what the words leave open.

        Each counts whole at the published weight or above, and in proportion below it. Without vectors (None) the
        words count for both. A weighted sum of the two gains as much where the words fail and loses the first place
        elsewhere, for it also lowers what the words find.
        """
        if embedding is None or not self.embedding + self.words:
            return words
        said = self.told * min(1.0, self.words / _DEFAULT_WEIGHTS.words)
        near = SIMILARITY_WEIGHT * self.news * min(1.0, self.embedding / _DEFAULT_WEIGHTS.embedding)
        return 1 - (1 - said * words) * (1 - near * embedding)

    def of_parent(self, share: float) -> float:
        """What a page that leads to a candidate adds to it, beside what its words and nearness come to."""
        return self.parent * share / (self.embedding + self.words or 1.0)


def parse_weights(setting: object) -> FusionWeights:
    """The weights of the setting `search.weights`."""
    return FusionWeights(*map(float, setting)) if isinstance(setting, tuple) and len(setting) == 3 else FusionWeights()


_DEFAULT_WEIGHTS = FusionWeights()


class SearchCandidate(NamedTuple):
    """A session or document that may be an answer."""

    key: int
    """What its passages are counted with; see `index.text.schema`."""
    passages: tuple[tuple[float, PassageAddress], ...] = ()
    """Its passages that were found, best first."""
    whole: float = 0.0
    """Its best stretch's share of the best of all."""
    passage: float = 0.0
    """Its passages' share of the best of all."""
    words: float = 0.0
    """What these two come to: how well its words answer."""
    near: tuple[tuple[float, PassageAddress], ...] = ()
    """Its passages that lie near the question, the nearest first, each with its share of the nearest of all."""
    embedding: float = 0.0
    """What they come to, as a share of the most."""
    parent: float = 0.0
    """The share that a page which leads to it lends it."""
    through: str = ""
    """That page, such as `weekly/2026-W10`."""
    catalog: float = 0.0
    """The share of the question that its name and description hold."""
    coverage: float = 1.0
    """The share of the question that a page holds, where that is little and others hold all of it."""
    score: float = 0.0
    """From 0 to 1, and above for what pages lead to; a hit shows no more than 1."""
    is_named: bool = False
    """It is called exactly what was asked for."""
    factors: Mapping[str, float] = MappingProxyType({})
    """What the score was multiplied by, such as the time."""

    @property
    def is_near(self) -> bool:
        """Whether it is here for its nearness more than for its words."""
        return self.embedding > self.words

    def times(self, name: str, factor: float) -> SearchCandidate:
        """The candidate with its score multiplied."""
        return self._replace(score=self.score * factor, factors={**self.factors, name: factor})


def fuse(
    speech: RankedList,
    tools: RankedList,
    whole: RankedList,
    keys_of: Callable[[list[PassageAddress]], list[int]],
    near: RankedList = (),
    weights: FusionWeights = _DEFAULT_WEIGHTS,
) -> list[SearchCandidate]:
    """One candidate for each session or document of the lists, best first."""
    passages = _group_by_key(((1.0, speech), (TOOL_WEIGHT, tools)), keys_of)
    pooled = {key: _pool_scores(of_key) for key, of_key in passages.items()}
    wholes = {key: max(score for score, _ in found) for key, found in _group_by_key(((1.0, whole),), keys_of).items()}
    nearby = _group_by_key(((1.0, _relative_similarities(near)),), keys_of)
    nearness = {key: _pool_scores(found) for key, found in nearby.items()}
    most, most_whole, most_near = (max(each.values(), default=0.0) or 1.0 for each in (pooled, wholes, nearness))
    whole_share = DOCUMENT_WEIGHT if wholes else 0.0
    made = []
    for key in {**pooled, **wholes, **nearness}:
        passage, of_whole = pooled.get(key, 0.0) / most, wholes.get(key, 0.0) / most_whole
        words = whole_share * of_whole + (1 - whole_share) * passage
        embedding = nearness.get(key, 0.0) / most_near
        if not words and embedding < MIN_SIMILARITY_ALONE:
            continue
        score = weights.score(words, embedding if nearness else None)
        listed, close = _sort_candidates(passages.get(key, ())), _sort_candidates(nearby.get(key, ()))
        made.append(SearchCandidate(key, listed, of_whole, passage, words, close, embedding, score=score))
    return sort_by_score(made)


def apply_routes(
    candidates: Sequence[SearchCandidate], routes: Mapping[int, Route], weights: FusionWeights
) -> list[SearchCandidate]:
    """The candidates with what pages lend them, and those that only a page leads to, best first."""
    known = {one.key for one in candidates}
    made = [*candidates, *(SearchCandidate(key) for key in routes if key not in known)]
    for place, one in enumerate(made):
        if route := routes.get(one.key):
            share, through = route
            made[place] = one._replace(score=one.score + weights.of_parent(share), parent=share, through=through)
    return sort_by_score(made)


def apply_name_matches(candidates: Sequence[SearchCandidate], names: Mapping[int, float]) -> list[SearchCandidate]:
    """The candidates with what their names are worth, and those that only their name makes one, best first."""
    known = {one.key for one in candidates}
    made = [*candidates, *(SearchCandidate(key) for key in names if key not in known)]
    for place, one in enumerate(made):
        if share := names.get(one.key):
            weight = 1.0 if share >= EXACT_NAME else NAME_MATCH_WEIGHT
            score = max(one.score, weight * min(share, 1.0))
            made[place] = one._replace(score=score, catalog=min(share, 1.0), is_named=share >= EXACT_NAME)
    return sort_by_score(made)


def one_per_passage(
    speech: RankedList, tools: RankedList, near: RankedList = (), weights: FusionWeights = _DEFAULT_WEIGHTS
) -> list[SearchCandidate]:
    """Each passage for itself, best first."""
    found = {address: score * share for share, each in ((1.0, speech), (TOOL_WEIGHT, tools)) for score, address in each}
    most = max(found.values(), default=0.0) or 1.0
    nearby = {address: share for share, address in _relative_similarities(near)}
    made = []
    for place, address in enumerate(sorted({**found, **nearby})):
        words, embedding = found.get(address, 0.0) / most, nearby.get(address, 0.0)
        if not words and embedding < MIN_SIMILARITY_ALONE:
            continue
        score = weights.score(words, embedding if nearby else None)
        listed = ((found[address], address),) if address in found else ()
        close = ((embedding, address),) if address in nearby else ()
        made.append(SearchCandidate(place, listed, 0.0, words, words, close, embedding, score=score))
    return sort_by_score(made)


def sort_by_score(candidates: Iterable[SearchCandidate]) -> list[SearchCandidate]:
    """Best first, what is called so before all; equals stand in the order of their keys."""
    return sorted(candidates, key=lambda one: (not one.is_named, -round(one.score, 9), one.key))


def kind_weight(kind: str, wiki: float = DERIVED_WEIGHT) -> float:
    """What a document of this kind counts, against evidence; a page of the wiki what its setting says."""
    if kind == "wiki":
        return wiki
    return DERIVED_WEIGHT if kind in DERIVED_KINDS else 1.0


def _group_by_key(
    lists: Iterable[tuple[float, RankedList]], keys_of: Callable[[list[PassageAddress]], list[int]]
) -> dict[int, list[tuple[float, PassageAddress]]]:
    """The finds of each session or document, each list with its share."""
    found: dict[int, list[tuple[float, PassageAddress]]] = {}
    for share, listed in lists:
        for (score, address), key in zip(listed, keys_of([address for _, address in listed]), strict=True):
            found.setdefault(key, []).append((score * share, address))
    return found


def _sort_candidates(found: Iterable[tuple[float, PassageAddress]]) -> tuple[tuple[float, PassageAddress], ...]:
    return tuple(sorted(found, key=lambda one: (-one[0], one[1])))


def _relative_similarities(near: RankedList) -> RankedList:
    """The cosines as shares of the nearest: how far each is above the last that was looked at."""
    listed = [(cosine, address) for cosine, address in near if cosine > 0]
    if not listed:
        return ()
    most = max(cosine for cosine, _ in listed)
    least = min(cosine for cosine, _ in listed) if len(near) >= MAX_SIMILAR_PASSAGES else 0.0
    if most <= least:
        return [(1.0, address) for _, address in listed]
    return [((cosine - least) / (most - least), address) for cosine, address in listed if cosine > least]


def _pool_scores(passages: list[tuple[float, PassageAddress]]) -> float:
    best = sorted((score for score, _ in passages), reverse=True)[:MAX_PASSAGES]
    return sum(score * NEXT_PASSAGE_WEIGHT**place for place, score in enumerate(best))
