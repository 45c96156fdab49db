"""What a refresh did that is not yet said in the catalogue, and how far it is.

The text index is committed before the catalogue says so: a kill between the two is healed by the next refresh, for
every batch of passages takes out its own before it is put in.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from recall_tui.index.source_record import count_chunks, count_visible

if TYPE_CHECKING:
    from recall_tui.index.catalogue import Catalogue
    from recall_tui.index.source_record import Batches, SourceRecord
    from recall_tui.index.staged_sources import StagedSources
    from recall_tui.index.text.writer import PassageWriter

FIRST_COMMIT_SECONDS = 1.5
"""A long run is committed after so long, and each time it took twice as long as at the last commit: what it read can be
found early, and there are few commits however long it is."""
COMMIT_BYTES = 64_000_000
"""It is committed each time this much was read, too, so that a kill loses no more."""
COMMIT_CHARS = 2 * COMMIT_BYTES
"""Or this much was handed to the text index, which holds it in memory until then."""
Progress = Callable[[int, int], None]
"""Called with the bytes done, and those to do in all."""
UNREAD_SIZE = -1
"""The size of a source of which only a part is in the index; no file has it, so it is read again."""


class IngestCancelled(Exception):  # noqa: N818 - nobody's mistake
    """The person asked to stop; what was done stays."""


def recorded_batches(known: SourceRecord | None) -> Batches:
    """The batches that are recorded of a source."""
    return parse_batches(known.batches) if known is not None else {}


def parse_batches(text: str) -> Batches:
    """The batches that `SourceRecord.batches` names; DatabaseError for nonsense, as for any damage of the catalogue."""
    if not text:
        return {}
    try:
        return {name: (str(digest), int(count)) for name, (digest, count) in json.loads(text).items()}
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError):
        raise sqlite3.DatabaseError("what it says of a source's batches makes no sense") from None


def with_batches(known: SourceRecord, batches: Batches) -> SourceRecord:
    """The record of a source of which these batches are in the index."""
    text = json.dumps(batches, separators=(",", ":")) if batches else ""
    return known._replace(batches=text, passages=count_visible(batches), stretches=count_chunks(batches))


class PendingCommit:
    """Counts what is done, and commits it bit by bit; with `is_anew` the catalogue hears of it only at the end."""

    def __init__(
        self,
        writer: PassageWriter,
        catalogue: Catalogue,
        progress: Progress | None,
        is_cancelled: Callable[[], bool],
        *,
        is_anew: bool = False,
    ) -> None:
        self.writer = writer
        self._catalogue, self._progress, self._must_stop = catalogue, progress, is_cancelled
        self._records: list[tuple[str, SourceRecord]] = []
        self._partial: dict[str, tuple[str, Callable[[], SourceRecord]]] = {}
        """By key, the sources of which a part is in the index, and what is to be said of them."""
        self._staging: StagedSources | None = None
        if is_anew:
            from recall_tui.index.staged_sources import StagedSources

            self._staging = StagedSources(catalogue)
        self._gone: list[str] = []
        self._size = 0
        self._started, self._due = time.monotonic(), FIRST_COMMIT_SECONDS
        self.done = self.to_do = 0
        """Bytes that were read, and those to read in all."""
        self.unchanged = 0
        """Bytes of what need not be read."""
        self.reached = 0
        """The time of the last transcript that was read whole, newest first, in seconds."""
        self.is_cancelled = False
        self.records = 0
        """How often the catalogue was written."""
        self.added = self.changed = self.removed = self.passages = 0
        """What a person is told: sources that are new, changed or left, and passages written."""

    def expect(self, size: int) -> None:
        """Say that so many bytes more will be read."""
        self.to_do += size

    def drop(self, keys: Iterable[str]) -> None:
        """Take the sources out."""
        for key in keys:
            self.writer.remove(key)
            self._gone.append(key)
            self.removed += 1

    def as_of_now(self, memory: str, known: Iterable[SourceRecord]) -> Iterator[SourceRecord]:
        """The memory's sources as they are, when the catalogue knows only these."""
        latest = {record.key: record for owner, record in self._records if owner == memory}
        other = latest.keys() | self._gone
        yield from (one for one in known if one.key not in other)
        if self._staging:
            yield from (one for one in self._staging.each(memory) if one.key not in latest)
        yield from latest.values()

    def count(self, was: SourceRecord | None, record: SourceRecord, written: int) -> None:
        """Note whether a source that was read is new or changed."""
        self.added += was is None
        self.changed += was is not None and record.hash != was.hash
        self.passages += written

    def put(self, memory: str, record: SourceRecord, size: int = 0) -> None:
        """Note how a source is now, and that so many bytes of it were read; IngestCancelled when asked to stop."""
        self._partial.pop(record.key, None)
        self._records.append((memory, record))
        self._size += size
        self.done += size
        if self._progress and size:
            self._progress(self.done, self.to_do)
        if self._size > COMMIT_BYTES or self._is_time_to_commit():
            self.commit()
        self.stop_if_asked()

    def pace(self, memory: str, key: str, partly: Callable[[], SourceRecord]) -> None:
        """Commit when it is time; until the source is put, `partly` says what of it is in the index.

        Of a long source nobody knows how much is done; that it is at work is told all the same. IngestCancelled when
        asked to stop.
        """
        if self._progress and self.to_do:
            self._progress(self.done, self.to_do)
        self._partial[key] = (memory, partly)
        self.stop_if_asked()
        if self._is_time_to_commit():
            self.commit()

    def stop_if_asked(self) -> None:
        """IngestCancelled when the person asked to stop."""
        if self._must_stop():
            raise IngestCancelled

    def _is_time_to_commit(self) -> bool:
        if self.writer.handed > COMMIT_CHARS:
            return True
        # What is made anew beside the old shelves is found when it is whole.
        return self._staging is None and time.monotonic() - self._started > self._due

    def commit(self) -> None:
        """Make it so: text first, then what is said of it."""
        self._records += [(memory, partly()) for memory, partly in self._partial.values()]
        if self._staging:
            # What is known of tens of thousands of sources is not held until the end.
            if not self.is_cancelled:
                self.writer.commit()
                self._staging.put(self._records)
                self._records, self._size = [], 0
            return
        if not (self._records or self._gone):
            return
        self.writer.commit()
        self.record()

    def record(self) -> None:
        """Say in the catalogue what was done; what was done anew takes the place of all that it said."""
        if self._staging:
            self._staging.put(self._records)
            self._staging.take_over()
        else:
            with self._catalogue.change():
                self._catalogue.forget(self._gone)
                for memory, record in self._records:
                    self._catalogue.record(memory, [record])
                if self.done < self.to_do:
                    from recall_tui.index import build_progress

                    total = self.unchanged + self.to_do
                    so_far = build_progress.BuildProgress(self.unchanged + self.done, total, self.reached)
                    build_progress.note(self._catalogue, so_far)
        self._records, self._gone, self._size = [], [], 0
        self._due = 2 * (time.monotonic() - self._started)
        self.records += 1
