"""Sessions that only the database of session recall still holds, brought into the index.

What was read from a transcript always stands before what the database says of the same session, even when the
transcript vanished since.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.errors import RecallError
from recall_tui.index.catalogue import Known
from recall_tui.index.ignore import ignored, patterns_of
from recall_tui.index.ledger import UNREAD
from recall_tui.index.passages import TRANSCRIPTS
from recall_tui.index.run import Run, reason_of
from recall_tui.index.sources import printable, source_key
from recall_tui.index.transcript_files import KIND, Session, index_session, is_touched, key_of
from recall_tui.storage.atomic import encode

if TYPE_CHECKING:
    from recall_tui.transcripts.session_index import IndexedSession, SessionIndex

_Keys = frozenset[str]
_NONE: tuple[_Keys, _Keys] = frozenset(), frozenset()


def index_old_sessions(run: Run, seen: _Keys) -> tuple[_Keys, _Keys]:
    """Read what is new in the database; the keys of what is held by it, and of what is not wanted from it any more.

    `seen` are the transcripts on disk, which were indexed before. While neither they nor the database change, nothing
    of it is read. One that cannot be read is a failed source, and what was read from it before is kept.
    """
    from recall_tui.transcripts.sqlite_file import state_of

    path = run.store.places.session_index
    state = state_of(path)
    if state is None or ignored(run.store.places)(str(path)):
        return _NONE
    document = printable(str(path))
    own, others = _told_apart(run, seen, document)
    key = source_key(TRANSCRIPTS, document)
    record = Known(key, document, KIND, *state, _circumstances(run, seen, others), indexed_at=run.now())
    if _is_read(run.known(TRANSCRIPTS).get(key), record, own):
        return frozenset((key, *(one.key for one in own if not one.is_gone))), frozenset()
    try:
        wanted, unwanted = _read(run, path, seen, others, state[0])
    except RecallError as error:
        run.ledger.put(TRANSCRIPTS, replace(record, failed=reason_of(error)))
        return frozenset((key,)), frozenset()
    run.ledger.put(TRANSCRIPTS, record)
    return frozenset((key, *wanted)), unwanted


def _read(run: Run, path: Path, seen: _Keys, others: list[Known], size: int) -> tuple[_Keys, _Keys]:
    """The keys of the sessions that are wanted from the database, which are in the index then, and of its others."""
    from recall_tui.transcripts.session_index import SessionIndex

    with SessionIndex(path) as database:
        listed = {key_of(database.agent, one.id): one for one in database.sessions()}
        wanted = _wanted(run, seen, others, listed)
        rows = sum(one.rows for one in listed.values())
        _index(run, database, wanted, size // max(1, rows))
    return frozenset(wanted), frozenset(listed.keys() - wanted.keys() - seen)


def _told_apart(run: Run, seen: _Keys, document: str) -> tuple[list[Known], list[Known]]:
    """The sources as they are now, vanished ones among them: those from the database, and the transcripts."""
    vanished = {key: one for key, one in run.catalogue.known(TRANSCRIPTS).items() if key not in seen}
    now = [one for one in (vanished | run.transcripts()).values() if one.path != document]
    own = [one for one in now if one.key not in seen and one.path.startswith(f"{document}/")]
    keys = {one.key for one in own}
    return own, [one for one in now if one.key not in keys]


def _is_read(was: Known | None, now: Known, own: list[Known]) -> bool:
    """Whether all is in the index that should be from the database, which is known as it `was`."""
    if was is None or was.failed or any(one.failed or one.size == UNREAD for one in own):
        return False
    return (was.size, was.mtime_ns, was.hash) == (now.size, now.mtime_ns, now.hash)


def _circumstances(run: Run, seen: _Keys, others: list[Known]) -> str:
    """A digest of all that decides, beside the database, which of its sessions are wanted."""
    facts = sorted((one.key, one.key in seen, one.path, one.session, bool(one.passages)) for one in others)
    return hashlib.blake2b(encode(repr((patterns_of(run.store.places), facts))), digest_size=16).hexdigest()


def _wanted(
    run: Run, seen: _Keys, others: list[Known], listed: Mapping[str, IndexedSession]
) -> dict[str, IndexedSession]:
    """The sessions of the database of which there is no transcript, nor anything that was read from one."""
    is_ignored = ignored(run.store.places)
    projects = run.store.places.claude / "projects"
    paths = {one.path for one in others if one.key in seen}
    held = [one for one in others if one.passages]
    keys = seen | {one.key for one in held}
    sessions = {one.session for one in held}
    wanted: dict[str, IndexedSession] = {}
    for key, one in listed.items():
        path = printable(f"{projects}/{one.jsonl_path}")
        if not (key in keys or one.id in sessions or path in paths or is_ignored(path)):
            wanted[key] = one
    return wanted


def _index(run: Run, database: SessionIndex, wanted: Mapping[str, IndexedSession], row_bytes: int) -> None:
    """Read the sessions that are new or not as they were; a row is taken to have so many bytes."""
    known = run.known(TRANSCRIPTS)
    sessions = [
        Session(key, printable(database.document_of(one)), one.rows, one.edition, partial(database.conversation, one))
        for key, one in wanted.items()
    ]
    touched = [one for one in sessions if is_touched(one, known.get(one.key))]
    run.ledger.expect(sum(one.size for one in touched) * row_bytes)
    for one in touched:
        run.ledger.put(TRANSCRIPTS, index_session(run, one, known.get(one.key)), one.size * row_bytes)
