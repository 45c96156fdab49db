"""Makes the vectors that are missing, and drops those of passages that left.

A batch of passages is the unit, as it is of the text index: one whose digest is as it was is not looked at, and of one
that changed only the texts that are new are embedded. Nothing is written of a batch that is no longer indexed as it was
read, so that what is forgotten meanwhile does not come back.
"""

from __future__ import annotations

import shutil
import sqlite3
import time
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.errors import LockedError, ModelError, RecallError
from recall_tui.index.opener import memory_key
from recall_tui.index.text.batching import BATCH_PASSAGES
from recall_tui.index.text.commit_batch import Progress, parse_batches
from recall_tui.index.text.passage import SPEECH
from recall_tui.index.text.schema import clean_text, count_number
from recall_tui.index.vectors import coverage as vectors
from recall_tui.index.vectors import file as vector_file
from recall_tui.index.vectors.file import BatchRows, VectorFile, VectorScope, batch_version, embedding_texts, text_hash
from recall_tui.storage.files.lock import acquire

if TYPE_CHECKING:
    from recall_tui.domain.embedding import Embedder
    from recall_tui.index.opener import Index
    from recall_tui.index.source_record import SourceRecord
    from recall_tui.index.text.reader import PassageReader
    from recall_tui.storage.memory_context import Store

GROUP_TEXTS = 512
"""Texts that are gathered before they are embedded and written."""
OVERSAMPLING = 8
"""How many times as many texts as may be embedded are read to find those that are new."""
EMBED_BATCH_TEXTS = 64
"""Texts that an embedder is given at once; between them it may be stopped."""
BUILD_LOCK = "building.lock"
_MAX_INT8 = 127
_MIN_NORM = 1e-12
_NO_LIMIT = 1 << 62


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What was done about vectors."""

    embedded: int = 0
    """Texts that an embedder was asked for."""
    rows: int = 0
    """Rows that were written."""
    dropped: int = 0
    """Batches that left."""
    missing: int = 0
    """Passages that still wait; of those that were not looked at nobody knows whether they have vectors."""
    took: float = 0.0
    """Seconds."""
    is_skipped: bool = False
    """Another process is at it."""
    is_cancelled: bool = False
    notes: tuple[str, ...] = ()


class _Row(NamedTuple):
    scale: float
    vector: bytes


@dataclass(slots=True)
class _PendingBatch:
    """A batch on its way."""

    name: str
    source: SourceRecord
    edition: str
    weight: int
    """What it counts for in the progress."""
    passages: int
    texts: list[str] = field(default_factory=list)
    hashes: list[int] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    counted: list[int] = field(default_factory=list)
    rows: dict[int, _Row] = field(default_factory=dict)
    """By the hash of their text, those that are known already."""

    @property
    def new(self) -> dict[int, str]:
        """By hash, the texts that must be embedded."""
        told = zip(self.hashes, self.texts, strict=True)
        return {hash: text for hash, text in told if hash not in self.rows}


@dataclass(slots=True)
class _VectorBuild:
    """A building at work."""

    index: Index
    file: VectorFile
    reader: PassageReader
    embedder: Embedder
    extent: VectorScope
    progress: Progress | None
    is_cancelled: Callable[[], bool]
    left: int
    """Texts that may yet be embedded."""
    unread: int
    """Texts that may yet be read; of an index without vectors all of them would be, for the few that may be made."""
    done: int = 0
    to_do: int = 0
    embedded: int = 0
    rows: int = 0
    missing: int = 0
    has_stopped: bool = False
    waiting: list[_PendingBatch] = field(default_factory=list)


def build_vectors(
    index: Index,
    store: Store,
    embedder: Embedder,
    extent: VectorScope = "dialogue",
    progress: Progress | None = None,
    *,
    is_cancelled: Callable[[], bool] = lambda: False,
    most: int | None = None,
) -> BuildResult:
    """Bring the embedder's vectors of what the memory sees up to date; what is done stays when it fails (ModelError).

    No more than `most` texts are embedded. While another process is at it nothing is done. When all is there, vectors
    of other embedders go that no memory uses any more.
    """
    started = time.perf_counter()
    if index.reader() is None:
        return BuildResult()
    notes: list[str] = []
    try:
        with acquire(index.vectors_path / BUILD_LOCK, "vectors", 0.0):
            folder = vectors.vector_folder(index, embedder.name)
            width = _row_width(folder, embedder)
            with vector_file.open_to_write(folder, embedder.name, width, notes.append) as file:
                known = vectors.visible_sources(index, store)
                # Opened after the catalogue: an older one would hold other texts than those that are known there.
                reader = index.reader()
                if reader is None:
                    return BuildResult()
                limit = most if most is not None else _NO_LIMIT
                work = _VectorBuild(
                    index, file, reader, embedder, extent, progress, is_cancelled, limit, limit * OVERSAMPLING
                )
                dropped = _drop_deleted(work, memory_key(store))
                _build_missing(work, known)
                if file.is_crowded():
                    file.rewrite()
                _note_use(index, file, store, is_done=not (work.missing or work.has_stopped))
    except LockedError:
        return BuildResult(is_skipped=True)
    except (sqlite3.DatabaseError, OSError) as error:
        hint = "is there room on the disk? words are searched all the same"
        raise RecallError(f"vectors could not be written: {error}", hint=hint) from error
    took = time.perf_counter() - started
    return BuildResult(
        work.embedded, work.rows, dropped, work.missing, took, is_cancelled=work.has_stopped, notes=tuple(notes)
    )


def _row_width(folder: Path, embedder: Embedder) -> int:
    """How wide the rows are: as they were, for an embedder may have to ask a server."""
    with suppress(sqlite3.DatabaseError):
        opened = vector_file.open_to_read(folder)
        if opened is not None:
            with opened:
                if opened.name == embedder.name and opened.dimensions:
                    return opened.dimensions
    return embedder.dimensions


def _drop_deleted(work: _VectorBuild, memory: str) -> int:
    """Take out the batches of sources that left, of every memory.

    Of an index that is being filled again nothing is gone yet: to embed it all once more is the dearest work there is.
    """
    with work.index.facts() as facts:
        users = work.file.users() | {memory}
        if facts is None or not all(map(facts.refreshed_at, users)):
            return 0
        sources = {one.key for _, one in facts.everything()}
    gone = [name for name in work.file.kept() if name.partition(":")[0] not in sources]
    if gone:
        with work.file.change():
            work.file.drop(gone)
    return len(gone)


def _build_missing(work: _VectorBuild, known: Mapping[str, SourceRecord]) -> None:
    kept = work.file.kept()
    by_source: dict[str, set[str]] = {}
    for name in kept:
        by_source.setdefault(name.partition(":")[0], set()).add(name)
    todo: list[tuple[SourceRecord, list[_PendingBatch]]] = []
    for source, batches in vectors.expected_batches(known, work.extent):
        weight = max(1, source.chars // max(source.passages, 1))
        missing = [
            _PendingBatch(name, source, edition, weight * count, count)
            for name, (edition, count) in batches.items()
            if name not in kept or kept[name].digest != edition
        ]
        work.to_do += sum(one.weight for one in missing)
        if missing or by_source.get(source.key, set()) - batches.keys():
            todo.append((source, missing))
    if work.left < _NO_LIMIT:
        # The few that are made are those of what was said last.
        todo.sort(key=lambda one: -one[0].mtime_ns)
    for source, missing in todo:
        _build_source(work, source, missing, by_source.get(source.key, set()))
    _write(work)


def _build_source(work: _VectorBuild, source: SourceRecord, missing: list[_PendingBatch], before: set[str]) -> None:
    """Make the missing batches of a source, and drop those that it has no longer."""
    remembered = _reusable_rows(work.file, source.key) if missing and before else {}
    for draft in missing:
        if work.has_stopped or work.is_cancelled():
            work.has_stopped = True
            return
        if work.left <= 0 or work.unread <= 0:
            work.missing += draft.passages
            continue
        _read(work, draft, remembered)
        new = len(draft.new)
        work.unread -= len(draft.texts)
        if new > work.left:
            work.missing += len(set(draft.places))
            continue
        work.left -= new
        work.waiting.append(draft)
        if sum(len(one.texts) for one in work.waiting) >= GROUP_TEXTS:
            _write(work)
    if gone := before - vectors.expected_batches_of(source, work.extent).keys():
        with work.file.change():
            work.file.drop(gone)


def _reusable_rows(file: VectorFile, key: str) -> dict[int, _Row]:
    """The rows that the source has, for most of its texts are as they were."""
    width = file.dimensions
    return {
        hash: _Row(scale, rows[place * width : (place + 1) * width])
        for hashes, scales, rows in file.rows_of(key)
        for place, (hash, scale) in enumerate(zip(array("Q", hashes), array("f", scales), strict=True))
    }


def _read(work: _VectorBuild, draft: _PendingBatch, remembered: Mapping[int, _Row]) -> None:
    """Fill in the texts of the batch's passages."""
    for one in work.reader.of_batch(draft.name, BATCH_PASSAGES, (SPEECH,)):
        counted = count_number(clean_text(one.session_id) or one.key)
        for text in embedding_texts(one.passage, work.extent):
            hash = text_hash(text)
            draft.texts.append(text)
            draft.hashes.append(hash)
            draft.places.append(one.number % BATCH_PASSAGES)
            draft.counted.append(counted)
            if hash in remembered:
                draft.rows[hash] = remembered[hash]


def _write(work: _VectorBuild) -> None:
    """Embed what waits and write it, as far as it is still indexed as it was read."""
    waiting, work.waiting = work.waiting, []
    texts = {hash: text for draft in waiting for hash, text in draft.new.items()}
    made: dict[int, _Row] = {}
    trouble: RecallError | None = None
    for some in _embed_batches(list(texts.items())):
        if work.has_stopped or work.is_cancelled():
            work.has_stopped = True
            break
        try:
            made.update(_embed(work.embedder, some, work.file.dimensions))
        except RecallError as error:
            trouble = error
            break
        work.embedded += len(some)
    for draft in waiting:
        draft.rows.update((hash, made[hash]) for hash in draft.new if hash in made)
    whole = [draft for draft in waiting if not draft.new]
    if whole:
        with work.file.change():
            work.file.put(map(_pack, _still_indexed(work, whole)))
    work.rows += sum(len(one.texts) for one in whole)
    work.done += sum(one.weight for one in whole)
    if trouble is not None:
        raise trouble
    if work.progress and work.to_do:
        work.progress(min(work.done, work.to_do), work.to_do)


def _embed_batches(texts: list[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    for start in range(0, len(texts), EMBED_BATCH_TEXTS):
        yield texts[start : start + EMBED_BATCH_TEXTS]


def _embed(embedder: Embedder, texts: Sequence[tuple[int, str]], width: int) -> Iterator[tuple[int, _Row]]:
    """The rows of the texts by hash: whole numbers, and what makes of them a row of unit length again."""
    import numpy as np

    made = np.asarray(embedder.embed([text for _, text in texts]), dtype=np.float32)
    if made.shape != (len(texts), width):
        raise ModelError(f"{embedder.name} makes other vectors than before", hint="run: recall-tui index")
    largest = np.abs(made).max(axis=1, keepdims=True)
    numbers = np.rint(made * (_MAX_INT8 / np.maximum(largest, _MIN_NORM))).astype(np.int8)
    scales = 1.0 / np.maximum(np.linalg.norm(numbers.astype(np.float32), axis=1), 1.0)
    for (hash, _), scale, row in zip(texts, scales.tolist(), numbers, strict=True):
        yield hash, _Row(scale, row.tobytes())


def _still_indexed(work: _VectorBuild, drafts: list[_PendingBatch]) -> list[_PendingBatch]:
    """Those of the batches that the catalogue has as they were read."""
    with work.index.facts() as facts:
        now = facts.batches_of({one.source.key for one in drafts}) if facts else {}
    found = []
    for one in drafts:
        if one.source.key in now:
            digest, _ = parse_batches(now[one.source.key]).get(one.name.partition(":")[2], ("", 0))
            if batch_version(digest, work.extent) == one.edition:
                found.append(one)
    return found


def _pack(draft: _PendingBatch) -> BatchRows:
    rows = [draft.rows[hash] for hash in draft.hashes]
    return BatchRows(
        name=draft.name,
        key=draft.source.key,
        digest=draft.edition,
        passages=len(set(draft.places)),
        places=array("H", draft.places).tobytes(),
        scales=array("f", (row.scale for row in rows)).tobytes(),
        counted=array("Q", draft.counted).tobytes(),
        hashes=array("Q", draft.hashes).tobytes(),
        vectors=b"".join(row.vector for row in rows),
    )


def _note_use(index: Index, file: VectorFile, store: Store, *, is_done: bool) -> None:
    """Note that the memory searches with these vectors; when they are whole, others go that no memory uses."""
    memory = memory_key(store)
    if memory not in file.users():
        with file.change():
            file.set_used_by(memory, is_used=True)
    if not is_done:
        return
    for folder in vectors.vector_folders(index):
        if folder == file.folder:
            continue
        other = vector_file.open_to_read(folder)
        if other is None:
            shutil.rmtree(folder, ignore_errors=True)
            continue
        with other:
            if memory in other.users():
                with other.change():
                    other.set_used_by(memory, is_used=False)
            is_used = bool(other.users())
        if not is_used:
            shutil.rmtree(folder, ignore_errors=True)
