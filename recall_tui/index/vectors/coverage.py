"""The vectors beside the index: where each embedder's are, and how much of what is indexed they cover.

They are made of what is indexed and of nothing else; without them, or with none of the embedder in use, a search does
what it does by words.
"""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.index.catalogue import is_damage
from recall_tui.index.opener import visible_to
from recall_tui.index.source_record import is_chunk_name
from recall_tui.index.text.commit_batch import recorded_batches
from recall_tui.index.vectors import file as vector_file
from recall_tui.index.vectors.file import VectorScope, batch_version

if TYPE_CHECKING:
    from recall_tui.index.catalogue import Catalogue
    from recall_tui.index.opener import Index
    from recall_tui.index.source_record import SourceRecord
    from recall_tui.index.vectors.file import BatchRecord
    from recall_tui.storage.memory_context import Store


@dataclass(frozen=True, slots=True)
class VectorCoverage:
    """How much of a memory, and of the transcripts, has vectors."""

    embedder: str = ""
    rows: int = 0
    """Of what this memory sees, as it is indexed now."""
    passages: int = 0
    """Passages that have rows."""
    missing: int = 0
    """Passages, of all kinds, of which nobody knows yet whether they have any."""
    others: tuple[str, ...] = ()
    """Other embedders whose vectors are there."""
    damage: str = ""
    """Why the vectors cannot be read; empty when they can."""

    @property
    def is_whole(self) -> bool:
        """Whatever is indexed and has vectors has them."""
        return not (self.missing or self.damage)

    @property
    def trouble(self) -> str:
        """Why nothing is found by vectors, for a person; empty when something is, or there is nothing to find."""
        if self.damage:
            return f"searches go by words alone: {self.damage}"
        if self.missing and not self.rows:
            others = ", ".join(self.others)
            return f"the vectors are of another model ({others})" if others else "there are no vectors yet"
        return ""

    @property
    def advice(self) -> str:
        """The trouble with the step that helps; empty when there is none. A model that cannot be had says its own."""
        is_model = self.damage and not self.embedder
        return self.trouble if is_model or not self.trouble else f"{self.trouble}; run: recall-tui sync"

    @property
    def told(self) -> str:
        """All of it in a line."""
        rows = f"{self.rows} rows of {self.passages} passages"
        waiting = f", {self.missing} passages wait" if self.missing else ""
        return f"{rows} by {self.embedder}{waiting}" if self.embedder else self.damage


def vector_folder(index: Index, name: str) -> Path:
    """Where the vectors of an embedder are."""
    return index.vectors_path / hashlib.blake2b(name.encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()


def vector_folders(index: Index) -> list[Path]:
    """The folders of every embedder's vectors."""
    if not index.vectors_path.is_dir():
        return []
    return sorted(path for path in index.vectors_path.iterdir() if path.is_dir())


def embedder_names(index: Index) -> list[str]:
    """The embedders whose vectors are there."""
    found = []
    for folder in vector_folders(index):
        with suppress(sqlite3.DatabaseError):
            opened = vector_file.open_to_read(folder)
            if opened is not None:
                with opened:
                    found.append(opened.name)
    return found


def expected_batches_of(known: SourceRecord, extent: VectorScope) -> dict[str, tuple[str, int]]:
    """By full name, what each batch of the source is known by among vectors, and its passages."""
    return {
        f"{known.key}:{name}": (batch_version(digest, extent), count)
        for name, (digest, count) in recorded_batches(known).items()
        if not is_chunk_name(name)
    }


def expected_batches(
    known: Mapping[str, SourceRecord], extent: VectorScope
) -> Iterator[tuple[SourceRecord, dict[str, tuple[str, int]]]]:
    """Each source with `expected_batches_of`."""
    for one in known.values():
        if one.passages:
            yield one, expected_batches_of(one, extent)


def visible_sources(index: Index, store: Store) -> dict[str, SourceRecord]:
    """What the memory sees, by key."""
    with index.facts() as facts:
        return {key: one for memory in visible_to(store) for key, one in facts.known(memory).items()} if facts else {}


def drop_unindexed(index: Index, catalogue: Catalogue) -> bool:
    """Take every row, of whichever embedder, out of the files that is not of a passage as it is indexed now.

    False when a reader keeps something in the bytes of a file.
    """
    now = {
        f"{one.key}:{name}": digest
        for _, one in catalogue.everything()
        for name, (digest, _) in recorded_batches(one).items()
    }
    clear = [_drop_rows(folder, now) for folder in vector_folders(index)]
    return all(clear)


def _drop_rows(folder: Path, now: Mapping[str, str]) -> bool:
    try:
        opened = vector_file.open_to_read(folder)
        if opened is not None:
            with opened:
                # Under the lock, for rows are made meanwhile of what was indexed when they were begun.
                with opened.change():
                    kept = opened.kept()
                    opened.drop([name for name, one in kept.items() if now.get(name) != one.digest.rpartition(".")[2]])
                return opened.sweep()
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            return False
    shutil.rmtree(folder, ignore_errors=True)
    return not folder.exists()


def remove_all(index: Index) -> None:
    """Remove the vectors of every embedder."""
    shutil.rmtree(index.vectors_path, ignore_errors=True)


def measure_coverage(index: Index, store: Store, name: str, extent: VectorScope) -> VectorCoverage:
    """How much of what the memory sees has vectors of the embedder."""
    others = tuple(one for one in embedder_names(index) if one != name)
    kept: Mapping[str, BatchRecord] = {}
    try:
        opened = vector_file.open_to_read(vector_folder(index, name))
        if opened is not None:
            with opened:
                if not opened.is_whole:
                    return VectorCoverage(name, others=others, damage=f"{opened.rows_path} is not whole")
                kept = opened.kept()
    except sqlite3.DatabaseError as error:
        return VectorCoverage(name, others=others, damage=str(error))
    rows = passages = missing = 0
    for _, batches in expected_batches(visible_sources(index, store), extent):
        for batch, (edition, count) in batches.items():
            there = kept.get(batch)
            if there is None or there.digest != edition:
                missing += count
            else:
                rows += there.rows
                passages += there.passages
    return VectorCoverage(name, rows, passages, missing, others)
