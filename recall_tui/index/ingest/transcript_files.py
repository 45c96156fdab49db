"""The transcripts of every agent on the machine, brought into the index.

A transcript that vanished keeps its passages, unless its session lives on in another file or the person ignores it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Container, Iterable, Iterator
from contextlib import suppress
from functools import cached_property, partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.errors import RecallError
from recall_tui.index import catalogue as catalogues
from recall_tui.index.ingest.context import IngestContext, reason_of
from recall_tui.index.source_record import SourceRecord
from recall_tui.index.sources.markdown import drain, project_key, source_key, transcript_sources
from recall_tui.index.sources.transcripts import extra_folders, ignore_matcher, read_patterns
from recall_tui.index.text import schema
from recall_tui.index.text.commit_batch import UNREAD_SIZE, recorded_batches, with_batches
from recall_tui.index.text.passage import TRANSCRIPTS_KEY
from recall_tui.index.text.schema import printable_path
from recall_tui.storage.files.atomic import encode
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state.tombstones import read_all
from recall_tui.transcripts import registry
from recall_tui.transcripts.shared_file import transcript_state

if TYPE_CHECKING:
    from recall_tui.domain import Conversation, ConversationHead, SkippedResult
    from recall_tui.index.source_record import Batches
    from recall_tui.index.text.batching import BatchWriter, PassageSink
    from recall_tui.transcripts.reader import TranscriptFile

TRANSCRIPT_KIND = "transcript"


class SessionState(NamedTuple):
    """A session as it is now, on disk or in an older tool's database."""

    key: str
    document: str
    size: int
    """Bytes, those of its sub-agents counted; rows in a database."""
    mtime_ns: int
    """Of the file that was written last; the edition in a database."""
    read: Callable[[], Conversation | SkippedResult]
    """Reads what was said in it."""
    kind: str = TRANSCRIPT_KIND


def list_sessions(store: Store) -> Iterator[SessionState]:
    """Every session that the person neither ignores nor had forgotten, oldest first."""
    is_ignored = ignore_matcher(store.environment)
    forgotten = read_all(store).sessions
    found: dict[tuple[str, str], list[TranscriptFile]] = {}
    for file in drain(transcript_sources(store)):
        if file.session_id not in forgotten and not is_ignored(str(file.path)):
            found.setdefault((file.agent, file.session_id), []).append(file)
    # Folder by folder, for the files of sub-agents are looked up in one folder at a time.
    by_folder = sorted(found.items(), key=lambda one: str(one[1][0].path))
    others = registry.each_companion_files(file for _, files in by_folder for file in files)
    states = {named: _files_state(files, chain(*islice(others, len(files)))) for named, files in by_folder}
    for named in list(found):
        # Usually one path; more when a session was copied to another project's folder. There may be tens of thousands
        # of sessions, and a path takes ten times as much memory as its name, which the session has anyway.
        names = tuple(str(file.path) for file in found.pop(named))
        yield SessionState(
            session_key(*named), printable_path(names[0]), *states[named], partial(_read_conversation, names, forgotten)
        )


def session_key(agent: str, session: str) -> str:
    """What a session's passages are filed under, wherever they are read from."""
    return source_key(TRANSCRIPTS_KEY, f"{agent}\0{session}")


def _files_state(files: list[TranscriptFile], companions: Iterable[Path]) -> tuple[int, int]:
    """Bytes of the session's files and of their companions, and when the last of them was written."""
    states = [(file.size, file.mtime_ns) for file in files if file.mtime_ns]
    others = [file.path for file in files if not file.mtime_ns]
    for path in chain(others, companions):
        with suppress(OSError):
            states.append(transcript_state(path))
    return sum(size for size, _ in states), max((written for _, written in states), default=0)


ModifiedSession = tuple[SessionState, SourceRecord | None]
"""A session that is to be read, and as what it was indexed."""


def index_sessions(run: IngestContext, touched: list[ModifiedSession]) -> None:
    """Read the sessions that are new or were written to, in the order in which they are given."""
    for session, was in drain(touched):
        record = index_session(run, session, was)
        run.ledger.reached = session.mtime_ns // 1_000_000_000
        run.ledger.put(TRANSCRIPTS_KEY, record, session.size)


def modified_sessions(run: IngestContext) -> tuple[list[ModifiedSession], frozenset[str]]:
    """The sessions that are new or were written to, newest first, and the keys of all that are there."""
    known = run.known(TRANSCRIPTS_KEY)
    seen: set[str] = set()
    touched: list[ModifiedSession] = []
    for one in list_sessions(run.store):
        seen.add(one.key)
        was = known.get(one.key)
        if was is not None and _has_returned(one, was):
            run.ledger.put(TRANSCRIPTS_KEY, was._replace(is_gone=False))
        elif is_modified(one, was):
            touched.append((one, was))
            continue
        run.ledger.unchanged += one.size
    touched.sort(key=lambda one: one[0].mtime_ns, reverse=True)
    run.ledger.expect(sum(one.size for one, _ in touched))
    return touched, frozenset(seen)


def is_modified(seen: SessionState, was: SourceRecord | None) -> bool:
    """Whether the session is other than it was when it was indexed, or never was."""
    if was is None or was.failed or was.is_gone:
        return True
    return _indexed_state(was) != _current_state(seen)


def _has_returned(seen: SessionState, was: SourceRecord) -> bool:
    """Whether the session was gone for a time and is as it was: a memory that does not know its folder looked."""
    return was.is_gone and not was.failed and _indexed_state(was) == _current_state(seen)


def _current_state(seen: SessionState) -> tuple[int, int, str]:
    return seen.size, seen.mtime_ns, seen.document


def _indexed_state(was: SourceRecord) -> tuple[int, int, str]:
    return was.size, was.mtime_ns, was.path


class TranscriptLook:
    """The transcripts as they were when a pass began: whether all of them were brought into the index as they are.

    What the index depends on is put into one digest, which the catalogue keeps after a pass that read everything there
    was until one of its sources changes. So it costs one look at each file.
    """

    def __init__(self, run: IngestContext) -> None:
        """Take the pass; nothing is looked at before it is asked."""
        self._run = run

    @cached_property
    def _digest(self) -> str:
        """Of all that decides on what a pass does; empty where a memory names further folders, or reads all anew."""
        run = self._run
        if run.is_anew or extra_folders(run.store):
            return ""
        forgotten = run.forgotten.sessions
        facts = (
            len(catalogues.MIGRATIONS),
            sorted(registry.file_states(run.store.environment)),
            read_patterns(run.store.environment),
            sorted(forgotten.known),
            sorted(forgotten.hashes),
        )
        return hashlib.blake2b(encode(repr(facts)), digest_size=16).hexdigest()

    def is_indexed(self) -> bool:
        """Return True if the index is as these transcripts are."""
        return bool(self._digest) and self._run.catalogue.fact(catalogues.LOOK_FACT) == self._digest

    def record(self) -> None:
        """Write down that the index is as these transcripts are, unless one of them could not be read."""
        catalogue = self._run.catalogue
        if self._digest and not self.is_indexed() and not catalogue.totals(TRANSCRIPTS_KEY).failed:
            catalogue.set_fact(catalogues.LOOK_FACT, self._digest)


def ingest_session(session: SessionState, filing: BatchWriter, state: Path) -> ConversationHead | SkippedResult:
    """Give the passages of a session to the filing; its head, or why there is nothing of it to be found.

    `state` is the folder in which this program asks models.
    """
    from recall_tui.domain import SkippedResult
    from recall_tui.index.ingest.conversation_passages import conversation_passages
    from recall_tui.transcripts.own_sessions import is_own_session

    conversation = session.read()
    if isinstance(conversation, SkippedResult):
        return conversation
    if is_own_session(conversation, state):
        return SkippedResult("a task that this program gave to a model")
    for passage in conversation_passages(conversation, project_key):
        filing.add(passage)
    return conversation.head


def keep_missing(run: IngestContext, seen: frozenset[str]) -> None:
    """Mark the transcripts that are not among the `seen` keys as gone; one whose session lives on elsewhere leaves."""
    vanished = [one for one in run.recorded(TRANSCRIPTS_KEY) if one.key not in seen and run.is_transcript(one)]
    if vanished:
        alive = {one.session for one in run.transcripts() if one.key in seen and one.passages}
        mark_missing(run, vanished, alive)


def mark_missing(run: IngestContext, vanished: Iterable[SourceRecord], alive: Collection[str]) -> None:
    """Mark sources as gone; those whose session is alive, and those that the person ignores or had forgotten, leave."""
    is_ignored = ignore_matcher(run.store.environment)
    forgotten = run.forgotten.sessions
    for was in vanished:
        if was.session in alive or was.session in forgotten or not was.passages or is_ignored(was.path):
            run.ledger.drop([was.key])
        elif run.reader is not None:
            from recall_tui.index.ingest.compaction import copy_source

            run.ledger.put(
                TRANSCRIPTS_KEY, copy_source(run.reader, run.ledger.writer, TRANSCRIPTS_KEY, was)._replace(is_gone=True)
            )
        elif not was.is_gone:
            run.ledger.put(TRANSCRIPTS_KEY, was._replace(is_gone=True))


class SessionReading(NamedTuple):
    """What came of reading a session, or of a part of it."""

    record: SourceRecord
    """The session as it is now; of a part without what only its end says."""
    batches: Batches
    """What of it is in the index."""
    written: int = 0
    """Passages that were written."""
    reason: str = ""
    """Why it could not be read to its end; empty when it was."""

    def as_part(self) -> SourceRecord:
        """What is said of it in the catalogue while it is at work, and when that ends here."""
        return with_batches(self.record, self.batches)._replace(size=UNREAD_SIZE)


def index_session(
    run: IngestContext, session: SessionState, was: SourceRecord | None, known: Batches | None = None
) -> SourceRecord:
    """Read a session and change what in the index is not as it should be.

    `known` is what of it is in the index, when that is other than what was recorded.
    """
    known = recorded_batches(was) if known is None else known

    def pace(so_far: SessionReading) -> None:
        run.ledger.pace(TRANSCRIPTS_KEY, session.key, so_far.as_part)

    task = SessionTask(session, known, run.store.environment.state, run.now())
    return record_reading(run, was, read_session(task, run.ledger.writer, pace))


class SessionTask(NamedTuple):
    """A session to be read."""

    session: SessionState
    known: Batches
    """What of it is in the index already."""
    state: Path
    """The folder in which this program asks models."""
    now: str
    """The time, for the catalogue."""


def read_session(task: SessionTask, writer: PassageSink, pace: Callable[[SessionReading], None]) -> SessionReading:
    """Read a session and let the writer change what is not as it should be; `pace` is called from time to time."""
    from recall_tui.index.text.batching import BatchWriter
    from recall_tui.index.text.tantivy_documents import SourceFields

    session = task.session
    record = SourceRecord(
        session.key, session.document, session.kind, session.size, session.mtime_ns, "", indexed_at=task.now
    )
    source = SourceFields(session.key, TRANSCRIPTS_KEY, session.document, session.kind)
    filing = BatchWriter(writer, source, task.known, lambda batches: pace(SessionReading(record, batches)))
    reason = ""
    try:
        record = _with_head(ingest_session(session, filing, task.state), record)
        record = with_batches(record, filing.close())._replace(chars=filing.chars)
    except (RecallError, OSError, ValueError) as error:
        reason = reason_of(error)
    return SessionReading(record, filing.state, filing.written, reason)


def record_reading(run: IngestContext, was: SourceRecord | None, read: SessionReading) -> SourceRecord:
    """What is to be said of a session that was read, or could not be."""
    record = _record_failure(run, read) if read.reason else read.record
    run.ledger.count(was, record, read.written)
    return record


def _with_head(head: ConversationHead | SkippedResult, record: SourceRecord) -> SourceRecord:
    from recall_tui.domain import SkippedResult
    from recall_tui.index.ingest.conversation_passages import session_title
    from recall_tui.text.secrets.redact import redact

    if head.faults:
        first = head.faults[0]
        record = record._replace(faults=len(head.faults), fault=first.reason, fault_line=first.line)
    if isinstance(head, SkippedResult):
        return record
    return record._replace(
        hash=head.content_hash,
        title=schema.clean_text(session_title(head)),
        session=head.session_id,
        project=redact(head.cwd),
        faults=head.fault_count,
    )


def _record_failure(run: IngestContext, read: SessionReading) -> SourceRecord:
    """What was indexed before stays: a file that cannot be read today may be read tomorrow."""
    reason = read.reason
    before = run.catalogue.source(read.record.key)
    if before is None:
        return with_batches(read.record, read.batches)._replace(failed=reason)
    if run.reader is not None:
        from recall_tui.index.ingest.compaction import copy_source

        before = copy_source(run.reader, run.ledger.writer, TRANSCRIPTS_KEY, before)
        return before._replace(failed=reason, is_gone=False)
    return with_batches(before, read.batches)._replace(failed=reason, is_gone=False)


def _read_conversation(names: tuple[str, ...], forgotten: Container[str]) -> Conversation | SkippedResult:
    """The conversation in the files of a session; when there is none in them, why, with what could not be read.

    Files are named by another session now and then: what counts for the forgotten ones is what the records say.
    """
    from recall_tui.domain import SkippedResult
    from recall_tui.transcripts.merge import merge
    from recall_tui.transcripts.registry import read_transcript

    found: list[Conversation] = []
    skipped: list[SkippedResult] = []
    for path in map(Path, names):
        one = read_transcript(path)
        if isinstance(one, SkippedResult):
            skipped.append(one)
        else:
            found.append(one)
    if not found:
        return max(skipped, key=lambda one: len(one.faults))
    if found[0].head.session_id in forgotten:
        return SkippedResult("its session was forgotten")
    return merge([one for one in found if one.head.session_id == found[0].head.session_id])
