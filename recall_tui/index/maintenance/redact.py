"""Secrets in the index: what was indexed before a kind of secret was known holds them still.

A source that is there is read again at the next refresh; of one that is gone the passages themselves are changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from recall_tui.index import catalogue as catalogues
from recall_tui.index.ingest.compaction import CopyCallbacks
from recall_tui.index.ingest.markdown_files import redact_lines
from recall_tui.index.maintenance.purge import LOCK_TIMEOUT_SECONDS, NO_CALLBACKS, rebuild_deleted, remove_damaged
from recall_tui.index.opener import Index
from recall_tui.index.source_record import SourceRecord, batches_in_order
from recall_tui.index.text import partitions
from recall_tui.index.text.batching import BATCH_PASSAGES, BatchWriter
from recall_tui.index.text.commit_batch import UNREAD_SIZE, recorded_batches, with_batches
from recall_tui.index.text.tantivy_documents import SourceFields
from recall_tui.index.text.writer import PassageWriter
from recall_tui.index.vectors import coverage as vectors
from recall_tui.storage.files import sqlite
from recall_tui.storage.files.lock import acquire
from recall_tui.text.secrets.redact import find_secrets, redact

if TYPE_CHECKING:
    from recall_tui.index.text.passage import Passage
    from recall_tui.index.text.reader import PassageReader


@dataclass(frozen=True, slots=True)
class IndexedSecret:
    """A secret that can be found in the index."""

    document: str
    line: int
    kind: str


def indexed_secrets(index: Index) -> Iterator[IndexedSecret]:
    """Every secret in the passages and titles of every source, as the index holds them now."""
    reader = index.reader()
    for _, known in _all_sources(index) if reader else ():
        for found in find_secrets(known.title):
            yield IndexedSecret(known.path, 1, found.kind)
        for passage in _source_passages(reader, known) if reader else ():
            for text in _redactable_texts(passage):
                for found in find_secrets(text):
                    at = text.count("\n", 0, found.start) if passage.lines[0] != passage.lines[1] else 0
                    yield IndexedSecret(known.path, passage.lines[0] + at, found.kind)


def redact_index(index: Index, watch: CopyCallbacks = NO_CALLBACKS) -> int:
    """Take the secrets out of the index and of its files; how many sources held any. LockedError when it is in use."""
    if not index.catalogue_path.is_file() or not partitions.read_version(index.passages_path):
        return 0
    with acquire(index.lock_path, "redact", LOCK_TIMEOUT_SECONDS):
        reader = index.reader()
        with closing(catalogues.open_to_write(index.catalogue_path, lambda _: None)) as catalogue:
            changed: list[tuple[str, SourceRecord]] = []
            with closing(PassageWriter(index.passages_path)) as writer:
                for memory, known in catalogue.everything() if reader else ():
                    if reader and _has_secret(reader, known):
                        changed.append((memory, _reindex_clean(reader, writer, memory, known)))
                writer.commit()
            with catalogue.change():
                for memory, known in changed:
                    catalogue.record(memory, [known])
            rebuild_deleted(index, catalogue, watch)
            vectors.drop_unindexed(index, catalogue)
        sqlite.vacuum(index.catalogue_path, catalogues.BUSY_TIMEOUT_SECONDS)
        remove_damaged(index.folder)
    return len(changed)


def _all_sources(index: Index) -> list[tuple[str, SourceRecord]]:
    with index.facts() as facts:
        return facts.everything() if facts else []


def _source_passages(reader: PassageReader, known: SourceRecord) -> Iterator[Passage]:
    for name in batches_in_order(recorded_batches(known)):
        yield from (one.passage for one in reader.of_batch(f"{known.key}:{name}", BATCH_PASSAGES))


def _redactable_texts(passage: Passage) -> tuple[str, ...]:
    """Where a secret may stand."""
    return (passage.body, passage.head.title, passage.heading, *passage.files, *passage.tools, *passage.head.topics)


def _has_secret(reader: PassageReader, known: SourceRecord) -> bool:
    if find_secrets(known.title):
        return True
    return any(find_secrets(text) for passage in _source_passages(reader, known) for text in _redactable_texts(passage))


def _reindex_clean(reader: PassageReader, writer: PassageWriter, memory: str, known: SourceRecord) -> SourceRecord:
    """Put the source's passages in without secrets, and say what they are now."""
    source = SourceFields(known.key, memory, known.path, known.kind)
    filing = BatchWriter(writer, source, recorded_batches(known), has_whole=known.has_body)
    for passage in _source_passages(reader, known):
        filing.add(_clean_passage(passage))
    record = with_batches(known, filing.close())._replace(title=redact(known.title))
    return record if known.is_gone else record._replace(size=UNREAD_SIZE, hash="")


def _clean_passage(passage: Passage) -> Passage:
    """The passage without secrets, and with as many lines as before."""
    head = passage.head
    return passage._replace(
        head=head._replace(title=redact(head.title), topics=tuple(map(redact, head.topics))),
        body=redact_lines(passage.body),
        heading=redact(passage.heading),
        files=tuple(map(redact, passage.files)),
        tools=tuple(map(redact, passage.tools)),
    )
