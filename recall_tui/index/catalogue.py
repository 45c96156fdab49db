"""`catalogue.db`: which sources were indexed, in what state, and with what outcome.

Facts about text, never text. Whatever it says can be found out again from the files; a damaged catalogue is set aside.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from recall_tui.index.text.passage import TRANSCRIPTS_KEY
from recall_tui.storage.files import atomic
from recall_tui.storage.files.atomic import PRIVATE_FILE, make_folder
from recall_tui.storage.files.sqlite import open_database
from recall_tui.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from recall_tui.index.source_record import SourceRecord

BUSY_TIMEOUT_SECONDS = 5.0
_UNWRITABLE = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY)


class CatalogueTotals(NamedTuple):
    """What the catalogue counts for one memory, or for several."""

    sources: int
    failed: int
    passages: int
    chars: int
    gone: int = 0
    stretches: int = 0
    faults: int = 0
    others: int = 0
    """Sources of other memories in the same catalogue."""

    @property
    def indexed(self) -> int:
        """Sources that were read."""
        return self.sources - self.failed


def _create_tables(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID")
    connection.execute("CREATE TABLE memories (id TEXT PRIMARY KEY, root TEXT NOT NULL, layout TEXT NOT NULL)")
    connection.execute(
        "CREATE TABLE sources (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,"
        " memory_id TEXT NOT NULL REFERENCES memories(id), path TEXT NOT NULL, kind TEXT NOT NULL,"
        " size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, hash TEXT NOT NULL, passages INTEGER NOT NULL,"
        " chars INTEGER NOT NULL, title TEXT NOT NULL, failed TEXT NOT NULL, failed_line INTEGER NOT NULL,"
        " indexed_at TEXT NOT NULL)"
    )
    connection.execute("CREATE INDEX sources_of_memory ON sources (memory_id)")


def _migrate_to_2(connection: sqlite3.Connection) -> None:
    for name, kind in (
        ("batches", "TEXT NOT NULL DEFAULT ''"),
        ("stretches", "INTEGER NOT NULL DEFAULT 0"),
        ("session", "TEXT NOT NULL DEFAULT ''"),
        ("project", "TEXT NOT NULL DEFAULT ''"),
        ("is_gone", "INTEGER NOT NULL DEFAULT 0"),
        ("has_body", "INTEGER NOT NULL DEFAULT 1"),
        ("faults", "INTEGER NOT NULL DEFAULT 0"),
        ("fault", "TEXT NOT NULL DEFAULT ''"),
        ("fault_line", "INTEGER NOT NULL DEFAULT 0"),
    ):
        connection.execute(f"ALTER TABLE sources ADD COLUMN {name} {kind}")


def _migrate_to_3(connection: sqlite3.Connection) -> None:
    """Pages of weeks and months, and what dreams found, have the days they tell of: they are to be read again."""
    connection.execute("UPDATE sources SET size = -1 WHERE kind IN ('weekly', 'monthly', 'insight')")


def _migrate_to_4(connection: sqlite3.Connection) -> None:
    """A project is its place, and no longer where it says that it was cloned from: sessions are to be read again."""
    connection.execute("UPDATE sources SET size = -1 WHERE (session != '' OR project != '') AND is_gone = 0")


def _migrate_to_5(connection: sqlite3.Connection) -> None:
    """Pages have the project of the memory that holds them, and summaries their agent: they are to be read again."""
    connection.execute("UPDATE sources SET size = -1 WHERE memory_id != ? AND project = ''", (TRANSCRIPTS_KEY,))


_SURROGATES = lazy_pattern("[\ud800-\udfff]")
GENERATION_FACT = "generation"
"""The fact that says which text index this catalogue speaks of; empty at first."""
_REFRESHED_PREFIX, BUILD_FACT, LOOK_FACT = "refreshed ", "building", "transcripts"
"""Further facts: when a memory was brought up to date, how far a build is, which state of transcripts is indexed."""
MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (
    *(_create_tables, _migrate_to_2, _migrate_to_3, _migrate_to_4, _migrate_to_5),
)
"""Step n brings a file of version n to version n + 1."""
_MIN_COMPATIBLE_VERSION = 2
"""The oldest version whose tables are as they are now: it can be asked before a refresh brings it up to date."""
COLUMNS = (
    "key, path, kind, size, mtime_ns, hash, passages, chars, title, failed, failed_line, indexed_at,"
    " batches, stretches, session, project, is_gone, has_body, faults, fault, fault_line"
)
_COLUMN_NAMES = COLUMNS.split(", ")
_INTERNED_COLUMNS = ("kind", "indexed_at", "project")
"""Columns whose values many sources have in common."""


class Catalogue:
    """The open file; use it in the thread that opened it and close it after."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()

    @contextmanager
    def change(self) -> Iterator[None]:
        """Do all of the block or nothing of it."""
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise
        self.connection.execute("COMMIT")

    def begin_anew(self, generation: str) -> None:
        """Forget every source, because the text index `generation` starts empty."""
        with self.change():
            self.connection.execute("DELETE FROM sources")
            self.connection.execute("DELETE FROM facts")
            self.set_fact(GENERATION_FACT, generation)

    def refreshed_at(self, memory: str) -> str:
        """When the memory was last brought up to date; empty when it never was."""
        return self.fact(_REFRESHED_PREFIX + memory)

    def fact(self, name: str) -> str:
        """The value of a fact; empty when there is none."""
        row = self.connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else ""

    def set_fact(self, name: str, value: str) -> None:
        """Write down a fact; an empty value says as much as none."""
        self.connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))

    def note_refreshed(self, memory: str, at: str) -> None:
        """Record that the memory was brought up to date, and with it the transcripts: nothing is being built."""
        self.set_fact(BUILD_FACT, "")
        self.set_fact(_REFRESHED_PREFIX + memory, at)

    def name_memory(self, memory: str, root: str, layout: str) -> None:
        """Record where the memory is."""
        row = self.connection.execute("SELECT root, layout FROM memories WHERE id = ?", (memory,))
        if row.fetchone() != (root, layout):
            self.connection.execute("INSERT OR REPLACE INTO memories VALUES (?, ?, ?)", (memory, root, layout))

    def roots(self) -> list[tuple[str, str]]:
        """The id and the folder of every memory that is in the index."""
        return [(str(id), str(root)) for id, root in self.connection.execute("SELECT id, root FROM memories")]

    def known(self, memory: str) -> dict[str, SourceRecord]:
        """The memory's sources by key."""
        return {known.key: known for known in self.each(memory)}

    def each(self, memory: str, kinds: Iterable[str] = (), path: str = "") -> Iterator[SourceRecord]:
        """The memory's sources, those of some kinds or at a path and below it; none of them is held.

        Who changes something meanwhile may get old or new.
        """
        where, values = "memory_id = ?", [memory]
        if wanted := tuple(kinds):
            where, values = f"{where} AND kind IN ({_placeholders(wanted)})", [*values, *wanted]
        if path:
            where = f"{where} AND (path = ? OR substr(path, 1, length(?)) = ?)"
            values += [path, f"{path}/", f"{path}/"]
        return (known for _, known in self._select(where, tuple(values)))

    def source(self, key: str) -> SourceRecord | None:
        """The source that is filed under the key."""
        return next((known for _, known in self._select("key = ?", (key,))), None)

    def everything(self, *but: str) -> list[tuple[str, SourceRecord]]:
        """Every source of every memory but these, with the memory's id."""
        return list(self._select(f"memory_id NOT IN ({_placeholders(but)}) ORDER BY id", but))

    def bodies(self, kind: str) -> list[tuple[str, str]]:
        """Memory and session of every source of a kind of which more than a summary is indexed."""
        where = "WHERE kind = ? AND has_body AND session != '' AND passages > 0"
        rows = self.connection.execute(f"SELECT memory_id, session FROM sources {where}", (kind,))
        return [(str(memory), str(session)) for memory, session in rows]

    def projects_within(self, folder: str) -> list[str]:
        """The folders that sessions worked in whose transcripts lie in `folder`."""
        begin = f"{folder}/"
        where = "WHERE substr(path, 1, ?) = ? AND project != ''"
        rows = self.connection.execute(f"SELECT DISTINCT project FROM sources {where}", (len(begin), begin))
        return [str(row[0]) for row in rows]

    def batches_of(self, keys: Iterable[str]) -> dict[str, str]:
        """By key, the recorded batches of the sources that are there; see `SourceRecord.batches`."""
        wanted = tuple(keys)
        where = f"WHERE key IN ({_placeholders(wanted)})"
        rows = self.connection.execute(f"SELECT key, batches FROM sources {where}", wanted)
        return {str(key): str(batches) for key, batches in rows}

    def record(self, memory: str, sources: Iterable[SourceRecord]) -> None:
        """Write down how the sources are now."""
        self.set_fact(LOOK_FACT, "")
        write_records(self.connection, "sources", ((memory, source) for source in sources))

    def forget(self, keys: Iterable[str]) -> None:
        """Take the sources out."""
        self.set_fact(LOOK_FACT, "")
        self.connection.executemany("DELETE FROM sources WHERE key = ?", [(key,) for key in keys])

    def totals(self, *memories: str, projects: tuple[str, ...] | None = None) -> CatalogueTotals:
        """What is counted for the memories together; of the transcripts only those of some `projects`."""
        named = _placeholders(memories)
        where, values = f"memory_id IN ({named})", memories
        if projects is not None:
            where += f" AND (memory_id != ? OR project IN ({_placeholders(projects)}))"
            values = (*memories, TRANSCRIPTS_KEY, *projects)
        row = self.connection.execute(
            "SELECT count(*), count(nullif(failed, '')), coalesce(sum(passages), 0), coalesce(sum(chars), 0),"
            " coalesce(sum(is_gone), 0), coalesce(sum(stretches), 0), count(nullif(faults, 0))"
            f" FROM sources WHERE {where}",
            values,
        ).fetchone()
        others = self.connection.execute(f"SELECT count(*) FROM sources WHERE memory_id NOT IN ({named})", memories)
        return CatalogueTotals(*row)._replace(others=others.fetchone()[0])

    def titles(self, *memories: str) -> list[tuple[str, str]]:
        """Key and title of the memories' sources that have one."""
        where = f"WHERE memory_id IN ({_placeholders(memories)}) AND title != ''"
        rows = self.connection.execute(f"SELECT key, title FROM sources {where}", memories)
        return [(str(key), str(title)) for key, title in rows]

    def projects(self, *memories: str) -> dict[str, int]:
        """The folders that the memories' sessions worked in, those with most sessions first, each with how many."""
        rows = self.connection.execute(
            f"SELECT project, count(*) FROM sources WHERE memory_id IN ({_placeholders(memories)}) AND project != ''"
            " AND passages > 0 GROUP BY project ORDER BY count(*) DESC, project",
            memories,
        )
        return {str(row[0]): int(row[1]) for row in rows}

    def troubled(self, *memories: str) -> list[SourceRecord]:
        """The memories' sources that could not be read, or were read but for some lines."""
        where = f"memory_id IN ({_placeholders(memories)}) AND (failed != '' OR faults != 0) ORDER BY id"
        return [known for _, known in self._select(where, memories)]

    def _select(self, where: str, values: tuple[object, ...]) -> Iterator[tuple[str, SourceRecord]]:
        return _parse_rows(self.connection.execute(f"SELECT memory_id, {COLUMNS} FROM sources WHERE {where}", values))


def write_records(connection: sqlite3.Connection, table: str, sources: Iterable[tuple[str, SourceRecord]]) -> None:
    """Write sources, each with its memory's id, into a table that has `COLUMNS`."""
    marks = ", ".join("?" * (COLUMNS.count(",") + 2))
    connection.executemany(
        f"INSERT OR REPLACE INTO {table} (memory_id, {COLUMNS}) VALUES ({marks})",
        ((memory, *map(_storable, source)) for memory, source in sources),
    )


def each_record(connection: sqlite3.Connection, table: str, memory: str) -> Iterator[SourceRecord]:
    """Yield the memory's sources in a table that has `COLUMNS`."""
    rows = connection.execute(f"SELECT memory_id, {COLUMNS} FROM {table} WHERE memory_id = ?", (memory,))
    return (known for _, known in _parse_rows(rows))


def _parse_rows(rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[str, SourceRecord]]:
    """The memory's id and the source of each row; what thousands of them have in common is held once."""
    from recall_tui.index.source_record import SourceRecord

    held: dict[object, Any] = {}
    shared = [_COLUMN_NAMES.index(name) + 1 for name in _INTERNED_COLUMNS]
    for row in rows:
        values = list(row)
        for at in (0, *shared):
            values[at] = held.setdefault(values[at], values[at])
        yield values[0], SourceRecord(*values[1:])


def _storable(value: object) -> object:
    """The value as SQLite takes it: bytes that were no text, and escapes that stand for none, show as U+FFFD."""
    if not isinstance(value, str) or value.isascii():
        return value
    return _SURROGATES.sub("\ufffd", value)


def _placeholders(values: tuple[str, ...]) -> str:
    return ", ".join("?" * len(values))


def open_to_read(path: Path) -> Catalogue | None:
    """Open the catalogue to ask it; None when there is none, or one of another version."""
    if not path.is_file():
        return None
    try:
        return _if_current(connect(path))
    except sqlite3.OperationalError as error:
        if (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF not in _UNWRITABLE:
            raise
    # To read beside a writer SQLite writes too; where it may not, nobody else can either.
    return _if_current(open_database(f"{path.as_uri()}?immutable=1", BUSY_TIMEOUT_SECONDS, is_uri=True))


def _if_current(connection: sqlite3.Connection) -> Catalogue | None:
    try:
        if _MIN_COMPATIBLE_VERSION <= _version(connection) <= len(MIGRATIONS):
            return Catalogue(connection)
    except sqlite3.DatabaseError:
        connection.close()
        raise
    connection.close()
    return None


def file_state(path: Path) -> tuple[tuple[int, int, int], ...]:
    """What changes with every commit to the catalogue: its file and its log, as they are on disk."""
    found = []
    for one in (path, path.with_name(f"{path.name}-wal")):
        try:
            status = one.stat()
        except OSError:
            continue
        found.append((status.st_ino, status.st_size, status.st_mtime_ns))
    return tuple(found)


def open_to_write(path: Path, note: Callable[[str], None]) -> Catalogue:
    """Open the catalogue, make it or bring it up to date; one that is damaged or newer than us is set aside."""
    make_folder(path.parent)
    try:
        return _migrate(path)
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        aside = rename_broken(path)
        note(f"{path} was set aside as {aside.name} ({error}); the index is rebuilt")
        return _migrate(path)


def is_damage(error: sqlite3.Error) -> bool:
    """Whether the error says that the file is of no use, and not that it is busy or the disk full."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is None or code & 0xFF in (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _migrate(path: Path) -> Catalogue:
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, PRIVATE_FILE))
    connection = connect(path)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        version = _version(connection)
        if version > len(MIGRATIONS):
            raise sqlite3.DatabaseError(f"it has version {version}, this program knows {len(MIGRATIONS)}")
        for step in MIGRATIONS[version:]:
            connection.execute("BEGIN IMMEDIATE")
            step(connection)
            version += 1
            connection.execute(f"PRAGMA user_version = {version}")
            connection.execute("COMMIT")
        connection.execute("SELECT count(*) FROM sources").fetchone()
    except BaseException:
        connection.close()
        raise
    return Catalogue(connection)


def connect(path: Path) -> sqlite3.Connection:
    """A file of facts that can be found out again, opened; each statement is a change of its own."""
    connection = open_database(path, BUSY_TIMEOUT_SECONDS)
    # A lost last transaction after a power cut only means that a few files are read again.
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def rename_broken(path: Path) -> Path:
    """Rename a catalogue that is of no use, say what it is called now, and remove what belongs to it alone."""
    aside = atomic.rename_broken(path)
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    return aside
