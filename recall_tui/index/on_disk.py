"""What is on disk now, against what is indexed of it.

Files are looked at and none is opened; a source that is not as it was when it was indexed is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from recall_tui.index.known import Known
from recall_tui.index.markdown_files import Seen, files_on_disk
from recall_tui.index.markdown_files import is_touched as is_file_touched
from recall_tui.index.store import TRANSCRIPTS, Index, memory_key
from recall_tui.index.transcript_files import Session, sessions_on_disk
from recall_tui.index.transcript_files import is_touched as is_session_touched
from recall_tui.storage.store import Store
from recall_tui.storage.tombstones import read


@dataclass(frozen=True, slots=True)
class Found:
    """A source that is on disk."""

    source: Session | Seen
    was: Known | None
    """As it was when it was indexed; None when it never was."""
    is_stale: bool
    """It changed since, or only a part of it is indexed."""


@dataclass(frozen=True, slots=True)
class OnDisk:
    """All that is to be found, held against the catalogue."""

    found: tuple[Found, ...]

    @property
    def new(self) -> list[str]:
        """Paths of what is not indexed yet."""
        return [one.source.document for one in self.found if one.was is None]

    @property
    def stale(self) -> list[str]:
        """Paths of what is indexed as it was before."""
        return [one.source.document for one in self.found if one.is_stale]

    @property
    def is_current(self) -> bool:
        """Nothing is new, and nothing changed."""
        return not (self.new or self.stale)


def on_disk(index: Index, store: Store) -> OnDisk:
    """Every source of the memory and every transcript that is on disk now."""
    memory = memory_key(store)
    with index.facts() as facts:
        transcripts, files = (facts.known(TRANSCRIPTS), facts.known(memory)) if facts else ({}, {})
        sessions = facts.sessions(TRANSCRIPTS) if facts else frozenset()
    return OnDisk((*_sessions(store, transcripts), *_files(store, files, sessions)))


def _sessions(store: Store, known: dict[str, Known]) -> Iterator[Found]:
    for one in sessions_on_disk(store):
        was = known.get(one.key)
        yield Found(one, was, was is not None and not was.failed and is_session_touched(one, was))


def _files(store: Store, known: dict[str, Known], sessions: frozenset[str]) -> Iterator[Found]:
    forgotten = read(store.state).marks
    for one in files_on_disk(store):
        was = known.get(one.key)
        is_stale = was is not None and not was.failed and is_file_touched(one, was, sessions, forgotten)
        yield Found(one, was, is_stale)
