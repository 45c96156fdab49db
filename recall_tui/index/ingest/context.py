"""One run over the sources: what every part of a refresh is handed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Final

from recall_tui.domain.documents import SIDE_FILE_KINDS
from recall_tui.index.text.passage import TRANSCRIPTS_KEY
from recall_tui.index.text.schema import printable_path
from recall_tui.storage.markdown.frontmatter import write_time
from recall_tui.storage.state.tombstones import Tombstones, of_memory, read_all

if TYPE_CHECKING:
    from recall_tui.index.catalogue import Catalogue
    from recall_tui.index.source_record import SourceRecord
    from recall_tui.index.text.commit_batch import PendingCommit
    from recall_tui.index.text.reader import PassageReader
    from recall_tui.storage.memory_context import Store


class IngestContext:
    """A refresh at work."""

    def __init__(self, store: Store, catalogue: Catalogue, ledger: PendingCommit, reader: PassageReader | None) -> None:
        """Take what it works with; when everything is read again, `reader` is of the index as it was before."""
        self.store: Final = store
        self.catalogue: Final = catalogue
        self.ledger: Final = ledger
        self.reader: Final = reader
        self.has_same_transcripts = False
        """They are as they were indexed, and none of them is read."""
        self._read: Final[dict[str, tuple[int, dict[str, SourceRecord]]]] = {}
        """Of the memory that was read last from the catalogue, its sources, and how often it had been written by then.
        """

    @property
    def is_anew(self) -> bool:
        """Everything is read again, into shelves beside the old ones."""
        return self.reader is not None

    def known(self, memory: str) -> dict[str, SourceRecord]:
        """The memory's sources as they are in the shelves that are written; those of one memory are held at a time."""
        if self.is_anew:
            return {}
        records, known = self._read.get(memory, (-1, {}))
        if records != self.ledger.records:
            del known
            self._read.clear()
            known = self.catalogue.known(memory)
            self._read[memory] = (self.ledger.records, known)
        return known

    def recorded(self, memory: str) -> Iterable[SourceRecord]:
        """The memory's sources as the catalogue has them: from memory if they are there, and not held otherwise."""
        records, known = self._read.get(memory, (-1, {}))
        return known.values() if records == self.ledger.records else self.catalogue.each(memory)

    def now_in(self, memory: str) -> Iterator[SourceRecord]:
        """The memory's sources as they are now, in the catalogue or soon to be."""
        return self.ledger.as_of_now(memory, () if self.is_anew else self.recorded(memory))

    def transcripts(self) -> Iterator[SourceRecord]:
        """The transcripts as they are now; sessions of a database, plans, todo lists and typed prompts are none."""
        return (one for one in self.now_in(TRANSCRIPTS_KEY) if self.is_transcript(one))

    def transcribed_sessions(self) -> frozenset[str]:
        """The ids of the sessions of which passages of a transcript are in the index, or soon to be."""
        if self.has_same_transcripts and not any(self.catalogue.each(TRANSCRIPTS_KEY, path=self.database)):
            return frozenset(session for _, session in self.catalogue.bodies("transcript"))
        return frozenset(one.session for one in self.transcripts() if one.session and one.passages)

    @cached_property
    def forgotten(self) -> Tombstones:
        """What the person had forgotten, in whichever memory: of that no transcript is indexed."""
        return read_all(self.store)

    @cached_property
    def forgotten_here(self) -> Tombstones:
        """What was forgotten in this memory: of that no document of it is indexed."""
        return of_memory(self.store)

    @cached_property
    def database(self) -> str:
        """Session recall's database, as the index shows it; the sessions in it are shown as if it were a folder."""
        return printable_path(str(self.store.environment.session_index))

    def is_of_database(self, known: SourceRecord) -> bool:
        """Whether a source is the database or a session in it."""
        return known.path == self.database or known.path.startswith(f"{self.database}/")

    def is_transcript(self, known: SourceRecord) -> bool:
        """Whether a source that is filed with the transcripts is one."""
        return known.kind not in SIDE_FILE_KINDS and not self.is_of_database(known)

    def now(self) -> str:
        """The time, for the catalogue."""
        return write_time(self.store.now())


def reason_of(error: Exception) -> str:
    """Why something could not be read, for a person."""
    told = (getattr(one, "strerror", None) for one in (error, error.__cause__))
    named = next(filter(None, told), None) or getattr(error, "message", None) or str(error)
    return str(named) or type(error).__name__
