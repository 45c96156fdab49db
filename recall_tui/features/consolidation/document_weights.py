"""How much each document of a period weighs in its summary.

The shares of one period are together 1, and one alone has all of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from recall_tui.storage.documents.statements import page_statements
from recall_tui.text.classify.mentions import find_names
from recall_tui.text.classify.tags import decision_score

Strategy = Literal["salience", "uniform", "recency"]
HALF_LIFE_DOCUMENTS = 2.0
"""With `recency`: documents back from the newest until one weighs half."""


def document_weights(
    children: Mapping[str, str], strategy: str = "salience", weights: tuple[float, ...] = (0.4, 0.3, 0.3)
) -> dict[str, float]:
    """The share of each document (texts by path, oldest first).

    `salience` weighs words, names and decisions, each beside the most that one of them has; `recency` halves every
    `HALF_LIFE_DOCUMENTS` documents back; `uniform` is the same for all.
    """
    if not children:
        return {}
    if strategy == "uniform":
        raw = dict.fromkeys(children, 1.0)
    elif strategy == "recency":
        newest = len(children) - 1
        raw = {path: 0.5 ** ((newest - place) / HALF_LIFE_DOCUMENTS) for place, path in enumerate(children)}
    else:
        raw = _salience_weights(children, weights)
    total = sum(raw.values())
    return {path: value / total if total else 1 / len(raw) for path, value in raw.items()}


def _salience_weights(children: Mapping[str, str], weights: tuple[float, ...]) -> dict[str, float]:
    counts = {
        path: (
            len(text.split()),
            len(find_names(text)),
            sum(decision_score(one.text) > 0 for one in page_statements(text)),
        )
        for path, text in children.items()
    }
    most = [max(1, *column) if len(column) > 1 else max(1, column[0]) for column in zip(*counts.values(), strict=True)]
    return {
        path: sum(weight * count / top for weight, count, top in zip(weights, row, most, strict=True))
        for path, row in counts.items()
    }
