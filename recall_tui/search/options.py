"""What a person may set of one search beside its filters; what is not set is as the memory's settings say."""

from __future__ import annotations

from typing import NamedTuple

TYPED_MEMORY_BOOST = 1.2
"""What the name and description of a typed memory count, beside those of another page."""


class SearchOptions(NamedTuple):
    """How one search is made."""

    typed_boost: float = TYPED_MEMORY_BOOST
    wiki_boost: float | None = None
    """What a page of the wiki weighs; None for the setting `wiki.score_boost`."""
    without_wiki: bool = False
    recency_depth: int = 0
    """Newest weekly pages that are offered where there is room."""
    max_chunks: int = 0
    """Passages of a hit whose text is given; 0 for none."""
    max_tokens: int = 500
    """Tokens of that text, at most, of each hit."""


DEFAULT_OPTIONS = SearchOptions()
