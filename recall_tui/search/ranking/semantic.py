"""What lies near a question in meaning: one more list of finds, from whoever holds the vectors, and its worth.

Trouble with them never costs the answer that the words give. How far nearness is believed is seen question by question:
it counts for what it finds beyond the question's words, so that vectors that know no more than words change little.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recall_tui.errors import ModelError
from recall_tui.search.ranking import fusion
from recall_tui.search.ranking.explain import find_reasons

if TYPE_CHECKING:
    from recall_tui.domain.embedding import Nearest
    from recall_tui.index.text.reader import PassageAddress
    from recall_tui.search.bound_query import BoundQuery

BEST_BY_WORDS, NEAREST = 3, 10
"""Passages of each list that are looked at for the words of the question."""
MIN_NOVELTY, FULL_NOVELTY = 0.3, 0.7
"""How much of what the words find the nearest must lack before the words are doubted, and to be believed wholly."""
MIN_MATCH_RATIO = 0.4
"""The share of the question, by rarity, in one passage that lets its words be believed whatever lies near."""


def find_similar(question: BoundQuery, near: Nearest) -> tuple[fusion.RankedList, list[str]]:
    """The passages nearest to the question, the nearest first, and notes; none of them when there is trouble."""
    text = question.query.rest
    if not text or not question.query.words:
        return (), []
    try:
        found = near(text, question.wanted, fusion.MAX_SIMILAR_PASSAGES)
    except ModelError as error:
        return (), ["; ".join(filter(None, (f"found by words alone: {error.message}", error.hint)))]
    return found, []


def scale_weights(
    question: BoundQuery, weights: fusion.FusionWeights, by_words: fusion.RankedList, near: fusion.RankedList
) -> fusion.FusionWeights:
    """The weights for this question: how far its words are believed, and how far what lies near it.

    Where the nearest passages hold as much of the question as the best by words, they say nothing that the words did
    not: that is so of questions in the words of their evidence, and of vectors made of words. Where they hold little
    of it while the words cover little too, they answer it in other words. Measured over questions in the words of
    their evidence and in others, by `tests/qa/bench/vectors.py`: trusting vectors alike for every question gives up
    first places that the words had, more the less the vectors know.
    """
    if not near or not weights.embedding:
        return weights
    held = [_match_ratio(question, address) for _, address in by_words[:BEST_BY_WORDS]]
    close = [_match_ratio(question, address) for _, address in near[:NEAREST]]
    covered = max(held, default=0.0)
    news = max(0.0, 1 - sum(close) / len(close) / covered) if covered else 1.0
    doubt = min(1.0, max(0.0, (news - MIN_NOVELTY) / (FULL_NOVELTY - MIN_NOVELTY)))
    told = 1 - doubt * (1 - min(1.0, covered / MIN_MATCH_RATIO))
    return weights.trusting(told, min(1.0, news / FULL_NOVELTY))


def _match_ratio(question: BoundQuery, address: PassageAddress) -> float:
    """The share of the question, by rarity, that the passage holds."""
    return sum(find_reasons(question.reader.stored(address), question.weighed).words.values())
