"""What a master has seen already: which summaries are new, edited, renamed or gone since it was made.

They are told by names and hashes in the master's own footer, so that a fresh clone knows as much; the state folder
is asked when the footer is gone, and times of files only for a master that never had one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from recall_tui import files
from recall_tui.storage.documents import master_file
from recall_tui.storage.documents.master_file import Master, MasterRecord, text_hash
from recall_tui.storage.files import atomic, symlinks
from recall_tui.storage.layout import Layout
from recall_tui.storage.memory_context import Store

STATE_FILE = "synthesis.json"
"""In the state folder: by master, what it was made of, and what was proposed."""
PUBLISHED_FILE = ".synthesis-state.json"
"""Beside the master: the state of the published design."""
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ][0-9:.]+(?:Z|[+-]\d\d:?\d\d)?)?")
_MAX_BYTES = 4 << 20


class SourceChanges(NamedTuple):
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


def compare_sources(
    known: Mapping[str, str], now: Mapping[str, str], there: frozenset[str] | None = None
) -> SourceChanges:
    """What changed between two sets of names and hashes; an empty known hash is any.

    What is `there`, though it cannot be read, is not gone.
    """
    gone = [name for name in known if name not in now and name not in (there or ())]
    new = [name for name in now if name not in known]
    by_hash = {known[name]: name for name in reversed(gone) if known[name]}
    renamed = [(by_hash.pop(now[name]), name) for name in new if now[name] in by_hash]
    moved = {name for pair in renamed for name in pair}
    edited = [name for name in now if known.get(name) and known[name] != now[name]]
    return SourceChanges(
        tuple(name for name in new if name not in moved),
        tuple(edited),
        tuple(name for name in gone if name not in moved),
        tuple(renamed),
    )


def count_new_summaries(store: Store) -> int:
    """How many summaries were written or edited since the last synthesis; cheap enough for a hook."""
    now = dict(summary_hashes(store))
    record = find_record(store, atomic.read_text(store.layout.master), now)
    return len(compare_sources(record.summaries if record else {}, now).fresh)


def count_due_summaries(store: Store) -> int:
    """How many summaries wait to be synthesised by themselves, as `synthesize.after` has it; 0 when too few do.

    What was proposed already does not count again.
    """
    after = store.config.whole("synthesize.after")
    if not after:
        return 0
    now = dict(summary_hashes(store))
    record = find_record(store, atomic.read_text(store.layout.master), now)
    proposed = master_file.texts_by_name(_load_state(store).get("proposed"))
    fresh = [
        name
        for name in compare_sources(record.summaries if record else {}, now).fresh
        if proposed.get(name) != now[name]
    ]
    return len(fresh) if len(fresh) >= after else 0


def summary_hashes(store: Store) -> Iterator[tuple[str, str]]:
    """The name and the hash of every summary that can be read."""
    if store.layout.summaries is None:
        yield from _archive_hashes(store)
        return
    from recall_tui.storage.archives.summary_file import readable_text

    for path in summary_paths(store.layout, store.layout.summaries):
        try:
            text = files.read_file(path).decode("utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        if text.strip():
            yield path.stem, text_hash(readable_text(text))


def summary_paths(layout: Layout, folder: Path) -> list[Path]:
    """Whatever bears a summary's name, in the order of the names; nothing that a link brings in."""
    is_shut = symlinks.link_check(layout)
    try:
        found = sorted(path for path in folder.iterdir() if path.suffix == ".md" and not path.name.startswith("."))
        return [path for path in found if not is_shut(path)]
    except (FileNotFoundError, NotADirectoryError):
        return []


def _archive_hashes(store: Store) -> Iterator[tuple[str, str]]:
    """In other layouts archives stand for summaries; without them what the window tells does."""
    if not store.layout.archives:
        from recall_tui.storage.documents import window_file

        for held in window_file.parse_window(atomic.read_text(store.layout.window)).entries:
            yield held.session_id, text_hash(held.summary)
        return
    from recall_tui.storage.archives.folder import ArchiveFolder

    for entry in ArchiveFolder(store.layout).entries():
        content = entry.content_hash or str(entry.path.stat().st_size)
        yield entry.name, text_hash(f"{entry.session_id} {content}")


def find_record(store: Store, text: str, now: Mapping[str, str]) -> MasterRecord | None:
    """What the master that holds `text` was made of; None when nothing was synthesised into it yet."""
    record = master_file.find_record(text) if text.strip() else None
    if record is not None and (record.summaries or not master_file.is_placeholder(text)):
        return record
    if not text.strip() or master_file.is_placeholder(text):
        return None
    kept = _load_state(store)
    if kept.get("summaries") or kept.get("at"):
        return master_file.record_from_values(kept)
    return _published_record(store, text, now)


def save_record(store: Store, master: Master) -> None:
    """Write down in the state folder what the master was made of, for when its footer gets lost."""
    if master.record is not None:
        _save_state(store, master_file.note_fields(master, master.record))


def save_proposed(store: Store, summaries: Mapping[str, str]) -> None:
    """Write down which summaries a proposal was made of, so that the same is not proposed again and again."""
    _save_state(store, _load_state(store) | {"proposed": dict(summaries)})


def forget_sources(store: Store, names: Collection[str]) -> None:
    """Take these summaries and documents out of what the state folder knows, and themes that no master has any more."""
    before = _load_json(store.state / STATE_FILE)
    after = {master: _without(store, master, facts, names) for master, facts in before.items()}
    if after != before:
        atomic.write_json(store.state / STATE_FILE, after, indent=1)


def _without(store: Store, master: str, facts: object, names: Collection[str]) -> object:
    if not isinstance(facts, dict):
        return facts
    found = master_file.find_record(atomic.read_text(store.root / master))
    themes = found.themes if found else ()
    less: dict[str, object] = {}
    if "themes" in facts:
        less["themes"] = [one for one in facts["themes"] or () if one in themes]
    for key in ("summaries", "docs", "proposed"):
        if key in facts:
            less[key] = {name: one for name, one in master_file.texts_by_name(facts[key]).items() if name not in names}
    if "inherited" in facts:
        less["inherited"] = [name for name in facts["inherited"] or () if name not in names]
    return facts | less


def _published_record(store: Store, text: str, now: Mapping[str, str]) -> MasterRecord | None:
    """What a master without our footer has seen: by the state file beside it, else by the times of the files.

    None for one that says nowhere that it was synthesised: a person wrote it.
    """
    day = master_file.find_synthesis_day(text)
    listed = _load_published(store.layout.base / PUBLISHED_FILE)
    if listed is not None:
        at, names = listed
        return MasterRecord(at or day, {name: now.get(name, "") for name in names})
    if not master_file.was_synthesized(text):
        return None
    try:
        made = store.layout.master.stat().st_mtime_ns
    except OSError:
        return MasterRecord(day)
    return MasterRecord(day, {name: held for name, held in now.items() if not _is_newer(store, name, made)})


def _is_newer(store: Store, name: str, made: int) -> bool:
    folder = store.layout.summaries
    if folder is None:
        return False
    try:
        return (folder / f"{name}.md").stat().st_mtime_ns > made
    except OSError:
        return True


def _load_published(path: Path) -> tuple[str, tuple[str, ...]] | None:
    """The date of the last synthesis and the conversations in it, by the published design's state file.

    Its keys differ between generations: a key that speaks of conversations or summaries lists names, one that speaks
    of a date or of the last time holds it.
    """
    table = _load_json(path)
    if not table:
        return None
    at, names = "", []
    for key, value in table.items():
        key = key.lower()
        if isinstance(value, str) and not at and _DATE.match(value):
            at = value
        if isinstance(value, list | dict) and ("conversation" in key or "summar" in key or "session" in key):
            names += [name for one in value if (name := _entry_name(one))]
    return at, tuple(dict.fromkeys(names))


def _entry_name(one: object) -> str:
    """The name that an entry of a list tells: a text, or an object with an id or a file."""
    if isinstance(one, dict):
        one = next((one[key] for key in ("id", "session_id", "sessionId", "file", "name", "path") if key in one), "")
    return one.rpartition("/")[2].removesuffix(".md") if isinstance(one, str) else ""


def _load_state(store: Store) -> dict[str, object]:
    found = _load_json(store.state / STATE_FILE).get(store.relative(store.layout.master))
    return found if isinstance(found, dict) else {}


def _save_state(store: Store, facts: Mapping[str, object]) -> None:
    every = _load_json(store.state / STATE_FILE) | {store.relative(store.layout.master): facts}
    atomic.write_json(store.state / STATE_FILE, every, indent=1)


def _load_json(path: Path) -> dict[str, object]:
    table = atomic.read_json(path, _MAX_BYTES)
    return table if isinstance(table, dict) else {}


def adopt_record(store: Store, record: MasterRecord, now: Mapping[str, str], there: frozenset[str]) -> MasterRecord:
    """The record of a master that came from elsewhere: what it was made of never was here, and its lines stay."""
    known_here = {*there, *master_file.texts_by_name(_load_state(store).get("summaries"))}
    is_here = any(name in known_here for name in record.summaries) or set(record.summaries.values()) & set(now.values())
    if not record.summaries or is_here:
        return record
    return replace(record, summaries={}, inherited=tuple(dict.fromkeys((*record.inherited, *record.summaries))))
