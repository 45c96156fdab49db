"""Secrets in the index: what was indexed before a kind of secret was known holds them still.

A source that is there is read again at the next refresh; of one that is gone the passages themselves are changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recall_tui.index import catalogue as catalogues
from recall_tui.index.ingest.compaction import Watch
from recall_tui.index.ingest.markdown_files import without_secrets
from recall_tui.index.maintenance.purge import PATIENCE_SECONDS, UNWATCHED, clear_files, remove_aside
from recall_tui.index.opener import Index
from recall_tui.index.source_record import Known
from recall_tui.index.text import partitions as shelves
from recall_tui.index.text.batching import BATCH, Filing, batches_in_order
from recall_tui.index.text.commit_batch import UNREAD, batches_of, with_batches
from recall_tui.index.text.tantivy_documents import Filed
from recall_tui.index.text.writer import PassageWriter
from recall_tui.index.vectors import coverage as vectors
from recall_tui.storage.files.lock import held
from recall_tui.text.secrets.redact import findings, redact

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
    for _, known in _everything(index) if reader else ():
        for found in findings(known.title):
            yield IndexedSecret(known.path, 1, found.kind)
        for passage in _passages(reader, known) if reader else ():
            for text in _texts(passage):
                for found in findings(text):
                    at = text.count("\n", 0, found.start) if passage.lines[0] != passage.lines[1] else 0
                    yield IndexedSecret(known.path, passage.lines[0] + at, found.kind)


def redact_index(index: Index, watch: Watch = UNWATCHED) -> int:
    """Take the secrets out of the index and of its files; how many sources held any. LockedError when it is in use."""
    if not index.catalogue_path.is_file() or not shelves.edition(index.passages_path):
        return 0
    with held(index.lock_path, "redact", PATIENCE_SECONDS):
        reader = index.reader()
        with closing(catalogues.open_to_write(index.catalogue_path, lambda _: None)) as catalogue:
            changed: list[tuple[str, Known]] = []
            with closing(PassageWriter(index.passages_path)) as writer:
                for memory, known in catalogue.everything() if reader else ():
                    if reader and _has_any(reader, known):
                        changed.append((memory, _refiled(reader, writer, memory, known)))
                writer.commit()
            with catalogue.change():
                for memory, known in changed:
                    catalogue.record(memory, [known])
            clear_files(index, catalogue, watch)
            vectors.keep_what_is_indexed(index, catalogue)
        catalogues.sweep(index.catalogue_path)
        remove_aside(index.folder)
    return len(changed)


def _everything(index: Index) -> list[tuple[str, Known]]:
    with index.facts() as facts:
        return facts.everything() if facts else []


def _passages(reader: PassageReader, known: Known) -> Iterator[Passage]:
    for name in batches_in_order(batches_of(known)):
        yield from (one.passage for one in reader.of_batch(f"{known.key}:{name}", BATCH))


def _texts(passage: Passage) -> tuple[str, ...]:
    """Where a secret may stand."""
    return (passage.body, passage.head.title, passage.heading, *passage.files, *passage.tools, *passage.head.topics)


def _has_any(reader: PassageReader, known: Known) -> bool:
    if findings(known.title):
        return True
    return any(findings(text) for passage in _passages(reader, known) for text in _texts(passage))


def _refiled(reader: PassageReader, writer: PassageWriter, memory: str, known: Known) -> Known:
    """Put the source's passages in without secrets, and say what they are now."""
    source = Filed(known.key, memory, known.path, known.kind)
    filing = Filing(writer, source, batches_of(known), has_whole=known.has_body)
    for passage in _passages(reader, known):
        filing.add(_clean(passage))
    record = replace(with_batches(known, filing.close()), title=redact(known.title))
    return record if known.is_gone else replace(record, size=UNREAD, hash="")


def _clean(passage: Passage) -> Passage:
    """The passage without secrets, and with as many lines as before."""
    head = passage.head
    return passage._replace(
        head=head._replace(title=redact(head.title), topics=tuple(map(redact, head.topics))),
        body=without_secrets(passage.body),
        heading=redact(passage.heading),
        files=tuple(map(redact, passage.files)),
        tools=tuple(map(redact, passage.tools)),
    )
