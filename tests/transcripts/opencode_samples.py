"""Databases as OpenCode and Kilo make them, with the tables that hold tokens, too."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any, Self

SESSION = "ses_df45389b0ffe85l0ijAuWUdI4z"
CHILD = "ses_df44c6904ffetJi2IlXKwavNe8"
START_MS = 1_772_791_200_000
"""6 March 2026, 10:00 UTC."""
TOKEN = "zzqtokenofanaccount0123456789"
_SCHEMA = """
CREATE TABLE session(id text PRIMARY KEY, project_id text, parent_id text, directory text NOT NULL, title text NOT NULL,
  version text NOT NULL, revert text, model text, time_created integer NOT NULL, time_updated integer NOT NULL);
CREATE TABLE message(id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL,
  time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE part(id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL,
  time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE session_message(id text PRIMARY KEY, session_id text, type text, seq integer, data text);
CREATE TABLE account(id text, access_token text);
CREATE TABLE control_account(id text, access_token text);
CREATE TABLE credential(id text, value text);
CREATE TABLE session_share(session_id text, secret text);
"""
_TOKEN_TABLES = ("account", "control_account", "credential", "session_share")


class Store:
    """A database that a test writes to, as the agent would: in WAL mode, and open."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path, self.clock, self._count = path, START_MS, 0
        self.connection = sqlite3.connect(path, isolation_level=None)
        self.connection.execute("PRAGMA journal_mode=WAL")
        self.connection.execute("PRAGMA wal_autocheckpoint=0")
        self.connection.executescript(_SCHEMA)
        for table in _TOKEN_TABLES:
            self.connection.execute(f"INSERT INTO {table} VALUES('{SESSION}', '{TOKEN}')")

    def close(self) -> None:
        """Let go of the file, which takes the log into it."""
        self.connection.close()

    def session(self, id: str = SESSION, title: str = "The cache", parent: str | None = None, **more: Any) -> Self:
        """A session."""
        fields = {"directory": "/home/u/proj", "version": "1.18.33", "model": '{"id": "m-1"}', "project_id": "global"}
        fields |= {
            "id": id,
            "title": title,
            "parent_id": parent,
            "time_created": self.clock,
            "time_updated": self.clock,
        }
        self._insert("session", fields | more)
        return self

    def message(self, *parts: Any, role: str = "user", session: str = SESSION, **data: Any) -> str:
        """A message of these parts, each the text of one or its data; its id."""
        self._count += 1
        self.clock += 1000
        id = f"msg_{self._count:04}"
        told = {"role": role, "time": {"created": self.clock, "completed": self.clock + 500}} | data
        times = {"time_created": self.clock, "time_updated": self.clock}
        self._insert("message", {"id": id, "session_id": session, "data": json.dumps(told)} | times)
        for number, part in enumerate(parts):
            text = part if isinstance(part, str) else json.dumps(part)
            value = text if text.startswith("{") else json.dumps({"type": "text", "text": part})
            key = {"id": f"prt_{self._count:04}_{number:02}", "message_id": id, "session_id": session}
            self._insert("part", {**key, "data": value} | times)
        self.connection.execute("UPDATE session SET time_updated = ? WHERE id = ?", (self.clock, session))
        return id

    def answer(self, *parts: Any, session: str = SESSION, **data: Any) -> str:
        """A message of the agent."""
        return self.message(*parts, role="assistant", session=session, **{"modelID": "m-1"} | data)

    def _insert(self, table: str, fields: dict[str, Any]) -> None:
        marks = ", ".join("?" * len(fields))
        self.connection.execute(f"INSERT INTO {table}({', '.join(fields)}) VALUES({marks})", tuple(fields.values()))


def tool(name: str, output: str, status: str = "completed", **given: Any) -> dict[str, Any]:
    """A part that calls a tool and has its answer."""
    answer = {"output": output} if status == "completed" else {"error": output}
    times = {"start": START_MS, "end": START_MS + 5}
    return {
        "type": "tool",
        "tool": name,
        "callID": "c1",
        "state": {"status": status, "input": given, "time": times, **answer},
    }
