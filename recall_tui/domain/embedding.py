"""What makes vectors of text, and how a search is given what lies near a question.

Vectors of different embedders are never compared: each embedder has a name that changes when its vectors do.
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
"""(question, what may be found, how many) → cosine and address, the nearest first: what a search is handed in.

What may be found is a query of the text index, or None for everything; the address is the text index's own.
"""


class Embedder(Protocol):
    """Text in, vectors out. Others plug in by the entry point group `recall_tui.embedders`."""

    @property
    def name(self) -> str:
        """What it is and of which edition: it changes whenever the same text would get another vector."""
        ...

    @property
    def dimensions(self) -> int:
        """How wide its vectors are; the first look may ask the model, and raise a ModelError."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """A row of unit length for each text, `dimensions` wide; ModelError when it cannot, with the next step."""
        ...
