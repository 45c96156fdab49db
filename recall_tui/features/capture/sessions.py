"""Capture: a transcript goes from an agent's folder into the memory, whole, and again when it has grown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.domain import Actor, ArchiveEntry, Conversation, Plan, SkippedResult
from recall_tui.errors import ConflictError
from recall_tui.features.capture import archive as archiving
from recall_tui.features.capture.session_reader import is_covered
from recall_tui.index.project_scope import ProjectScope
from recall_tui.index.sources.markdown import drain
from recall_tui.index.sources.transcripts import ignore_matcher, is_extra, list_all_copies
from recall_tui.storage.files.trusted_clock import is_ahead
from recall_tui.storage.state import processed_transcripts, tombstones
from recall_tui.transcripts.first_lines import session_folder
from recall_tui.transcripts.merge import merge
from recall_tui.transcripts.read_extent import extent_size
from recall_tui.transcripts.registry import read_transcript, session_files, session_id_by_name
from recall_tui.transcripts.shared_file import split_session_path, transcript_state

if TYPE_CHECKING:
    from recall_tui.features.capture.archive import Source
    from recall_tui.features.capture.archive_draft import ArchiveDraft, ArchiveFacts
    from recall_tui.memory import Memory
    from recall_tui.storage.memory_context import Store
    from recall_tui.transcripts.reader import TranscriptFile

if TYPE_CHECKING:
    from recall_tui.storage.journal.batch import Batch

_MAX_TRIES = 3
_TRAILING_WRITES = timedelta(minutes=1)
"""An agent may write into a transcript for so long after the last message."""


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


def preview_capture(store: Store, path: Path, source: Source = "session") -> Plan:
    """The plan that capturing the transcript would make; its body lies in the spool until it is swept."""
    draft = archiving.prepare_draft(store, path, read_transcript, merge)
    if isinstance(draft, SkippedResult):
        return Plan(f"{path.name}: {draft.reason}", (), (draft.reason,))
    return archiving.archive(store, draft, source)


def unarchived_transcripts(
    store: Store,
    since: datetime | None = None,
    *,
    of_all: bool = False,
    others: Counter[str] | None = None,
) -> Iterator[Path]:
    """The transcripts that this memory does not hold as they are now, oldest first.

    Every file of a session counts by itself. A memory of one project takes only what was said in it, unless it takes
    those `of_all`; the folders that it leaves out are counted in `others`. Those that `.recall-ignore` names are none.
    """
    forgotten = tombstones.read_all(store).sessions
    scope = ProjectScope(store)
    is_ignored = ignore_matcher(store.environment)
    for found in drain(list_all_copies(store)):
        if found.session_id in forgotten or is_ignored(str(found.path)):
            continue
        if since is not None and found.modified < since:
            continue
        if find_archive(store, found) is not None:
            continue
        if of_all or _began_here(store, found, scope) or is_accepted(store, found.path, others, scope):
            yield found.path


def _began_here(store: Store, found: TranscriptFile, scope: ProjectScope) -> bool:
    """Whether an archived session began in the memory's own project, wherever it went on.

    Its transcripts on this machine tell; an archive may have come with a repository, and names any session its own.
    """
    if not archiving.find_archives(store, found.session_id):
        return False
    files = session_files(store.environment, found.agent, found.session_id)
    return any(cwd and scope.has_folder(cwd) for cwd in (session_folder(file.path) for file in files))


def find_archive(store: Store, found: TranscriptFile) -> ArchiveEntry | None:
    """The archive that holds the transcript as it is now; None when it is to be archived, or brought up to date.

    One that an archive was made from is held as long as it is no younger and as long as it was then; any other when
    its content is that of such a one, or when it was read and there was nothing new in it.
    """
    known = archiving.find_archives(store, found.session_id)
    if not known or known[-1].source == "checkpoint":
        return None
    if processed_transcripts.was_read(store.state, found.path, transcript_state):
        return known[-1]
    covers = {extent for entry in known for extent in entry.covers}
    name = str(found.path).removesuffix(".zst")
    # Pages that are shared name transcripts by their files alone.
    names = (name, Path(name).name)
    is_named = any(one.removesuffix(".zst") in names for entry in known for one in entry.transcripts)
    if is_named:
        is_older = _archived_at(known[-1], found, store.now()) >= found.modified
        # The size of these is not that of the lines that were read.
        is_other_size = found.path.suffix == ".zst" or split_session_path(found.path) is not None
        is_as_long = not covers or is_other_size or any(extent_size(extent) == found.size for extent in covers)
        if is_older and is_as_long:
            return known[-1]
    return known[-1] if is_covered(found.path, covers) else None


def _remember_read(store: Store, path: Path) -> None:
    """That nothing new is in a transcript is not found out anew at every look."""
    with suppress(OSError):
        if not path.is_relative_to(store.state):
            processed_transcripts.add_transcript(store.state, path, transcript_state)


def _archived_at(entry: ArchiveEntry, found: TranscriptFile, now: datetime) -> datetime:
    """When the archive was written; where only its file says that it will be, when the session ended."""
    written = datetime.fromtimestamp(entry.path.stat().st_mtime, UTC)
    if not is_ahead(written, now) or is_ahead(found.modified, now):
        return written
    return (entry.ended_at or entry.date or written) + _TRAILING_WRITES


def is_accepted(
    store: Store, path: Path, others: Counter[str] | None = None, scope: ProjectScope | None = None
) -> bool:
    """Whether the memory takes what was said in the transcript; if not, its folder is counted in `others`.

    A `scope` is handed over where many transcripts are asked about.
    """
    scope = scope or ProjectScope(store)
    if scope.captures_all:
        return True
    if store.layout.design.is_of_claude_project and path.is_relative_to(store.root) and not is_extra(store, path):
        return True
    cwd = session_folder(path)
    if not cwd or scope.has_folder(cwd):
        conversation = read_transcript(path)
        if not isinstance(conversation, Conversation):
            return False
        cwd = conversation.head.cwd
    if cwd and scope.has_folder(cwd):
        return True
    if others is not None:
        others[cwd] += 1
    return False
