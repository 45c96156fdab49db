"""Proposals: changes suggested by consolidation that await review, one file each in the memory's state folder.

A proposal changes nothing. It holds the whole new content of each document, and the content when the proposal was made:
if the document changed since, the proposal is merged with what it became. The user's decision is a separate file beside
it, written by the same journal change as the documents: undoing that change reopens the proposal.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from recall_tui import files
from recall_tui.domain import Append, Create, Delete, Edit, Plan, Replace
from recall_tui.errors import ConflictError, NotFoundError
from recall_tui.storage.files import atomic

if TYPE_CHECKING:
    from recall_tui.storage.memory_context import Store

PROPOSALS_FOLDER = "proposals"
Decision = Literal["open", "accepted", "dismissed"]
DocumentState = Literal["create", "change", "remove", "same", "taken", "stale", "outside", "unreadable", "by hand"]
"""The effect of accepting on a document.

Nothing happens when it is the same already, was taken, is stale (changed since the proposal in a way that cannot be
merged), lies outside the memory, cannot be read, or may only be changed by the user.
"""
_ID = re.compile(r"[0-9a-f]{8}")
_DECISION_SUFFIX = ".fate.json"
_DECISION_FIELDS = {"fate", "taken", "is_by_itself"}
"""Fields stored in the decision file rather than in the proposal's own."""


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """The proposed state of a document."""

    path: str
    """Path as shown to the user: relative to the memory's root when inside it."""
    text: str | None
    """The whole new content; None to delete the document."""
    was: str = ""
    """Digest of its content when the proposal was made; empty when it did not exist."""
    base: str | None = None
    """That content; None when it is not stored, as in proposals of earlier versions."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A suggested change to one or more documents."""

    kind: str
    """`master`, `weekly`, `monthly`, `wisdom`, `wiki`, `supersession`, …"""
    subject: str
    """Topic of the proposal; a newer proposal of the same kind and subject replaces an open older one."""
    title: str
    """A single line, such as `Synthesise 3 new summaries into master.md`."""
    why: str
    """Reason for the proposal, in one or two sentences."""
    changes: tuple[DocumentChange, ...]
    evidence: tuple[str, ...] = ()
    """Citations of the sources, such as `_memory/conversations/x.md:4-9`."""
    is_safe: bool = False
    """Accepting it loses nothing that a document holds."""
    made_at: datetime | None = None
    fate: Decision = "open"
    taken: tuple[str, ...] = ()
    """The documents already accepted while others are open."""
    is_by_itself: bool = False
    """The settings accepted its kind automatically."""
    id: str = ""
    """Eight hex digits of a digest of its content, equal for an equal proposal; empty until saved."""

    @property
    def left(self) -> tuple[DocumentChange, ...]:
        """The documents without a decision."""
        return tuple(one for one in self.changes if one.path not in self.taken)


def change_of_edit(store: Store, edit: Edit) -> DocumentChange:
    """Return the edit as a proposal has it: the whole new content of the document."""
    path = store.relative(edit.path)
    if isinstance(edit, Append):
        return DocumentChange(path, atomic.read_text(edit.path) + edit.text, atomic.file_digest(edit.path))
    assert isinstance(edit, Create | Replace | Delete)
    return DocumentChange(path, None if isinstance(edit, Delete) else edit.text, atomic.file_digest(edit.path))


def save(store: Store, proposal: Proposal) -> Proposal | None:
    """Save the proposal for review and return it with its id; None when an equal one was dismissed or accepted.

    An accepted proposal whose new documents are missing again is reopened.
    """
    changes = tuple(_with_base(store, one) for one in proposal.changes)
    made = replace(proposal, id=_id_of(proposal), changes=changes, made_at=proposal.made_at or store.now())
    known = _read(_path(store, made.id))
    if known is not None and known.fate == "accepted" and _is_undone(store, made):
        atomic.delete_file(_path(store, made.id, _DECISION_SUFFIX))
        known = _read(_path(store, made.id))
    if known is not None and known.fate != "open":
        return None
    older = [one for one in list_all(store) if (one.kind, one.subject, one.fate) == (made.kind, made.subject, "open")]
    if known is None:
        _write(store, made)
    # Delete last: a crash in between leaves two proposals, of which the newer counts, rather than none.
    for other in older:
        if other.id != made.id and not other.taken:
            atomic.delete_file(_path(store, other.id))
    return known or made


def delete_based_on(store: Store, documents: Collection[str]) -> None:
    """Delete the proposals that cite or contain one of the documents, decided or not; they can be proposed again."""
    for path in _paths(store):
        one = _read(path)
        told = [] if one is None else [*one.evidence, one.why, *_texts(one)]
        if any(document in text for text in told for document in documents):
            atomic.delete_file(path)


def list_all(store: Store) -> tuple[Proposal, ...]:
    """Return all proposals, decided or not, newest first; skip unreadable files."""
    found = [one for path in _paths(store) if (one := _read(path)) is not None]
    return tuple(sorted(found, key=_age, reverse=True))


def list_open(store: Store) -> tuple[Proposal, ...]:
    """Return the open proposals, newest first, only the newest for each kind and subject."""
    newest: dict[tuple[str, str], Proposal] = {}
    for one in list_all(store):
        if one.fate == "open":
            newest.setdefault((one.kind, one.subject), one)
    return tuple(newest.values())


def match_id(among: Iterable[Proposal], reference: str, fate: Decision) -> Proposal:
    """Return the proposal with this id or unique id prefix among these; NotFoundError when there is none."""
    found = [one for one in among if reference and one.id.startswith(reference.lower())]
    if len(found) != 1:
        missing = "no proposal waits with the id" if fate == "open" else f"no {fate} proposal has the id"
        what = "several proposals begin with" if found else missing
        raise NotFoundError(
            f"{what} {reference}", hint=f"see: recall-tui review list{'' if fate == 'open' else ' --all'}"
        )
    return found[0]


def plan_accept(
    store: Store, proposal: Proposal, picked: Collection[str] | None = None, *, is_by_itself: bool = False
) -> Plan:
    """Plan to accept the proposal, or only its documents in `picked`, merged with what the documents became.

    A document that changed in the same lines since the proposal raises ConflictError.
    """
    chosen = [one for one in proposal.left if picked is None or one.path in picked]
    edits = [edit for one in chosen if (edit := _edit(store, one)) is not None]
    taken = frozenset((*proposal.taken, *(one.path for one in chosen)))
    is_whole = all(one.path in taken for one in proposal.changes)
    if proposal.id and (chosen or is_whole):
        edits.append(
            decision_edit(store, proposal, "accepted" if is_whole else "open", taken, is_by_itself=is_by_itself)
        )
    count = len(proposal.changes)
    part = "" if len(chosen) == count else f" ({len(chosen)} of {count} documents)"
    facts = {"proposal": proposal.id, "kind": proposal.kind, "documents": [one.path for one in chosen]}
    verb = "Applied by itself" if is_by_itself else "Accepted"
    return Plan(f"{verb}: {proposal.title}{part}", tuple(edits), facts=facts)


def decision_edit(
    store: Store, proposal: Proposal, fate: Decision, taken: Collection[str] = (), *, is_by_itself: bool = False
) -> Edit:
    """Return the edit that records the decision; `taken` are the accepted documents."""
    path = _path(store, proposal.id, _DECISION_SUFFIX)
    was = atomic.file_digest(path)
    if was and fate == "open" and not taken:
        return Delete(path, was)
    told = {"fate": fate, "taken": sorted(taken), **({"by_itself": True} if is_by_itself else {})}
    text = json.dumps(told) + "\n"
    return Replace(path, was, text) if was else Create(path, text)


def find_decision(store: Store, proposal: Proposal) -> Decision:
    """Return the decision on a proposal that is not saved but regenerated each time."""
    return _read_decision(_path(store, proposal.id), frozenset())[0]


def is_decided(store: Store, proposal: Proposal) -> bool:
    """Return whether the latest decision on the proposal was the user's, even if only an undo."""
    from recall_tui.storage.journal.commits import Journal

    changes = Journal(store.state, store.now).changes_of(_path(store, proposal.id, _DECISION_SUFFIX))
    return next((record.by == "person" for record, _ in changes), False)


def is_stale(store: Store, proposal: Proposal) -> bool:
    """Return whether one of its documents changed since the proposal was made, and cannot be merged with it."""
    return any(document_state(store, proposal, one) == "stale" for one in proposal.changes)


def document_state(store: Store, proposal: Proposal, change: DocumentChange) -> DocumentState:
    """Return the effect of accepting on one of its documents."""
    if change.path in proposal.taken:
        return "taken"
    if not _is_inside(store, store.root / change.path):
        return "outside"
    try:
        now = _current_digest(store, change)
        new = _new_text(store, change, now)
    except OSError:
        return "unreadable"
    except ConflictError:
        return "stale"
    if now == atomic.content_digest(new):
        return "same"
    return "remove" if new is None else "change" if now else "create"


def preview_plan(store: Store, proposal: Proposal) -> Plan:
    """Plan the proposal for preview only, including documents that can no longer be accepted."""
    edits: list[Edit] = []
    for one in proposal.left:
        if (state := document_state(store, proposal, one)) in ("same", "outside", "unreadable"):
            continue
        path, now = store.root / one.path, _current_digest(store, one)
        new = one.text if state == "stale" else _new_text(store, one, now)
        if new is None:
            edits.append(Delete(path, now))
        else:
            edits.append(Replace(path, now, new) if now else Create(path, new))
    return Plan(proposal.title, tuple(edits))


def _edit(store: Store, change: DocumentChange) -> Edit | None:
    path = store.root / change.path
    if not _is_inside(store, path):
        raise ConflictError(f"{change.path} is outside of the memory", hint="dismiss the proposal")
    now = _current_digest(store, change)
    new = _new_text(store, change, now)
    if now == atomic.content_digest(new):
        return None
    if new is None:
        return Delete(path, now)
    return Replace(path, now, new) if now else Create(path, new)


def _new_text(store: Store, change: DocumentChange, now: str) -> str | None:
    """Return the document's content after accepting: as proposed, or merged by lines with what the document became.

    `now` is the digest of its content. ConflictError when both changed the same lines, when only one of them deleted
    or created the document, and when the content at the time of the proposal is not stored.
    """
    if now in (change.was, _proposed_digest(change)):
        return change.text
    from recall_tui.text.three_way import merge

    if change.text is not None and change.base is not None and now:
        merged = merge(change.base, change.text, atomic.read_text(store.root / change.path))
        if merged.is_whole:
            return merged.text
    raise ConflictError(f"{change.path} changed since this was proposed", hint="have it proposed again")


def _with_base(store: Store, change: DocumentChange) -> DocumentChange:
    """Return the change with the document's content, if that is what the proposal was made for."""
    path = store.root / change.path
    if not change.was or change.text is None or not _is_inside(store, path):
        return change
    try:
        text = atomic.read_text(path)
    except OSError:
        return change
    return replace(change, base=text) if atomic.content_digest(text) == change.was else change


def _texts(proposal: Proposal) -> Iterator[str]:
    """Yield the paths and texts of the proposal's documents."""
    for change in proposal.changes:
        yield from (change.path, change.text or "", change.base or "")


def _is_undone(store: Store, proposal: Proposal) -> bool:
    """Return whether all documents that the proposal creates are missing again, and it does nothing else."""
    return all(
        one.text is not None and not one.was and not (store.root / one.path).exists() for one in proposal.changes
    )


def _is_inside(store: Store, path: Path) -> bool:
    try:
        return path.resolve().is_relative_to(store.root.resolve())
    except (OSError, ValueError, RuntimeError):
        return False


def _current_digest(store: Store, change: DocumentChange) -> str:
    return atomic.file_digest(store.root / change.path)


def _proposed_digest(change: DocumentChange) -> str:
    return atomic.content_digest(change.text)


def _id_of(proposal: Proposal) -> str:
    held = [proposal.kind, proposal.subject, *((one.path, one.text, one.was) for one in proposal.changes)]
    return atomic.content_digest(json.dumps(held))[:8]


def _age(proposal: Proposal) -> tuple[str, str]:
    return proposal.made_at.isoformat() if proposal.made_at else "", proposal.id


def _paths(store: Store) -> Iterator[Path]:
    folder = store.state / PROPOSALS_FOLDER
    return folder.glob("????????.json") if folder.is_dir() else iter(())


def _path(store: Store, id: str, ending: str = ".json") -> Path:
    return store.state / PROPOSALS_FOLDER / f"{id}{ending}"


def _write(store: Store, proposal: Proposal) -> None:
    told = asdict(proposal) | {"made_at": proposal.made_at.isoformat() if proposal.made_at else None}
    fields = {key: told[key] for key in told.keys() - _DECISION_FIELDS}
    atomic.write_json(_path(store, proposal.id), fields, indent=1)


def _read(path: Path) -> Proposal | None:
    told = _as_json(path)
    try:
        made_at = told.pop("made_at")
        changes = tuple(DocumentChange(**one) for one in told.pop("changes"))
        fate, taken, is_by_itself = _read_decision(path, frozenset(one.path for one in changes))
        one = Proposal(
            **told | {"changes": changes, "evidence": tuple(told["evidence"]), "fate": fate, "taken": taken},
            is_by_itself=is_by_itself,
            made_at=datetime.fromisoformat(made_at).astimezone(UTC) if made_at else None,
        )
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError):
        return None
    return one if _is_valid(one) and one.id == path.stem else None


def _is_valid(one: Proposal) -> bool:
    """Return whether every field has the right type, whoever wrote the file."""
    words = (one.id, one.kind, one.subject, one.title, one.why, *one.evidence)
    paths = (word for change in one.changes for word in (change.path, change.was, change.text or "", change.base or ""))
    return all(isinstance(word, str) for word in (*words, *paths)) and bool(_ID.fullmatch(one.id))


def _read_decision(path: Path, documents: frozenset[str]) -> tuple[Decision, tuple[str, ...], bool]:
    """Read the decision, the accepted documents, and whether it was automatic; open when the file is unreadable."""
    told = _as_json(path.with_name(path.stem + _DECISION_SUFFIX))
    fate, taken = told.get("fate"), told.get("taken")
    known = tuple(sorted(documents & {one for one in taken if isinstance(one, str)} if isinstance(taken, list) else ()))
    return (fate if fate in ("accepted", "dismissed") else "open"), known, told.get("by_itself") is True


def _as_json(path: Path) -> dict[str, Any]:
    told = atomic.read_json(path, files.MAX_PAGE_BYTES)
    return told if isinstance(told, dict) else {}
