"""The files of the state folder: what each holds, what of it belongs to a session, and what becomes of a damaged one.

The table of them in SECURITY.md is made from here. A name ending in `/` is a folder with everything in it.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Literal, NamedTuple

Erasure = Literal["nothing", "lines", "files", "module"]
"""The effect of forgetting: none; lines, or files, that name the session go; or the file's module clears it."""
OnDamage = Literal["", "made again", "starts empty", "set aside", "stops"]
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
    StateEntry("index/catalogue.db*", "which sources are indexed, and how far: a cache", "module", "made again"),
    StateEntry(
        "index/passages/",
        "the search index, with the text of passages: a cache, and the last copy of what vanished elsewhere",
        "module",
        "made again",
    ),
    StateEntry("index/vectors/", "vectors of passages, where an embedder is set: a cache", "module", "made again"),
    StateEntry("index/vectors/building.lock", "who makes vectors"),
    StateEntry("index/writer.lock", "who writes the index"),
    StateEntry("index/*.broken-*", "what was damaged and set aside", "module"),
    StateEntry(
        "kept/<session>/<digest>.jsonl.zst", "transcripts retained before their agent deletes them, masked", "module"
    ),
    StateEntry("hooks.jsonl", "what hooks decided where there was no memory", "lines"),
    StateEntry("joined.json", "folders that you said are one project", on_damage="starts empty"),
    StateEntry(".gitignore", "keeps the state folder out of commits"),
    StateEntry("<memory>/hooks.jsonl", "what hooks decided in this memory", "lines"),
    StateEntry("<memory>/hooks.1.jsonl", "the older half of it", "lines"),
    StateEntry("<memory>/journal/", "changes with their inverses, for 30 days or 64 MB", "module", "set aside", False),
    StateEntry("<memory>/lock", "who changes the memory", is_rewritten=False),
    StateEntry("<memory>/spool/", "files in the making", "module", is_rewritten=False),
    StateEntry(
        "<memory>/replaced/", "files of agents that another program had open while we replaced them, until it is done"
    ),
    StateEntry("<memory>/proposals/", "what waits in review, and what was decided", "files", "starts empty"),
    StateEntry(
        "<memory>/tombstones.json",
        "what was forgotten: names and digests, no text",
        on_damage="stops",
        is_rewritten=False,
    ),
    StateEntry(
        "<memory>/trusted.json",
        "digests of what you confirmed, whose the memory may be, and whether it came from elsewhere",
        on_damage="starts empty",
    ),
    StateEntry("<memory>/ledger.db*", "calls of models: when, what for, tokens, cost; no text", "module", "set aside"),
    StateEntry("<memory>/model/", "the empty folder that a model's program runs in"),
    StateEntry(
        "<memory>/sessions/", "sessions that hooks have seen and that are not captured yet", "files", "starts empty"
    ),
    StateEntry(
        "<memory>/days-seen",
        "the days on which the memory was used, so that a clock that leaps makes nothing old",
        on_damage="starts empty",
    ),
    StateEntry("<memory>/jobs/", "work that waits for the background", "files", "starts empty"),
    StateEntry(
        "<memory>/read.json",
        "which transcripts were read and held nothing new, by digests of their names",
        on_damage="starts empty",
    ),
    StateEntry(
        "<memory>/lines.json",
        "digests of lines that were written into files that are written anew; no text",
        on_damage="starts empty",
    ),
    StateEntry(
        "<memory>/hints/",
        "digests of what a session was shown, so that nothing is repeated",
        on_damage="starts empty",
    ),
    StateEntry("<memory>/catch-up", "when it was last looked for sessions that nobody captured"),
    StateEntry("<memory>/catch-up.lock", "who looks"),
    StateEntry("<memory>/searches/", "questions that were asked, when `dream.enabled` is set", "lines", "starts empty"),
    StateEntry("<memory>/searches.json", "recent and saved searches of the app", "module", "set aside"),
    StateEntry("<memory>/searches.lock", "who writes them"),
    StateEntry("<memory>/app.json", "where the app was left", on_damage="starts empty"),
    StateEntry("<memory>/dreams/", "how far a dream is", "module", "starts empty"),
    StateEntry("<memory>/dream.lock", "who dreams"),
    StateEntry("<memory>/synthesis.json", "which summaries the master has read", "module", "starts empty"),
    StateEntry("<memory>/watch.lock", "who watches"),
    StateEntry(
        "<memory>/daily/",
        "backups of the memory's small files: seven days and four weeks",
        "module",
        is_rewritten=False,
    ),
    StateEntry("<memory>/daily/order", "in which order they were made, whatever the clock said", is_rewritten=False),
    StateEntry("<memory>/daily.lock", "who makes one"),
    StateEntry("<memory>/backups/", "files that `install` replaced", "files"),
    StateEntry("<memory>/*.broken-*", "what was damaged and set aside", "files"),
)


def find_entry(name: str) -> StateEntry | None:
    """Find the entry of a file by its path below a memory's state folder; None for what no version has written."""
    matching = (entry for entry in ENTRIES if entry.path.startswith(_MEMORY) and _matches(entry, _MEMORY + name))
    return max(matching, key=lambda entry: len(entry.path), default=None)


def _matches(entry: StateEntry, name: str) -> bool:
    return fnmatchcase(name, entry.path + "*" * entry.path.endswith("/"))
