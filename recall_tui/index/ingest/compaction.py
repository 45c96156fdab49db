"""Puts the passages of a source from one edition of a shelf into the next.

What is stored is all that is needed: a copy gives the same answers as the source it once came from.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.index.catalogue import Catalogue
from recall_tui.index.source_record import SourceRecord, batches_in_order
from recall_tui.index.sources.markdown import project_key
from recall_tui.index.text import partitions
from recall_tui.index.text.batching import BATCH_PASSAGES, BatchWriter
from recall_tui.index.text.commit_batch import COMMIT_CHARS, UNREAD_SIZE, Progress, recorded_batches, with_batches
from recall_tui.index.text.passage import Passage
from recall_tui.index.text.tantivy_documents import SourceFields
from recall_tui.index.text.writer import PassageWriter

if TYPE_CHECKING:
    from recall_tui.index.text.reader import PassageReader


def never_cancelled() -> bool:
    """Nobody asks to stop."""
    return False


@dataclass(frozen=True, slots=True)
class CopyCallbacks:
    """Who looks on while something long is done, and may stop it."""

    progress: Progress | None = None
    is_cancelled: Callable[[], bool] = never_cancelled


def copy_source(reader: PassageReader, writer: PassageWriter, memory: str, known: SourceRecord) -> SourceRecord:
    """Put the source's passages in, and say what they are now; when some are missing it will be read again."""
    before = recorded_batches(known)
    filing = BatchWriter(writer, SourceFields(known.key, memory, known.path, known.kind), {}, has_whole=known.has_body)
    for name in batches_in_order(before):
        for one in reader.of_batch(f"{known.key}:{name}", BATCH_PASSAGES):
            filing.add(_with_project_key(one.passage))
    after = filing.close()
    record = with_batches(known, after)
    return record if dict(after) == dict(before) else record._replace(size=UNREAD_SIZE)


def _with_project_key(passage: Passage) -> Passage:
    """The passage filed under the place of its project, where it was filed under what that was cloned from."""
    head = passage.head
    if not head.project_key or head.project_key.startswith("/") or not head.project.startswith("/"):
        return passage
    return passage._replace(head=head._replace(project_key=project_key(head.project)))


def compact(folder: Path, reader: PassageReader, catalogue: Catalogue, is_cancelled: Callable[[], bool]) -> None:
    """Make the crowded partitions anew from what is stored; when it is cancelled they stay as they are."""
    crowded = partitions.crowded_partitions(folder)
    rebuild_partitions(folder, reader, catalogue, crowded, CopyCallbacks(is_cancelled=is_cancelled))


def rebuild_partitions(
    folder: Path, reader: PassageReader, catalogue: Catalogue, anew: list[str], watch: CopyCallbacks
) -> None:
    """Make these shelves anew from what is stored; when it is cancelled they stay as they are."""
    if not anew:
        return
    with closing(PassageWriter(folder, anew=partitions.begin_rebuild(folder, anew))) as writer:
        is_done = _copy_all(reader, writer, catalogue, watch)
    if is_done:
        partitions.finish_rebuild(folder, anew)
    else:
        partitions.remove_obsolete(folder)


def _copy_all(reader: PassageReader, writer: PassageWriter, catalogue: Catalogue, watch: CopyCallbacks) -> bool:
    """Put every passage of every memory in; False when that was cancelled on the way."""
    everything = catalogue.everything()
    done, to_do = 0, sum(known.chars for _, known in everything)
    for memory, known in everything:
        if watch.is_cancelled():
            return False
        copy_source(reader, writer, memory, known)
        done += known.chars
        if watch.progress and to_do:
            watch.progress(done, to_do)
        if writer.handed > COMMIT_CHARS:
            writer.commit()
    writer.commit()
    return True
