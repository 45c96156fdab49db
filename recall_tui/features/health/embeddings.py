"""Vectors of a memory: made of what is indexed, kept up to date, and a search's way to them.

With no embedder in the settings nothing is loaded and nothing is different; trouble with one costs no answer that the
words give.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from recall_tui.errors import ModelError, RecallError
from recall_tui.storage.memory_context import Store

if TYPE_CHECKING:
    from pathlib import Path

    from recall_tui.domain import Problem
    from recall_tui.domain.embedding import Embedder, Nearest
    from recall_tui.index.ingest.refresh import Refreshed
    from recall_tui.index.opener import Index
    from recall_tui.index.text.commit_batch import Progress
    from recall_tui.index.vectors.build import Built
    from recall_tui.index.vectors.coverage import VectorCoverage
    from recall_tui.index.vectors.scan import Rows, VectorReader
    from recall_tui.index.vectors.text import Extent
    from recall_tui.llm.model import Failure
    from recall_tui.search.ranking.session_similarity import Aggregate

SOME = 64
"""Texts that are embedded at most while a person waits for the answer to a question."""
QUICK = ("local",)
"""Providers that are worth waiting for then; a server may be far away or down."""


def is_on(store: Store) -> bool:
    """Whether the settings name an embedder."""
    return _embedder(store) is not None


def make(
    store: Store,
    index: Index,
    progress: Progress | None = None,
    *,
    is_cancelled: Callable[[], bool] = lambda: False,
    most: int | None = None,
    anew: bool = False,
) -> Built | None:
    """Bring the vectors up to date with the index; None when there is no embedder. ModelError when it fails.

    No more than `most` texts are embedded; what is done stays. With `anew` rows that turn out to be of other texts are
    not kept; all others are, for they cost the most.
    """
    embedder = _embedder(store)
    if embedder is None:
        return None
    from recall_tui.index.vectors.build import build

    made = _usable(embedder)
    if anew:
        from recall_tui.index.vectors import verify as vector_proof

        vector_proof.distrust(index, store, made, _extent(store))
    return build(index, store, made, _extent(store), progress, is_cancelled=is_cancelled, most=most)


def make_some(store: Store, index: Index, done: Refreshed) -> None:
    """After a sync that a question waits for, make what it brought in, when that is little and made on this machine.

    Trouble is told with the answer.
    """
    if (done.passages or done.removed) and store.config.text("embeddings.provider").strip().lower() in QUICK:
        with suppress(RecallError, OSError):
            make(store, index, most=SOME)


def asked(store: Store, index: Index) -> tuple[Index, Nearest | None, Aggregate | None]:
    """The index as one answer is made of it, what lies near a question in it, and how near periods are.

    Without an embedder the index as it is, and None.
    """
    embedder = _embedder(store)
    if embedder is None:
        return index, None, None
    from recall_tui.index.opener import PinnedIndex

    pinned = PinnedIndex(index)
    extent = _extent(store)
    vectors: dict[str, Any] = {}

    def direction(question: str) -> Any:
        if question not in vectors:
            vectors[question] = _usable(embedder).embed([question])[0]
        return vectors[question]

    def near(question: str, within: Any, most: int) -> list[tuple[float, Any]]:
        rows = _rows(pinned, _usable(embedder))
        if rows is None:
            return []
        from recall_tui.index.vectors.scan import nearest

        return list(nearest(pinned, rows, _fitting(direction(question), rows, embedder), extent, within, most))

    def aggregate(question: str, periods: Sequence[Mapping[int, float]]) -> list[float]:
        rows = _rows(pinned, _usable(embedder))
        if rows is None:
            return [0.0 for _ in periods]
        from recall_tui.index.vectors.scan import counted_rows
        from recall_tui.search.ranking.session_similarity import cosines

        found = counted_rows(rows, {number for period in periods for number in period})
        fitting = _fitting(direction(question), rows, embedder)
        return cosines(fitting, periods, lambda number: found.get(number, rows.matrix[:0].astype("float32")))

    return pinned, near, aggregate


def covered(store: Store, index: Index) -> VectorCoverage | None:
    """How much of the index has vectors; None without an embedder. No model is asked."""
    embedder = _embedder(store)
    if embedder is None:
        return None
    from recall_tui.index.vectors.coverage import VectorCoverage, coverage, names

    try:
        usable = _usable(embedder)
    except ModelError as error:
        return VectorCoverage(others=tuple(names(index)), damage=_words(error))
    return coverage(index, store, usable.name, _extent(store))


def told(store: Store, index: Index) -> dict[str, object]:
    """`covered` as facts of a memory's health; empty without an embedder."""
    found = covered(store, index)
    if found is None:
        return {}
    return {**asdict(found), "is_whole": found.is_whole, "trouble": found.trouble, "advice": found.advice}


def problems(store: Store, index: Index, *, is_deep: bool) -> list[Problem]:
    """What is wrong with the vectors; when it is looked for deeply, rows are held against passages."""
    from recall_tui.features.health.index_problems import of_vector_proof, of_vectors

    embedder = _embedder(store) if is_deep else None
    if embedder is not None:
        from recall_tui.index.vectors.verify import prove

        with suppress(ModelError):
            return of_vector_proof(prove(index, store, _usable(embedder), _extent(store)))
    found = covered(store, index)
    return of_vectors(found) if found else []


def _embedder(store: Store) -> Embedder | Failure | None:
    """The embedder of the settings, or why it cannot be had; None when they name none."""
    if not store.config.text("embeddings.provider"):
        return None
    from recall_tui.llm.embedders.selection import chosen_embedder

    return chosen_embedder(store)


def _usable(embedder: Embedder | Failure) -> Embedder:
    from recall_tui.llm.model import Failure

    if isinstance(embedder, Failure):
        raise ModelError(embedder.reason, hint=embedder.hint)
    return embedder


def _words(error: RecallError) -> str:
    return f"{error.message}; {error.hint}" if error.hint else error.message


def _extent(store: Store) -> Extent:
    return "dialogue" if store.config.get("embeddings.dialogue_only") else "all"


def _rows(index: Index, embedder: Embedder) -> Rows | None:
    """The embedder's rows; None when nothing is indexed, ModelError when there are none."""
    from recall_tui.index.vectors import coverage as vectors

    rows = _reader(vectors.folder_of(index, embedder.name)).rows()
    if rows is not None or index.reader() is None:
        return rows
    others = [name for name in vectors.names(index) if name != embedder.name]
    what = f"the vectors are of another model ({', '.join(others)})" if others else "there are no vectors yet"
    raise ModelError(f"{what}; run: recall-tui sync")


def _fitting(vector: Any, rows: Rows, embedder: Embedder | Failure) -> Any:
    """The question's vector, which must be as wide as the rows."""
    if len(vector) != rows.matrix.shape[1]:
        raise ModelError(f"{_usable(embedder).name} makes other vectors than before; run: recall-tui index")
    return vector


@lru_cache(maxsize=4)
def _reader(folder: Path) -> VectorReader:
    """What was read of the vectors in this process."""
    from recall_tui.index.vectors.scan import VectorReader

    return VectorReader(folder)
