"""Sessions of older forms, and of agents in editors, are archived, found, shown and forgotten by the real command."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.makers import tree
from tests.transcripts.form_samples import CURSOR, SESSIONS, TOKEN, copied_form

WORDS = {
    "goose": "expire",
    "cursor": "rebuilds",
    "vscode": "retry",
    "roo": "flaky",
    "cline-editor": "files",
    "kilo-editor": "hello",
    "opencode": "cold",
}
"""A word that a session of each agent says."""


class Machine:
    """A home with the sample of an agent, and a memory."""

    def __init__(self, agent: str, folder: Path) -> None:
        self.home, self.project, self.state = copied_form(agent, folder / "home"), folder / "proj", folder / "state"
        self.project.mkdir()
        self.run("init", str(self.project), "--yes", "--no-install")

    def run(self, *words: str, code: int = 0) -> str:
        command = [sys.executable, "-m", "recall_tui", "--root", str(self.project), *words]
        env = {"HOME": str(self.home), "RECALL_STATE": str(self.state), "PATH": os.environ["PATH"]}
        done = subprocess.run(command, cwd=self.project, env=env, capture_output=True, text=True)
        assert done.returncode in (0, code), done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout

    def archive(self) -> list[str]:
        return self.run("archive", "--all-unarchived", "--all-projects").splitlines()

    def hits(self, query: str) -> set[str]:
        return {hit["session_id"] for hit in json.loads(self.run("search", "--json", query, code=1))["hits"]}

    def written(self) -> Iterator[bytes]:
        """Everything that this program has put down."""
        for folder in (self.project, self.state):
            yield from (path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


@pytest.mark.parametrize("agent", SESSIONS)
def test_a_session_has_a_whole_life(agent: str, tmp_path: Path) -> None:
    made = Machine(agent, tmp_path)
    of_agent = tree(made.home)
    held = {id for id, one in SESSIONS[agent].items() if one is not None}
    done = made.archive()
    assert sum(line.startswith("archived") for line in done) == len(held)
    assert sum(line.startswith("skipped") for line in done) == len(SESSIONS[agent]) - len(held)
    before = tree(made.project / "memory")
    assert not any(line.startswith("archived") for line in made.archive())
    assert tree(made.project / "memory") == before
    made.run("sync")
    assert made.hits(f"agent:{agent} {WORDS[agent]}") & held
    for id in held:
        told = SESSIONS[agent][id]
        assert told is not None and str(told.first_prompt) in made.run("show", id)
    assert not any(TOKEN.encode() in text for text in made.written())
    first = min(held)
    made.run("forget", first, "--yes")
    assert first not in made.hits(f"agent:{agent} {WORDS[agent]}")
    assert tree(made.home) == of_agent


def test_a_session_of_a_database_that_its_agent_writes_is_brought_up_to_date(tmp_path: Path) -> None:
    made = Machine("goose", tmp_path)
    made.archive()
    with opened(made.home / ".local" / "share" / "goose" / "sessions" / "sessions.db") as database:
        content = json.dumps([{"type": "text", "text": "and warm the zanzibarquux"}])
        database.execute(
            "INSERT INTO messages VALUES(NULL, 'a9', '20260306_2', 'user', ?, 1772791300, '', '')", (content,)
        )
        database.execute("UPDATE sessions SET updated_at = '2026-03-06 10:05:00' WHERE id = '20260306_2'")
        database.execute("BEGIN IMMEDIATE")
        database.execute("UPDATE sessions SET name = 'not committed'")
        # The agent has the file open, and is in the middle of a change.
        made.run("archive", "--session", "20260306_2")
        made.run("sync")
        assert "zanzibarquux" in made.run("show", "20260306_2")
        assert made.hits("agent:goose zanzibarquux") == {"20260306_2"}
        database.execute("ROLLBACK")
    assert "not committed" not in made.run("show", "20260306_2")


def test_a_chat_that_cursor_writes_is_brought_up_to_date(tmp_path: Path) -> None:
    made = Machine("cursor", tmp_path)
    made.archive()
    id = f"{CURSOR}01"
    key = id.removeprefix("cursor-")
    with opened(made.home / ".config" / "Cursor" / "User" / "globalStorage" / "state.vscdb") as database:
        (value,) = database.execute("SELECT value FROM cursorDiskKV WHERE key = ?", (f"composerData:{key}",)).fetchone()
        chat = json.loads(value)
        chat["fullConversationHeadersOnly"].append({"bubbleId": "b9", "type": 1})
        chat["lastUpdatedAt"] += 60_000
        said = {"type": 1, "text": "and the zanzibarquux?", "createdAt": "2026-03-06T10:01:00.000Z"}
        for name, one in ((f"bubbleId:{key}:b9", said), (f"composerData:{key}", chat)):
            database.execute("INSERT INTO cursorDiskKV VALUES(?, ?)", (name, json.dumps(one)))
        database.execute("BEGIN IMMEDIATE")
        database.execute("DELETE FROM cursorDiskKV")
        made.run("archive", "--session", id)
        made.run("sync")
        assert "zanzibarquux" in made.run("show", id)
        assert made.hits("agent:cursor zanzibarquux") == {id}
        database.execute("ROLLBACK")
    assert not any(TOKEN.encode() in text for text in made.written())


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A database as its agent has it open: what is written stays in the log."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA wal_autocheckpoint=0")
        yield database
