"""The interface of embedders and of nearest-neighbour search.

Vectors of different embedders are never compared: an embedder's name changes when its vectors do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
    """Rows of unit length."""

Nearest = Callable[[str, Any, int], list[tuple[float, Any]]]
"""(question, candidates, limit) → (cosine similarity, address) pairs, most similar first; passed to a search.

The candidates are a query of the text index, or None for everything; the address is the text index's own.
"""


class Embedder(Protocol):
    """Text in, vectors out. Plugins register in the entry point group `recall_tui.embedders`."""

    @property
    def name(self) -> str:
        """Name and version: the name changes whenever the same text would get another vector."""
        ...

    @property
    def dimensions(self) -> int:
        """The width of the vectors; the first access may ask the model and raise ModelError."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit-length row per text, `dimensions` wide; ModelError with the next step on failure."""
        ...
