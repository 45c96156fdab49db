"""The vectors of one embedder on the disk: int8 rows in a flat file, and in SQLite which batch of passages each is of.

Rows are appended and flushed before they are named, so that a kill leaves at worst bytes that nobody names. Whoever
reads never waits. Nothing in here needs more than the standard library: rows are taken out where no vector can be made.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, Self

from recall_tui import files
from recall_tui.index import catalogue
from recall_tui.index.text.schema import clean_text, count_number
from recall_tui.storage.files import sqlite
from recall_tui.storage.files.atomic import PRIVATE_FILE, make_folder, sync_folder
from recall_tui.storage.files.lock import acquire
from recall_tui.text.cut import one_line, shorten, split_text

if TYPE_CHECKING:
    from recall_tui.index.text.passage import Passage

FILE_VERSION = 1
"""Of the tables; a file of another version is made anew."""
LOCK_TIMEOUT_SECONDS = 60.0
"""How long a process is waited for that writes rows; it holds the lock only while it writes."""
MAX_DEAD_RATIO = 0.25
"""The share of rows that nobody names above which the file is written anew."""
MAX_SMALL_ROWS = 5000
"""Rows up to which no such row is put up with."""
_DATABASE, _LOCK, _ROWS = "rows.db", "rows.lock", "rows."
_CHUNK_BYTES = 1 << 20


class BatchRows(NamedTuple):
    """The rows of a batch of passages, packed; each column has one value for each row."""

    name: str
    """The batch's name in the text index."""
    key: str
    """The source it belongs to."""
    digest: str
    """What the batch and the way its texts are made are known by."""
    passages: int
    """Passages that have a row, or several."""
    places: bytes
    """Two bytes: which passage of the batch it is of."""
    scales: bytes
    """Float: what its numbers are multiplied with."""
    counted: bytes
    """Eight bytes: what its passage is counted with."""
    hashes: bytes
    """Eight bytes: of the text that was embedded."""
    vectors: bytes
    """Its numbers, a byte each."""

    @property
    def rows(self) -> int:
        """How many there are."""
        return len(self.places) // 2


class BatchRecord(NamedTuple):
    """A batch as it is on the disk."""

    name: str
    digest: str
    start: int
    """Its first row in the file."""
    rows: int
    passages: int


class VectorFile:
    """The store in a folder, open to be asked and changed; changes are made under its lock."""

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self.folder = folder
        self.connection = connection

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def fact(self, name: str) -> str:
        """What is written down under the name; empty when nothing is."""
        row = self.connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else ""

    @property
    def name(self) -> str:
        """The embedder whose vectors these are."""
        return self.fact("embedder")

    @property
    def dimensions(self) -> int:
        """The width of a row."""
        return int(self.fact("dimensions") or 0)

    @property
    def used(self) -> int:
        """Rows of the file that count, those among them that nobody names any more."""
        return int(self.fact("used") or 0)

    @property
    def rows_path(self) -> Path:
        """The file of rows."""
        return self.folder / f"{_ROWS}{self.fact('edition') or 0}"

    @property
    def is_whole(self) -> bool:
        """The file holds every row that is named."""
        try:
            return not self.used or self.rows_path.stat().st_size >= self.used * self.dimensions
        except OSError:
            return False

    def kept(self) -> dict[str, BatchRecord]:
        """Every batch that has been gone through, by name."""
        found = self.connection.execute("SELECT name, digest, start, count, passages FROM batches")
        return {row[0]: BatchRecord(*row) for row in found}

    def alive(self) -> tuple[int, int]:
        """How many rows are named, and of how many passages."""
        row = self.connection.execute("SELECT coalesce(sum(count), 0), coalesce(sum(passages), 0) FROM batches")
        rows, passages = row.fetchone()
        return int(rows), int(passages)

    def rows_of(self, key: str) -> Iterator[tuple[bytes, bytes, bytes]]:
        """Hashes, scales and vectors of each batch of the source, for those that can be used again."""
        dimensions, path = self.dimensions, self.rows_path
        found = self.connection.execute("SELECT start, count, hashes, scales FROM batches WHERE key = ?", (key,))
        with suppress(FileNotFoundError), files.open_file(path, files.MAX_TRANSCRIPT_BYTES) as file:
            for start, count, hashes, scales in found:
                file.seek(start * dimensions)
                vectors = file.read(count * dimensions)
                if len(vectors) == count * dimensions:
                    yield hashes, scales, vectors

    def users(self) -> set[str]:
        """The memories that search with these vectors."""
        return {str(row[0]) for row in self.connection.execute("SELECT memory FROM users")}

    @contextmanager
    def change(self) -> Iterator[None]:
        """Do all of the block or nothing of it, while nobody else writes."""
        with acquire(self.folder / _LOCK, "vectors", LOCK_TIMEOUT_SECONDS):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self.connection.execute("ROLLBACK")
                raise
            self.connection.execute("COMMIT")

    def put(self, batches: Iterable[BatchRows]) -> None:
        """Let these count in place of what there is of their batches; within `change`."""
        batches = list(batches)
        start = self.used
        _append(self.rows_path, start * self.dimensions, (one.vectors for one in batches))
        for one in batches:
            self.connection.execute(
                "INSERT OR REPLACE INTO batches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (one.name, one.key, one.digest, start, one.rows, one.passages, *one[4:8]),
            )
            start += one.rows
        self._note("used", start)

    def drop(self, names: Collection[str]) -> None:
        """Take batches out; within `change`."""
        self.connection.executemany("DELETE FROM batches WHERE name = ?", [(name,) for name in names])

    def set_used_by(self, memory: str, *, is_used: bool) -> None:
        """Say whether the memory searches with these vectors; within `change`."""
        if is_used:
            self.connection.execute("INSERT OR IGNORE INTO users VALUES (?)", (memory,))
        else:
            self.connection.execute("DELETE FROM users WHERE memory = ?", (memory,))

    def _note(self, name: str, value: object) -> None:
        self.connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, str(value)))

    def is_crowded(self) -> bool:
        """Whether so many rows are dead that the file should be written anew."""
        used = self.used
        dead = used - self.alive()[0]
        return dead > (0 if used < MAX_SMALL_ROWS else MAX_DEAD_RATIO * used)

    def rewrite(self) -> None:
        """Write the file anew without the rows that nobody names, and remove the old one."""
        with self.change():
            before, dimensions = self.rows_path, self.dimensions
            edition = int(self.fact("edition") or 0) + 1
            after, start = self.folder / f"{_ROWS}{edition}", 0
            alive = sorted(self.kept().values(), key=lambda one: one.start)
            _append(after, 0, _column_bytes(before, alive, dimensions))
            for one in alive:
                self.connection.execute("UPDATE batches SET start = ? WHERE name = ?", (start, one.name))
                start += one.rows
            self._note("used", start)
            self._note("edition", edition)
        self.clear()

    def clear(self) -> None:
        """Remove the files of rows that do not count, such as one that a kill left half made."""
        with acquire(self.folder / _LOCK, "vectors", LOCK_TIMEOUT_SECONDS):
            counted = self.rows_path
            for path in self.folder.glob(f"{_ROWS}[0-9]*"):
                if path != counted:
                    path.unlink(missing_ok=True)

    def sweep(self) -> bool:
        """See to it that nothing that was taken out can be read in any file; False when a reader is in the way."""
        if self.used != self.alive()[0]:
            self.rewrite()
        self.clear()
        return sqlite.vacuum(self.folder / _DATABASE, catalogue.BUSY_TIMEOUT_SECONDS)


def _append(path: Path, at: int, pieces: Iterable[bytes]) -> None:
    """Write the pieces at a place of the file and flush them to the disk; what stood behind it was never named."""
    is_new = not path.exists()
    descriptor = os.open(path, os.O_CREAT | os.O_RDWR, PRIVATE_FILE)
    with os.fdopen(descriptor, "r+b") as file:
        file.truncate(at)
        file.seek(at)
        for piece in pieces:
            file.write(piece)
        file.flush()
        os.fsync(descriptor)
    if is_new:
        sync_folder(path.parent)


def _column_bytes(path: Path, alive: Iterable[BatchRecord], dimensions: int) -> Iterator[bytes]:
    if not path.exists():
        return
    with files.open_file(path, files.MAX_TRANSCRIPT_BYTES) as file:
        for one in alive:
            file.seek(one.start * dimensions)
            left = one.rows * dimensions
            while left and (piece := file.read(min(left, _CHUNK_BYTES))):
                left -= len(piece)
                yield piece


def file_state(folder: Path) -> object:
    """What changes with every change of the store in the folder."""
    return catalogue.file_state(folder / _DATABASE)


def open_to_read(folder: Path) -> VectorFile | None:
    """The store in the folder, to be asked; None when there is none, or one of another version."""
    path = folder / _DATABASE
    if not path.is_file():
        return None
    connection = catalogue.connect(path)
    try:
        if connection.execute("PRAGMA user_version").fetchone()[0] == FILE_VERSION:
            return VectorFile(folder, connection)
    except sqlite3.DatabaseError:
        connection.close()
        raise
    connection.close()
    return None


def open_to_write(folder: Path, name: str, dimensions: int, note: Callable[[str], None]) -> VectorFile:
    """The store in the folder, made when there is none of this embedder; one that is damaged is removed first."""
    with suppress(sqlite3.DatabaseError):
        found = open_to_read(folder)
        if found is not None and (found.name, found.dimensions) == (name, dimensions) and found.is_whole:
            found.clear()
            return found
        if found is not None:
            found.connection.close()
    if folder.exists():
        note("the vectors were damaged and are rebuilt")
        shutil.rmtree(folder)
    make_folder(folder)
    path = folder / _DATABASE
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, PRIVATE_FILE))
    connection = catalogue.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    made = VectorFile(folder, connection)
    with made.change():
        connection.execute("CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID")
        connection.execute("CREATE TABLE users (memory TEXT PRIMARY KEY) WITHOUT ROWID")
        connection.execute(
            "CREATE TABLE batches (name TEXT PRIMARY KEY, key TEXT NOT NULL, digest TEXT NOT NULL,"
            " start INTEGER NOT NULL, count INTEGER NOT NULL, passages INTEGER NOT NULL, places BLOB NOT NULL,"
            " scales BLOB NOT NULL, counted BLOB NOT NULL, hashes BLOB NOT NULL)"
        )
        connection.execute("CREATE INDEX batches_of_source ON batches (key)")
        connection.executemany(
            "INSERT INTO facts VALUES (?, ?)",
            [("embedder", name), ("dimensions", str(dimensions)), ("used", "0"), ("edition", "0")],
        )
        connection.execute(f"PRAGMA user_version = {FILE_VERSION}")
    return made


TEXT_VERSION = 1
"""The number of this way to make texts; rows of another are made again where the text differs."""
MAX_TEXT_CHARS = 1100
"""About 256 tokens of English, less the words that stand before them: what a small sentence model reads."""
MAX_TITLE_CHARS = 120
"""What of a title and of headings stands before each text."""
_SPOKEN_KINDS = ("prompt", "reply", "command", "plan")
VectorScope = Literal["dialogue", "all"]
"""What has vectors: what a person and an agent said to each other, or every passage of speech."""


def batch_version(digest: str, extent: VectorScope) -> str:
    """What a batch of passages is known by among vectors, when its passages are known by `digest`."""
    return f"{TEXT_VERSION}.{extent}.{digest}"


def embedding_texts(passage: Passage, extent: VectorScope) -> Iterator[str]:
    """What is embedded of the passage; nothing of one that has no vectors."""
    if extent == "dialogue" and not is_dialogue(passage):
        return
    before = _context_prefix(passage)
    for piece in filter(str.strip, split_text(clean_text(passage.prose), MAX_TEXT_CHARS)):
        yield f"{before}\n\n{piece.strip()}" if before else piece.strip()


def is_dialogue(passage: Passage) -> bool:
    """Whether it is a turn of a conversation; a summary of turns, what sub-agents said and curated text is none."""
    return passage.is_turn and any(role in _SPOKEN_KINDS for role in passage.roles)


def text_hash(text: str) -> int:
    """What a text that was embedded is known by."""
    return count_number(text)


def _context_prefix(passage: Passage) -> str:
    """The day, the title and the headings, for a turn alone says neither when it was said nor of what."""
    day = f"[as of {passage.date:%Y-%m-%d}]" if passage.date else ""
    where = " › ".join(filter(None, (one_line(passage.head.title), one_line(passage.heading))))
    return " ".join(filter(None, (day, clean_text(shorten(where, MAX_TITLE_CHARS)))))
