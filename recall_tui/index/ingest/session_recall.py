"""Sessions that only the database of session recall still holds, brought into the index.

What was read from a transcript, vanished since or not, and what is in an archive always stands before what the database
says of the same session.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.errors import RecallError
from recall_tui.index.ingest.context import IngestContext, reason_of
from recall_tui.index.ingest.markdown_files import ARCHIVE_KIND
from recall_tui.index.ingest.transcript_files import (
    TRANSCRIPT_KIND,
    SessionState,
    index_session,
    is_modified,
    mark_missing,
    session_key,
)
from recall_tui.index.opener import memory_key
from recall_tui.index.source_record import SourceRecord
from recall_tui.index.sources.markdown import source_key
from recall_tui.index.sources.transcripts import ignore_matcher, read_patterns
from recall_tui.index.text.commit_batch import UNREAD_SIZE
from recall_tui.index.text.passage import TRANSCRIPTS_KEY
from recall_tui.index.text.schema import printable_path
from recall_tui.storage.files.atomic import encode

if TYPE_CHECKING:
    from recall_tui.transcripts.session_recall_database import SessionRecallDatabase, SessionRecallSession

_SourceKeys = frozenset[str]
PLAN_KIND = "plan"


class _OtherSources(NamedTuple):
    """What is in the index of sessions that need not be read from the database."""

    keys: frozenset[str]
    """Of the transcripts that are on disk, and of those that vanished and are kept."""
    paths: frozenset[str]
    sessions: frozenset[str]


def index_database_sessions(run: IngestContext, seen: frozenset[str] | None) -> None:
    """Read what is new in the database, when there is one; what was read from it before is kept when it vanished.

    `seen` are the keys of the transcripts on disk, None if these are as they were indexed; they and the archives were
    indexed before. While neither they nor
    the database change, nothing of it is read. One that cannot be read is a source that failed.
    """
    from recall_tui.transcripts.sqlite_file import file_state

    path = run.store.environment.session_index
    known = run.catalogue.each(TRANSCRIPTS_KEY, path=run.database)
    own = {one.key: one for one in known if seen is None or one.key not in seen}
    state = file_state(path)
    if state is None and not own:
        return
    if seen is None:
        seen = frozenset(one.key for one in run.transcripts() if not one.is_gone)
    elsewhere = _find_other_sources(run, seen)
    held = unwanted = frozenset[str]()
    if state is not None and not ignore_matcher(run.store.environment)(str(path)):
        key = source_key(TRANSCRIPTS_KEY, run.database)
        record = SourceRecord(key, run.database, TRANSCRIPT_KIND, *state, _digest(run, elsewhere), indexed_at=run.now())
        held, unwanted = _ingest_sessions(run, record, own, elsewhere)
    run.ledger.drop(unwanted)
    vanished = own.keys() - held - unwanted
    mark_missing(run, [one for key, one in own.items() if key in vanished], elsewhere.sessions)


def _find_other_sources(run: IngestContext, seen: frozenset[str]) -> _OtherSources:
    memory = memory_key(run.store)
    archives = [session for owner, session in run.catalogue.bodies(ARCHIVE_KIND) if owner != memory]
    for one in run.now_in(memory):
        if one.kind == ARCHIVE_KIND and one.has_body and one.passages:
            archives.append(one.session)
    transcripts = list(run.transcripts())
    indexed = [one for one in transcripts if one.passages]
    beside = (one for one in run.now_in(TRANSCRIPTS_KEY) if one.kind == PLAN_KIND and not run.is_of_database(one))
    plans = (one.side_name for one in beside if one.passages)
    return _OtherSources(
        keys=seen | {one.key for one in indexed},
        paths=frozenset(one.path for one in transcripts if one.key in seen),
        sessions=frozenset((*archives, *(one.session for one in indexed), *plans)) - {""},
    )


def _digest(run: IngestContext, elsewhere: _OtherSources) -> str:
    """Another one whenever other sessions of the database may be wanted."""
    forgotten = run.forgotten.sessions
    sets = (elsewhere.keys, elsewhere.paths, elsewhere.sessions, forgotten.known, forgotten.hashes)
    facts = [read_patterns(run.store.environment), *map(sorted, sets)]
    return hashlib.blake2b(encode(repr(facts)), digest_size=16).hexdigest()


def _ingest_sessions(
    run: IngestContext, record: SourceRecord, own: Mapping[str, SourceRecord], elsewhere: _OtherSources
) -> tuple[_SourceKeys, _SourceKeys]:
    """Read what is new; the keys of what is in the index from the database then, and of what shall be no more."""
    from recall_tui.transcripts.session_recall_database import SessionRecallDatabase

    there = [one for one in own.values() if not one.is_gone]
    if not run.is_anew and _is_same(own.get(record.key), record) and not any(map(_is_unread, there)):
        return frozenset(one.key for one in there), frozenset()
    with ExitStack() as opened:
        try:
            database = opened.enter_context(SessionRecallDatabase(run.store.environment.session_index))
            listed = {session_key(database.agent, one.id): one for one in database.sessions()}
        except RecallError as error:
            run.ledger.put(TRANSCRIPTS_KEY, record._replace(failed=reason_of(error)))
            return frozenset((record.key,)), frozenset()
        wanted = _select_sessions(run, elsewhere, listed)
        rows = sum(one.rows for one in listed.values())
        _index_sessions(run, database, wanted, record.size // max(1, rows))
    run.ledger.put(TRANSCRIPTS_KEY, record)
    return frozenset((record.key, *wanted)), frozenset(listed.keys() & own.keys() - wanted.keys())


def _is_same(was: SourceRecord | None, now: SourceRecord) -> bool:
    return was is not None and (was.size, was.mtime_ns, was.hash) == (now.size, now.mtime_ns, now.hash)


def _is_unread(one: SourceRecord) -> bool:
    return bool(one.failed) or one.size == UNREAD_SIZE


def _select_sessions(
    run: IngestContext, elsewhere: _OtherSources, listed: Mapping[str, SessionRecallSession]
) -> dict[str, SessionRecallSession]:
    """The sessions that are nowhere else and that the person neither ignores nor had forgotten."""
    is_ignored = ignore_matcher(run.store.environment)
    forgotten = run.forgotten.sessions
    projects = run.store.environment.claude / "projects"
    wanted: dict[str, SessionRecallSession] = {}
    for key, one in listed.items():
        path = printable_path(f"{projects}/{one.jsonl_path}")
        is_elsewhere = key in elsewhere.keys or one.id in elsewhere.sessions or path in elsewhere.paths
        is_unwanted = one.id in forgotten or is_elsewhere
        if not (is_unwanted or is_ignored(path) or is_ignored(_document(run, one))):
            wanted[key] = one
    return wanted


def _document(run: IngestContext, session: SessionRecallSession) -> str:
    return f"{run.database}/{printable_path(session.id)}"


def _index_sessions(
    run: IngestContext, database: SessionRecallDatabase, wanted: Mapping[str, SessionRecallSession], row_bytes: int
) -> None:
    """Read the sessions that are new or not as they were; a row is taken to have so many bytes."""
    known = run.known(TRANSCRIPTS_KEY)
    sessions = [
        SessionState(
            key,
            _document(run, one),
            one.rows,
            one.edition,
            partial(database.conversation, one),
            kind=PLAN_KIND if one.is_plan else TRANSCRIPT_KIND,
        )
        for key, one in wanted.items()
    ]
    touched = [one for one in sessions if is_modified(one, known.get(one.key))]
    run.ledger.expect(sum(one.size for one in touched) * row_bytes)
    for one in touched:
        run.ledger.put(TRANSCRIPTS_KEY, index_session(run, one, known.get(one.key)), one.size * row_bytes)
