"""Days and searches that a dream finds something in, and answers of a model."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from recall_tui.domain import Hit, SearchResult
from recall_tui.features.dreaming import dream
from recall_tui.features.dreaming.dream import DreamResult
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import search_log


def day(store: Store, number: int, text: str) -> str:
    """Write the log of a day, counted from 1 February 2026; its path in the memory."""
    path = store.layout.days / f"{date(2026, 2, 1) + timedelta(days=number)}.md"
    path.write_text(text)
    return store.relative(path)


def asked(store: Store, query: str, *documents: str, best: float = 1.0) -> None:
    """Log a search that found these documents."""
    hits = tuple(
        Hit(str(place), document, "daily", "raw", "", 1.0, "", (1, 1), why={"shares": {"x": best}})
        for place, document in enumerate(documents)
    )
    assert search_log.log_search(store, SearchResult(query, "any word", 1.0, len(hits), hits))


def story(store: Store) -> None:
    """Write three days with a name of which each says something, and a fact that changes."""
    day(store, 0, "The rate limit of the api is 100 requests.\n\nAnna Berg is the buyer of Northwind.\n")
    day(store, 3, "Anna Berg wants invoices by mail.\n")
    day(
        store,
        9,
        "Anna Berg has an office in Bergen.\n\nDecided to raise it.\n\nThe rate limit of the api is 250 requests.\n",
    )


def dreamt(store: Store) -> DreamResult:
    """Run all phases of a dream."""
    dream.gather_signals(store)
    dream.analyze_signals(store)
    return dream.write_proposals(store)


NOTHING: dict[str, Any] = {"insights": [], "contradictions": [], "gaps": [], "operations": []}
CREATE = {
    "op": "create",
    "slug": "anna-berg",
    "category": "entity",
    "name": "Anna Berg",
    "description": "Anna Berg, who wants invoices by mail",
    "claims": [
        {"text": "Anna Berg wants her invoices by mail. (memory/none.md:1)", "lines": [1, 2, 3, 4, 5]},
        {"text": "Anna Berg lives in Oslo at number 44.", "lines": [1]},
    ],
}


def saying(*operations: dict[str, Any], **found: Any) -> dict[str, Any]:
    """A model's answer with these operations and nothing else, unless told."""
    return {**NOTHING, "operations": list(operations), **found}
