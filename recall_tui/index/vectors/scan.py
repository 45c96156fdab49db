"""What lies nearest to a question: every row is looked at, and what may not be found is left out.

The answer is exact for the rows as they are stored: no row is passed over, and those of a batch that is no longer
indexed as it was are never taken for what stands in its place now.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from recall_tui.errors import ModelError
from recall_tui.index.text.batching import BATCH_PASSAGES
from recall_tui.index.text.commit_batch import parse_batches
from recall_tui.index.text.reader import PassageAddress, PassageReader
from recall_tui.index.text.schema import COUNT_FIELD
from recall_tui.index.vectors import file as vector_file
from recall_tui.index.vectors.file import VectorScope, batch_version

if TYPE_CHECKING:
    import tantivy
    from numpy.typing import NDArray

    from recall_tui.index.opener import Index

    Floats = NDArray[np.float32]

BLOCK_ROWS = 1024
"""Rows that are made floats of at once: as many as stay in a processor's own cache; OpenBLAS starts threads of its own
for twice as many."""
SHARE_ROWS = 1 << 16
"""Rows that are worth a thread."""
MAX_THREADS = 4
"""The scan is bound by memory: more threads wait for each other."""
OVERSAMPLING = 4
"""How many times as many rows as are wanted are put in order, and how many times more when they are not enough."""
SPARSE_RATIO = 0.25
"""The share of passages that may be found below which sessions are left out of which none may."""
LOOKUP_PASSAGES = 1000
"""Passages that are looked up at once."""
MAX_SOURCES = 1_000_000
"""Sessions and sources that are told apart."""
_EXCLUDED_SCORE = np.float32(-2.0)
"""Less than any cosine."""


@dataclass(frozen=True, slots=True)
class VectorSnapshot:
    """The rows of an embedder as they were at one moment."""

    names: list[str]
    """Of the batches."""
    digests: list[str]
    matrix: NDArray[np.int8]
    """Mapped from the file, dead rows among them."""
    scales: Floats
    """Nought for rows that nobody names."""
    batch: NDArray[np.int32]
    """Of which batch each row is."""
    places: NDArray[np.uint16]
    counted: NDArray[np.uint64]

    def identifier(self, row: int) -> str:
        """The id of the passage that the row is of."""
        key, _, name = self.names[self.batch[row]].partition(":")
        prefix = "s" if name.startswith("s") else ""
        return f"{key}.{prefix}{int(name.lstrip('s')) * BATCH_PASSAGES + int(self.places[row])}"


class VectorReader:
    """The vectors in a folder, read again when they changed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._read: tuple[object, VectorSnapshot | None] = (None, None)

    def rows(self) -> VectorSnapshot | None:
        """The rows as they are now; None when there are none. ModelError when they cannot be read."""
        state = vector_file.file_state(self.folder)
        if self._read[0] != state or state == ():
            try:
                self._read = (state, _load_rows(self.folder))
            except (sqlite3.DatabaseError, OSError, ValueError) as error:
                raise ModelError(f"the vectors cannot be read: {error}", hint="run: recall-tui sync") from error
        return self._read[1]


def _load_rows(folder: Path) -> VectorSnapshot | None:
    """The rows in one look; when the file was written anew in between, in a second one."""
    with suppress(FileNotFoundError):
        return _read_rows(folder)
    return _read_rows(folder)


def _read_rows(folder: Path) -> VectorSnapshot | None:
    opened = vector_file.open_to_read(folder)
    if opened is None:
        return None
    with opened:
        opened.connection.execute("BEGIN")
        used, width, path = opened.used, opened.dimensions, opened.rows_path
        found = opened.connection.execute(
            "SELECT name, digest, start, count, places, scales, counted FROM batches WHERE count > 0"
        ).fetchall()
    if not found:
        return None
    counts = np.array([row[3] for row in found])
    before = np.cumsum(counts) - counts
    at = np.repeat(np.array([row[2] for row in found]) - before, counts) + np.arange(counts.sum())

    def column(number: int, kind: type[np.generic]) -> NDArray[np.generic]:
        """The packed values of every batch, each in the place of its row."""
        whole = np.zeros(used, kind)
        whole[at] = np.frombuffer(b"".join(row[number] for row in found), kind)
        return whole

    batch = np.zeros(used, np.int32)
    batch[at] = np.repeat(np.arange(len(found), dtype=np.int32), counts)
    return VectorSnapshot(
        names=[row[0] for row in found],
        digests=[row[1] for row in found],
        matrix=np.memmap(path, np.int8, "r", shape=(used, width)),
        scales=column(5, np.float32),  # type: ignore[arg-type]
        batch=batch,
        places=column(4, np.uint16),  # type: ignore[arg-type]
        counted=column(6, np.uint64),  # type: ignore[arg-type]
    )


def cosines(rows: VectorSnapshot, question: Floats) -> Floats:
    """The cosine of every row with the question, which has unit length; -2 for rows that nobody names."""
    found = np.empty(len(rows.matrix), np.float32)

    def fill(begin: int, end: int) -> None:
        block = np.empty((BLOCK_ROWS, rows.matrix.shape[1]), np.float32)
        for start in range(begin, end, BLOCK_ROWS):
            some = rows.matrix[start : min(start + BLOCK_ROWS, end)]
            floats = block[: len(some)]
            np.copyto(floats, some)
            np.dot(floats, question, out=found[start : start + len(some)])

    threads = min(MAX_THREADS, os.cpu_count() or 1, 1 + len(found) // SHARE_ROWS)
    if threads == 1:
        fill(0, len(found))
    else:
        from concurrent.futures import ThreadPoolExecutor

        # Shares are whole blocks, so that every row is counted as it is without threads.
        share = -(-len(found) // (threads * BLOCK_ROWS)) * BLOCK_ROWS
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda begin: fill(begin, min(begin + share, len(found))), range(0, len(found), share)))
    found *= rows.scales
    found[rows.scales == 0.0] = _EXCLUDED_SCORE
    return found


def counted_rows(rows: VectorSnapshot, numbers: Iterable[int]) -> dict[int, Floats]:
    """The rows of the passages that are counted with each of the numbers, of unit length."""
    wanted = np.fromiter(numbers, np.uint64)
    at = np.flatnonzero(np.isin(rows.counted, wanted) & (rows.scales > 0.0))
    counted = rows.counted[at]
    floats = rows.matrix[at].astype(np.float32) * rows.scales[at, None]
    return {int(number): floats[counted == number] for number in np.unique(counted)}


def find_nearest(
    index: Index, rows: VectorSnapshot, question: Floats, extent: VectorScope, within: tantivy.Query | None, most: int
) -> list[tuple[float, PassageAddress]]:
    """Cosine and address of the passages nearest to the question among those of `within`, the nearest first.

    A passage counts by the best of its rows. More rows are looked at until there are enough, or no more.
    """
    reader = index.reader()
    if reader is None or most <= 0:
        return []
    found: dict[str, tuple[float, PassageAddress] | None] = {}
    near = cosines(rows, np.asarray(question, np.float32))
    seen = np.zeros(len(near), bool)
    wide, is_narrowed = OVERSAMPLING * most, within is None
    while True:
        order = _top_rows(near, wide)
        is_all = len(order) < wide
        order = order[~seen[order]]
        for start in range(0, len(order), most):
            some = order[start : start + most]
            _find_addresses(index, reader, rows, near, some, extent, within, found)
            seen[some] = True
            hits = [one for one in found.values() if one is not None]
            if len(hits) >= most:
                return sorted(hits, key=lambda one: -one[0])[:most]
            if not is_narrowed and len(hits) < SPARSE_RATIO * len(found):
                break
        else:
            if is_all:
                return sorted((one for one in found.values() if one is not None), key=lambda one: -one[0])
            wide *= OVERSAMPLING
        if not is_narrowed and within is not None:
            _exclude_sessions(near, rows, reader, within)
            is_narrowed = True


def _top_rows(near: Floats, most: int) -> NDArray[np.int64]:
    """The rows with the highest cosines, in their order."""
    most = min(most, len(near))
    order = np.argpartition(-near, most - 1)[:most]
    order = order[np.lexsort((order, -near[order]))]
    return order[near[order] > _EXCLUDED_SCORE]


def _exclude_sessions(near: Floats, rows: VectorSnapshot, reader: PassageReader, within: tantivy.Query) -> None:
    """Pass over the rows of sessions of which nothing may be found, for there may be very many of them."""
    terms = {"terms": {"field": COUNT_FIELD, "size": MAX_SOURCES}}
    buckets = reader.summed(within, {"counted": terms})["counted"]["buckets"]
    allowed = np.array([int(one["key"]) for one in buckets], np.uint64)
    near[~np.isin(rows.counted, allowed)] = _EXCLUDED_SCORE


def _find_addresses(
    index: Index,
    reader: PassageReader,
    rows: VectorSnapshot,
    near: Floats,
    order: NDArray[np.int64],
    extent: VectorScope,
    within: tantivy.Query | None,
    found: dict[str, tuple[float, PassageAddress] | None],
) -> None:
    """Note of each passage that the rows are of where it stands; None for one that may not be found."""
    fresh = _current_batches(index, rows, {int(one) for one in np.unique(rows.batch[order])}, extent)
    best: dict[str, float] = {}
    for row in order.tolist():
        identifier = rows.identifier(row)
        if identifier not in found:
            found[identifier] = None
            if int(rows.batch[row]) in fresh:
                best[identifier] = float(near[row])
    wanted = list(best)
    for start in range(0, len(wanted), LOOKUP_PASSAGES):
        some = wanted[start : start + LOOKUP_PASSAGES]
        for place, address in _addresses_by_ids(reader, some, within).items():
            found[some[place]] = (best[some[place]], address)


def _addresses_by_ids(
    reader: PassageReader, identifiers: Sequence[str], within: tantivy.Query | None
) -> dict[int, PassageAddress]:
    """Where the passages of these ids stand that `within` lets through, by their place among the ids."""
    from tantivy import Occur, Query

    # Each id gives the score that tells it from the others, so that one look finds them all.
    terms = (Query.const_score_query(reader.term("id", identifier), 1.0) for identifier in identifiers)
    told = [(Occur.Should, Query.boost_query(term, place)) for place, term in enumerate(terms, 1)]
    query = Query.boolean_query(told)
    if within is not None:
        unscored = Query.const_score_query(within, 0.0)
        query = Query.boolean_query([(Occur.Must, unscored), (Occur.Must, query)])
    return {round(score) - 1: address for score, address in reader.top(query, max(len(told), 1))}


def _current_batches(index: Index, rows: VectorSnapshot, batches: Iterable[int], extent: VectorScope) -> set[int]:
    """Those of the batches that are indexed as they were when their rows were made."""
    by_key: dict[str, list[int]] = {}
    for batch in batches:
        by_key.setdefault(rows.names[batch].partition(":")[0], []).append(batch)
    with index.facts() as facts:
        now = facts.batches_of(by_key) if facts else {}
    fresh: set[int] = set()
    for key, text in now.items():
        digests = parse_batches(text)
        for batch in by_key[key]:
            digest, _ = digests.get(rows.names[batch].partition(":")[2], ("", 0))
            if batch_version(digest, extent) == rows.digests[batch]:
                fresh.add(batch)
    return fresh
