"""Candidates with the passages that stand for them, before their order is final."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from recall_tui.domain.documents import DERIVED_KINDS
from recall_tui.search.ranking.fusion import SearchCandidate

if TYPE_CHECKING:
    from recall_tui.index.text.stored_passage import StoredPassage

"""Kinds of documents that say how things are; what was said in a conversation is no claim yet."""


class RankedPassage(NamedTuple):
    """A candidate with the passage that stands for it."""

    candidate: SearchCandidate
    passage: StoredPassage
    weight: float
    score: float

    @property
    def is_derived(self) -> bool:
        """Whether it was made from other documents."""
        return self.passage.kind in DERIVED_KINDS
