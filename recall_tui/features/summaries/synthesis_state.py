"""What a master has seen already: which summaries are new, edited, renamed or gone since it was made.

They are told by names and hashes in the master's own footer, so that a fresh clone knows as much; the state folder
is asked when the footer is gone, and times of files only for a master that never had one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from recall_tui import files
from recall_tui.storage.documents import master_file
from recall_tui.storage.documents.master_file import Master, Record, hash_of
from recall_tui.storage.files import atomic
from recall_tui.storage.files import symlinks as links
from recall_tui.storage.layout import Layout
from recall_tui.storage.memory_context import Store

FILE = "synthesis.json"
"""In the state folder: by master, what it was made of, and what was proposed."""
PUBLISHED = ".synthesis-state.json"
"""Beside the master: the state of the published design."""
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ][0-9:.]+(?:Z|[+-]\d\d:?\d\d)?)?")
_MOST_BYTES = 4 << 20


class News(NamedTuple):
    """How the sources are now, against what was made of them."""

    new: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    """The old name and the new one of what is the same otherwise."""

    def __bool__(self) -> bool:
        return any(self)

    @property
    def fresh(self) -> tuple[str, ...]:
        """What is to be read."""
        return (*self.new, *self.edited)


def news(known: Mapping[str, str], now: Mapping[str, str], there: frozenset[str] | None = None) -> News:
    """What changed between two sets of names and hashes; an empty known hash is any.

    What is `there`, though it cannot be read, is not gone.
    """
    gone = [name for name in known if name not in now and name not in (there or ())]
    new = [name for name in now if name not in known]
    by_hash = {known[name]: name for name in reversed(gone) if known[name]}
    renamed = [(by_hash.pop(now[name]), name) for name in new if now[name] in by_hash]
    moved = {name for pair in renamed for name in pair}
    edited = [name for name in now if known.get(name) and known[name] != now[name]]
    return News(
        tuple(name for name in new if name not in moved),
        tuple(edited),
        tuple(name for name in gone if name not in moved),
        tuple(renamed),
    )


def new_summaries(store: Store) -> int:
    """How many summaries were written or edited since the last synthesis; cheap enough for a hook."""
    now = dict(summaries_now(store))
    record = known(store, atomic.read_text(store.layout.master), now)
    return len(news(record.summaries if record else {}, now).fresh)


def due(store: Store) -> int:
    """How many summaries wait to be synthesised by themselves, as `synthesize.after` has it; 0 when too few do.

    What was proposed already does not count again.
    """
    after = store.config.whole("synthesize.after")
    if not after:
        return 0
    now = dict(summaries_now(store))
    record = known(store, atomic.read_text(store.layout.master), now)
    proposed = master_file.texts_by_name(_kept(store).get("proposed"))
    fresh = [name for name in news(record.summaries if record else {}, now).fresh if proposed.get(name) != now[name]]
    return len(fresh) if len(fresh) >= after else 0


def summaries_now(store: Store) -> Iterator[tuple[str, str]]:
    """The name and the hash of every summary that can be read."""
    if store.layout.summaries is None:
        yield from _archives_now(store)
        return
    from recall_tui.storage.archives.summary_file import words_of

    for path in summary_paths(store.layout, store.layout.summaries):
        try:
            text = files.read(path).decode("utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        if text.strip():
            yield path.stem, hash_of(words_of(text))


def summary_paths(layout: Layout, folder: Path) -> list[Path]:
    """Whatever bears a summary's name, in the order of the names; nothing that a link brings in."""
    is_shut = links.gate(layout)
    try:
        found = sorted(path for path in folder.iterdir() if path.suffix == ".md" and not path.name.startswith("."))
        return [path for path in found if not is_shut(path)]
    except (FileNotFoundError, NotADirectoryError):
        return []


def _archives_now(store: Store) -> Iterator[tuple[str, str]]:
    """In other layouts archives stand for summaries; without them what the window tells does."""
    if not store.layout.archives:
        from recall_tui.storage.documents import window_file

        for held in window_file.parse(atomic.read_text(store.layout.window)).entries:
            yield held.session_id, hash_of(held.summary)
        return
    from recall_tui.storage.archives.folder import ArchiveFolder

    for entry in ArchiveFolder(store.layout).entries():
        content = entry.content_hash or str(entry.path.stat().st_size)
        yield entry.name, hash_of(f"{entry.session_id} {content}")


def known(store: Store, text: str, now: Mapping[str, str]) -> Record | None:
    """What the master that holds `text` was made of; None when nothing was synthesised into it yet."""
    if not text.strip() or master_file.is_placeholder(text):
        return None
    if record := master_file.record_in(text):
        return record
    kept = _kept(store)
    if kept.get("summaries") or kept.get("at"):
        return master_file.record_of(kept)
    return _published(store, text, now)


def remember(store: Store, master: Master) -> None:
    """Write down in the state folder what the master was made of, for when its footer gets lost."""
    if master.record is not None:
        _keep(store, master_file.facts_of(master, master.record))


def remember_proposed(store: Store, summaries: Mapping[str, str]) -> None:
    """Write down which summaries a proposal was made of, so that the same is not proposed again and again."""
    _keep(store, _kept(store) | {"proposed": dict(summaries)})


def _published(store: Store, text: str, now: Mapping[str, str]) -> Record | None:
    """What a master without our footer has seen: by the state file beside it, else by the times of the files.

    None for one that says nowhere that it was synthesised: a person wrote it.
    """
    day = master_file.last_synthesized(text)
    listed = _listed(store.layout.base / PUBLISHED)
    if listed is not None:
        at, names = listed
        return Record(at or day, {name: now.get(name, "") for name in names})
    if not master_file.was_synthesized(text):
        return None
    try:
        made = store.layout.master.stat().st_mtime_ns
    except OSError:
        return Record(day)
    return Record(day, {name: held for name, held in now.items() if not _is_newer(store, name, made)})


def _is_newer(store: Store, name: str, made: int) -> bool:
    folder = store.layout.summaries
    if folder is None:
        return False
    try:
        return (folder / f"{name}.md").stat().st_mtime_ns > made
    except OSError:
        return True


def _listed(path: Path) -> tuple[str, tuple[str, ...]] | None:
    """The date of the last synthesis and the conversations in it, by the published design's state file.

    Its keys differ between generations: a key that speaks of conversations or summaries lists names, one that speaks
    of a date or of the last time holds it.
    """
    table = _json(path)
    if not table:
        return None
    at, names = "", []
    for key, value in table.items():
        key = key.lower()
        if isinstance(value, str) and not at and _DATE.match(value):
            at = value
        if isinstance(value, list | dict) and ("conversation" in key or "summar" in key or "session" in key):
            names += [name for one in value if (name := _name(one))]
    return at, tuple(dict.fromkeys(names))


def _name(one: object) -> str:
    """The name that an entry of a list tells: a text, or an object with an id or a file."""
    if isinstance(one, dict):
        one = next((one[key] for key in ("id", "session_id", "sessionId", "file", "name", "path") if key in one), "")
    return one.rpartition("/")[2].removesuffix(".md") if isinstance(one, str) else ""


def _kept(store: Store) -> dict[str, object]:
    found = _json(store.state / FILE).get(store.relative(store.layout.master))
    return found if isinstance(found, dict) else {}


def _keep(store: Store, facts: Mapping[str, object]) -> None:
    every = _json(store.state / FILE) | {store.relative(store.layout.master): facts}
    atomic.write(store.state / FILE, json.dumps(every, indent=1).encode())


def _json(path: Path) -> dict[str, object]:
    try:
        data = atomic.read_bytes(path) or b""
        table = json.loads(data) if len(data) < _MOST_BYTES else None
    except (ValueError, OSError, RecursionError):
        return {}
    return table if isinstance(table, dict) else {}


def inherited(store: Store, record: Record, now: Mapping[str, str], there: frozenset[str]) -> Record:
    """The record of a master that came from elsewhere: what it was made of never was here, and its lines stay."""
    known_here = {*there, *master_file.texts_by_name(_kept(store).get("summaries"))}
    is_here = any(name in known_here for name in record.summaries) or set(record.summaries.values()) & set(now.values())
    if not record.summaries or is_here:
        return record
    return replace(record, summaries={}, inherited=tuple(dict.fromkeys((*record.inherited, *record.summaries))))
