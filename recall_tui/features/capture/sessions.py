"""Capture: a transcript goes from an agent's folder into the memory, whole, and again when it has grown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.domain import Actor, Plan, SkippedResult
from recall_tui.errors import ConflictError
from recall_tui.features.capture import archive as archiving
from recall_tui.storage.state import processed_transcripts
from recall_tui.transcripts.merge import merge
from recall_tui.transcripts.registry import read_transcript, session_id_by_name
from recall_tui.transcripts.shared_file import transcript_state

if TYPE_CHECKING:
    from recall_tui.features.capture.archive import Source
    from recall_tui.features.capture.archive_draft import ArchiveDraft, ArchiveFacts
    from recall_tui.memory import Memory
    from recall_tui.storage.memory_context import Store

if TYPE_CHECKING:
    from recall_tui.storage.journal.batch import Batch

_MAX_TRIES = 3


@dataclass(frozen=True, slots=True)
class CaptureResult:
    """What became of one transcript."""

    path: Path
    status: str
    """`archived`, `updated`, `unchanged` or `skipped`."""
    reason: str = ""
    session_id: str = ""
    number: int = 0
    archive: str = ""
    """The archive's path; empty when there is none."""
    messages: int = 0
    faults: int = 0
    """Lines of the transcript that could not be read; the others were."""


@contextmanager
def capture_batch(memory: Memory) -> Iterator[Batch]:
    """Make all captures of the block one change of the journal, which one undo takes back.

    What was captured stays when the block is interrupted.
    """
    from recall_tui.storage.journal.batch import Batch

    batch = Batch("Archived {count} sessions", "Archived sessions, interrupted")
    try:
        yield batch
    finally:
        if batch.id:
            memory.journal.look_after(batch)


def capture(
    memory: Memory,
    path: Path,
    source: Source = "session",
    *,
    by: Actor = "person",
    notes: Mapping[str, str] | None = None,
    batch: Batch | None = None,
) -> CaptureResult:
    """Archive the transcript at `path`, or bring its archive up to date; `notes` are what stands at its head, too.

    A session that another process archived meanwhile is read again, three times at most; one that was forgotten is
    not even read.
    """
    if stone := archiving.find_tombstone(memory, session_id_by_name(path)):
        return CaptureResult(path, "skipped", stone.reason, session_id_by_name(path))

    def prepare() -> ArchiveDraft | SkippedResult:
        draft = archiving.prepare_draft(memory, path, read_transcript, merge)
        return draft if isinstance(draft, SkippedResult) else replace(draft, notes=notes or {})

    return capture_draft(memory, path, source, prepare, by=by, batch=batch)


def capture_draft(
    memory: Memory,
    path: Path,
    source: Source,
    made: Callable[[], ArchiveDraft | SkippedResult],
    *,
    by: Actor,
    batch: Batch | None = None,
) -> CaptureResult:
    """Archive what `made` makes ready of the conversation at `path`; it is made again when the archive changed.

    Nothing is archived where it would come into the commits of a repository.
    """
    from recall_tui.storage.git_exclusion import beforehand, require_exclusion

    require_exclusion(memory)
    for attempt in range(_MAX_TRIES):
        draft = made()
        if isinstance(draft, SkippedResult):
            return CaptureResult(path, "skipped", draft.reason)
        plans: list[Plan[ArchiveFacts]] = []

        def archive(memory: Memory, draft: ArchiveDraft = draft, plans: list[Plan[ArchiveFacts]] = plans) -> Plan:
            plan = archiving.archive(memory, draft, source)
            plans.append(replace(plan, edits=(*plan.edits, *beforehand(memory))) if plan.edits else plan)
            return plans[-1]

        try:
            memory.commit(archive, by=by, batch=batch)
        except ConflictError:
            if attempt + 1 == _MAX_TRIES:
                raise
            continue
        finally:
            draft.discard()
        facts = plans[-1].facts
        if facts["status"] in ("archived", "updated"):
            if batch is not None:
                batch.count += 1
            memory.register.made(Path(facts["path"]))
            archiving.note_phase(memory, draft, source, Path(facts["path"]))
        elif facts["status"] == "unchanged":
            _remember_read(memory, path)
        return CaptureResult(
            path,
            facts["status"],
            facts["reason"],
            draft.head.session_id,
            facts["number"],
            facts["path"],
            draft.messages,
            draft.head.fault_count,
        )
    raise AssertionError("unreachable")


def _remember_read(store: Store, path: Path) -> None:
    """That nothing new is in a transcript is not found out anew at every look."""
    with suppress(OSError):
        if not path.is_relative_to(store.state):
            processed_transcripts.add_transcript(store.state, path, transcript_state)
