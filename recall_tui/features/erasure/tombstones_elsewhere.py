"""What was forgotten with another state folder, or on another machine, and is still held here.

The memory's own marks are hashes: whatever is held is looked through for words that have one of these.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from recall_tui.domain import Problem
from recall_tui.errors import BrokenFileError, ConflictError
from recall_tui.storage.archives.folder import ArchiveFolder
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import backup_ring, tombstones
from recall_tui.storage.state.tombstones import Names, Tombstone

_WORD = re.compile(r"[\w.-]{8,200}")
"""How an agent names a session."""


def problems(store: Store, journal: Journal) -> Iterator[Problem]:
    """The sessions that were forgotten in this memory and of which something is here, with the way out."""
    if words := tombstones.find_obstacle(store.layout):
        yield Problem("forgotten", f"{words}, so that no session is archived; {tombstones.OBSTACLE_HINT}")
    else:
        yield from _unmarked(store)
    forgotten = tombstones.of_memory(store).sessions
    back = {one.session_id for one in ArchiveFolder(store.layout).each() if one.session_id in forgotten}
    for id in sorted(back):
        yield _problem(id, "was forgotten, and an archive of it is in the memory again")
    for id in sorted(_find_stored(store, (*_in_journal(journal), *_in_backups(store), *_retained(store))) - back):
        yield _problem(id, "was forgotten with another state folder, and this one still holds it")


def still_kept_out(store: Store, stones: Iterable[Tombstone]) -> Iterator[str]:
    """Where else marks that are lifted here keep it out: each state folder lifts its own alone."""
    env = {name: value for name, value in store.environment.env.items() if name != "RECALL_STATE"}
    usual = store.environment._replace(env=env).of_memory(store.root)
    own = tombstones.read_tombstones(store.state).all
    others: tuple[Tombstone, ...] = ()
    if usual != store.state:
        with suppress(BrokenFileError, OSError):
            others = tombstones.read_tombstones(usual).all
    for stone in stones:
        way = f"recall-tui forget --undo {tombstones.shell_words(stone.name)}"
        if any(one.is_of_same(stone) for one in others):
            yield f"{stone.name}: the state folder {usual.parent} keeps it out still; run: env -u RECALL_STATE {way}"
        elif not any(one.is_of_same(stone) for one in own):
            words = "it was forgotten with another state folder, which keeps it out still"
            yield f"{stone.name}: {words}; with the RECALL_STATE that was set then, run: {way}"


def _unmarked(store: Store) -> Iterator[Problem]:
    """What this state folder alone keeps out: the marks in the memory are gone, or were lifted with another one."""
    stones = tombstones.read_tombstones(store.state).all
    alone = [
        one for one in stones if one.is_done and not any(map(Path.exists, tombstones.places_of(store.layout, one)))
    ]
    if alone:
        name = tombstones.shell_words(alone[0].name)
        more = f" and {len(alone) - 1} more" if len(alone) > 1 else ""
        words = f"{alone[0].name}{more}: kept out by this state folder alone, and no longer by the memory"
        ways = f"to let it in: recall-tui forget --undo {name}; to keep it out everywhere: recall-tui forget {name}"
        yield Problem("forgotten", f"{words}; {ways}", is_note=True)


def expect_none_in_journal(store: Store, journal: Journal) -> None:
    """Raise a ConflictError when taking a change back may bring back what was forgotten with another state folder."""
    _expect_none(store, lambda: _in_journal(journal))


def expect_none_in_backups(store: Store) -> None:
    """The same for a backup."""
    _expect_none(store, lambda: _in_backups(store))


def _expect_none(store: Store, texts: Callable[[], Iterable[str]]) -> None:
    if not _unknown(store).hashes:
        return
    if held := sorted(_find_stored(store, texts())):
        words = f"session {held[0]} was forgotten with another state folder, and this one still holds it"
        raise ConflictError(words, hint=f"run: recall-tui forget {tombstones.shell_words(*held)}")


def _find_stored(store: Store, texts: Iterable[str]) -> set[str]:
    """The sessions named in the texts that were forgotten with another state folder."""
    names = _unknown(store)
    words = {word for text in texts for word in _WORD.findall(text)} if names.hashes else set[str]()
    return {word for word in words if word in names}


def _unknown(store: Store) -> Names:
    """The marks in the memory that this state folder has none for."""
    known = (
        place.name
        for one in tombstones.read_tombstones(store.state).all
        for place in tombstones.places_of(store.layout, one)
    )
    return Names(hashes=frozenset(tombstones.in_memory(store.layout)) - frozenset(known))


def _in_journal(journal: Journal) -> Iterator[str]:
    return (text for _, _, text in journal.contents())


def _in_backups(store: Store) -> Iterator[str]:
    with suppress(BrokenFileError):
        yield from (text for _, _, text in backup_ring.all_contents(store))


def _retained(store: Store) -> Iterator[str]:
    folder = store.environment.kept
    return (path.name for path in folder.iterdir()) if folder.is_dir() else iter(())


def _problem(id: str, words: str) -> Problem:
    return Problem("forgotten", f"session {id} {words}; recall-tui forget {tombstones.shell_words(id)}")
