"""Puts the passages of a source from one edition of a shelf into the next.

What is stored is all that is needed: a copy gives the same answers as the source it once came from.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.index.catalogue import Catalogue
from recall_tui.index.source_record import Known
from recall_tui.index.sources.markdown import project_key
from recall_tui.index.text import partitions as shelves
from recall_tui.index.text.batching import BATCH, Filing, batches_in_order
from recall_tui.index.text.commit_batch import COMMIT_CHARS, UNREAD, Progress, batches_of, with_batches
from recall_tui.index.text.passage import SHELVES, Passage
from recall_tui.index.text.tantivy_documents import Filed
from recall_tui.index.text.writer import PassageWriter

if TYPE_CHECKING:
    from recall_tui.index.text.reader import PassageReader

SMALL = 5000
"""Passages in all shelves up to which no deleted one is put up with."""
DELETED_SHARE = 0.05
"""The share of deleted passages that a larger shelf may have: they count in the statistics that rank the others."""


def never() -> bool:
    """Nobody asks to stop."""
    return False


@dataclass(frozen=True, slots=True)
class Watch:
    """Who looks on while something long is done, and may stop it."""

    progress: Progress | None = None
    is_cancelled: Callable[[], bool] = never


def copied(reader: PassageReader, writer: PassageWriter, memory: str, known: Known) -> Known:
    """Put the source's passages in, and say what they are now; when some are missing it will be read again."""
    before = batches_of(known)
    filing = Filing(writer, Filed(known.key, memory, known.path, known.kind), {}, has_whole=known.has_body)
    for name in batches_in_order(before):
        for one in reader.of_batch(f"{known.key}:{name}", BATCH):
            filing.add(_at_its_place(one.passage))
    after = filing.close()
    record = with_batches(known, after)
    return record if dict(after) == dict(before) else replace(record, size=UNREAD)


def _at_its_place(passage: Passage) -> Passage:
    """The passage filed under the place of its project, where it was filed under what that was cloned from."""
    head = passage.head
    if not head.project_key or head.project_key.startswith("/") or not head.project.startswith("/"):
        return passage
    return passage._replace(head=head._replace(project_key=project_key(head.project)))


def crowded(folder: Path) -> list[str]:
    """The shelves with more deleted passages than is good for the answers."""
    counts = {shelf: shelves.counts(place) for shelf, place in shelves.places(folder).items()}
    is_small = sum(count for count, _ in counts.values()) < SMALL
    return [shelf for shelf in SHELVES if counts[shelf][1] > (0 if is_small else DELETED_SHARE * counts[shelf][0])]


def holding_deleted(folder: Path) -> list[str]:
    """The shelves with any deleted passage: it is not found any more, and can still be read in the file."""
    return [shelf for shelf, place in shelves.places(folder).items() if shelves.counts(place)[1]]


def compact(folder: Path, reader: PassageReader, catalogue: Catalogue, is_cancelled: Callable[[], bool]) -> None:
    """Make the crowded shelves anew from what is stored; when it is cancelled they stay as they are."""
    make_anew(folder, reader, catalogue, crowded(folder), Watch(is_cancelled=is_cancelled))


def make_anew(folder: Path, reader: PassageReader, catalogue: Catalogue, anew: list[str], watch: Watch) -> None:
    """Make these shelves anew from what is stored; when it is cancelled they stay as they are."""
    if not anew:
        return
    with closing(PassageWriter(folder, anew=shelves.begin_anew(folder, anew))) as writer:
        is_done = _copy_all(reader, writer, catalogue, watch)
    if is_done:
        shelves.take_over(folder, anew)
    else:
        shelves.clear(folder)


def _copy_all(reader: PassageReader, writer: PassageWriter, catalogue: Catalogue, watch: Watch) -> bool:
    """Put every passage of every memory in; False when that was cancelled on the way."""
    everything = catalogue.everything()
    done, to_do = 0, sum(known.chars for _, known in everything)
    for memory, known in everything:
        if watch.is_cancelled():
            return False
        copied(reader, writer, memory, known)
        done += known.chars
        if watch.progress and to_do:
            watch.progress(done, to_do)
        if writer.handed > COMMIT_CHARS:
            writer.commit()
    writer.commit()
    return True
