"""The index as its users hold it: where it is, how to ask it, and what it covers.

Opening it reads nothing and makes nothing; each part is opened when it is first needed.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.errors import BrokenFileError
from recall_tui.index import catalogue
from recall_tui.storage.store import Store

if TYPE_CHECKING:
    from recall_tui.index.catalogue import Catalogue, Known, Totals
    from recall_tui.index.passages import PassageReader
    from recall_tui.paths import Places

_NOTHING = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of a memory can be found."""

    sources: int
    indexed: int
    failed: int
    passages: int
    """Passages as the catalogue counts them."""
    stored: int
    """Passages as the text index counts them."""

    @property
    def is_whole(self) -> bool:
        """Every source was read, and both counts agree."""
        return self.failed == 0 and self.passages == self.stored


class Index:
    """The search index of a person, one for all memories."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._reader: PassageReader | None = None
        self._generation = ""

    @property
    def catalogue_path(self) -> Path:
        """The file of facts about sources."""
        return self.folder / "catalogue.db"

    @property
    def passages_path(self) -> Path:
        """The folder of the text index."""
        return self.folder / "passages"

    @property
    def lock_path(self) -> Path:
        """The lock of whoever writes the index."""
        return self.folder / "writer.lock"

    def reader(self) -> PassageReader | None:
        """The text index at its last commit; None when nothing was indexed yet."""
        from recall_tui.index import passages

        generation = passages.generation(self.passages_path)
        if not generation:
            self._reader = None
        elif self._reader is None or generation != self._generation:
            self._reader = passages.PassageReader(self.passages_path)
        else:
            self._reader.reload()
        self._generation = generation
        return self._reader

    def coverage(self, store: Store) -> Coverage:
        """What is indexed of the memory, counted in both files."""
        memory = memory_key(store)
        totals = self.totals(store)
        reader = self.reader()
        return Coverage(
            sources=totals.sources,
            indexed=totals.sources - totals.failed,
            failed=totals.failed,
            passages=totals.passages,
            stored=reader.count_of_memory(memory) if reader else 0,
        )

    def totals(self, store: Store) -> Totals:
        """What the catalogue alone counts for the memory."""
        opened = self._catalogue()
        if opened is None:
            return catalogue.Totals(*_NOTHING)
        with opened as facts:
            return facts.totals(memory_key(store))

    def titles(self, store: Store) -> list[tuple[str, str]]:
        """Key and title of every source of the memory that has a title."""
        opened = self._catalogue()
        if opened is None:
            return []
        with opened as facts:
            return facts.titles(memory_key(store))

    def failures(self, store: Store) -> list[Known]:
        """The sources of the memory that could not be read, with the reason."""
        opened = self._catalogue()
        if opened is None:
            return []
        with opened as facts:
            return facts.failures(memory_key(store))

    def _catalogue(self) -> Catalogue | None:
        try:
            return catalogue.read(self.catalogue_path)
        except sqlite3.DatabaseError as error:
            raise BrokenFileError(f"{self.catalogue_path}: {error}", hint="run: recall-tui sync") from error


def open_index(places: Places) -> Index:
    """The index of the person at these places."""
    return Index(places.index)


def memory_key(store: Store) -> str:
    """What the memory's passages are filed under: a hash of where it really is."""
    return store.state.name.rpartition("-")[2]
