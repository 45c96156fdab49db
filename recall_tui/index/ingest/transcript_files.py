"""The transcripts of every agent on the machine, brought into the index.

A transcript that vanished keeps its passages, unless its session lives on in another file or the person ignores it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from recall_tui.domain import Conversation, ConversationHead, Skipped
from recall_tui.errors import RecallError
from recall_tui.index.ingest.compaction import copied
from recall_tui.index.ingest.context import Run, reason_of
from recall_tui.index.ingest.conversation_passages import passages_of_conversation, title_of
from recall_tui.index.source_record import Known
from recall_tui.index.sources.ignore import ignored
from recall_tui.index.sources.markdown import drained, printable, project_key, source_key, transcript_sources
from recall_tui.index.text import schema
from recall_tui.index.text.batching import Filing
from recall_tui.index.text.commit_batch import UNREAD, batches_of, with_batches
from recall_tui.index.text.passage import TRANSCRIPTS
from recall_tui.index.text.tantivy_documents import Filed
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state.tombstones import everywhere
from recall_tui.text.secrets.redact import redact
from recall_tui.transcripts.own_output import is_own

KIND = "transcript"


@dataclass(frozen=True, slots=True)
class Session:
    """A session as it is now, on disk or in an older tool's database."""

    key: str
    document: str
    size: int
    """Bytes, those of its sub-agents counted; rows in a database."""
    mtime_ns: int
    """Of the file that was written last; the edition in a database."""
    read: Callable[[], Conversation | Skipped]
    """Reads what was said in it."""


def sessions_on_disk(store: Store) -> Iterator[Session]:
    """Every session that the person neither ignores nor had forgotten, oldest first."""
    is_ignored = ignored(store.places)
    forgotten = everywhere(store).sessions
    found: dict[tuple[str, str], list[Path]] = {}
    for file in drained(transcript_sources(store)):
        if file.session_id not in forgotten and not is_ignored(str(file.path)):
            found.setdefault((file.agent, file.session_id), []).append(file.path)
    # Folder by folder, for the files of sub-agents are looked up in one folder at a time.
    states = {named: _state(paths, named[1]) for named, paths in sorted(found.items(), key=lambda one: one[1][0])}
    for named in list(found):
        # Usually one path; more when a session was copied to another project's folder. There may be tens of thousands
        # of sessions, and a path takes ten times as much memory as its name, which the session has anyway.
        names = tuple(map(str, found.pop(named)))
        yield Session(key_of(*named), printable(names[0]), *states[named], partial(_read, names, forgotten))


def key_of(agent: str, session: str) -> str:
    """What a session's passages are filed under, wherever they are read from."""
    return source_key(TRANSCRIPTS, f"{agent}\0{session}")


def _state(paths: list[Path], session: str) -> tuple[int, int]:
    """Bytes of the session's files, and when the last of them was written."""
    size = newest = 0
    for path in _files_of(paths, session):
        try:
            status = path.stat()
        except OSError:
            continue
        size += status.st_size
        newest = max(newest, status.st_mtime_ns)
    return size, newest


def _files_of(paths: list[Path], session: str) -> Iterator[Path]:
    from recall_tui.transcripts.claude.subagents import side_files

    for path in paths:
        yield path
        yield from side_files(path, session)


def index_sessions(run: Run) -> frozenset[str]:
    """Read the sessions that are new or were written to; the keys of all that are there."""
    touched, seen = _touched(run)
    for session, was in drained(touched):
        record = index_session(run, session, was)
        run.ledger.put(TRANSCRIPTS, record, session.size)
    return seen


def _touched(run: Run) -> tuple[list[tuple[Session, Known | None]], frozenset[str]]:
    known = run.known(TRANSCRIPTS)
    seen: set[str] = set()
    touched: list[tuple[Session, Known | None]] = []
    for one in sessions_on_disk(run.store):
        seen.add(one.key)
        was = known.get(one.key)
        if was is not None and _is_back(one, was):
            run.ledger.put(TRANSCRIPTS, replace(was, is_gone=False))
        elif is_touched(one, was):
            touched.append((one, was))
    run.ledger.expect(sum(one.size for one, _ in touched))
    return touched, frozenset(seen)


def is_touched(seen: Session, was: Known | None) -> bool:
    """Whether the session is other than it was when it was indexed, or never was."""
    if was is None or was.failed or was.is_gone:
        return True
    return _state_then(was) != _state_now(seen)


def _is_back(seen: Session, was: Known) -> bool:
    """Whether the session was gone for a time and is as it was: a memory that does not know its folder looked."""
    return was.is_gone and not was.failed and _state_then(was) == _state_now(seen)


def _state_now(seen: Session) -> tuple[int, int, str]:
    return seen.size, seen.mtime_ns, seen.document


def _state_then(was: Known) -> tuple[int, int, str]:
    return was.size, was.mtime_ns, was.path


def hand_over(session: Session, filing: Filing, state: Path) -> ConversationHead | Skipped:
    """Give the passages of a session to the filing; its head, or why there is nothing of it to be found.

    `state` is the folder in which this program asks models.
    """
    conversation = session.read()
    if isinstance(conversation, Skipped):
        return conversation
    if is_own(conversation, state):
        return Skipped("a task that this program gave to a model")
    for passage in passages_of_conversation(conversation, project_key):
        filing.add(passage)
    return conversation.head


def keep_the_vanished(run: Run, seen: frozenset[str]) -> None:
    """Mark the transcripts that are not among the `seen` keys as gone; one whose session lives on elsewhere leaves."""
    alive = {one.session for one in run.transcripts() if one.key in seen and one.passages}
    vanished = [one for one in run.recorded(TRANSCRIPTS) if one.key not in seen and not run.is_of_database(one)]
    keep(run, vanished, alive)


def keep(run: Run, vanished: Iterable[Known], alive: Collection[str]) -> None:
    """Mark sources as gone; those whose session is alive, and those that the person ignores or had forgotten, leave."""
    is_ignored = ignored(run.store.places)
    forgotten = run.forgotten.sessions
    for was in vanished:
        if was.session in alive or was.session in forgotten or not was.passages or is_ignored(was.path):
            run.ledger.drop([was.key])
        elif run.reader is not None:
            run.ledger.put(TRANSCRIPTS, replace(copied(run.reader, run.ledger.writer, TRANSCRIPTS, was), is_gone=True))
        elif not was.is_gone:
            run.ledger.put(TRANSCRIPTS, replace(was, is_gone=True))


def index_session(run: Run, session: Session, was: Known | None) -> Known:
    """Read a session and change what in the index is not as it should be."""
    record = Known(session.key, session.document, KIND, session.size, session.mtime_ns, "", indexed_at=run.now())
    known = batches_of(was)
    filing = Filing(
        run.ledger.writer,
        Filed(session.key, TRANSCRIPTS, session.document, KIND),
        known,
        lambda state: run.ledger.pace(TRANSCRIPTS, lambda: replace(with_batches(record, state), size=UNREAD)),
    )
    try:
        record = _told_by(hand_over(session, filing, run.store.places.state), record)
        record = replace(with_batches(record, filing.close()), chars=filing.chars)
    except (RecallError, OSError, ValueError) as error:
        record = _failed(run, record, filing, reason_of(error))
    run.ledger.count(was, record, filing.written)
    return record


def _told_by(head: ConversationHead | Skipped, record: Known) -> Known:
    if head.faults:
        first = head.faults[0]
        record = replace(record, faults=len(head.faults), fault=first.reason, fault_line=first.line)
    if isinstance(head, Skipped):
        return record
    return replace(
        record,
        hash=head.content_hash,
        title=schema.readable(title_of(head)),
        session=head.session_id,
        project=redact(head.cwd),
        faults=head.fault_count,
    )


def _failed(run: Run, record: Known, filing: Filing, reason: str) -> Known:
    """What was indexed before stays: a file that cannot be read today may be read tomorrow."""
    before = run.catalogue.source(record.key)
    if before is None:
        return replace(with_batches(record, filing.state), failed=reason)
    if run.reader is not None:
        before = copied(run.reader, run.ledger.writer, TRANSCRIPTS, before)
        return replace(before, failed=reason, is_gone=False)
    return replace(with_batches(before, filing.state), failed=reason, is_gone=False)


def _read(names: tuple[str, ...], forgotten: Container[str]) -> Conversation | Skipped:
    """The conversation in the files of a session; when there is none in them, why, with what could not be read.

    Files are named by another session now and then: what counts for the forgotten ones is what the records say.
    """
    from recall_tui.transcripts.merge import merged
    from recall_tui.transcripts.registry import read

    found: list[Conversation] = []
    skipped: list[Skipped] = []
    for path in map(Path, names):
        one = read(path)
        if isinstance(one, Skipped):
            skipped.append(one)
        else:
            found.append(one)
    if not found:
        return max(skipped, key=lambda one: len(one.faults))
    if found[0].head.session_id in forgotten:
        return Skipped("its session was forgotten")
    return merged([one for one in found if one.head.session_id == found[0].head.session_id])
