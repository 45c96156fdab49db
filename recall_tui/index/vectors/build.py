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
from recall_tui.index.text.batching import BATCH
from recall_tui.index.text.commit_batch import Progress, batches_in
from recall_tui.index.text.passage import SPEECH
from recall_tui.index.text.schema import number_of, readable
from recall_tui.index.vectors import coverage as vectors
from recall_tui.index.vectors import file as vector_file
from recall_tui.index.vectors.file import BatchRows, VectorFile
from recall_tui.index.vectors.text import Extent, edition_of, hash_of, texts_of
from recall_tui.storage.files.lock import held

if TYPE_CHECKING:
    from recall_tui.domain.embedding import Embedder
    from recall_tui.index.opener import Index
    from recall_tui.index.source_record import Known
    from recall_tui.index.text.reader import PassageReader
    from recall_tui.storage.memory_context import Store

TOGETHER = 512
"""Texts that are gathered before they are embedded and written."""
LOOKED_AT = 8
"""How many times as many texts as may be embedded are read to find those that are new."""
AT_ONCE = 64
"""Texts that an embedder is given at once; between them it may be stopped."""
LOCK = "building.lock"
_LONGEST = 127
_NOTHING = 1e-12
_ALL = 1 << 62


@dataclass(frozen=True, slots=True)
class Built:
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
class _Draft:
    """A batch on its way."""

    name: str
    source: Known
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
class _Work:
    """A building at work."""

    index: Index
    file: VectorFile
    reader: PassageReader
    embedder: Embedder
    extent: Extent
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
    waiting: list[_Draft] = field(default_factory=list)


def build(
    index: Index,
    store: Store,
    embedder: Embedder,
    extent: Extent = "dialogue",
    progress: Progress | None = None,
    *,
    is_cancelled: Callable[[], bool] = lambda: False,
    most: int | None = None,
) -> Built:
    """Bring the embedder's vectors of what the memory sees up to date; what is done stays when it fails (ModelError).

    No more than `most` texts are embedded. While another process is at it nothing is done. When all is there, vectors
    of other embedders go that no memory uses any more.
    """
    started = time.perf_counter()
    if index.reader() is None:
        return Built()
    notes: list[str] = []
    try:
        with held(index.vectors_path / LOCK, "vectors", 0.0):
            folder = vectors.folder_of(index, embedder.name)
            width = _width(folder, embedder)
            with vector_file.open_to_write(folder, embedder.name, width, notes.append) as file:
                known = vectors.sources(index, store)
                # Opened after the catalogue: an older one would hold other texts than those that are known there.
                reader = index.reader()
                if reader is None:
                    return Built()
                limit = most if most is not None else _ALL
                work = _Work(index, file, reader, embedder, extent, progress, is_cancelled, limit, limit * LOOKED_AT)
                dropped = _drop_the_gone(work, memory_key(store))
                _make_missing(work, known)
                if file.is_crowded():
                    file.rewrite()
                _use(index, file, store, is_done=not (work.missing or work.has_stopped))
    except LockedError:
        return Built(is_skipped=True)
    except (sqlite3.DatabaseError, OSError) as error:
        hint = "is there room on the disk? words are searched all the same"
        raise RecallError(f"vectors could not be written: {error}", hint=hint) from error
    took = time.perf_counter() - started
    return Built(
        work.embedded, work.rows, dropped, work.missing, took, is_cancelled=work.has_stopped, notes=tuple(notes)
    )


def _width(folder: Path, embedder: Embedder) -> int:
    """How wide the rows are: as they were, for an embedder may have to ask a server."""
    with suppress(sqlite3.DatabaseError):
        opened = vector_file.read(folder)
        if opened is not None:
            with opened:
                if opened.name == embedder.name and opened.dimensions:
                    return opened.dimensions
    return embedder.dimensions


def _drop_the_gone(work: _Work, memory: str) -> int:
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


def _make_missing(work: _Work, known: Mapping[str, Known]) -> None:
    kept = work.file.kept()
    by_source: dict[str, set[str]] = {}
    for name in kept:
        by_source.setdefault(name.partition(":")[0], set()).add(name)
    todo: list[tuple[Known, list[_Draft]]] = []
    for source, batches in vectors.wanted(known, work.extent):
        weight = max(1, source.chars // max(source.passages, 1))
        missing = [
            _Draft(name, source, edition, weight * count, count)
            for name, (edition, count) in batches.items()
            if name not in kept or kept[name].digest != edition
        ]
        work.to_do += sum(one.weight for one in missing)
        if missing or by_source.get(source.key, set()) - batches.keys():
            todo.append((source, missing))
    if work.left < _ALL:
        # The few that are made are those of what was said last.
        todo.sort(key=lambda one: -one[0].mtime_ns)
    for source, missing in todo:
        _make_source(work, source, missing, by_source.get(source.key, set()))
    _write(work)


def _make_source(work: _Work, source: Known, missing: list[_Draft], before: set[str]) -> None:
    """Make the missing batches of a source, and drop those that it has no longer."""
    remembered = _remembered(work.file, source.key) if missing and before else {}
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
        if sum(len(one.texts) for one in work.waiting) >= TOGETHER:
            _write(work)
    if gone := before - vectors.wanted_of(source, work.extent).keys():
        with work.file.change():
            work.file.drop(gone)


def _remembered(file: VectorFile, key: str) -> dict[int, _Row]:
    """The rows that the source has, for most of its texts are as they were."""
    width = file.dimensions
    return {
        hash: _Row(scale, rows[place * width : (place + 1) * width])
        for hashes, scales, rows in file.rows_of(key)
        for place, (hash, scale) in enumerate(zip(array("Q", hashes), array("f", scales), strict=True))
    }


def _read(work: _Work, draft: _Draft, remembered: Mapping[int, _Row]) -> None:
    """Fill in the texts of the batch's passages."""
    for one in work.reader.of_batch(draft.name, BATCH, (SPEECH,)):
        counted = number_of(readable(one.session_id) or one.key)
        for text in texts_of(one.passage, work.extent):
            hash = hash_of(text)
            draft.texts.append(text)
            draft.hashes.append(hash)
            draft.places.append(one.number % BATCH)
            draft.counted.append(counted)
            if hash in remembered:
                draft.rows[hash] = remembered[hash]


def _write(work: _Work) -> None:
    """Embed what waits and write it, as far as it is still indexed as it was read."""
    waiting, work.waiting = work.waiting, []
    texts = {hash: text for draft in waiting for hash, text in draft.new.items()}
    made: dict[int, _Row] = {}
    trouble: RecallError | None = None
    for some in _some(list(texts.items())):
        if work.has_stopped or work.is_cancelled():
            work.has_stopped = True
            break
        try:
            made.update(_embedded(work.embedder, some, work.file.dimensions))
        except RecallError as error:
            trouble = error
            break
        work.embedded += len(some)
    for draft in waiting:
        draft.rows.update((hash, made[hash]) for hash in draft.new if hash in made)
    whole = [draft for draft in waiting if not draft.new]
    if whole:
        with work.file.change():
            work.file.put(map(_packed, _still_indexed(work, whole)))
    work.rows += sum(len(one.texts) for one in whole)
    work.done += sum(one.weight for one in whole)
    if trouble is not None:
        raise trouble
    if work.progress and work.to_do:
        work.progress(min(work.done, work.to_do), work.to_do)


def _some(texts: list[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    for start in range(0, len(texts), AT_ONCE):
        yield texts[start : start + AT_ONCE]


def _embedded(embedder: Embedder, texts: Sequence[tuple[int, str]], width: int) -> Iterator[tuple[int, _Row]]:
    """The rows of the texts by hash: whole numbers, and what makes of them a row of unit length again."""
    import numpy as np

    made = np.asarray(embedder.embed([text for _, text in texts]), dtype=np.float32)
    if made.shape != (len(texts), width):
        raise ModelError(f"{embedder.name} makes other vectors than before", hint="run: recall-tui index")
    largest = np.abs(made).max(axis=1, keepdims=True)
    numbers = np.rint(made * (_LONGEST / np.maximum(largest, _NOTHING))).astype(np.int8)
    scales = 1.0 / np.maximum(np.linalg.norm(numbers.astype(np.float32), axis=1), 1.0)
    for (hash, _), scale, row in zip(texts, scales.tolist(), numbers, strict=True):
        yield hash, _Row(scale, row.tobytes())


def _still_indexed(work: _Work, drafts: list[_Draft]) -> list[_Draft]:
    """Those of the batches that the catalogue has as they were read."""
    with work.index.facts() as facts:
        now = facts.batches_of({one.source.key for one in drafts}) if facts else {}
    found = []
    for one in drafts:
        if one.source.key in now:
            digest, _ = batches_in(now[one.source.key]).get(one.name.partition(":")[2], ("", 0))
            if edition_of(digest, work.extent) == one.edition:
                found.append(one)
    return found


def _packed(draft: _Draft) -> BatchRows:
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


def _use(index: Index, file: VectorFile, store: Store, *, is_done: bool) -> None:
    """Note that the memory searches with these vectors; when they are whole, others go that no memory uses."""
    memory = memory_key(store)
    if memory not in file.users():
        with file.change():
            file.set_used_by(memory, is_used=True)
    if not is_done:
        return
    for folder in vectors.folders(index):
        if folder == file.folder:
            continue
        other = vector_file.read(folder)
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
