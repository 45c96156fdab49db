"""What dreaming keeps between its phases, in the memory's state folder: signals, what each came to, what is to be told.

Every file is whole or as it was before; one that cannot be read is as if it were not there.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from recall_tui.features.grounding.extractive_summary import SourceLine
from recall_tui.storage.documents.wiki_page import Category, SupersededClaim
from recall_tui.storage.files import atomic, lock
from recall_tui.storage.memory_context import Store

FOLDER = "dreams"
CANDIDATES_FILE = "candidates.json"
STATE_FILE = "dream-state.json"
_ANALYSES_FILE = "analyses.json"
_LOCK_FILE = "dream.lock"
_LOCK_TIMEOUT_SECONDS = 1.0
_MAX_ANALYZED_SIGNALS = 2_000
"""Signals of which is remembered that a model looked into them."""
Action = Literal["page", "contradict", "merge", "rebuild", "doubt"]


class WikiOperation(NamedTuple):
    """One thing to do with the wiki."""

    slug: str
    category: Category
    name: str
    why: str
    lines: tuple[SourceLine, ...]
    """What the page says, with where it is from."""
    superseded: tuple[SupersededClaim, ...] = ()
    action: Action = "page"
    """`page`: begun, or added to; `contradict`: others say the opposite; `merge`: it becomes the other;
    `rebuild`: in order again from its sources; `doubt`: less is to be expected of it."""
    others: tuple[str, ...] = ()
    """Pages that it is related to, that contradict it, or the one that it becomes."""
    description: str = ""
    is_told: bool = False
    """A model found the words."""
    is_doubtful: bool = False
    """What it supersedes may hold in part: a person is to say."""


class Insight(NamedTuple):
    """One thing that was found, with the lines it rests on."""

    text: str
    evidence: tuple[str, ...] = ()
    theme: str = ""


class WisdomPatch(NamedTuple):
    """A change of one entry of WISDOM.md."""

    op: Literal["add", "update", "remove"]
    id: str
    line: SourceLine
    """What it says, or of one that removes what speaks against the entry, with where it is from."""


@dataclass(frozen=True, slots=True)
class SignalAnalysis:
    """What one signal came to."""

    operations: tuple[WikiOperation, ...] = ()
    insights: tuple[Insight, ...] = ()
    contradictions: tuple[Insight, ...] = ()
    gaps: tuple[Insight, ...] = ()
    patches: tuple[WisdomPatch, ...] = ()
    notes: tuple[str, ...] = ()
    """What was left out of an answer, and why."""
    failed: str = ""
    """Why no model told it, where one was asked."""
    is_told: bool = False
    """A model told it."""
    digest: str = ""
    """Of what the model was shown."""


class PendingDiaryEntry(NamedTuple):
    """An entry that is still to be written into the diary."""

    entry: str
    was: str
    """`digest` of the diary before it."""


@dataclass(frozen=True, slots=True)
class DreamState:
    """Where a dream is."""

    analyses: Mapping[str, SignalAnalysis] = field(default_factory=dict)
    """By signal; they wait to be written."""
    settled: Mapping[str, str] = field(default_factory=dict)
    """By signal what a model was shown of it last; it is not asked the same again."""
    untold: PendingDiaryEntry | None = None


@contextmanager
def dream_lock(store: Store) -> Iterator[None]:
    """Dream for the block, and nobody else meanwhile; LockedError says who does. The memory itself is not locked."""
    with lock.acquire(store.state / _LOCK_FILE, "dreaming", _LOCK_TIMEOUT_SECONDS):
        yield


def load_state(store: Store) -> DreamState:
    """Where the dream is."""
    import msgspec

    told = load_file(store, _ANALYSES_FILE)
    if not isinstance(told, dict):
        return DreamState()
    analyses: dict[str, SignalAnalysis] = {}
    rows, settled, untold = told.get("analyses"), told.get("settled"), told.get("untold")
    for key, row in rows.items() if isinstance(rows, dict) else ():
        try:
            analyses[key] = msgspec.convert(row, SignalAnalysis)
        except msgspec.ValidationError:
            continue
    try:
        entry = msgspec.convert(untold, PendingDiaryEntry) if untold else None
    except msgspec.ValidationError:
        entry = None
    known = {str(key): str(one) for key, one in settled.items()} if isinstance(settled, dict) else {}
    return DreamState(analyses, known, entry)


def save_state(store: Store, dreaming: DreamState) -> None:
    """Put away where the dream is, all of it in one write."""
    import msgspec

    settled = dict([*dreaming.settled.items()][-_MAX_ANALYZED_SIGNALS:])
    told = {"analyses": dreaming.analyses, "settled": settled, "untold": dreaming.untold}
    save_file(store, _ANALYSES_FILE, msgspec.to_builtins(told))


def drop_documents(store: Store, documents: Collection[str]) -> None:
    """Drop what rests on one of the documents; LockedError while a dream is on its way, which may hold more of it."""
    if not (store.state / FOLDER).is_dir():
        return
    with dream_lock(store):
        kept = load_state(store)
        analyses = {key: one for key, one in kept.analyses.items() if not _mentions_any(one, documents)}
        untold = None if _mentions_any(kept.untold, documents) else kept.untold
        save_state(store, replace(kept, analyses=analyses, untold=untold))
        rows = load_file(store, CANDIDATES_FILE)
        save_file(
            store,
            CANDIDATES_FILE,
            [row for row in rows if not _mentions_any(row, documents)] if isinstance(rows, list) else [],
        )


def _mentions_any(told: object, documents: Collection[str]) -> bool:
    import msgspec

    text = json.dumps(msgspec.to_builtins(told), ensure_ascii=False)
    return any(document in text for document in documents)


def load_file(store: Store, name: str) -> Any:
    """What a file of the folder holds; None when it cannot be read."""
    try:
        return json.loads(atomic.read_bytes(_file_path(store, name)) or b"null")
    except (ValueError, RecursionError):
        return None


def save_file(store: Store, name: str, value: object) -> None:
    """Write a file of the folder."""
    path = _file_path(store, name)
    atomic.make_folder(path.parent)
    atomic.write_file(path, json.dumps(value, default=str).encode())


def _file_path(store: Store, name: str) -> Path:
    return store.state / FOLDER / name
