"""Vectors of a memory: made of what is indexed, kept up to date, and a search's way to them.

With no embedder in the settings nothing is loaded and nothing is different; trouble with one costs no answer that the
words give.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from recall_tui.errors import ModelError, RecallError
from recall_tui.storage.memory_context import Store

if TYPE_CHECKING:
    from pathlib import Path

    from recall_tui.domain import Problem
    from recall_tui.domain.embedding import Embedder, Nearest
    from recall_tui.index.ingest.refresh import RefreshResult
    from recall_tui.index.opener import Index
    from recall_tui.index.text.commit_batch import Progress
    from recall_tui.index.vectors.build import BuildResult
    from recall_tui.index.vectors.coverage import VectorCoverage
    from recall_tui.index.vectors.file import VectorScope
    from recall_tui.index.vectors.scan import VectorReader, VectorSnapshot
    from recall_tui.llm.model import Failure
    from recall_tui.search.ranking.period_routing import Aggregate

MAX_QUICK_TEXTS = 64
"""Texts that are embedded at most while a person waits for the answer to a question."""
QUICK_PROVIDERS = ("local",)
"""Providers that are worth waiting for then; a server may be far away or down."""


def is_enabled(store: Store) -> bool:
    """Whether the settings name an embedder."""
    return _find_embedder(store) is not None


def embed_missing(
    store: Store,
    index: Index,
    progress: Progress | None = None,
    *,
    is_cancelled: Callable[[], bool] = lambda: False,
    most: int | None = None,
    anew: bool = False,
) -> BuildResult | None:
    """Bring the vectors up to date with the index; None when there is no embedder. ModelError when it fails.

    No more than `most` texts are embedded; what is done stays. With `anew` rows that turn out to be of other texts are
    not kept; all others are, for they cost the most.
    """
    embedder = _find_embedder(store)
    if embedder is None:
        return None
    from recall_tui.index.vectors.build import build_vectors

    made = _require_embedder(embedder)
    if anew:
        from recall_tui.index.vectors import verify as vector_proof

        vector_proof.remove_invalid(index, store, made, _embedding_extent(store))
    return build_vectors(index, store, made, _embedding_extent(store), progress, is_cancelled=is_cancelled, most=most)


def embed_batch(store: Store, index: Index, done: RefreshResult) -> None:
    """After a sync that a question waits for, make what it brought in, when that is little and made on this machine.

    Trouble is told with the answer.
    """
    if (done.passages or done.removed) and store.config.text("embeddings.provider").strip().lower() in QUICK_PROVIDERS:
        with suppress(RecallError, OSError):
            embed_missing(store, index, most=MAX_QUICK_TEXTS)


def prepare_query(store: Store, index: Index) -> tuple[Index, Nearest | None, Aggregate | None]:
    """The index as one answer is made of it, what lies near a question in it, and how near periods are.

    Without an embedder the index as it is, and None.
    """
    embedder = _find_embedder(store)
    if embedder is None:
        return index, None, None
    from recall_tui.index.opener import IndexSnapshot

    pinned = IndexSnapshot(index)
    extent = _embedding_extent(store)
    vectors: dict[str, Any] = {}

    def direction(question: str) -> Any:
        if question not in vectors:
            vectors[question] = _require_embedder(embedder).embed([question])[0]
        return vectors[question]

    def near(question: str, within: Any, most: int) -> list[tuple[float, Any]]:
        rows = _load_rows(pinned, _require_embedder(embedder))
        if rows is None:
            return []
        from recall_tui.index.vectors.scan import find_nearest

        return list(find_nearest(pinned, rows, _check_width(direction(question), rows, embedder), extent, within, most))

    def aggregate(question: str, periods: Sequence[Mapping[int, float]]) -> list[float]:
        rows = _load_rows(pinned, _require_embedder(embedder))
        if rows is None:
            return [0.0 for _ in periods]
        from recall_tui.index.vectors.scan import counted_rows
        from recall_tui.search.ranking.period_routing import period_cosines

        found = counted_rows(rows, {number for period in periods for number in period})
        fitting = _check_width(direction(question), rows, embedder)
        return period_cosines(fitting, periods, lambda number: found.get(number, rows.matrix[:0].astype("float32")))

    return pinned, near, aggregate


def find_coverage(store: Store, index: Index) -> VectorCoverage | None:
    """How much of the index has vectors; None without an embedder. No model is asked."""
    embedder = _find_embedder(store)
    if embedder is None:
        return None
    from recall_tui.index.vectors.coverage import VectorCoverage, embedder_names, measure_coverage

    try:
        usable = _require_embedder(embedder)
    except ModelError as error:
        return VectorCoverage(others=tuple(embedder_names(index)), damage=_error_text(error))
    return measure_coverage(index, store, usable.name, _embedding_extent(store))


def coverage_details(store: Store, index: Index) -> dict[str, object]:
    """`covered` as facts of a memory's health; empty without an embedder."""
    found = find_coverage(store, index)
    if found is None:
        return {}
    from dataclasses import asdict

    return {**asdict(found), "is_whole": found.is_whole, "trouble": found.trouble, "advice": found.advice}


def find_problems(store: Store, index: Index, *, is_deep: bool) -> list[Problem]:
    """What is wrong with the vectors; when it is looked for deeply, rows are held against passages."""
    from recall_tui.features.health.index_problems import vector_gap_problems, vector_problems

    embedder = _find_embedder(store) if is_deep else None
    if embedder is not None:
        from recall_tui.index.vectors.verify import verify_vectors

        with suppress(ModelError):
            return vector_gap_problems(
                verify_vectors(index, store, _require_embedder(embedder), _embedding_extent(store))
            )
    found = find_coverage(store, index)
    return vector_problems(found) if found else []


def _find_embedder(store: Store) -> Embedder | Failure | None:
    """The embedder of the settings, or why it cannot be had; None when they name none."""
    if not store.config.text("embeddings.provider"):
        return None
    from recall_tui.llm.embedders.selection import select_embedder

    return select_embedder(store)


def _require_embedder(embedder: Embedder | Failure) -> Embedder:
    from recall_tui.llm.model import Failure

    if isinstance(embedder, Failure):
        raise ModelError(embedder.reason, hint=embedder.hint)
    return embedder


def _error_text(error: RecallError) -> str:
    return f"{error.message}; {error.hint}" if error.hint else error.message


def _embedding_extent(store: Store) -> VectorScope:
    return "dialogue" if store.config.get("embeddings.dialogue_only") else "all"


def _load_rows(index: Index, embedder: Embedder) -> VectorSnapshot | None:
    """The embedder's rows; None when nothing is indexed, ModelError when there are none."""
    from recall_tui.index.vectors import coverage as vectors

    rows = _cached_reader(vectors.vector_folder(index, embedder.name)).rows()
    if rows is not None or index.reader() is None:
        return rows
    others = [name for name in vectors.embedder_names(index) if name != embedder.name]
    what = f"the vectors are of another model ({', '.join(others)})" if others else "there are no vectors yet"
    raise ModelError(f"{what}; run: recall-tui sync")


def _check_width(vector: Any, rows: VectorSnapshot, embedder: Embedder | Failure) -> Any:
    """The question's vector, which must be as wide as the rows."""
    if len(vector) != rows.matrix.shape[1]:
        raise ModelError(f"{_require_embedder(embedder).name} makes other vectors than before; run: recall-tui index")
    return vector


@lru_cache(maxsize=4)
def _cached_reader(folder: Path) -> VectorReader:
    """What was read of the vectors in this process."""
    from recall_tui.index.vectors.scan import VectorReader

    return VectorReader(folder)
