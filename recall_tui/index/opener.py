"""The index as its users hold it: where it is, how to ask it, and what it covers.

Opening it reads nothing and makes nothing; each part is opened when it is first needed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.errors import BrokenFileError, LockedError, RecallError
from recall_tui.index import catalogue
from recall_tui.index.text.passage import TRANSCRIPTS_KEY
from recall_tui.storage.memory_context import Store

if TYPE_CHECKING:
    from recall_tui.environment import Environment
    from recall_tui.index.build_progress import BuildProgress
    from recall_tui.index.catalogue import Catalogue, CatalogueTotals
    from recall_tui.index.maintenance.coverage import Coverage
    from recall_tui.index.source_record import SourceRecord
    from recall_tui.index.text.reader import PassageReader

_NO_TOTALS = (0, 0, 0, 0)


class Index:
    """The search index of a person, one for all memories."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._reader: PassageReader | None = None
        self._totals: dict[tuple[str, ...], tuple[object, CatalogueTotals]] = {}
        """By the memories that were counted, with the state of the catalogue then."""

    @property
    def catalogue_path(self) -> Path:
        """The file of facts about sources."""
        return self.folder / "catalogue.db"

    @property
    def passages_path(self) -> Path:
        """The folder of the text index."""
        return self.folder / "passages"

    @property
    def vectors_path(self) -> Path:
        """The folder of vectors, with one folder for each embedder."""
        return self.folder / "vectors"

    @property
    def lock_path(self) -> Path:
        """The lock of whoever writes the index."""
        return self.folder / "writer.lock"

    def reader(self) -> PassageReader | None:
        """The text index at its last commit; None when nothing was indexed yet."""
        from recall_tui.index.text import partitions, reader

        edition, held = partitions.read_version(self.passages_path), self._reader
        try:
            if not edition:
                held = None
            elif held is not None and edition == held.edition:
                held = held.renewed()
            else:
                held = reader.PassageReader(self.passages_path)
        except BrokenFileError:
            # A shelf that was made anew may have taken over in between.
            if partitions.read_version(self.passages_path) in ("", edition):
                raise
            return self.reader()
        self._reader = held
        return held

    def let_replaced_go(self) -> None:
        """Hold no file that another process replaced: what was forgotten is on the disk until nobody holds it."""
        if self._reader is not None:
            # Whoever asks next is told what is wrong.
            with suppress(RecallError, OSError):
                self.reader()

    def coverage(self, store: Store) -> Coverage:
        """What is indexed of the memory and of the transcripts, counted in both files."""
        from recall_tui.index.maintenance import coverage as covering
        from recall_tui.storage.files.lock import acquire

        try:
            counted = self._counted(store)
            if counted.agrees:
                return counted
            # Whoever writes commits the text first: only while nobody does, the two must agree.
            with acquire(self.lock_path, "count", 0.0):
                return self._counted(store)
        except LockedError:
            return counted.while_busy()
        except BrokenFileError as error:
            return covering.Coverage(damage=error.message)

    def _counted(self, store: Store) -> Coverage:
        from recall_tui.index.maintenance import coverage as covering
        from recall_tui.index.text.passage import WHOLE

        totals, refreshed_at = catalogue.CatalogueTotals(*_NO_TOTALS), ""
        with self.facts() as facts:
            if facts is not None:
                totals, refreshed_at = facts.totals(*visible_to(store)), facts.refreshed_at(memory_key(store))
        reader = self.reader()
        return covering.Coverage(
            sources=totals.sources,
            indexed=totals.sources - totals.failed,
            failed=totals.failed,
            passages=totals.passages,
            stored=sum(map(reader.count_of_memory, visible_to(store))) if reader else 0,
            gone=totals.gone,
            faulty=totals.faults,
            stretches=totals.stretches,
            stored_stretches=sum(reader.count_of_memory(each, WHOLE) for each in visible_to(store)) if reader else 0,
            bytes=_size_of(self.folder),
            refreshed_at=refreshed_at,
        )

    def totals(self, store: Store) -> CatalogueTotals:
        """What the catalogue alone counts for the memory and the transcripts."""
        memories, state = visible_to(store), catalogue.file_state(self.catalogue_path)
        seen, totals = self._totals.get(memories, (None, None))
        if totals is not None and seen == state:
            return totals
        with self.facts() as facts:
            if facts is None:
                return catalogue.CatalogueTotals(*_NO_TOTALS)
            totals = facts.totals(*memories)
        self._totals[memories] = (state, totals)
        return totals

    def own_totals(self, store: Store) -> CatalogueTotals:
        """What the catalogue counts for what the memory's questions are answered from, other projects left out."""
        from recall_tui.index.project_scope import ProjectScope, includes_all_projects

        if includes_all_projects(store):
            return self.totals(store)
        key, state = (*visible_to(store), str(store.root)), catalogue.file_state(self.catalogue_path)
        seen, totals = self._totals.get(key, (None, None))
        if totals is not None and seen == state:
            return totals
        scope = ProjectScope(store)
        with self.facts() as facts:
            if facts is None:
                return catalogue.CatalogueTotals(*_NO_TOTALS)
            own = tuple(folder for folder in facts.projects(TRANSCRIPTS_KEY) if scope.has_folder(folder))
            totals = facts.totals(*visible_to(store), projects=own)
        self._totals[key] = (state, totals)
        return totals

    def titles(self, store: Store) -> list[tuple[str, str]]:
        """Key and title of every source of the memory, and of every transcript, that has a title."""
        with self.facts() as facts:
            return facts.titles(*visible_to(store)) if facts else []

    def projects(self, store: Store) -> list[str]:
        """The folders that sessions worked in, those with most sessions first."""
        with self.facts() as facts:
            return [*facts.projects(*visible_to(store))] if facts else []

    def session_counts(self) -> dict[str, int]:
        """How many sessions were held in each folder on the machine, whatever memory takes them."""
        with self.facts() as facts:
            return facts.projects(TRANSCRIPTS_KEY) if facts else {}

    def failures(self, store: Store) -> list[SourceRecord]:
        """The memory's sources and the transcripts that could not be read, with the reason."""
        with self.facts() as facts:
            return [one for one in facts.troubled(*visible_to(store)) if one.failed] if facts else []

    def faulty(self, store: Store) -> list[SourceRecord]:
        """The transcripts of which some lines could not be read, with the first of them."""
        with self.facts() as facts:
            return [one for one in facts.troubled(*visible_to(store)) if one.faults] if facts else []

    def build_progress(self) -> BuildProgress | None:
        """How far a long build is that is at work or was stopped; None when there is none, or it cannot be told."""
        with suppress(BrokenFileError), self.facts() as facts:
            if facts is not None and (value := facts.fact(catalogue.BUILD_FACT)):
                from recall_tui.index import build_progress

                return build_progress.parse(value)
        return None

    @contextmanager
    def facts(self) -> Iterator[Catalogue | None]:
        """The catalogue, to be asked in the block; None when there is none. BrokenFileError when it is damaged."""
        try:
            opened = catalogue.open_to_read(self.catalogue_path)
            if opened is None:
                yield None
                return
            with opened:
                yield opened
        except sqlite3.DatabaseError as error:
            raise BrokenFileError(f"{self.catalogue_path}: {error}", hint="run: recall-tui sync") from error


class IndexSnapshot(Index):
    """The index as it was at one moment, however often it is asked: what one answer is made of."""

    def __init__(self, index: Index) -> None:
        super().__init__(index.folder)
        self._totals = index._totals
        self._pinned = index.reader()

    def reader(self) -> PassageReader | None:
        """The text index at that moment; None when nothing was indexed by then."""
        return self._pinned


def _size_of(folder: Path) -> int:
    size = 0
    for path in folder.rglob("*"):
        # Files of the text index come and go while another process writes it.
        with suppress(FileNotFoundError):
            size += path.stat().st_size
    return size


def open_index(environment: Environment) -> Index:
    """The index of the person in this environment."""
    return Index(environment.index_folder)


def memory_key(store: Store) -> str:
    """What the memory's passages are filed under: a hash of where it really is."""
    return store.state.name.rpartition("-")[2]


def visible_to(store: Store) -> tuple[str, str]:
    """What a memory's search looks into."""
    return memory_key(store), TRANSCRIPTS_KEY
