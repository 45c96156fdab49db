"""Wrap an embedder from another package: every call returns valid rows or raises ModelError."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from recall_tui.errors import ModelError
from recall_tui.llm.embedders.unit_vectors import to_unit_vectors
from recall_tui.llm.failure_text import first_line

if TYPE_CHECKING:
    from recall_tui.domain.embedding import Vectors


class PluginEmbedder:
    """An embedder made by a plugin; TypeError when it has no name or no `embed`."""

    def __init__(self, made: Any) -> None:
        if not isinstance(getattr(made, "name", None), str) or not callable(getattr(made, "embed", None)):
            raise TypeError("it is no embedder")
        self.name: str = made.name
        self._made = made
        self._width = 0

    @property
    def dimensions(self) -> int:
        """Return the width of the vectors, as the plugin states it."""
        if not self._width:
            try:
                self._width = int(self._made.dimensions)
            except Exception as error:
                raise self._unusable(error) from None
        return self._width

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit-length row per text; ModelError for anything the plugin raises."""
        import numpy as np

        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        try:
            rows = self._made.embed(list(texts))
        except Exception as error:
            raise self._unusable(error) from None
        return to_unit_vectors(rows, len(texts), self.dimensions, self.name)

    def _unusable(self, error: Exception) -> ModelError:
        hint = getattr(error, "hint", "") or "fix or remove its package"
        return ModelError(first_line(f"no vectors by {self.name}: {type(error).__name__}: {error}"), hint=hint)
