"""From lists of passages to documents in one order.

A session or document is worth half what it is as a whole and half its best passages; each list counts in shares of its
own best, so that neither drowns the other. What was derived never stands above its evidence for being shorter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from recall_tui.index.passages import Address

WHOLE_SHARE = 0.5
"""How much of the score is the session or document as a whole."""
TOOL_SHARE = 0.9
"""What a passage of thoughts or tools counts beside one of speech."""
NEXT_SHARE = 0.3
"""What each further passage adds, of its own score, to the power of its place."""
MOST_PASSAGES = 6
DERIVED = frozenset(("window", "weekly", "monthly", "wiki", "wisdom", "master", "summary", "insight"))
"""Kinds of documents that were made from others."""
DERIVED_WEIGHT = 0.9

Found = Sequence[tuple[float, Address]]


class Candidate(NamedTuple):
    """A session or document that may be an answer."""

    key: int
    """What its passages are counted with; see `schema.number_of`."""
    passages: tuple[tuple[float, Address], ...] = ()
    """Its passages that were found, best first."""
    whole: float = 0.0
    """Its best stretch's share of the best of all."""
    passage: float = 0.0
    """Its passages' share of the best of all."""
    score: float = 0.0
    """From 0 to 1."""
    factors: Mapping[str, float] = MappingProxyType({})
    """What the score was multiplied by, such as the time."""

    def times(self, name: str, factor: float) -> Candidate:
        """The candidate with its score multiplied."""
        return self._replace(score=self.score * factor, factors={**self.factors, name: factor})


def fused(speech: Found, tools: Found, whole: Found, keys_of: Callable[[list[Address]], list[int]]) -> list[Candidate]:
    """One candidate for each session or document of the lists, best first."""
    passages: dict[int, list[tuple[float, Address]]] = {}
    for share, found in ((1.0, speech), (TOOL_SHARE, tools)):
        for (score, address), key in zip(found, keys_of([address for _, address in found]), strict=True):
            passages.setdefault(key, []).append((score * share, address))
    pooled = {key: _pooled(of_key) for key, of_key in passages.items()}
    wholes: dict[int, float] = {}
    for (score, _), key in zip(whole, keys_of([address for _, address in whole]), strict=True):
        wholes[key] = max(score, wholes.get(key, 0.0))
    most, most_whole = max(pooled.values(), default=0.0) or 1.0, max(wholes.values(), default=0.0) or 1.0
    whole_share = WHOLE_SHARE if wholes else 0.0
    made = []
    for key in {**pooled, **wholes}:
        passage, of_whole = pooled.get(key, 0.0) / most, wholes.get(key, 0.0) / most_whole
        score = whole_share * of_whole + (1 - whole_share) * passage
        ordered = sorted(passages.get(key, ()), key=lambda one: (-one[0], one[1]))
        made.append(Candidate(key, tuple(ordered), of_whole, passage, score))
    return ordered_by_score(made)


def alone(speech: Found, tools: Found) -> list[Candidate]:
    """Each passage for itself, best first."""
    found = [
        (score * share, address) for share, each in ((1.0, speech), (TOOL_SHARE, tools)) for score, address in each
    ]
    most = max((score for score, _ in found), default=0.0) or 1.0
    return ordered_by_score(
        Candidate(place, ((score, address),), 0.0, score / most, score / most)
        for place, (score, address) in enumerate(sorted(found, key=lambda one: one[1]))
    )


def ordered_by_score(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Best first; equals stand in the order of their keys."""
    return sorted(candidates, key=lambda one: (-round(one.score, 9), one.key))


def weight_of(kind: str) -> float:
    """What a document of this kind counts, against evidence."""
    return DERIVED_WEIGHT if kind in DERIVED else 1.0


def _pooled(passages: list[tuple[float, Address]]) -> float:
    best = sorted((score for score, _ in passages), reverse=True)[:MOST_PASSAGES]
    return sum(score * NEXT_SHARE**place for place, score in enumerate(best))
