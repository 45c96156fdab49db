"""What was forgotten, and shall stay so: the marks that keep a session or a document out from now on.

A mark holds names, numbers and digests and nothing of what was said. Those of one memory are one small file in its
state; whoever takes something in asks for the marks of all memories of the person. In the memory itself lies, hidden, a
file for each, whose name is a hash and says nothing: there it counts with any other state folder, and on any machine.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

from recall_tui.errors import BrokenFileError
from recall_tui.storage.files import atomic
from recall_tui.storage.files.temporary_files import TOMBSTONE_FOLDER
from recall_tui.storage.layout import Layout
from recall_tui.storage.memory_context import Store

TOMBSTONES_FILE = "tombstones.json"
IN_MEMORY = "Something was forgotten here and is kept out. The name of this file is a hash, and tells nothing of it.\n"
"""The text of a mark in the memory itself."""
OBSTACLE_HINT = "put back the folder that was there, or move what is there away, and forget again what was forgotten"
_HASHED = "recall-tui forgotten\0"
_HASH_DIGITS = 64


@dataclass(frozen=True, slots=True)
class Tombstone:
    """Something that was forgotten."""

    name: str
    """What a person calls it: `conversation-014`, `debugging.md`, or the session's id."""
    on: date
    """The day, and no more: a plan that is looked at is the same when it is made."""
    sessions: tuple[str, ...] = ()
    """Every id by which the session is known; none for a document."""
    numbers: tuple[int, ...] = ()
    """Of its archives; they are not given to others."""
    paths: tuple[str, ...] = ()
    """The files that went."""
    digests: tuple[str, ...] = ()
    """Of the documents that went: SHA-256 of their content, by which a copy that comes back is known."""
    is_done: bool = False
    """Nothing of it is left in the journal and in the index either."""
    root: str = ""
    """The memory in which it was forgotten."""

    @property
    def reason(self) -> str:
        """Why it is passed over, for a person."""
        return f"forgotten on {self.on.isoformat()}"

    def way_back(self, root: Path) -> str:
        """The command that lets it in again, for one who works on the memory at `root`."""
        where = "" if self.root in ("", str(root)) else f"--root {shell_words(self.root)} "
        return f"recall-tui {where}forget --undo {shell_words(self.name)}"

    def is_of_same(self, other: Tombstone) -> bool:
        """Whether both are of one session, or of one document."""
        if self.sessions or other.sessions:
            return not set(self.sessions).isdisjoint(other.sessions)
        return not set(self.paths).isdisjoint(other.paths)


@dataclass(frozen=True, slots=True)
class Names(Container[str]):
    """Ids of sessions, or digests of documents: some are known, of others there is only the hash."""

    known: frozenset[str] = frozenset()
    hashes: frozenset[str] = frozenset()

    def __contains__(self, name: object) -> bool:
        """Whether it is one of those that are known, or whose hash is there."""
        return name in self.known or (bool(self.hashes) and isinstance(name, str) and mark_of(name) in self.hashes)


@dataclass(frozen=True, slots=True)
class Tombstones:
    """What was forgotten in one memory, or in all of them."""

    all: tuple[Tombstone, ...] = ()
    in_memory: Mapping[str, date] = field(default_factory=dict)
    """The marks that lie in the memory itself, each with the day of its file."""
    root: str = ""
    """The memory that those lie in."""

    @property
    def sessions(self) -> Names:
        """Every id of every session that was forgotten."""
        return Names(frozenset(id for one in self.all for id in one.sessions), frozenset(self.in_memory))

    @property
    def marks(self) -> Names:
        """What is not to be indexed is known by one of these: ids of sessions, digests of documents."""
        digests = (digest for one in self.all for digest in one.digests)
        return Names(self.sessions.known.union(digests), frozenset(self.in_memory))

    @property
    def open(self) -> tuple[Tombstone, ...]:
        """Those of which something may be left."""
        return tuple(one for one in self.all if not one.is_done)

    def of_session(self, *ids: str) -> Tombstone | None:
        """The mark of a session that is known by one of these ids."""
        stone = next((one for one in self.all if not set(ids).isdisjoint(one.sessions)), None)
        found = ((id, self.in_memory.get(mark_of(id))) for id in ids if self.in_memory and id)
        more = (Tombstone(id, day, (id,), is_done=True, root=self.root) for id, day in found if day)
        return stone or next(more, None)

    def of_document(self, digest: str) -> Tombstone | None:
        """The mark of a document that held what has this digest."""
        stone = next((one for one in self.all if digest in one.digests), None)
        day = self.in_memory.get(mark_of(digest)) if self.in_memory else None
        return stone or (Tombstone(digest, day, digests=(digest,), is_done=True, root=self.root) if day else None)

    def with_one(self, tombstone: Tombstone) -> Tombstones:
        """The same with a mark, which takes the place of older ones for the same session or document."""
        others = (one for one in self.all if not one.is_of_same(tombstone))
        return Tombstones((*others, tombstone))

    def without(self, gone: Iterable[Tombstone]) -> Tombstones:
        """The same without these."""
        left = set(gone)
        return Tombstones(tuple(one for one in self.all if one not in left))

    def all_done(self, done: Iterable[Tombstone]) -> Tombstones:
        """The same, of these nothing being left anywhere."""
        over = set(done)
        return Tombstones(tuple(replace(one, is_done=True) if one in over else one for one in self.all))


def shell_words(*texts: str) -> str:
    """Texts as a shell takes each for one word of a command, and none for an option."""
    import shlex

    mark = "-- " if any(text.startswith("-") for text in texts) else ""
    return mark + " ".join(map(shlex.quote, texts))


def tombstones_path(state: Path) -> Path:
    """Where the marks of the memory with this state folder are."""
    return state / TOMBSTONES_FILE


def read_tombstones(state: Path) -> Tombstones:
    """The marks of one memory; BrokenFileError when they cannot be read, for then nobody knows what is kept out."""
    path = tombstones_path(state)
    data = atomic.read_bytes(path)
    if data is None:
        return Tombstones()
    try:
        return Tombstones(tuple(map(_parse_tombstone, json.loads(data)["forgotten"])))
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        hint = "it says what was forgotten; mend it, or delete it to let all of that come back"
        raise BrokenFileError(f"{path} cannot be read: {error}", hint=hint) from error


def of_memory(store: Store) -> Tombstones:
    """The marks of one memory: those in its state folder, and those that lie in it."""
    return Tombstones(read_tombstones(store.state).all, in_memory(store.layout), str(store.root))


def read_all(store: Store) -> Tombstones:
    """The marks of every memory of the person, and those that lie in this one.

    BrokenFileError when either cannot be read, for then nobody knows what is kept out.
    """
    expect_readable(store.layout)
    found = sorted(store.places.state.glob(f"*/{TOMBSTONES_FILE}"))
    stones = tuple(one for path in found for one in read_tombstones(path.parent).all)
    return Tombstones(stones, in_memory(store.layout), str(store.root))


def find_obstacle(layout: Layout) -> str:
    """What keeps the marks in the memory from being read and written, for a person; empty when nothing does."""
    folder = layout.base / TOMBSTONE_FOLDER
    if not os.path.lexists(folder):
        return ""
    if folder.is_symlink():
        return f"{folder} is a link, which is not followed"
    if not folder.is_dir():
        return f"{folder} is no folder"
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return f"{folder} cannot be read and written"
    odd = (
        one for one in os.scandir(folder) if len(one.name) == _HASH_DIGITS and not one.is_file(follow_symlinks=False)
    )
    found = next(odd, None)
    return f"{found.path} is no regular file" if found else ""


def expect_readable(layout: Layout) -> None:
    """BrokenFileError when something stands in the place of the marks in the memory."""
    if words := find_obstacle(layout):
        raise BrokenFileError(f"{words}, and nobody knows what was forgotten in this memory", hint=OBSTACLE_HINT)


def mark_of(name: str) -> str:
    """The name of the file in a memory that keeps out a session by its id, or a document by its digest."""
    return hashlib.sha256(f"{_HASHED}{name}".encode("utf-8", "surrogateescape")).hexdigest()


def places_of(layout: Layout, tombstone: Tombstone) -> tuple[Path, ...]:
    """Where the marks of it lie in the memory itself, be they there or not."""
    names = (*tombstone.sessions, *tombstone.digests)
    return tuple(layout.base / TOMBSTONE_FOLDER / mark_of(name) for name in dict.fromkeys(filter(None, names)))


def in_memory(layout: Layout) -> dict[str, date]:
    """The marks that lie in the memory, whoever made them, each with the day of its file."""
    folder = layout.base / TOMBSTONE_FOLDER
    try:
        if folder.is_symlink():
            return {}
        with os.scandir(folder) as entries:
            own = (one for one in entries if len(one.name) == _HASH_DIGITS and one.is_file(follow_symlinks=False))
            return {one.name: date.fromtimestamp(one.stat(follow_symlinks=False).st_mtime) for one in own}
    except OSError:
        return {}


def render_tombstones(tombstones: Tombstones) -> str:
    """The marks as their file holds them."""
    rows = [
        {
            "name": one.name,
            "on": one.on.isoformat(),
            "sessions": one.sessions,
            "numbers": one.numbers,
            "paths": one.paths,
            "digests": one.digests,
            "is_done": one.is_done,
            "root": one.root,
        }
        for one in tombstones.all
    ]
    # ASCII, so that bytes of names that are no UTF-8 come through.
    return json.dumps({"forgotten": rows}, indent=1) + "\n"


def mark_done(state: Path, done: Iterable[Tombstone]) -> None:
    """Note that of these nothing is left; only under the memory's lock."""
    now = read_tombstones(state)
    after = now.all_done(done)
    if after != now:
        atomic.write_file(tombstones_path(state), render_tombstones(after).encode())


def _parse_tombstone(row: dict[str, Any]) -> Tombstone:
    def texts(name: str) -> tuple[str, ...]:
        return tuple(map(str, row[name]))

    return Tombstone(
        name=str(row["name"]),
        on=date.fromisoformat(row["on"]),
        sessions=texts("sessions"),
        numbers=tuple(map(int, row["numbers"])),
        paths=texts("paths"),
        digests=texts("digests"),
        is_done=bool(row["is_done"]),
        root=str(row["root"]),
    )
