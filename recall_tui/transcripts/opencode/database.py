"""The database of OpenCode or Kilo: which sessions are in it, and the lines of one.

Tokens lie in it too, in tables that are never read: of the file only `session`, `message` and `part` are, and whether
`session_message`, the form to come, has rows. No transaction is longer than the reading of one message.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from recall_tui.domain import Message
from recall_tui.errors import BrokenFileError, NotFoundError
from recall_tui.transcripts.claude.metadata import parse_time_or_milliseconds
from recall_tui.transcripts.claude.records import first_text, parse_object
from recall_tui.transcripts.conversation_head import RecordMetadata
from recall_tui.transcripts.opencode.records import StoredMessage, StoredPart, message_items
from recall_tui.transcripts.session_lines import Fault, render_session
from recall_tui.transcripts.shared_file import ListedSession
from recall_tui.transcripts.sqlite_file import file_state, open_read_only, translate_errors

MAX_VALUE_BYTES = 4 << 20
"""Of a longer value no more is told than that it is there."""
_MAX_NAME_CHARS = 4096
"""Characters of a title or a folder."""
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
_NS_PER_MS = 1_000_000
_MAX_MS = 1 << 53


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
    return _read_listing(file, file_state(file)).sessions


def session_lines(file: Path, session_id: str) -> Iterator[bytes]:
    """Yield the lines of a session and of its sub-agents.

    Raises NotFoundError when the database holds no such session and BrokenFileError when it cannot be read.
    """
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


class _Connection:
    """The opened database; what it holds may be of any type and length."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._connection = open_read_only(file)
        try:
            self._columns = {name: self._columns_of(name) for name in (*_REQUIRED_COLUMNS, "session_message")}
            for table, needed in _REQUIRED_COLUMNS.items():
                if missing := needed - self._columns[table]:
                    raise BrokenFileError(
                        f"{file} cannot be read: it holds no sessions, {table} has no {min(missing)}",
                        hint="if it is another program's, name it in .recall-ignore",
                    )
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def listing(self) -> _Listing:
        """The sessions, those of sub-agents under the ones that they worked for."""
        columns = self._pick("session", "parent_id", "time_updated", "directory", *_USAGE)
        rows = {
            id: (parent, _milliseconds(updated), _name(directory), _sum(tokens))
            for id, parent, updated, directory, *tokens in self._rows(f"SELECT id, {columns} FROM session")
            if isinstance(id, str)
        }
        changed = self._pick("message", "time_updated")
        messages = dict(self._pairs(f"SELECT session_id, max({changed}) FROM message GROUP BY session_id"))
        parts = dict(self._pairs("SELECT session_id, count(*) FROM part GROUP BY session_id"))
        families = _families({id: parent for id, (parent, *_) in rows.items()})
        sessions = {}
        for id, children in families.items():
            all_ = (id, *children)
            latest = max(max(rows[one][1], _milliseconds(messages.get(one))) for one in all_)
            size = _PART_BYTES * sum(parts.get(one, 0) for one in all_)
            sessions[id] = ListedSession(id, size, latest * _NS_PER_MS, *rows[id][2:])
        return _Listing(sessions, families)

    def head(self, session_id: str) -> tuple[RecordMetadata, Mapping[str, Any]]:
        """What the database says of a session, and where the person went back to in it."""
        columns = self._pick("session", "title", "directory", "model", "version", "time_created", "revert")
        row = next(self._rows(f"SELECT {columns} FROM session WHERE id = ?", session_id), None)
        if row is None:
            raise NotFoundError(f"{self.file} holds no session {session_id}", hint="see: recall-tui list")
        title, directory, model, version, created, revert = row
        told = RecordMetadata(
            session_id=session_id,
            title="" if _name(title).startswith(_UNTITLED) else _name(title),
            cwd=_name(directory),
            model=first_text(_object(model), "id"),
            version=_name(version),
            started_at=parse_time_or_milliseconds(created),
        )
        return told, _object(revert)

    def message_ids(self, session_id: str) -> list[str]:
        """The messages of a session; their ids ascend with time."""
        found = self._rows("SELECT id FROM message WHERE session_id = ? ORDER BY id", session_id)
        return [id for (id,) in found if isinstance(id, str)]

    def message(self, message_id: str) -> tuple[StoredMessage | None, list[Fault]]:
        """A message with its parts, and what of them cannot be read; None for one that is gone by now."""
        faults = list[Fault]()
        row = next(self._rows(f"SELECT {_bounded('data')} FROM message WHERE id = ?", message_id), None)
        if row is None:
            return None, faults
        data = _decode(row, f"message {message_id}", faults)
        parts = list[StoredPart]()
        query = f"SELECT id, {_bounded('data')} FROM part WHERE message_id = ? ORDER BY id"
        for id, *value in self._rows(query, message_id):
            part = _decode(value, f"part {id}", faults)
            if part is not None:
                parts.append(StoredPart(str(id), part))
        return (None if data is None else StoredMessage(message_id, data, tuple(parts))), faults

    def empty_reason(self, session_id: str) -> str:
        """Why a session has no messages; empty when it just has none."""
        if "session_id" not in self._columns["session_message"]:
            return ""
        query = "SELECT 1 FROM session_message WHERE session_id = ? LIMIT 1"
        return _NEW_FORM if next(self._rows(query, session_id), None) else ""

    def _columns_of(self, table: str) -> frozenset[str]:
        return frozenset(str(row[1]).lower() for row in self._rows(f"PRAGMA table_info({table})"))

    def _pick(self, table: str, *names: str) -> str:
        """The columns for a query, nothing in the place of those that the table lacks."""
        return ", ".join(name if name in self._columns[table] else "NULL" for name in names)

    def _pairs(self, query: str) -> Iterator[tuple[str, Any]]:
        return ((id, value) for id, value in self._rows(query) if isinstance(id, str))

    def _rows(self, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
        with translate_errors(self.file):
            yield from self._connection.execute(query, values)


def _families(parents: Mapping[str, object]) -> dict[str, tuple[str, ...]]:
    """The sessions without a parent that is there, each with all that descend from it, oldest first."""
    children: dict[str, list[str]] = {}
    for id, parent in parents.items():
        if isinstance(parent, str) and parent in parents:
            children.setdefault(parent, []).append(id)
    below = {id for found in children.values() for id in found}
    families: dict[str, tuple[str, ...]] = {}
    reached = set[str]()
    # Those that are each other's parents have no first one; each of them that is met first is taken for it.
    for id in (*(one for one in parents if one not in below), *parents):
        if id in reached:
            continue
        reached.add(id)
        found, waiting = list[str](), [id]
        while waiting:
            fresh = [one for one in children.get(waiting.pop(), ()) if one not in reached]
            reached.update(fresh)
            found += fresh
            waiting += fresh
        families[id] = tuple(sorted(found))
    return families


def _bounded(column: str) -> str:
    """A value and its length, nothing in the place of one that is too long."""
    return f"CASE WHEN length({column}) > {MAX_VALUE_BYTES} THEN NULL ELSE {column} END, length({column})"


def _decode(found: Sequence[Any], name: str, faults: list[Fault]) -> Mapping[str, Any] | None:
    value, length = found
    if isinstance(length, int) and length > MAX_VALUE_BYTES:
        faults.append(Fault(f"{name} is longer than {MAX_VALUE_BYTES >> 20} MB"))
        return None
    data, problem = parse_object(_bytes(value))
    if problem:
        faults.append(Fault(f"{name}: {problem}"))
    return data


def _object(value: object) -> Mapping[str, Any]:
    return parse_object(_bytes(value))[0] or {}


def _bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


def _name(value: object) -> str:
    """A value on one line; empty for what is no text."""
    return " ".join(value[:_MAX_NAME_CHARS].split()) if isinstance(value, str) else ""


def _sum(counts: Sequence[object]) -> int:
    return sum(max(0, one) for one in counts if isinstance(one, int))


def _milliseconds(value: object) -> int:
    return int(value) if isinstance(value, int) and 0 < value < _MAX_MS else 0
