"""An embedder for tests: the same words give the same vector on every machine, with no model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    from recall_tui.domain.embedding import Vectors

_WORD = re.compile(r"\w+")


class HashedWords:
    """Each word adds one to, or takes one from, a column of the vector; texts that share words lie near each other."""

    def __init__(self, dimensions: int = 64, name: str = "hashed-words-64") -> None:
        self.name = name
        self.dimensions = dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        """A row of unit length for each text; of a text without a word, the first axis."""
        import numpy as np

        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in _WORD.findall(text.lower()):
                number = crc32(word.encode())
                row[number % self.dimensions] += 1.0 if number & (1 << 31) else -1.0
            if not row.any():
                row[0] = 1.0
            row /= np.linalg.norm(row)
        return rows
