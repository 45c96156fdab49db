"""Validate and normalize vectors: one finite unit-length row per text, from any embedder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recall_tui.errors import ModelError

if TYPE_CHECKING:
    from recall_tui.domain.embedding import Vectors


def to_unit_vectors(rows: Any, count: int, dimensions: int, name: str) -> Vectors:
    """Return the rows at unit length; ModelError for a wrong row count, width or a value that is not a finite number.

    With `dimensions` 0 any width is accepted.
    """
    import numpy as np

    try:
        with np.errstate(over="ignore"):
            found = np.asarray(rows, dtype=np.float32)
    except (TypeError, ValueError, OverflowError):
        raise _unusable(name, "rows of numbers of one width are wanted") from None
    if found.ndim != 2 or len(found) != count or not found.shape[1]:
        rows = f"{len(found)} rows" if found.ndim == 2 else "no rows"
        raise _unusable(name, f"{rows} came for {count} texts")
    if dimensions and found.shape[1] != dimensions:
        raise _unusable(name, f"they have {found.shape[1]} dimensions, not {dimensions}")
    if not np.isfinite(found).all():
        raise _unusable(name, "some are not finite numbers")
    lengths = np.linalg.norm(found.astype(np.float64), axis=1, keepdims=True)
    if not lengths.all():
        raise _unusable(name, "some have no direction")
    unit: Vectors = (found / lengths).astype(np.float32)
    return unit


def _unusable(name: str, why: str) -> ModelError:
    return ModelError(f"the vectors of {name} cannot be used: {why}", hint="another model: recall-tui config")
