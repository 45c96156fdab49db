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
TRANSCRIPTS = "transcripts"
"""What transcripts are filed under, whichever memory asks."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of a memory, and of the transcripts, can be found."""

    sources: int
    indexed: int
    failed: int
    passages: int
    """Passages as the catalogue counts them."""
    stored: int
    """Passages as the text index counts them."""
    gone: int = 0
    """Transcripts that vanished, whose passages are kept."""
    faulty: int = 0
    """Transcripts that were read but for some lines."""

    @property
    def is_whole(self) -> bool:
        """Every source was read, and both counts agree."""
        return self.failed == 0 and self.passages == self.stored


class Index:
    """The search index of a person, one for all memories."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._reader: PassageReader | None = None
        self._edition = ""

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
        from recall_tui.index import passages, shelves

        edition = shelves.edition(self.passages_path)
        try:
            if not edition:
                self._reader = None
            elif self._reader is not None and edition == self._edition:
                self._reader.reload()
            else:
                self._reader = passages.PassageReader(self.passages_path)
        except BrokenFileError:
            # A shelf that was made anew may have taken over in between.
            if shelves.edition(self.passages_path) in ("", edition):
                raise
            return self.reader()
        self._edition = edition
        return self._reader

    def coverage(self, store: Store) -> Coverage:
        """What is indexed of the memory and of the transcripts, counted in both files."""
        totals = self.totals(store)
        reader = self.reader()
        return Coverage(
            sources=totals.sources,
            indexed=totals.sources - totals.failed,
            failed=totals.failed,
            passages=totals.passages,
            stored=sum(map(reader.count_of_memory, _seen_by(store))) if reader else 0,
            gone=totals.gone,
            faulty=totals.faults,
        )

    def totals(self, store: Store) -> Totals:
        """What the catalogue alone counts for the memory and the transcripts."""
        opened = self._catalogue()
        if opened is None:
            return catalogue.Totals(*_NOTHING)
        with opened as facts:
            return facts.totals(*_seen_by(store))

    def titles(self, store: Store) -> list[tuple[str, str]]:
        """Key and title of every source of the memory, and of every transcript, that has a title."""
        opened = self._catalogue()
        if opened is None:
            return []
        with opened as facts:
            return facts.titles(*_seen_by(store))

    def failures(self, store: Store) -> list[Known]:
        """The memory's sources and the transcripts that could not be read, with the reason."""
        opened = self._catalogue()
        if opened is None:
            return []
        with opened as facts:
            return facts.failures(*_seen_by(store))

    def faulty(self, store: Store) -> list[Known]:
        """The transcripts of which some lines could not be read, with the first of them."""
        opened = self._catalogue()
        if opened is None:
            return []
        with opened as facts:
            return facts.faulty(*_seen_by(store))

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


def _seen_by(store: Store) -> tuple[str, str]:
    """What a memory's search looks into."""
    return memory_key(store), TRANSCRIPTS
