"""Embedders for tests: the same words give the same vector on every machine, with no model."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING
from zlib import crc32

from recall_tui.index.text import schema
from recall_tui.search.ranking.lexical import STOP_WORDS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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


class FittedWords:
    """Latent semantic analysis (Deerwester et al. 1990) of the texts it was made with: words that stand together there
    lie near each other. The last axis is that of texts without a word it knows, which are near none of the others.
    """

    def __init__(self, corpus: Sequence[str], dimensions: int = 192, seed: int = 7) -> None:
        import numpy as np

        self.dimensions = dimensions
        counts = [_terms(text) for text in corpus]
        holding = Counter(term for count in counts for term in count)
        kept = sorted(term for term, documents in holding.items() if documents > 1)
        self._column = {term: column for column, term in enumerate(kept)}
        self._rarity = np.array([1 + np.log(len(corpus) / holding[term]) for term in kept], dtype=np.float32)
        digest = blake2b("\0".join(corpus).encode("utf-8", "replace"), digest_size=6)
        self.name = f"fitted-words-{dimensions}-{seed}-{digest.hexdigest()}"
        width = min(dimensions - 1, len(kept), len(corpus))
        self._axes = np.zeros((len(kept), dimensions), dtype=np.float32)
        if width:
            self._axes[:, :width] = _Sparse([self._row(count) for count in counts], len(kept)).axes(width, seed)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """A row of unit length for each text."""
        import numpy as np

        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            columns, values = self._row(_terms(text))
            row += values @ self._axes[columns]
            if np.linalg.norm(row) < 1e-6:
                row[:] = 0
                row[-1] = 1
            row /= np.linalg.norm(row)
        return rows

    def _row(self, counts: Counter[str]) -> tuple[NDArray[np.int64], Vectors]:
        """Columns and weights of a text: tf-idf with the logarithm of the count, of unit length."""
        import numpy as np

        known = sorted((self._column[term], count) for term, count in counts.items() if term in self._column)
        columns = np.array([column for column, _ in known], dtype=np.int64)
        values = (1 + np.log([float(count) for _, count in known])) * self._rarity[columns]
        return columns, (values / (np.linalg.norm(values) or 1)).astype(np.float32)


class _Sparse:
    """A matrix of many rows with few values each."""

    AT_ONCE = 20_000
    """Values that are multiplied at a time."""

    def __init__(self, rows: Sequence[tuple[NDArray[np.int64], Vectors]], width: int) -> None:
        import numpy as np

        self.shape = len(rows), width
        self.rows = np.repeat(np.arange(len(rows)), [len(columns) for columns, _ in rows])
        self.columns = np.concatenate([columns for columns, _ in rows])
        self.values = np.concatenate([values for _, values in rows])

    def axes(self, width: int, seed: int) -> Vectors:
        """Its first right singular vectors, by the randomised range finder of Halko, Martinsson & Tropp (2011)."""
        import numpy as np

        chance = np.random.default_rng(seed)
        wide = min(width + 16, *self.shape)
        space = self._times(chance.standard_normal((self.shape[1], wide)).astype(np.float32))
        for _ in range(2):
            space = np.linalg.qr(space)[0]
            space = self._times(np.linalg.qr(self._times(space, turned=True))[0])
        basis = np.linalg.qr(space)[0]
        left = np.linalg.svd(self._times(basis, turned=True), full_matrices=False)[0]
        return np.asarray(left[:, :width], dtype=np.float32)

    def _times(self, other: Vectors, *, turned: bool = False) -> Vectors:
        """This matrix, or the turned one, times a dense one."""
        import numpy as np

        into, out_of = (self.columns, self.rows) if turned else (self.rows, self.columns)
        order = np.argsort(into, kind="stable")
        made = np.zeros((self.shape[turned], other.shape[1]), dtype=np.float32)
        for at in range(0, len(order), self.AT_ONCE):
            some = order[at : at + self.AT_ONCE]
            lines, starts = np.unique(into[some], return_index=True)
            made[lines] += np.add.reduceat(self.values[some, None] * other[out_of[some]], starts, axis=0)
        return made


def _terms(text: str) -> Counter[str]:
    """The stems of a text and of the pieces of its names, without the words of every text."""
    words = [word for word in schema.terms(schema.PLAIN, text) if word not in STOP_WORDS]
    return Counter(schema.terms(schema.STEMMED, " ".join((*words, schema.identifier_parts(text)))))
