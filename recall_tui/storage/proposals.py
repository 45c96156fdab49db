"""What consolidation would change, waiting for a person: one file for each proposal, in the memory's state folder.

A proposal changes nothing. It holds the whole new content of each document it is about, and what that document was when
the proposal was made; one that was dismissed is remembered, so that the same is not put forward again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from recall_tui.domain import Create, Delete, Edit, Plan, Replace
from recall_tui.errors import ConflictError, NotFoundError
from recall_tui.storage import atomic

if TYPE_CHECKING:
    from recall_tui.storage.store import Store

FOLDER = "proposals"
Fate = Literal["open", "accepted", "dismissed"]
_ID = re.compile(r"[0-9a-f]{8}")


@dataclass(frozen=True, slots=True)
class Change:
    """A document as it would be."""

    path: str
    """As the person knows it: relative to the memory's root when inside it."""
    text: str | None
    """The whole new content; None when the document goes."""
    was: str = ""
    """`digest` of its content when the proposal was made; empty for one that is not there yet."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """One thing that wants to change."""

    kind: str
    """`master`, `weekly`, `monthly`, `wisdom`, `wiki`, `supersession`, …"""
    subject: str
    """What it is about; a newer proposal of the same kind and subject takes the place of an open older one."""
    title: str
    """One line, such as `Synthesise 3 new summaries into master.md`."""
    why: str
    """Why it was made, in a sentence or two."""
    changes: tuple[Change, ...]
    evidence: tuple[str, ...] = ()
    """Where it is from: citations such as `_memory/conversations/x.md:4-9`."""
    is_safe: bool = False
    """Nothing that stands in a document is lost by it."""
    made_at: datetime | None = None
    fate: Fate = "open"
    id: str = ""
    """Eight hex digits of its content: what is proposed again has the same; empty until it is put away."""


def put(store: Store, proposal: Proposal) -> Proposal | None:
    """Put the proposal away for review, and return it with its id; None when the same was dismissed or accepted."""
    made = replace(proposal, id=_id_of(proposal), made_at=proposal.made_at or store.now())
    known = _read(_path(store, made.id))
    if known is not None and known.fate != "open":
        return None
    for other in every(store):
        if (other.kind, other.subject, other.fate) == (made.kind, made.subject, "open") and other.id != made.id:
            atomic.delete(_path(store, other.id))
    if known is None:
        _write(store, made)
    return known or made


def every(store: Store) -> tuple[Proposal, ...]:
    """All of them, whatever became of them, the newest first; a file that cannot be read is passed over."""
    found = [one for path in _paths(store) if (one := _read(path)) is not None]
    return tuple(sorted(found, key=lambda one: (one.made_at is not None, one.made_at, one.id), reverse=True))


def waiting(store: Store) -> tuple[Proposal, ...]:
    """Those that nobody decided on, the newest first."""
    return tuple(one for one in every(store) if one.fate == "open")


def find(store: Store, reference: str) -> Proposal:
    """The open proposal with this id, or a unique beginning of it; NotFoundError when there is none."""
    found = [one for one in waiting(store) if reference and one.id.startswith(reference.lower())]
    if len(found) != 1:
        what = "several proposals begin with" if found else "no proposal waits with the id"
        raise NotFoundError(f"{what} {reference}", hint="see: recall-tui review list")
    return found[0]


def settle(store: Store, proposal: Proposal, fate: Fate) -> None:
    """Remember what became of the proposal; `open` puts one that was decided on back."""
    _write(store, replace(proposal, fate=fate))


def plan(store: Store, proposal: Proposal, picked: frozenset[str] | None = None) -> Plan:
    """The change that accepting the proposal makes, or of it the documents in `picked`.

    A document that is another since the proposal was made is a ConflictError: what stands in it now was not seen.
    """
    chosen = [one for one in proposal.changes if picked is None or one.path in picked]
    edits = tuple(edit for one in chosen if (edit := _edit(store, one)) is not None)
    return Plan(proposal.title, edits, facts={"proposal": proposal.id, "kind": proposal.kind})


def is_stale(store: Store, proposal: Proposal) -> bool:
    """Whether a document that it is about is another than when it was made."""
    return any(_now(store, one) not in (one.was, _wanted(one)) for one in proposal.changes)


def _edit(store: Store, change: Change) -> Edit | None:
    path = store.root / change.path
    if not path.resolve().is_relative_to(store.root.resolve()):
        raise ConflictError(f"{change.path} is outside of the memory", hint="dismiss the proposal")
    now = _now(store, change)
    if now == _wanted(change):
        return None
    if now != change.was:
        raise ConflictError(f"{change.path} changed since this was proposed", hint="make the proposal again")
    if change.text is None:
        return Delete(path, now)
    return Replace(path, now, change.text) if now else Create(path, change.text)


def _now(store: Store, change: Change) -> str:
    return atomic.digest_of(store.root / change.path)


def _wanted(change: Change) -> str:
    return atomic.digest(change.text)


def _id_of(proposal: Proposal) -> str:
    held = [proposal.kind, proposal.subject, *((one.path, one.text, one.was) for one in proposal.changes)]
    return atomic.digest(json.dumps(held))[:8]


def _paths(store: Store) -> Iterator[Path]:
    folder = store.state / FOLDER
    return folder.glob("*.json") if folder.is_dir() else iter(())


def _path(store: Store, id: str) -> Path:
    return store.state / FOLDER / f"{id}.json"


def _write(store: Store, proposal: Proposal) -> None:
    told = asdict(proposal) | {"made_at": proposal.made_at.isoformat() if proposal.made_at else None}
    path = _path(store, proposal.id)
    atomic.make_folder(path.parent)
    atomic.write(path, json.dumps(told, indent=1).encode())


def _read(path: Path) -> Proposal | None:
    try:
        told: dict[str, Any] = json.loads(atomic.read_bytes(path) or b"null")
        made_at = told.pop("made_at")
        changes = tuple(Change(**one) for one in told.pop("changes"))
        one = Proposal(
            **told | {"changes": changes, "evidence": tuple(told["evidence"])},
            made_at=datetime.fromisoformat(made_at) if made_at else None,
        )
    except (ValueError, TypeError, KeyError, AttributeError, OSError, RecursionError):
        return None
    return one if one.id == path.stem and _ID.fullmatch(one.id) else None
