"""Brings the index up to date with the files of a memory, and with every transcript on the machine.

Whatever happens to a refresh on the way is healed by the next; nothing is ever there twice, and a session's words are
there once: from its transcript, and only where there is none from its archive.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.domain.documents import SIDE_FILE_KINDS
from recall_tui.errors import BrokenFileError, LockedError, RecallError
from recall_tui.index import catalogue as catalogues
from recall_tui.index.ingest import markdown_files, session_recall, transcript_files
from recall_tui.index.ingest.context import IngestContext
from recall_tui.index.opener import Index, memory_key
from recall_tui.index.text import partitions
from recall_tui.index.text.commit_batch import IngestCancelled, PendingCommit, Progress
from recall_tui.index.text.passage import PARTITIONS, TRANSCRIPTS_KEY, WHOLE
from recall_tui.index.text.schema import printable_path
from recall_tui.index.text.writer import PassageWriter
from recall_tui.storage.files.lock import acquire
from recall_tui.storage.markdown.frontmatter import write_time
from recall_tui.storage.state.tombstones import read_all

if TYPE_CHECKING:
    from recall_tui.index.catalogue import Catalogue
    from recall_tui.storage.memory_context import Store


LONG_RUN_BYTES = 4_000_000
"""More to read than this takes a while."""
PARALLEL_BYTES = 20_000_000
"""More than this is read by several processes, which take a moment to start."""


class RefreshResult(NamedTuple):
    """What a refresh found and did."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    failed: int = 0
    """Sources that cannot be read, new or not."""
    passages: int = 0
    """Passages written by this refresh."""
    took: float = 0.0
    """Seconds."""
    is_skipped: bool = False
    """Another process was at it; what it commits will be found."""
    is_cancelled: bool = False
    """The person asked to stop; the next refresh goes on from here."""
    is_anew: bool = False
    """Everything was read again; until that is done the index is as it was."""
    bytes_done: int = 0
    bytes_to_do: int = 0
    """Bytes that were read, and those that were to be read."""
    notes: tuple[str, ...] = ()
    """What a person should know, such as a damaged file that was set aside."""


class _RefreshRequest(NamedTuple):
    """What was asked for."""

    target: Index
    store: Store
    progress: Progress | None
    is_cancelled: Callable[[], bool]
    notes: list[str]


def refresh(
    index: Index,
    store: Store,
    progress: Progress | None = None,
    *,
    patience: float = 0.0,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> RefreshResult:
    """Index what is new or changed in the memory and among the transcripts, and take out what is gone.

    While another process writes the index this waits `patience` seconds, and then does nothing and says so. It stops
    soon after `is_cancelled` says so.
    """
    return _with_lock(_RefreshRequest(index, store, progress, is_cancelled, []), patience, anew=False)


def rebuild(
    index: Index,
    store: Store,
    progress: Progress | None = None,
    *,
    patience: float = 0.0,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> RefreshResult:
    """Read all of the memory and every transcript again; what is left of vanished transcripts is carried over."""
    return _with_lock(_RefreshRequest(index, store, progress, is_cancelled, []), patience, anew=True)


def _with_lock(wish: _RefreshRequest, patience: float, *, anew: bool) -> RefreshResult:
    started = time.perf_counter()
    # Damage to these is not the index's, and no reason to make it anew.
    read_all(wish.store)
    try:
        with acquire(wish.target.lock_path, "index", patience):
            done = _refresh_with_repair(wish, anew)
    except LockedError:
        return RefreshResult(is_skipped=True, took=time.perf_counter() - started)
    except sqlite3.DatabaseError as error:
        message = f"{wish.target.catalogue_path} could not be written: {error}"
        raise RecallError(message, hint="is the disk full? the earlier index is intact") from error
    return done._replace(took=time.perf_counter() - started, notes=tuple(wish.notes))


def _refresh_with_repair(wish: _RefreshRequest, anew: bool) -> RefreshResult:
    """One pass; a second one, over everything, when the first met damage or the two files do not agree after it."""
    note = wish.notes.append
    try:
        done, agree = _run_pass(wish, anew)
        if agree:
            return done
        note("catalogue and text index disagreed about this memory; it was indexed again")
    except BrokenFileError as error:
        note(error.message)
    except sqlite3.DatabaseError as error:
        if not catalogues.is_damage(error):
            raise
        path = wish.target.catalogue_path
        note(f"{path} was set aside as {catalogues.rename_broken(path).name} ({error}); the index is rebuilt")
    return _run_pass(wish, True)[0]


def _run_pass(wish: _RefreshRequest, anew: bool) -> tuple[RefreshResult, bool]:
    """Do it all once, and say whether catalogue and text index count the same after."""
    index, store = wish.target, wish.store
    memory = memory_key(store)
    with closing(catalogues.open_to_write(index.catalogue_path, wish.notes.append)) as catalogue:
        is_empty = _sync_generations(wish, catalogue)
        catalogue.name_memory(memory, printable_path(str(store.root)), store.layout.name)
        catalogue.name_memory(TRANSCRIPTS_KEY, printable_path(str(store.environment.home)), TRANSCRIPTS_KEY)
        anew = anew and not is_empty
        ledger = _rebuild_all(wish, catalogue) if anew else _update(wish, catalogue)
        done = RefreshResult(ledger.added, ledger.changed, ledger.removed, 0, ledger.passages, is_anew=anew)
        done = done._replace(bytes_done=ledger.done, bytes_to_do=ledger.to_do)
        if ledger.is_cancelled:
            return done._replace(is_cancelled=True), True
        catalogue.note_refreshed(memory, write_time(store.now()))
        agree = _counts_agree(index, catalogue, memory)
        reader = index.reader()
        if agree and reader is not None and partitions.crowded_partitions(index.passages_path):
            from recall_tui.index.ingest.compaction import compact

            compact(index.passages_path, reader, catalogue, wish.is_cancelled)
        return done._replace(failed=catalogue.totals(memory, TRANSCRIPTS_KEY).failed), agree


def _update(wish: _RefreshRequest, catalogue: Catalogue) -> PendingCommit:
    """Change in the shelves what is not as it should be."""
    with closing(PassageWriter(wish.target.passages_path)) as writer:
        ledger = PendingCommit(writer, catalogue, wish.progress, wish.is_cancelled)
        _ingest_all(wish, IngestContext(wish.store, catalogue, ledger, None))
        return ledger


def _rebuild_all(wish: _RefreshRequest, catalogue: Catalogue) -> PendingCommit:
    """Fill new shelves beside the old ones, and let them take over."""
    folder = wish.target.passages_path
    reader = wish.target.reader()
    with closing(PassageWriter(folder, anew=partitions.begin_rebuild(folder, PARTITIONS))) as writer:
        ledger = PendingCommit(writer, catalogue, wish.progress, wish.is_cancelled, is_anew=True)
        _ingest_all(wish, IngestContext(wish.store, catalogue, ledger, reader))
    if ledger.is_cancelled:
        partitions.remove_obsolete(folder)
        return ledger
    partitions.finish_rebuild(folder, PARTITIONS)
    ledger.record()
    return ledger


def _ingest_all(wish: _RefreshRequest, run: IngestContext) -> None:
    """Transcripts first, for what they hold the archives need not; last what neither of them holds.

    The memory's other pages are few, and found before transcripts that take long. When all is read again, other
    memories come along.
    """
    try:
        look = transcript_files.TranscriptLook(run)
        run.has_same_transcripts = look.is_indexed()
        touched, seen = ([], None) if run.has_same_transcripts else transcript_files.modified_sessions(run)
        if run.ledger.to_do > LONG_RUN_BYTES and not run.is_anew:
            markdown_files.index_pages(run)
            run.ledger.commit()
        if run.ledger.to_do > PARALLEL_BYTES:
            from recall_tui.index.ingest.parallel import index_in_parallel

            index_in_parallel(run, touched)
        transcript_files.index_sessions(run, touched)
        if seen is not None:
            transcript_files.keep_missing(run, seen)
        markdown_files.index_markdown(run)
        if _has_side_files(run):
            from recall_tui.index.ingest import side_files

            side_files.index_plans_and_todos(run, wish.target)
            session_recall.index_database_sessions(run, seen)
            side_files.index_history(run)
        else:
            session_recall.index_database_sessions(run, seen)
        _carry_over_others(run)
    except IngestCancelled:
        run.ledger.is_cancelled = True
    run.ledger.commit()
    if not run.ledger.is_cancelled:
        look.record()


def _has_side_files(run: IngestContext) -> bool:
    """Whether Claude Code keeps something beside its transcripts, or did when it was looked at last."""
    folder = run.store.environment.claude
    is_there = any((folder / name).exists() for name in ("plans", "todos", "history.jsonl"))
    return is_there or any(run.catalogue.each(TRANSCRIPTS_KEY, SIDE_FILE_KINDS))


def _carry_over_others(run: IngestContext) -> None:
    if run.reader is None:
        return
    from recall_tui.index.ingest.compaction import copy_source

    for memory, known in run.catalogue.everything(memory_key(run.store), TRANSCRIPTS_KEY):
        run.ledger.put(memory, copy_source(run.reader, run.ledger.writer, memory, known))


def _counts_agree(index: Index, catalogue: Catalogue, memory: str) -> bool:
    reader = index.reader()
    if reader is None:
        return False
    for each in (memory, TRANSCRIPTS_KEY):
        totals = catalogue.totals(each)
        counted = (reader.count_of_memory(each), reader.count_of_memory(each, WHOLE))
        if counted != (totals.passages, totals.stretches):
            return False
    return True


def _sync_generations(wish: _RefreshRequest, catalogue: Catalogue) -> bool:
    """See to it that catalogue and text index are of one generation; two that are not both start empty."""
    folder = wish.target.passages_path
    generation = partitions.read_generation(folder)
    if generation and generation == catalogue.fact(catalogues.GENERATION_FACT):
        partitions.remove_obsolete(folder)
        return False
    catalogue.begin_anew(partitions.create_index(folder, wish.notes.append))
    return True
