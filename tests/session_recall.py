"""Databases of session recall made for a test, as that tool makes them: its first shape and a later one."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.conftest import NOON

FIRST = """
CREATE TABLE sessions (id TEXT PRIMARY KEY, project_path TEXT, jsonl_path TEXT UNIQUE, created_at INTEGER,
  updated_at INTEGER, message_count INTEGER DEFAULT 0, title TEXT);
CREATE INDEX idx_sessions_project ON sessions(project_path);
CREATE INDEX idx_sessions_updated ON sessions(updated_at);
CREATE TABLE messages (id INTEGER PRIMARY KEY, uuid TEXT UNIQUE, session_id TEXT REFERENCES sessions(id), type TEXT,
  content TEXT, tool_name TEXT, file_paths TEXT, timestamp INTEGER);
CREATE INDEX idx_messages_session ON messages(session_id);
CREATE INDEX idx_messages_type ON messages(type);
CREATE INDEX idx_messages_timestamp ON messages(timestamp);
CREATE INDEX idx_messages_tool ON messages(tool_name);
CREATE VIRTUAL TABLE messages_fts USING fts5(content, tool_name, file_paths, content='messages', content_rowid='id',
  tokenize='porter unicode61');
CREATE TRIGGER messages_ai AFTER INSERT ON messages BEGIN
  INSERT INTO messages_fts(rowid, content, tool_name, file_paths)
  VALUES (new.id, new.content, new.tool_name, new.file_paths);
END;
CREATE TRIGGER messages_ad AFTER DELETE ON messages BEGIN
  INSERT INTO messages_fts(messages_fts, rowid, content, tool_name, file_paths)
  VALUES ('delete', old.id, old.content, old.tool_name, old.file_paths);
END;
CREATE TRIGGER messages_au AFTER UPDATE ON messages BEGIN
  INSERT INTO messages_fts(messages_fts, rowid, content, tool_name, file_paths)
  VALUES ('delete', old.id, old.content, old.tool_name, old.file_paths);
  INSERT INTO messages_fts(rowid, content, tool_name, file_paths)
  VALUES (new.id, new.content, new.tool_name, new.file_paths);
END;
CREATE TABLE content (id INTEGER PRIMARY KEY, content_type TEXT, source_id TEXT, project_path TEXT, title TEXT,
  content TEXT, timestamp INTEGER);
CREATE INDEX idx_content_type ON content(content_type);
CREATE INDEX idx_content_source ON content(source_id);
CREATE VIRTUAL TABLE content_fts USING fts5(title, content, content='content', content_rowid='id',
  tokenize='porter unicode61');
CREATE TRIGGER content_ai AFTER INSERT ON content BEGIN
  INSERT INTO content_fts(rowid, title, content) VALUES (new.id, new.title, new.content);
END;
CREATE TRIGGER content_ad AFTER DELETE ON content BEGIN
  INSERT INTO content_fts(content_fts, rowid, title, content) VALUES ('delete', old.id, old.title, old.content);
END;
CREATE TABLE writes (id INTEGER PRIMARY KEY, session_id TEXT, session_file TEXT, tool_use_id TEXT, timestamp TEXT,
  file_path TEXT, content_hash TEXT, content_size INTEGER, content TEXT);
CREATE TABLE index_meta (key TEXT PRIMARY KEY, value TEXT);
INSERT INTO index_meta VALUES ('last_rebuild', '2026-02-06T10:00:00.000Z'), ('total_messages', '2');
"""
LATER = """
CREATE UNIQUE INDEX idx_content_unique ON content(content_type, source_id);
CREATE TRIGGER content_au AFTER UPDATE ON content BEGIN
  INSERT INTO content_fts(content_fts, rowid, title, content) VALUES ('delete', old.id, old.title, old.content);
  INSERT INTO content_fts(rowid, title, content) VALUES (new.id, new.title, new.content);
END;
ALTER TABLE sessions ADD COLUMN branch TEXT;
ALTER TABLE messages ADD COLUMN is_sidechain INTEGER DEFAULT 0;
ALTER TABLE content ADD COLUMN path TEXT;
CREATE TABLE vault (id INTEGER PRIMARY KEY, body BLOB);
INSERT INTO index_meta VALUES ('mtime:bead:/home/u/api/.beads/issues.jsonl', '1771000000000'), ('total_beads', '1');
INSERT INTO content (content_type, source_id, title, content, timestamp) VALUES
  ('bead', 'api-1', 'A bead', 'beadwords', 1771000000000), ('session_memory', '2026-03-05', '', 'memorywords', 1),
  ('claude_md', '/home/u/api/CLAUDE.md', 'CLAUDE.md', 'claudewords', 1), ('llm_research', 'r', 'r', 'research', 1);
"""
"""What later versions of the tool add."""


def ms(at: datetime) -> int:
    """A time as the tool writes it."""
    return int(at.timestamp() * 1000)


@dataclass
class Recalled:
    """A database that is being filled; it is in WAL mode, and whole on disk when it is closed."""

    path: Path
    later: bool = False
    strict: bool = True
    """With the rule that no two sessions share a transcript."""
    connection: sqlite3.Connection = field(init=False)
    _minutes: int = 0

    def __post_init__(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        is_new = not self.path.exists()
        self.connection = sqlite3.connect(self.path, isolation_level=None)
        self.connection.execute("PRAGMA journal_mode = WAL")
        if is_new:
            self.connection.executescript(
                FIRST if self.strict else FIRST.replace("TEXT UNIQUE, created", "TEXT, created")
            )
        if is_new and self.later:
            self.connection.executescript(LATER)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.connection.close()

    def session(self, id: str, title: str | None = None, path: str | None = "", project: str = "/home/u/api") -> Self:
        """A session of the project; its transcript is named by its id unless a path is given."""
        place = f"-home-u-api/{id}.jsonl" if path == "" else path
        values = (id, project, place, ms(NOON), ms(NOON), 2, title)
        columns = "id, project_path, jsonl_path, created_at, updated_at, message_count, title"
        self.connection.execute(f"INSERT INTO sessions ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)", values)
        return self

    def row(
        self,
        session: str | None,
        type: str,
        content: object,
        *,
        tool: str | None = None,
        files: str | None = None,
        at: object = None,
    ) -> Self:
        """A message, a minute after the one before unless a time in milliseconds is given."""
        self._minutes += 1
        time = ms(NOON) + self._minutes * 60_000 if at is None else at
        number = self.connection.execute("SELECT coalesce(max(id), 0) FROM messages").fetchone()[0]
        values = (f"uuid-{session}-{number}", session, type, content, tool, files, time)
        columns = "uuid, session_id, type, content, tool_name, file_paths, timestamp"
        self.connection.execute(f"INSERT INTO messages ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)", values)
        return self

    def note(self, kind: str, source: str, text: str, title: str | None = None, at: int | None = None) -> Self:
        """A row of the table `content`."""
        values = (kind, source, title, text, ms(NOON) if at is None else at)
        columns = "content_type, source_id, title, content, timestamp"
        self.connection.execute(f"INSERT INTO content ({columns}) VALUES (?, ?, ?, ?, ?)", values)
        return self

    def run(self, *statements: str) -> Self:
        """Change the database by hand."""
        for statement in statements:
            self.connection.execute(statement)
        return self


def changed(path: Path, *statements: str) -> None:
    """Change a database that is there."""
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()
