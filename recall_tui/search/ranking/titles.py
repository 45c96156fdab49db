"""What a hit is called whose session nobody gave a title: the words that it began with.

The index is asked only for hits without a title, so that a search costs what it did.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from recall_tui.index.sources.sessions import first_prompt

if TYPE_CHECKING:
    from recall_tui.domain import Hit, SearchResult
    from recall_tui.index.opener import Index


def with_titles(index: Index, answer: SearchResult) -> SearchResult:
    """The answer with a title for each hit that something is known of."""
    return answer._replace(hits=tuple(_with_title(index, answer)))


def _with_title(index: Index, answer: SearchResult) -> Iterator[Hit]:
    known: dict[str, str] = {}
    for hit in answer.hits:
        key = hit.id.rpartition(".")[0]
        if not hit.title and key not in known:
            reader = index.reader()
            known[key] = first_prompt(reader, key) if reader else ""
        yield hit if hit.title else hit._replace(title=known[key])
