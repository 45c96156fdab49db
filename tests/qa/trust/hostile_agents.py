"""Samples of every agent with a text that means no good in each field that is told, and files that are no transcripts.

The fields by which a record is told apart, its kind and its ids, stay as they are: else nothing of it would be shown.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.qa.trust.hostile_memory import WORD
from tests.transcripts.agent_samples import READ, WORKED_IN, copied_home
from tests.transcripts.form_samples import SESSIONS, copied_form

AGENTS = tuple(dict.fromkeys((*READ, *SESSIONS)))
_TOLD = frozenset(
    (
        "title", "name", "model", "modelId", "modelID", "tool", "toolName", "summary", "customTitle", "cwd",
        "directory", "gitBranch", "branch", "version", "label", "slug", "workspaceDirectory", "command", "text",
        "content", "output", "error", "message", "thinking", "description", "workDir", "task", "prompt",
    )
)  # fmt: skip
"""Fields that are shown to a person, whatever is in them."""
_KEPT = frozenset(("type", "role", "kind", "producer", "protocol_version", "event", "status", "finish", "subtype"))
_WORDS = re.compile(r"\s")
_SQL_KEPT = ("id", "_id", "type", "role", "key")


def spoiled_home(agent: str, home: Path, project: Path, text: str) -> Path:
    """Copy the sample of an agent into a home with `text` behind each text in it, and return the folder worked in."""
    (copied_home if agent in READ else copied_form)(agent, home, str(project))
    flat = f" {WORD} {text}".replace("\n", " ")
    for path in sorted(filter(Path.is_file, home.rglob("*"))):
        if path.suffix in (".db", ".vscdb"):
            _spoil_database(path, flat)
        elif path.suffix in (".json", ".jsonl"):
            _spoil_lines(path, flat)
        elif path.name == "workspace.yaml":
            lines = path.read_text(encoding="utf-8").splitlines()
            told = (f"{line}{flat}" if line.startswith(("name:", "branch:")) else line for line in lines)
            path.write_bytes("\n".join(told).encode("utf-8", "surrogatepass"))
        elif path.name.startswith(".aider"):
            said = path.read_text(encoding="utf-8").splitlines()
            told = (line if line.startswith("# ") or not line.strip() else f"{line}{flat}" for line in said)
            path.write_bytes("".join(f"{line}\n" for line in told).encode("utf-8", "surrogatepass"))
    return home / WORKED_IN if agent == "aider" else project


def _spoil_lines(path: Path, text: str) -> None:
    whole = path.read_text(encoding="utf-8")
    try:
        parts = [json.loads(whole)]
    except ValueError:
        parts = [json.loads(line) for line in whole.splitlines() if line.strip()]
    path.write_text("".join(json.dumps(_spoiled(part, text)) + "\n" for part in parts), encoding="utf-8")


def _spoiled(value: Any, text: str, key: str = "") -> Any:
    if isinstance(value, dict):
        return {name: _spoiled(inner, text, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [_spoiled(inner, text, key) for inner in value]
    if not isinstance(value, str) or key in _KEPT:
        return value
    if value[:1] in "{[" and (held := _decoded(value)) is not None:
        return json.dumps(_spoiled(held, text, key))
    return value + text if key in _TOLD or _WORDS.search(value) else value


def _decoded(value: str) -> Any:
    try:
        return json.loads(value)
    except ValueError:
        return None


def _spoil_database(path: Path, text: str) -> None:
    told = text.encode("utf-8", "replace").decode().replace("\0", "")
    with closing(sqlite3.connect(path)) as database, database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            columns = [one[1] for one in database.execute(f'PRAGMA table_info("{table}")')]
            for column in (one for one in columns if not one.endswith(_SQL_KEPT)):
                rows = database.execute(f'SELECT rowid, "{column}" FROM "{table}"').fetchall()
                for row, value in rows:
                    if isinstance(value, str):
                        changed = _spoiled(value, told, column)
                        database.execute(f'UPDATE "{table}" SET "{column}" = ? WHERE rowid = ?', (changed, row))


def transcripts_of(agent: str, home: Path) -> list[Path]:
    """The files in which the sessions of an agent's sample are."""
    suffixes = (".db", ".vscdb", ".json", ".jsonl")
    found = [path for path in sorted(home.rglob("*")) if path.is_file() and path.suffix in suffixes]
    if agent == "aider":
        found = [home / WORKED_IN / ".aider.chat.history.md"]
    return found


def _nested(path: Path) -> None:
    _inserted(path, b"[" * 200_000 + b"\n" + b'{"a":' * 100_000 + b"\n")


def _long_line(path: Path) -> None:
    _inserted(path, b'{"type": "user", "x": "' + b"x" * (100 << 20) + b'"}\n')


def _nulls(path: Path) -> None:
    _inserted(path, b"\0" * 5000 + b"\n\0{}\0\n")


def _no_text(path: Path) -> None:
    _inserted(path, b'\xff\xfe{"type": "user", "message": "\xc3\x28"}\n\xed\xa0\x80\n')


def _other_schema(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as database, database:
        for name in ("session", "message", "part", "sessions", "messages", "cursorDiskKV", "ItemTable", "project"):
            database.execute(f'CREATE TABLE "{name}" (id BLOB, "data" REAL, what INTEGER)')
            database.execute(f"INSERT INTO \"{name}\" VALUES (x'ff00', 1.5, -1)")


def _ring(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _device(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _inserted(path: Path, text: bytes) -> None:
    """Put lines behind the first one."""
    first, mark, rest = path.read_bytes().partition(b"\n")
    path.write_bytes(first + mark + text + rest)


HARMS: dict[str, Callable[[Path], None]] = {
    "nested": _nested,
    "a long line": _long_line,
    "NUL bytes": _nulls,
    "invalid UTF-8": _no_text,
    "another schema": _other_schema,
    "a ring of links": _ring,
    "a pipe": _pipe,
    "a device": _device,
    "a folder": _folder,
}
"""What is made of a transcript."""


def harmed(agent: str, home: Path, harm: str) -> Iterator[Path]:
    """Harm every transcript of an agent's sample; a database is harmed as a file."""
    for path in transcripts_of(agent, home):
        HARMS[harm](path)
        yield path
