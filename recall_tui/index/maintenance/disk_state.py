"""What is on disk now, against what is indexed of it.

Files are looked at and none is opened; a source that is not as it was when it was indexed is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain

from recall_tui.domain.documents import SIDE_FILE_KINDS
from recall_tui.index.ingest.markdown_files import FileState, list_files
from recall_tui.index.ingest.markdown_files import is_modified as is_file_touched
from recall_tui.index.ingest.transcript_files import SessionState, list_sessions
from recall_tui.index.ingest.transcript_files import is_modified as is_session_touched
from recall_tui.index.opener import Index, memory_key
from recall_tui.index.source_record import SourceRecord
from recall_tui.index.text.passage import TRANSCRIPTS_KEY
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state.tombstones import of_memory


@dataclass(frozen=True, slots=True)
class DiskSource:
    """A source that is on disk."""

    source: SessionState | FileState
    was: SourceRecord | None
    """As it was when it was indexed; None when it never was."""
    is_stale: bool
    """It changed since, or only a part of it is indexed."""


@dataclass(slots=True)
class DiskState:
    """All that is to be found, held against the catalogue: how much it is, and what is not as it should be."""

    count: int = 0
    """Sources that are on disk."""
    failed: int = 0
    """Those of them that could not be read."""
    new: list[str] = field(default_factory=list)
    """Paths of what is not indexed yet."""
    stale: list[str] = field(default_factory=list)
    """Paths of what is indexed as it was before."""

    @property
    def is_current(self) -> bool:
        """Nothing is new, and nothing changed."""
        return not (self.new or self.stale)

    def add(self, one: DiskSource) -> None:
        """Count a source that was found."""
        self.count += 1
        self.failed += one.was is not None and bool(one.was.failed)
        if one.was is None:
            self.new.append(one.source.document)
        if one.is_stale:
            self.stale.append(one.source.document)


def read_disk_state(index: Index, store: Store) -> DiskState:
    """Every source of the memory and every transcript that is on disk now."""
    found = DiskState()
    for one in iter_sources(index, store):
        found.add(one)
    return found


def iter_sources(index: Index, store: Store) -> Iterator[DiskSource]:
    """The same one after the other, first the transcripts; there may be tens of thousands, and none is held."""
    return chain(_iter_sessions(index, store), _iter_files(index, store))


def _iter_sessions(index: Index, store: Store) -> Iterator[DiskSource]:
    known = _catalogue_record(index, TRANSCRIPTS_KEY)
    for one in list_sessions(store):
        was = known.pop(one.key, None)
        yield DiskSource(one, was, was is not None and not was.failed and is_session_touched(one, was))


def _iter_files(index: Index, store: Store) -> Iterator[DiskSource]:
    known, forgotten = _catalogue_record(index, memory_key(store)), of_memory(store).marks
    with index.facts() as facts:
        transcripts = facts.each(TRANSCRIPTS_KEY) if facts else ()
        spoken = (one for one in transcripts if one.session and one.passages and one.kind not in SIDE_FILE_KINDS)
        sessions = frozenset(one.session for one in spoken)
    for one in list_files(store):
        was = known.pop(one.key, None)
        is_stale = was is not None and not was.failed and is_file_touched(one, was, sessions, forgotten)
        yield DiskSource(one, was, is_stale)


def _catalogue_record(index: Index, memory: str) -> dict[str, SourceRecord]:
    with index.facts() as facts:
        return facts.known(memory) if facts else {}
