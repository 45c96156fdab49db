"""Proves what the index covers: every batch is counted where its passages stand, and sources are read again.

Nothing is changed. A source is only read again while the index says that it is as it was; the others are named at once.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field

from recall_tui import files
from recall_tui.domain import ReadError, SkippedResult
from recall_tui.errors import RecallError
from recall_tui.index.ingest.compaction import copy_source
from recall_tui.index.ingest.context import reason_of
from recall_tui.index.ingest.markdown_files import FileState, content_hash, file_passages
from recall_tui.index.ingest.markdown_files import ingest_file as hand_over_file
from recall_tui.index.ingest.transcript_files import SessionState
from recall_tui.index.ingest.transcript_files import ingest_session as hand_over_session
from recall_tui.index.maintenance.coverage import Coverage
from recall_tui.index.maintenance.disk_state import DiskSource, DiskState, iter_sources, read_disk_state
from recall_tui.index.opener import Index, memory_key, visible_to
from recall_tui.index.source_record import Batches, SourceRecord, is_chunk_name
from recall_tui.index.text.batching import BatchWriter
from recall_tui.index.text.commit_batch import UNREAD_SIZE, recorded_batches
from recall_tui.index.text.passage import TRANSCRIPTS_KEY, VISIBLE_PARTITIONS, WHOLE
from recall_tui.index.text.tantivy_documents import SourceFields
from recall_tui.index.text.writer import PassageWriter
from recall_tui.storage.files.lock import acquire
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state.tombstones import of_memory

MAX_SAMPLE_BYTES = 16_000_000
"""Of a larger history no more is read again; which part of it changes from day to day."""
LOCK_TIMEOUT_SECONDS = 10.0
"""How long a process that writes is waited for."""
Progress = Callable[[int, int], None]
"""Called with the bytes read again, and those to read in all."""
_SourceGap = SessionState | FileState


@dataclass(frozen=True, slots=True)
class CoverageGap:
    """A source of which the index does not hold what it should."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class VerifyResult:
    """What is covered, and everything that is not."""

    coverage: Coverage
    on_disk: DiskState
    batches: int
    """Batches of passages that were counted one by one."""
    read_again: int
    """Sources that were read again."""
    bytes_read: int
    failures: tuple[SourceRecord, ...]
    faults: tuple[tuple[str, ReadError], ...]
    """Path, and what could not be read; of a source that was not read again the first."""
    lost: tuple[CoverageGap, ...]
    """Sources of which there are fewer passages, or more, than the catalogue says."""
    altered: tuple[CoverageGap, ...]
    """Sources that give other passages now, though they are as they were, or whose passages are not what they gave."""
    strays: int
    """Passages that belong to no source."""


@dataclass(slots=True)
class _RereadResult:
    """What was found by reading again."""

    sources: int = 0
    bytes: int = 0
    altered: list[CoverageGap] = field(default_factory=list)
    faults: dict[str, tuple[ReadError, ...]] = field(default_factory=dict)


def verify_index(
    index: Index,
    store: Store,
    progress: Progress | None = None,
    *,
    most: int = MAX_SAMPLE_BYTES,
    seed: int | None = None,
) -> VerifyResult:
    """Compare catalogue, text index and files; LockedError when another process goes on writing.

    Sources of `most` bytes are read again, all when they have no more; `seed` says which, by default the day.
    """
    lost, strays, batches = _count_sources(*_snapshot(index), visible_to(store))
    broken, forgotten = {gap.path for gap in lost}, of_memory(store).marks
    found, faulty, sound = DiskState(), list[_SourceGap](), list[_SourceGap]()
    for one in iter_sources(index, store):
        found.add(one)
        if one.was is not None and _is_reproducible(one, one.was, broken, forgotten):
            (faulty if one.was.faults else sound).append(one.source)
    chance = random.Random(store.now().toordinal() if seed is None else seed)
    chance.shuffle(faulty)
    chance.shuffle(sound)
    sample = _sample_sources([*faulty, *sound], most)
    del faulty, sound
    again = _reread_sources(index, store, sample, progress)
    # What was written to meanwhile is not as it was.
    stale = set(read_disk_state(index, store).stale) if again.altered else set()
    return VerifyResult(
        coverage=index.coverage(store),
        on_disk=found,
        batches=batches,
        read_again=again.sources,
        bytes_read=again.bytes,
        failures=tuple(index.failures(store)),
        faults=tuple(_coverage_gaps(index.faulty(store), again)),
        lost=tuple(lost),
        altered=tuple(gap for gap in again.altered if gap.path not in stale),
        strays=strays,
    )


def _snapshot(index: Index) -> tuple[list[tuple[str, SourceRecord]], tuple[dict[str, int], dict[str, int]]]:
    """All that the catalogue says, and the passages that are there, of shown batches and of stretches."""
    if not index.catalogue_path.is_file():
        return [], ({}, {})
    with acquire(index.lock_path, "doctor", LOCK_TIMEOUT_SECONDS):
        with index.facts() as facts:
            known = facts.everything() if facts else []
        reader = index.reader()
        return known, (reader.batch_counts(*VISIBLE_PARTITIONS), reader.batch_counts(WHOLE)) if reader else ({}, {})


def _count_sources(
    known: list[tuple[str, SourceRecord]], counts: tuple[dict[str, int], dict[str, int]], own: tuple[str, str]
) -> tuple[list[CoverageGap], int, int]:
    """The memory's sources whose batches are not all there, how many passages no source accounts for, and all batches.

    What was counted of a batch is taken out of the counts.
    """
    shown, stretches = counts
    gaps: list[CoverageGap] = []
    batches = 0
    for memory, one in known:
        missing = beyond = meant = 0
        for name, (_, count) in recorded_batches(one).items():
            batches += 1
            there = (stretches if is_chunk_name(name) else shown).pop(f"{one.key}:{name}", 0)
            meant += count
            missing += max(0, count - there)
            beyond += max(0, there - count)
        if memory in own and missing:
            gaps.append(CoverageGap(one.path, f"{missing} of its {meant} passages are missing"))
        elif memory in own and beyond:
            gaps.append(CoverageGap(one.path, f"it has {beyond} passages too many"))
    return gaps, sum(shown.values()) + sum(stretches.values()), batches


def _is_reproducible(one: DiskSource, was: SourceRecord, broken: set[str], forgotten: Container[str]) -> bool:
    """Whether reading the source again should give what is indexed; of what was forgotten nothing is."""
    return not (was.session in forgotten or was.failed or one.is_stale or was.path in broken)


def _sample_sources(found: Sequence[_SourceGap], most: int) -> list[_SourceGap]:
    """The first of the sources that have no more than so many bytes together; when each has more, the smallest."""
    taken: list[_SourceGap] = []
    left = most
    for one in found:
        if one.size <= left:
            left -= one.size
            taken.append(one)
    return taken or sorted(found, key=lambda one: one.size)[:1]


def _reread_sources(index: Index, store: Store, sample: list[_SourceGap], progress: Progress | None) -> _RereadResult:
    again = _RereadResult()
    reader = index.reader()
    total = sum(one.size for one in sample)
    # A writer of no shelf: passages are made and go nowhere.
    writer = PassageWriter(index.passages_path, anew={})
    for one in sample:
        with index.facts() as facts:
            was = facts.source(one.key) if facts else None
        if was is None or reader is None:
            continue
        memory = memory_key(store) if isinstance(one, FileState) else TRANSCRIPTS_KEY
        try:
            reason = _find_difference(one, was, writer, memory, again, store)
        except (RecallError, OSError, ValueError, RecursionError) as error:
            reason = f"it cannot be read any more: {reason_of(error)}"
        if not reason and copy_source(reader, writer, memory, was).size == UNREAD_SIZE:
            reason = "the indexed text differs from the file"
        if reason:
            again.altered.append(CoverageGap(was.path, reason))
        again.sources += 1
        again.bytes += one.size
        if progress:
            progress(again.bytes, total)
    return again


def _find_difference(
    source: _SourceGap, was: SourceRecord, writer: PassageWriter, memory: str, again: _RereadResult, store: Store
) -> str:
    """How the source differs from what the catalogue says of it; empty when it does not."""
    filing = BatchWriter(writer, SourceFields(was.key, memory, was.path, was.kind), {}, has_whole=was.has_body)
    if isinstance(source, FileState):
        data = files.read_file(source.source.path)
        hash_now = content_hash(data)
        hand_over_file(file_passages(store, source.source, data), filing, has_body=was.has_body)
    else:
        told = hand_over_session(source, filing, store.environment.state)
        again.faults[was.path] = told.faults
        hash_now = "" if isinstance(told, SkippedResult) else told.content_hash
    batches: Batches = filing.close()
    if hash_now != was.hash:
        return "its content is another, though its size and time are the same"
    return "" if dict(batches) == recorded_batches(was) else "it gives other passages than were indexed"


def _coverage_gaps(faulty: list[SourceRecord], again: _RereadResult) -> Iterator[tuple[str, ReadError]]:
    for one in faulty:
        for fault in again.faults.get(one.path) or (ReadError(one.fault_line, one.fault),):
            yield one.path, fault
