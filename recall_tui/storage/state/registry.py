"""The files of the state folder: what each holds, what of it belongs to a session, and what becomes of a damaged one.

The table of them in SECURITY.md is made from here. A name ending in `/` is a folder with everything in it.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Literal, NamedTuple

Erasure = Literal["nothing", "lines", "files", "module"]
"""The effect of forgetting: none; lines, or files, that name the session go; or the file's module clears it."""
OnDamage = Literal["", "rebuilt", "starts empty", "set aside", "stops"]
"""The effect of damage; `stops`: commands that need the file fail and name it."""


class StateEntry(NamedTuple):
    """A file or folder, by its path below the state folder; `<memory>/` stands for the folder of each memory."""

    path: str
    holds: str
    erasure: Erasure = "nothing"
    on_damage: OnDamage = ""
    is_rewritten: bool = True
    """Its text may be replaced by others than its module, as when a secret is masked."""


_MEMORY = "<memory>/"
ENTRIES = (
    StateEntry("index/catalogue.db*", "indexed sources and their positions: a cache", "module", "rebuilt"),
    StateEntry(
        "index/passages/",
        "the search index with the text of passages: a cache, and the last copy of deleted sources",
        "module",
        "rebuilt",
    ),
    StateEntry("index/vectors/", "vectors of passages, if an embedder is configured: a cache", "module", "rebuilt"),
    StateEntry("index/vectors/building.lock", "lock for making vectors"),
    StateEntry("index/writer.lock", "lock for writing the index"),
    StateEntry("index/*.broken-*", "damaged files that were set aside", "module"),
    StateEntry(
        "kept/<session>/<digest>.jsonl.zst", "transcripts retained before their agent deletes them, masked", "module"
    ),
    StateEntry("hooks.jsonl", "decisions of hooks without a memory", "lines"),
    StateEntry("joined.json", "folders that you joined into one project", on_damage="starts empty"),
    StateEntry(".gitignore", "keeps the state folder out of commits"),
    StateEntry("<memory>/hooks.jsonl", "decisions of hooks in this memory", "lines"),
    StateEntry("<memory>/hooks.1.jsonl", "the older half of that log", "lines"),
    StateEntry(
        "<memory>/journal/", "changes with their inverses, up to 30 days or 64 MB", "module", "set aside", False
    ),
    StateEntry("<memory>/lock", "lock for changing the memory", is_rewritten=False),
    StateEntry("<memory>/spool/", "files being written", "module", is_rewritten=False),
    StateEntry("<memory>/replaced/", "agents' files that another program had open while we replaced them"),
    StateEntry("<memory>/proposals/", "proposals, open and decided", "files", "starts empty"),
    StateEntry(
        "<memory>/tombstones.json",
        "forgotten items: names and hashes, no text",
        on_damage="stops",
        is_rewritten=False,
    ),
    StateEntry(
        "<memory>/trusted.json",
        "hashes of confirmed settings, permitted owners, and the memory's origin",
        on_damage="starts empty",
    ),
    StateEntry("<memory>/ledger.db*", "model calls: time, purpose, tokens, cost; no text", "module", "set aside"),
    StateEntry("<memory>/model/", "the empty folder that a model's program runs in"),
    StateEntry(
        "<memory>/sessions/", "sessions that hooks have seen and that are not captured yet", "files", "starts empty"
    ),
    StateEntry(
        "<memory>/days-seen",
        "days on which the memory was used, so that a wrong clock expires nothing",
        on_damage="starts empty",
    ),
    StateEntry("<memory>/jobs/", "pending background work", "files", "starts empty"),
    StateEntry(
        "<memory>/read.json",
        "hashes of the names of transcripts without news",
        on_damage="starts empty",
    ),
    StateEntry(
        "<memory>/lines.json",
        "hashes of lines written into generated files; no text",
        on_damage="starts empty",
    ),
    StateEntry(
        "<memory>/hints/",
        "hashes of pointers shown in a session, so that none is repeated",
        on_damage="starts empty",
    ),
    StateEntry("<memory>/catch-up", "time of the last search for uncaptured sessions"),
    StateEntry("<memory>/catch-up.lock", "lock for that search"),
    StateEntry("<memory>/searches/", "queries, if `dream.enabled` is set", "lines", "starts empty"),
    StateEntry("<memory>/searches.json", "recent and saved searches of the app", "module", "set aside"),
    StateEntry("<memory>/searches.lock", "lock for writing them"),
    StateEntry("<memory>/last-search.json", "places of the last search's hits; no text", "module", "starts empty"),
    StateEntry(
        "<memory>/server-calls.jsonl",
        "names of the agents that asked the MCP server, with the time of the last call",
        "lines",
        "starts empty",
    ),
    StateEntry("<memory>/server-errors.jsonl", "the newest 50 errors of the MCP server", "module", "starts empty"),
    StateEntry("<memory>/server.lock", "lock for writing these two"),
    StateEntry("<memory>/app.json", "the app's last position", on_damage="starts empty"),
    StateEntry("<memory>/dreams/", "progress of a dream", "module", "starts empty"),
    StateEntry("<memory>/dream.lock", "lock for dreaming"),
    StateEntry("<memory>/synthesis.json", "summaries included in the master", "module", "starts empty"),
    StateEntry("<memory>/watch.lock", "lock for watching"),
    StateEntry(
        "<memory>/daily/",
        "backups of the memory's small files: seven days and four weeks",
        "module",
        is_rewritten=False,
    ),
    StateEntry("<memory>/daily/order", "the order of the backups, independent of the clock", is_rewritten=False),
    StateEntry("<memory>/daily.lock", "lock for making a backup"),
    StateEntry("<memory>/backups/", "files that `install` replaced", "files"),
    StateEntry("<memory>/*.broken-*", "damaged files that were set aside", "files"),
)


def find_entry(name: str) -> StateEntry | None:
    """Find the entry of a file by its path below a memory's state folder; None for what no version has written."""
    matching = (entry for entry in ENTRIES if entry.path.startswith(_MEMORY) and _matches(entry, _MEMORY + name))
    return max(matching, key=lambda entry: len(entry.path), default=None)


def _matches(entry: StateEntry, name: str) -> bool:
    return fnmatchcase(name, entry.path + "*" * entry.path.endswith("/"))
