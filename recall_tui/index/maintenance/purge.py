"""Takes what was forgotten out of the index, to the last byte.

A refresh never brings it back; here also the room is cleared that deleted passages and rows go on taking in the files.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Collection, Iterable
from contextlib import closing
from pathlib import Path

from recall_tui.errors import BrokenFileError, LockedError
from recall_tui.index import catalogue as catalogues
from recall_tui.index.catalogue import Catalogue
from recall_tui.index.ingest import compaction
from recall_tui.index.ingest.compaction import CopyCallbacks
from recall_tui.index.ingest.refresh import refresh
from recall_tui.index.opener import Index, memory_key
from recall_tui.index.sources.markdown import source_key
from recall_tui.index.text import partitions
from recall_tui.index.text.commit_batch import UNREAD_SIZE
from recall_tui.index.text.passage import TRANSCRIPTS_KEY
from recall_tui.index.text.schema import printable_path
from recall_tui.index.text.writer import PassageWriter
from recall_tui.index.vectors import coverage as vectors
from recall_tui.storage.files import sqlite
from recall_tui.storage.files.lock import acquire
from recall_tui.storage.memory_context import Store

LOCK_TIMEOUT_SECONDS = 60.0
"""How long a process that writes the index is waited for."""
NO_CALLBACKS = CopyCallbacks()
_DAMAGED_PATTERN = "*.broken-*"
"""What was set aside because it was damaged."""


def purge(
    index: Index,
    store: Store,
    sessions: Collection[str],
    documents: Iterable[str],
    watch: CopyCallbacks = NO_CALLBACKS,
) -> bool:
    """Take the sessions, and documents of the memory by their relative paths, out of the index and of its files.

    What tells of others in these documents is read again at the next refresh. False when something may be left in the
    bytes of a file, for it was cancelled or the file is in use; LockedError when another process goes on writing.
    """
    if not (index.catalogue_path.exists() or index.passages_path.exists()):
        vectors.remove_all(index)
        return True
    wanted = (set(sessions), {source_key(memory_key(store), printable_path(document)) for document in documents})
    try:
        is_clear = _purge(index, store, *wanted, watch)
    except (BrokenFileError, sqlite3.DatabaseError) as error:
        if isinstance(error, sqlite3.DatabaseError) and not catalogues.is_damage(error):
            raise LockedError(f"{index.catalogue_path} is in use", hint="try again") from error
        refresh(index, store, patience=LOCK_TIMEOUT_SECONDS)
        is_clear = _purge(index, store, *wanted, watch)
    with acquire(index.lock_path, "forget", LOCK_TIMEOUT_SECONDS):
        remove_damaged(index.folder)
    return is_clear


def recheck_sources(index: Index) -> None:
    """Have the next refresh read again what gave no passages, for some of it may have been kept out."""
    if not index.catalogue_path.is_file():
        return
    with (
        acquire(index.lock_path, "forget", LOCK_TIMEOUT_SECONDS),
        closing(catalogues.open_to_write(index.catalogue_path, lambda _: None)) as catalogue,
        catalogue.change(),
    ):
        for memory, known in catalogue.everything():
            if not known.passages:
                catalogue.record(memory, [known._replace(size=UNREAD_SIZE)])


def memories_with_archives(index: Index, store: Store, sessions: Collection[str]) -> list[str]:
    """The folders of other memories of the person that hold archives of the sessions, as far as they were indexed."""
    wanted = set(sessions)
    with index.facts() as facts:
        if facts is None:
            return []
        own = (memory_key(store), TRANSCRIPTS_KEY)
        others = {memory for memory, one in facts.everything() if one.session in wanted and memory not in own}
        return sorted(root for memory, root in facts.roots() if memory in others)


def _purge(index: Index, store: Store, sessions: set[str], documents: set[str], watch: CopyCallbacks) -> bool:
    folder = index.passages_path
    with acquire(index.lock_path, "forget", LOCK_TIMEOUT_SECONDS):
        with closing(catalogues.open_to_write(index.catalogue_path, lambda _: None)) as catalogue:
            generation = catalogue.fact(catalogues.GENERATION_FACT)
            if not generation or generation != partitions.read_generation(folder):
                raise BrokenFileError(f"the search index in {folder} is damaged", hint="run: recall-tui sync")
            own = (memory_key(store), TRANSCRIPTS_KEY)
            everything = catalogue.everything()
            keys = [
                one.key
                for memory, one in everything
                if memory in own and (one.session in sessions or one.side_name in sessions)
            ]
            _drop_sources(folder, catalogue, [*keys, *(one.key for _, one in everything if one.key in documents)])
            rebuild_deleted(index, catalogue, watch)
            is_clear = vectors.drop_unindexed(index, catalogue)
        return (
            sqlite.vacuum(index.catalogue_path, catalogues.BUSY_TIMEOUT_SECONDS)
            and is_clear
            and not partitions.partitions_with_deleted(folder)
        )


def rebuild_deleted(index: Index, catalogue: Catalogue, watch: CopyCallbacks) -> None:
    """Make the shelves anew that hold deleted passages; only under the writer's lock."""
    folder, reader = index.passages_path, index.reader()
    if reader is not None:
        compaction.rebuild_partitions(folder, reader, catalogue, partitions.partitions_with_deleted(folder), watch)
    partitions.remove_obsolete(folder)


def _drop_sources(folder: Path, catalogue: Catalogue, keys: list[str]) -> None:
    """Take the sources out: text first, then what is said of it."""
    with closing(PassageWriter(folder)) as writer:
        for key in keys:
            writer.remove(key)
        writer.commit()
    with catalogue.change():
        catalogue.forget(keys)


def remove_damaged(folder: Path) -> None:
    """Remove what was set aside because it was damaged: nobody can say what it holds."""
    for path in folder.glob(_DAMAGED_PATTERN):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
