"""The use of the MCP server: each client's last call of a tool, and the newest errors in calls.

This is state, not memory: two small files of JSON lines. A damaged line is passed over, and the next write drops it.
Writing is for information only and never fails.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from recall_tui.errors import RecallError
from recall_tui.storage.files import atomic
from recall_tui.storage.files.lock import acquire
from recall_tui.text.clean_line import clean_line

if TYPE_CHECKING:
    from recall_tui.storage.memory_context import Store

_Row = TypeVar("_Row")
CALLS_FILE = "server-calls.jsonl"
ERRORS_FILE = "server-errors.jsonl"
LOG_LOCK = "server.lock"
MAX_CLIENTS = 100
MAX_ERRORS = 50
MAX_CLIENT_CHARS = 60
MAX_ERROR_CHARS = 400
MIN_SECONDS_BETWEEN_WRITES = 60
"""Of one client's last call."""
_LOCK_SECONDS = 0.2
_MAX_FILE_BYTES = 1 << 17
"""The most bytes to read; no valid file is as large."""


class ServerCall(NamedTuple):
    """The last call of a tool by a client."""

    client: str
    """The name that the client gives itself."""
    at: datetime


class ServerError(NamedTuple):
    """An error in a call of a tool."""

    client: str
    tool: str
    message: str
    at: datetime


def record_call(store: Store, client: str) -> None:
    """Note that a client calls a tool now, at most once a minute."""
    name, now = clean_line(client, MAX_CLIENT_CHARS), store.now()
    if not name or _is_recent(read_calls(store), name, now):
        return
    with suppress(OSError, RecallError), acquire(store.state / LOG_LOCK, "note a call", _LOCK_SECONDS):
        others = (one for one in read_calls(store) if one.client != name)
        _write(store.state / CALLS_FILE, [ServerCall(name, now), *others][:MAX_CLIENTS])


def record_error(store: Store, client: str, tool: str, message: str) -> None:
    """Keep an error without its secrets; the oldest one goes."""
    words = (clean_line(client, MAX_CLIENT_CHARS), clean_line(tool, MAX_CLIENT_CHARS))
    made = ServerError(*words, clean_line(message, MAX_ERROR_CHARS), store.now())
    with suppress(OSError, RecallError), acquire(store.state / LOG_LOCK, "note an error", _LOCK_SECONDS):
        _write(store.state / ERRORS_FILE, [made, *read_errors(store)][:MAX_ERRORS])


def read_calls(store: Store) -> tuple[ServerCall, ...]:
    """Return the last call of each client, newest first."""
    return tuple(_read(store.state / CALLS_FILE, lambda row: ServerCall(_text(row, "client"), _time(row))))


def read_errors(store: Store) -> tuple[ServerError, ...]:
    """Return the newest errors, newest first."""

    def parse(row: dict[str, object]) -> ServerError:
        return ServerError(_text(row, "client"), _text(row, "tool"), _text(row, "message"), _time(row))

    return tuple(_read(store.state / ERRORS_FILE, parse))


def forget_errors(store: Store) -> None:
    """Remove the errors, which may quote what is forgotten."""
    with acquire(store.state / LOG_LOCK, "forget"):
        if (path := store.state / ERRORS_FILE).exists():
            atomic.delete_file(path)


def _is_recent(calls: Iterable[ServerCall], name: str, now: datetime) -> bool:
    last = next((one.at for one in calls if one.client == name), None)
    return last is not None and timedelta(0) <= now - last < timedelta(seconds=MIN_SECONDS_BETWEEN_WRITES)


def _write(path: Path, rows: Iterable[ServerCall | ServerError]) -> None:
    lines = (json.dumps({**row._asdict(), "at": row.at.isoformat()}) + "\n" for row in rows)
    atomic.write_file(path, "".join(lines).encode())


def _read(path: Path, parse: Callable[[dict[str, object]], _Row]) -> Iterator[_Row]:
    try:
        data = atomic.read_bytes(path, _MAX_FILE_BYTES) or b""
    except (OSError, RecallError):
        return
    for line in data.splitlines():
        with suppress(ValueError, LookupError, TypeError, RecursionError):
            yield parse(json.loads(line))


def _text(row: dict[str, object], key: str) -> str:
    value = row[key]
    if not isinstance(value, str):
        raise TypeError("no text")
    return clean_line(value, MAX_ERROR_CHARS)


def _time(row: dict[str, object]) -> datetime:
    at = datetime.fromisoformat(str(row["at"]))
    if at.tzinfo is None:
        raise ValueError("a time without an offset")
    return at
