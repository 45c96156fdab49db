"""From passages that match to documents that answer.

A document counts as much as its best passage, a part of its next, and how much of the question it covers as a whole;
what was derived never stands above the evidence it came from for being shorter.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from recall_tui.search.lexical import Match

DERIVED = frozenset(("window", "weekly", "monthly", "wiki", "wisdom", "master", "summary"))
"""Kinds of documents that were made from others."""
DERIVED_WEIGHT = 0.9
NEXT_SHARE = 0.2
"""What the second best passage of a document adds of its own score."""
COVER_SHARE = 0.5
"""How much of the score is the document as a whole; the rest is its best passages."""


@dataclass(frozen=True, slots=True)
class Pooled:
    """A document, or a passage when passages were asked for, and what it is worth."""

    best: Match
    score: float
    """From 0 to 1."""
    weight: float
    """The weight of its kind, in the score already."""
    parts: dict[str, float]
    """What the score is made of."""


def weight_of(kind: str) -> float:
    """What a document of this kind counts, against evidence."""
    return DERIVED_WEIGHT if kind in DERIVED else 1.0


def alone(matches: Iterable[Match]) -> list[Pooled]:
    """Each passage for itself, best first."""
    return _ordered(
        Pooled(one, one.score * (weight := weight_of(one.passage.kind)), weight, {"lexical": one.score})
        for one in matches
    )


def by_document(matches: Iterable[Match]) -> list[Pooled]:
    """One for each session or document, best first."""
    groups: dict[str, list[Match]] = {}
    for one in matches:
        passage = one.passage
        is_session = passage.kind == "conversation" and passage.session_id
        groups.setdefault(f"session {passage.session_id}" if is_session else passage.key, []).append(one)
    return _ordered(_pool(group) for group in groups.values())


def _pool(group: list[Match]) -> Pooled:
    best, *others = sorted(group, key=lambda one: (-one.score, one.passage.id))
    most: dict[str, float] = {}
    for one in group:
        for word, share in one.words.items():
            most[word] = max(share, most.get(word, 0.0))
    following = others[0].score if others else 0.0
    passages = min(1.0, (best.score + NEXT_SHARE * following) / (1 + NEXT_SHARE))
    whole = min(1.0, sum(most.values()))
    weight = weight_of(best.passage.kind)
    score = ((1 - COVER_SHARE) * passages + COVER_SHARE * whole) * weight
    return Pooled(best, score, weight, {"passage": best.score, "next": following, "document": whole})


def _ordered(pooled: Iterable[Pooled]) -> list[Pooled]:
    return sorted(pooled, key=lambda one: (-round(one.score, 9), one.best.passage.document, one.best.passage.lines))
