"""Proves vectors against passages: what should have rows has them, and they are of the texts as they are now.

Nothing is changed. Of a large index some batches are looked at, other ones from day to day.
"""

from __future__ import annotations

import random
import shutil
from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

from recall_tui.errors import ModelError
from recall_tui.index.text.batching import BATCH_PASSAGES
from recall_tui.index.text.passage import SPEECH
from recall_tui.index.vectors import coverage as vectors
from recall_tui.index.vectors import file as vector_file
from recall_tui.index.vectors.coverage import VectorCoverage
from recall_tui.index.vectors.file import VectorScope, embedding_texts, text_hash

if TYPE_CHECKING:
    from recall_tui.domain.embedding import Embedder
    from recall_tui.index.opener import Index
    from recall_tui.index.vectors.file import VectorFile
    from recall_tui.storage.memory_context import Store

SAMPLE_BATCHES = 500
"""Batches whose passages are read again."""
SAMPLE_TEXTS = 16
"""Texts that are embedded once more."""
MIN_COSINE = 0.98
"""Between a row and its text embedded again; whole numbers alone cost a few thousandths."""


@dataclass(frozen=True, slots=True)
class VectorVerification:
    """What was proved."""

    coverage: VectorCoverage
    batches: int = 0
    """Batches whose passages were read again."""
    texts: int = 0
    """Texts that were embedded once more."""
    altered: tuple[str, ...] = ()
    """Paths of sources whose rows are not of their passages."""
    strange: int = 0
    """Rows that the embedder would make otherwise."""
    trouble: str = ""
    """Why no text could be embedded once more."""


def verify_vectors(index: Index, store: Store, embedder: Embedder, extent: VectorScope) -> VectorVerification:
    """Hold rows against passages, and some of them against what the embedder makes now."""
    covered = vectors.measure_coverage(index, store, embedder.name, extent)
    reader = index.reader()
    opened = None if covered.damage else vector_file.open_to_read(vectors.vector_folder(index, embedder.name))
    if reader is None or opened is None:
        return VectorVerification(covered)
    chance = random.Random(store.now().toordinal())
    altered: dict[str, None] = {}
    texts: list[tuple[str, int]] = []
    with opened:
        kept = opened.kept()
        current = [
            (source, name)
            for source, batches in vectors.expected_batches(vectors.visible_sources(index, store), extent)
            for name, (edition, _) in batches.items()
            if name in kept and kept[name].digest == edition
        ]
        sample = chance.sample(current, min(len(current), SAMPLE_BATCHES))
        for source, name in sample:
            found = [
                text
                for one in reader.of_batch(name, BATCH_PASSAGES, (SPEECH,))
                for text in embedding_texts(one.passage, extent)
            ]
            if [text_hash(text) for text in found] != _hashes(opened, name):
                altered[source.path] = None
            else:
                texts += [(text, kept[name].start + place) for place, text in enumerate(found)]
        again = chance.sample(texts, min(len(texts), SAMPLE_TEXTS))
        try:
            strange, trouble = _count_mismatches(opened, embedder, again), ""
        except (ModelError, OSError) as error:
            strange, trouble, again = 0, str(error), []
    return VectorVerification(covered, len(sample), len(again), tuple(altered), strange, trouble)


def remove_invalid(index: Index, store: Store, embedder: Embedder, extent: VectorScope) -> None:
    """Remove the embedder's vectors when some of them turn out not to be of what they should be."""
    proof = verify_vectors(index, store, embedder, extent)
    if proof.altered or proof.strange:
        shutil.rmtree(vectors.vector_folder(index, embedder.name), ignore_errors=True)


def _hashes(file: VectorFile, name: str) -> list[int]:
    row = file.connection.execute("SELECT hashes FROM batches WHERE name = ?", (name,)).fetchone()
    return array("Q", row[0]).tolist() if row else []


def _count_mismatches(file: VectorFile, embedder: Embedder, again: list[tuple[str, int]]) -> int:
    """How many of the rows are not what the embedder makes of their texts."""
    if not again:
        return 0
    import numpy as np

    made = np.asarray(embedder.embed([text for text, _ in again]), np.float32)
    if made.shape[1] != file.dimensions:
        return len(again)
    matrix = np.memmap(file.rows_path, np.int8, "r", shape=(file.used, file.dimensions))
    rows = matrix[[place for _, place in again]].astype(np.float32)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1.0)
    return int((np.einsum("ij,ij->i", rows, made) < MIN_COSINE).sum())
