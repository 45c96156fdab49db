"""Tombstones: records of forgotten sessions and documents, which keep them out from then on.

A tombstone holds names, numbers and digests, and none of the text. Those of one memory are one small file in its state
folder; every import checks the tombstones of all the user's memories. In addition the memory itself holds a hidden file
for each, named by a hash that reveals nothing, which works with any state folder and on any machine.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Container, Iterable, Mapping
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from recall_tui.errors import BrokenFileError
from recall_tui.storage.files import atomic
from recall_tui.storage.files.temporary_files import TOMBSTONE_FOLDER
from recall_tui.storage.layout import Layout
from recall_tui.storage.memory_context import Store

TOMBSTONES_FILE = "tombstones.json"
IN_MEMORY = "Something was forgotten here and is kept out. The name of this file is a hash, and tells nothing of it.\n"
"""The content of a tombstone file inside the memory."""
OBSTACLE_HINT = "restore the folder, or move this aside and forget the items again"
_HASHED = "recall-tui forgotten\0"
_HASH_DIGITS = 64


class Tombstone(NamedTuple):
    """A forgotten session or document."""

    name: str
    """The user's name for it: `conversation-014`, `debugging.md`, or the session's id."""
    on: date
    """The day without a time, so that a reviewed plan equals the plan made later."""
    sessions: tuple[str, ...] = ()
    """Every id of the session; none for a document."""
    numbers: tuple[int, ...] = ()
    """Numbers of its archives; they are not reused."""
    paths: tuple[str, ...] = ()
    """The deleted files."""
    digests: tuple[str, ...] = ()
    """SHA-256 of the deleted documents' content, to recognize a copy that returns."""
    is_done: bool = False
    """Nothing of it is left in the journal and the index either."""
    root: str = ""
    """The root of the memory in which it was forgotten."""

    @property
    def reason(self) -> str:
        """Why it is skipped, as text for the user."""
        return f"forgotten on {self.on.isoformat()}"

    def way_back(self, root: Path) -> str:
        """Return the command that lifts the tombstone, for a user who works on the memory at `root`."""
        where = "" if self.root in ("", str(root)) else f"--root {shell_words(self.root)} "
        return f"recall-tui {where}forget --undo {shell_words(self.name)}"

    def is_of_same(self, other: Tombstone) -> bool:
        """Return whether both concern the same session or document."""
        if self.sessions or other.sessions:
            return not set(self.sessions).isdisjoint(other.sessions)
        return not set(self.paths).isdisjoint(other.paths)


class Names(Container[str]):
    """A set of session ids or document digests, some of which are known only by their hash."""

    def __init__(self, known: frozenset[str] = frozenset(), hashes: frozenset[str] = frozenset()) -> None:
        """Take the names that are known, and the hashes of the others."""
        self.known: Final = known
        self.hashes: Final = hashes

    def __contains__(self, name: object) -> bool:
        """Return whether the name is known or its hash is."""
        return name in self.known or (bool(self.hashes) and isinstance(name, str) and mark_of(name) in self.hashes)


class Tombstones(NamedTuple):
    """The tombstones of one memory, or of all of them."""

    all: tuple[Tombstone, ...] = ()
    in_memory: Mapping[str, date] = MappingProxyType({})
    """The tombstone files inside the memory: each name's hash with the day of its file."""
    root: str = ""
    """The root of that memory."""

    @property
    def sessions(self) -> Names:
        """Every id of every forgotten session."""
        return Names(frozenset(id for one in self.all for id in one.sessions), frozenset(self.in_memory))

    @property
    def marks(self) -> Names:
        """Everything to keep out of the index: session ids and document digests."""
        digests = (digest for one in self.all for digest in one.digests)
        return Names(self.sessions.known.union(digests), frozenset(self.in_memory))

    @property
    def open(self) -> tuple[Tombstone, ...]:
        """The tombstones whose content may not be fully removed yet."""
        return tuple(one for one in self.all if not one.is_done)

    def of_session(self, *ids: str) -> Tombstone | None:
        """Return the tombstone of the session with one of these ids."""
        stone = next((one for one in self.all if not set(ids).isdisjoint(one.sessions)), None)
        found = ((id, self.in_memory.get(mark_of(id))) for id in ids if self.in_memory and id)
        more = (Tombstone(id, day, (id,), is_done=True, root=self.root) for id, day in found if day)
        return stone or next(more, None)

    def of_document(self, digest: str) -> Tombstone | None:
        """Return the tombstone of the document whose content has this digest."""
        stone = next((one for one in self.all if digest in one.digests), None)
        day = self.in_memory.get(mark_of(digest)) if self.in_memory else None
        return stone or (Tombstone(digest, day, digests=(digest,), is_done=True, root=self.root) if day else None)

    def with_one(self, tombstone: Tombstone) -> Tombstones:
        """Return a copy with this tombstone, which replaces older ones for the same session or document."""
        others = (one for one in self.all if not one.is_of_same(tombstone))
        return Tombstones((*others, tombstone))

    def without(self, gone: Iterable[Tombstone]) -> Tombstones:
        left = set(gone)
        return Tombstones(tuple(one for one in self.all if one not in left))

    def all_done(self, done: Iterable[Tombstone]) -> Tombstones:
        """Return a copy that marks these as fully removed."""
        over = set(done)
        return Tombstones(tuple(one._replace(is_done=True) if one in over else one for one in self.all))


def shell_words(*texts: str) -> str:
    """Quote texts so that a shell takes each as one word and never as an option."""
    import shlex

    mark = "-- " if any(text.startswith("-") for text in texts) else ""
    return mark + " ".join(map(shlex.quote, texts))


def tombstones_path(state: Path) -> Path:
    """Return the path of the tombstone file in this state folder."""
    return state / TOMBSTONES_FILE


def read_tombstones(state: Path) -> Tombstones:
    """Read the tombstones of one memory.

    Raises BrokenFileError when they cannot be read, because then it is unknown what to keep out.
    """
    path = tombstones_path(state)
    data = atomic.read_bytes(path)
    if data is None:
        return Tombstones()
    try:
        return Tombstones(tuple(map(_parse_tombstone, json.loads(data)["forgotten"])))
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        hint = "it lists forgotten items; repair it, or delete it to allow all of them again"
        raise BrokenFileError(f"{path} cannot be read: {error}", hint=hint) from error


def of_memory(store: Store) -> Tombstones:
    """Return the tombstones of one memory: those in its state folder and those inside the memory."""
    return Tombstones(read_tombstones(store.state).all, in_memory(store.layout), str(store.root))


def read_all(store: Store) -> Tombstones:
    """Return the tombstones of all the user's memories, and those inside this one.

    Raises BrokenFileError when either cannot be read, because then it is unknown what to keep out.
    """
    expect_readable(store.layout)
    found = sorted(store.environment.state.glob(f"*/{TOMBSTONES_FILE}"))
    stones = tuple(one for path in found for one in read_tombstones(path.parent).all)
    return Tombstones(stones, in_memory(store.layout), str(store.root))


def find_obstacle(layout: Layout) -> str:
    """Describe, for the user, why the tombstones inside the memory cannot be read or written; empty when they can."""
    folder = layout.base / TOMBSTONE_FOLDER
    if not os.path.lexists(folder):
        return ""
    if folder.is_symlink():
        return f"{folder} is a link, which is not followed"
    if not folder.is_dir():
        return f"{folder} is not a folder"
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return f"{folder} cannot be read and written"
    odd = (
        one for one in os.scandir(folder) if len(one.name) == _HASH_DIGITS and not one.is_file(follow_symlinks=False)
    )
    found = next(odd, None)
    return f"{found.path} is no regular file" if found else ""


def expect_readable(layout: Layout) -> None:
    """Raise BrokenFileError when the tombstones inside the memory cannot be read."""
    if words := find_obstacle(layout):
        raise BrokenFileError(f"{words}, so forgotten items of this memory are unknown", hint=OBSTACLE_HINT)


def mark_of(name: str) -> str:
    """Return the name of the tombstone file inside a memory, for a session id or a document digest."""
    return hashlib.sha256(f"{_HASHED}{name}".encode("utf-8", "surrogateescape")).hexdigest()


def places_of(layout: Layout, tombstone: Tombstone) -> tuple[Path, ...]:
    """Return the paths of its tombstone files inside the memory, existing or not."""
    names = (*tombstone.sessions, *tombstone.digests)
    return tuple(layout.base / TOMBSTONE_FOLDER / mark_of(name) for name in dict.fromkeys(filter(None, names)))


def in_memory(layout: Layout) -> dict[str, date]:
    """Return the tombstone files inside the memory, whoever made them: each name with the day of the file."""
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
    """Serialize the tombstones for their file."""
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
    # ASCII, so that bytes in names that are not UTF-8 survive.
    return json.dumps({"forgotten": rows}, indent=1) + "\n"


def mark_done(state: Path, done: Iterable[Tombstone]) -> None:
    """Mark these as fully removed; call only under the memory's lock."""
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
