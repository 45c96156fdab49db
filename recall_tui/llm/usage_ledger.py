"""The ledger of model calls and their cost: one row per call, written before the call is made.

A row counts from the moment it exists, so that concurrent processes together never exceed a limit.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

from recall_tui.errors import BrokenFileError
from recall_tui.llm.model import Failure, Usage
from recall_tui.storage.files.atomic import PRIVATE_FILE, make_folder
from recall_tui.storage.files.sqlite import open_database
from recall_tui.text.secrets.redact import redact

LEDGER_FILE = "ledger.db"
BUSY_TIMEOUT_SECONDS = 5.0
_VERSION = 1
_TABLE = (
    "CREATE TABLE calls (id INTEGER PRIMARY KEY, at TEXT NOT NULL, day TEXT NOT NULL, purpose TEXT NOT NULL,"
    " model TEXT NOT NULL, session TEXT NOT NULL, asked INTEGER NOT NULL, answered INTEGER NOT NULL, cost REAL,"
    " is_estimated INTEGER NOT NULL, ms REAL NOT NULL, outcome TEXT NOT NULL, why TEXT NOT NULL)"
)
_Row = tuple[Any, ...]
_SpentRow = TypeVar("_SpentRow")
_COLUMNS = "id, at, purpose, model, session, asked, answered, cost, is_estimated, ms, outcome, why"

EMBEDDING_PURPOSE = "embedding"
"""The purpose of embedding calls: they have their own limits and use none of the language models'."""
UNLIMITED = 2**62

Outcome = Literal["running", "answered", "unusable", "failed", "cancelled"]
"""The outcome of a call; a row that stays `running` belongs to a process that was killed."""


class LoggedCall(NamedTuple):
    """A row of the ledger."""

    id: int
    at: datetime
    purpose: str
    model: str
    session_id: str
    """The session that the call was about; empty when there is none."""
    usage: Usage
    """The expected usage while the call is running."""
    ms: float
    outcome: Outcome
    why: str
    """The error; empty after an answer."""


class UsageLimits(NamedTuple):
    """The spending limits; 0 blocks every call."""

    calls_per_day: int
    tokens_per_day: int
    calls_per_session: int


class CallRequest(NamedTuple):
    """A call about to be made."""

    at: datetime
    purpose: str
    model: str
    session_id: str
    expected: Usage
    """The prompt's tokens and the maximum of the completion."""


class UsageTotals(NamedTuple):
    """The totals of one purpose on one day."""

    day: date
    purpose: str
    calls: int
    answered: int
    """Calls with a usable answer."""
    tokens: int
    cost: float | None
    """US dollars of the calls with a known cost; None when there are none."""
    ms: float


class UsageLedger:
    """The ledger file in a memory's state folder; created with the first call."""

    def __init__(self, state: Path) -> None:
        self._path = state / LEDGER_FILE

    def begin(self, request: CallRequest, limits: UsageLimits) -> int | Failure:
        """Insert the row of a call about to be made and return its number; a refusal when a limit is reached."""
        with self._writing() as connection:
            if refusal := _limit_failure(connection, request, limits):
                return refusal
            expected = request.expected
            values = (
                request.at.isoformat(),
                _day(request.at),
                request.purpose,
                request.model,
                request.session_id,
                expected.asked,
                expected.answered,
                "running",
            )
            row = connection.execute(
                "INSERT INTO calls (at, day, purpose, model, session, asked, answered, cost, is_estimated, ms, outcome,"
                " why) VALUES (?, ?, ?, ?, ?, ?, ?, NULL, 1, 0, ?, '')",
                values,
            ).lastrowid
            assert row is not None
            return row

    def end(self, row: int, usage: Usage, ms: float, outcome: Outcome, why: str = "") -> None:
        """Record the outcome in the row; secrets are redacted from `why`."""
        why = redact(why)
        with self._writing() as connection:
            connection.execute(
                "UPDATE calls SET asked = ?, answered = ?, cost = ?, is_estimated = ?, ms = ?, outcome = ?, why = ?"
                " WHERE id = ?",
                (usage.asked, usage.answered, usage.cost, usage.is_estimated, ms, outcome, why, row),
            )

    def forget(self, sessions: Collection[str]) -> None:
        """Erase the sessions' ids and reasons from the rows and the file; the usage stays."""
        told = tuple(sessions)
        marks = ", ".join("?" * len(told))
        if not self._read(tuple, f"SELECT 1 FROM calls WHERE session IN ({marks}) LIMIT 1", told):
            return
        with self._writing() as connection:
            connection.execute(f"UPDATE calls SET session = '', why = '' WHERE session IN ({marks})", told)
        with self._opened() as connection:
            # The old values stay in the bytes of the file until it is rebuilt.
            connection.execute("VACUUM")

    def calls(self, limit: int = 100) -> tuple[LoggedCall, ...]:
        """Return the newest calls, newest first."""
        return self._read(_parse_call, f"SELECT {_COLUMNS} FROM calls ORDER BY id DESC LIMIT ?", (limit,))

    def spent(self, since: date | None = None) -> tuple[UsageTotals, ...]:
        """Return the totals by day and purpose, newest day first."""
        return self._read(
            lambda row: UsageTotals(date.fromisoformat(row[0]), *row[1:]),
            "SELECT day, purpose, count(*), sum(outcome = 'answered'), sum(asked + answered), sum(cost), sum(ms)"
            " FROM calls WHERE day >= ? GROUP BY day, purpose ORDER BY day DESC, purpose",
            (since.isoformat() if since else "",),
        )

    def _read(self, made: Callable[[_Row], _SpentRow], query: str, values: tuple[object, ...]) -> tuple[_SpentRow, ...]:
        if not self._path.is_file():
            return ()
        with self._opened() as connection:
            rows = connection.execute(query, values).fetchall() if _has_table(connection) else []
            try:
                return tuple(map(made, rows))
            except (ValueError, TypeError):
                raise sqlite3.DatabaseError("what it says of a call makes no sense") from None

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Open an exclusive write transaction."""
        make_folder(self._path.parent)
        with self._opened() as connection:
            connection.execute("BEGIN IMMEDIATE")
            if not _has_table(connection):
                connection.execute(_TABLE)
                connection.execute("CREATE INDEX calls_of_day ON calls (day)")
                connection.execute("CREATE INDEX calls_of_session ON calls (session)")
                connection.execute(f"PRAGMA user_version = {_VERSION}")
            yield connection
            connection.execute("COMMIT")

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        is_new = not self._path.exists()
        try:
            with closing(open_database(self._path, BUSY_TIMEOUT_SECONDS)) as connection:
                if is_new:
                    self._path.chmod(PRIVATE_FILE)
                yield connection
        except sqlite3.Error as error:
            raise BrokenFileError(
                f"{self._path}: {error}",
                hint="no model is asked before it can be written; move it away to start a new one",
            ) from None


def _has_table(connection: sqlite3.Connection) -> bool:
    """Return whether the table exists: the file is created a moment before it."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version != 0


def _limit_failure(connection: sqlite3.Connection, request: CallRequest, limits: UsageLimits) -> Failure | None:
    """Return the reason that the call is over a limit; None when it is within all."""
    calls, tokens = connection.execute(
        "SELECT count(*), coalesce(sum(asked + answered), 0) FROM calls WHERE day = ? AND (purpose = ?) = ?",
        (_day(request.at), EMBEDDING_PURPOSE, request.purpose == EMBEDDING_PURPOSE),
    ).fetchone()
    table = "embeddings" if request.purpose == EMBEDDING_PURPOSE else "llm"
    if calls >= limits.calls_per_day:
        return _limit(f"{calls} calls were made today", f"{table}.calls_per_day", limits.calls_per_day)
    if tokens + request.expected.tokens > limits.tokens_per_day:
        what = f"{tokens} tokens were spent today and this call may take {request.expected.tokens}"
        return _limit(what, f"{table}.tokens_per_day", limits.tokens_per_day)
    if not request.session_id:
        return None
    (calls,) = connection.execute("SELECT count(*) FROM calls WHERE session = ?", (request.session_id,)).fetchone()
    if calls >= limits.calls_per_session:
        what = f"{calls} calls were made for this session"
        return _limit(what, f"{table}.calls_per_session", limits.calls_per_session)
    return None


def _limit(what: str, key: str, limit: int) -> Failure:
    hint = f"recall-tui config set {key} N; see: recall-tui ledger"
    return Failure(f"{what}; {key} is {limit}", hint, is_refusal=True)


def _day(at: datetime) -> str:
    """Return the day in local time."""
    return at.date().isoformat()


def _parse_call(row: _Row) -> LoggedCall:
    number, at, purpose, model, session, asked, answered, cost, is_estimated, ms, outcome, why = row
    usage = Usage(asked, answered, cost, bool(is_estimated))
    return LoggedCall(number, datetime.fromisoformat(at), purpose, model, session, usage, ms, outcome, why)
