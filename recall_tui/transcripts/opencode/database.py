"""The database of OpenCode or Kilo: which sessions are in it, and the lines of one.

Tokens lie in it too, in tables that are never read: of the file only `session`, `message` and `part` are, and whether
`session_message`, the form to come, has rows. No transaction is longer than the reading of one message.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from recall_tui.domain import Message
from recall_tui.errors import NotFoundError
from recall_tui.transcripts.claude.metadata import parse_time_or_milliseconds
from recall_tui.transcripts.claude.records import first_text
from recall_tui.transcripts.conversation_head import RecordMetadata
from recall_tui.transcripts.opencode.families import group_families
from recall_tui.transcripts.opencode.records import StoredMessage, StoredPart, message_items
from recall_tui.transcripts.session_lines import Fault, render_session
from recall_tui.transcripts.shared_file import ListedSession
from recall_tui.transcripts.sqlite_file import file_state, translate_errors
from recall_tui.transcripts.sqlite_tables import (
    NS_PER_MS,
    DatabaseTables,
    add_counts,
    bounded,
    decode_bounded,
    to_milliseconds,
    to_name,
    to_object,
)

_PART_BYTES = 1 << 10
"""What a part counts for in the size of a session, which must be known without reading its parts."""
_NEW_FORM = "its messages are in a newer form (session_message), which is not read"
_UNTITLED = ("New session - ", "Child session - ")
"""How a title begins until a model gives one."""
_REQUIRED_COLUMNS = {
    "session": {"id"},
    "message": {"id", "session_id", "data"},
    "part": {"id", "message_id", "session_id", "data"},
}
"""Without these a database is another's; any other column may be missing."""
_USAGE = ("tokens_input", "tokens_output", "tokens_reasoning", "tokens_cache_read", "tokens_cache_write")


class _Listing(NamedTuple):
    """The sessions of a database."""

    sessions: Mapping[str, ListedSession]
    """Those that a person held, by their ids."""
    children: Mapping[str, tuple[str, ...]]
    """The sessions of sub-agents, and of theirs, by the id of the person's session."""


def agent_of(file: Path) -> str:
    """Return the agent whose database has such a name."""
    return "kilo" if "kilo" in file.name.lower() else "opencode"


def list_sessions(file: Path) -> Mapping[str, ListedSession]:
    """Return the sessions of a database by their ids, each with those of its sub-agents.

    Raises BrokenFileError when it cannot be read, or is no database of sessions.
    """
    if file.suffix == ".json":
        from recall_tui.transcripts.opencode.storage import list_sessions as list_stored

        return list_stored(file)
    return _read_listing(file, file_state(file)).sessions


def session_lines(file: Path, session_id: str) -> Iterator[bytes]:
    """Yield the lines of a session and of its sub-agents.

    Raises NotFoundError when the database holds no such session and BrokenFileError when it cannot be read.
    """
    if file.suffix == ".json":
        from recall_tui.transcripts.opencode.storage import session_lines as stored_lines

        yield from stored_lines(file, session_id)
        return
    children = _read_listing(file, file_state(file)).children.get(session_id, ())
    with translate_errors(file), closing(_Connection(file)) as database:
        told, revert = database.head(session_id)
        items = _items(database, session_id, revert, children)
        reason = "" if database.message_ids(session_id) else database.empty_reason(session_id)
        yield from render_session(agent_of(file), told, items, reason)


def _items(
    database: _Connection, session_id: str, revert: Mapping[str, Any], children: tuple[str, ...]
) -> Iterator[Message | Fault]:
    for one in (session_id, *children):
        for message_id in database.message_ids(one):
            message, faults = database.message(message_id)
            yield from faults
            if message is not None:
                yield from message_items(message, revert, is_sidechain=one != session_id)


@lru_cache(maxsize=16)
def _read_listing(file: Path, state: tuple[int, int] | None) -> _Listing:
    """The sessions of a database in this state."""
    if state is None:
        raise NotFoundError(f"there is no database {file}", hint=f"check it with: ls -l {file}")
    with translate_errors(file), closing(_Connection(file)) as database:
        return database.listing()


class _Connection(DatabaseTables):
    """The opened database."""

    def __init__(self, file: Path) -> None:
        super().__init__(file, _REQUIRED_COLUMNS, "session_message")

    def listing(self) -> _Listing:
        """The sessions, those of sub-agents under the ones that they worked for."""
        columns = self.pick("session", "parent_id", "time_updated", "directory", *_USAGE)
        rows = {
            id: (parent, to_milliseconds(updated), to_name(directory), add_counts(tokens))
            for id, parent, updated, directory, *tokens in self.rows(f"SELECT id, {columns} FROM session")
            if isinstance(id, str)
        }
        changed = self.pick("message", "time_updated")
        messages = dict(self._pairs(f"SELECT session_id, max({changed}) FROM message GROUP BY session_id"))
        parts = dict(self._pairs("SELECT session_id, count(*) FROM part GROUP BY session_id"))
        families = group_families({id: parent for id, (parent, *_) in rows.items()})
        sessions = {}
        for id, children in families.items():
            all_ = (id, *children)
            latest = max(max(rows[one][1], to_milliseconds(messages.get(one))) for one in all_)
            size = _PART_BYTES * sum(parts.get(one, 0) for one in all_)
            sessions[id] = ListedSession(id, size, latest * NS_PER_MS, *rows[id][2:])
        return _Listing(sessions, families)

    def head(self, session_id: str) -> tuple[RecordMetadata, Mapping[str, Any]]:
        """What the database says of a session, and where the person went back to in it."""
        columns = self.pick("session", "title", "directory", "model", "version", "time_created", "revert")
        row = next(self.rows(f"SELECT {columns} FROM session WHERE id = ?", session_id), None)
        if row is None:
            raise NotFoundError(f"{self.file} holds no session {session_id}", hint="see: recall-tui list")
        title, directory, model, version, created, revert = row
        told = RecordMetadata(
            session_id=session_id,
            title="" if to_name(title).startswith(_UNTITLED) else to_name(title),
            cwd=to_name(directory),
            model=first_text(to_object(model), "id"),
            version=to_name(version),
            started_at=parse_time_or_milliseconds(created),
        )
        return told, to_object(revert)

    def message_ids(self, session_id: str) -> list[str]:
        """The messages of a session; their ids ascend with time."""
        found = self.rows("SELECT id FROM message WHERE session_id = ? ORDER BY id", session_id)
        return [id for (id,) in found if isinstance(id, str)]

    def message(self, message_id: str) -> tuple[StoredMessage | None, list[Fault]]:
        """A message with its parts, and what of them cannot be read; None for one that is gone by now."""
        faults = list[Fault]()
        row = next(self.rows(f"SELECT {bounded('data')} FROM message WHERE id = ?", message_id), None)
        if row is None:
            return None, faults
        data = decode_bounded(row, f"message {message_id}", faults)
        parts = list[StoredPart]()
        query = f"SELECT id, {bounded('data')} FROM part WHERE message_id = ? ORDER BY id"
        for id, *value in self.rows(query, message_id):
            part = decode_bounded(value, f"part {id}", faults)
            if part is not None:
                parts.append(StoredPart(str(id), part))
        return (None if data is None else StoredMessage(message_id, data, tuple(parts))), faults

    def empty_reason(self, session_id: str) -> str:
        """Why a session has no messages; empty when it just has none."""
        if not self.has_column("session_message", "session_id"):
            return ""
        query = "SELECT 1 FROM session_message WHERE session_id = ? LIMIT 1"
        return _NEW_FORM if next(self.rows(query, session_id), None) else ""

    def _pairs(self, query: str) -> Iterator[tuple[str, Any]]:
        return ((id, value) for id, value in self.rows(query) if isinstance(id, str))
