"""The vector of a period: the mean of those of its documents, each by its share, of unit length.

It is worked out of the vectors that there are, so that none is kept that a document has left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recall_tui.domain.embedding import Vectors

Aggregate = Callable[[str, Sequence[Mapping[int, float]]], Sequence[float]]
"""(question, of each period what its documents are counted with and their shares) → the cosine of each period."""
RowsOf = Callable[[int], "Vectors"]
"""The rows of the passages that are counted with a number; no rows when there are none."""


def period_cosines(question: Vectors, periods: Sequence[Mapping[int, float]], rows_of: RowsOf) -> list[float]:
    """The cosine of the question, one row of unit length, and each period; 0 for one without a vector."""
    return [float(question @ row) if len(row := aggregate_vectors(period, rows_of)) else 0.0 for period in periods]


def aggregate_vectors(period: Mapping[int, float], rows_of: RowsOf) -> Vectors:
    """The vector of a period, given the share of each of its documents; empty when none of them has one."""
    import numpy as np

    rows = {key: _mean_unit(rows_of(key)) for key in period}
    weighed = [share * rows[key] for key, share in period.items() if len(rows[key]) and share > 0]
    return _mean_unit(np.stack(weighed)) if weighed else np.zeros(0, dtype=np.float32)


def _mean_unit(rows: Vectors) -> Vectors:
    """The mean direction of the rows; empty when there are none, or they cancel each other out."""
    import numpy as np

    if not len(rows):
        return np.zeros(0, dtype=np.float32)
    whole = rows.sum(axis=0)
    length = float(np.linalg.norm(whole))
    return (whole / length).astype(np.float32) if length else np.zeros(0, dtype=np.float32)
