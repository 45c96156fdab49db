"""Whether a plan is the one that was looked at, and rests on files as they are."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from recall_tui.domain import Append, Create, Delete, Edit, Plan, Replace
from recall_tui.storage.files import atomic


def find_changed_file(plan: Plan, read: Mapping[Path, int]) -> Path | None:
    """A file that the plan replaces or removes and that was another when the verb read it first."""
    edits = (edit for edit in plan.edits if isinstance(edit, Replace | Delete))
    return next((edit.path for edit in edits if not atomic.is_stable(edit.path, edit.was, read)), None)


def plan_fingerprint(plan: Plan) -> tuple[object, ...]:
    """What two plans must share to be the same change; spooled bodies are compared by content."""
    return tuple(_edit_fingerprint(edit) for edit in plan.edits)


def _edit_fingerprint(edit: Edit) -> tuple[object, ...]:
    match edit:
        case Create(path, text, body) | Replace(path, _, text, body):
            return (type(edit).__name__, path, text, atomic.file_digest(body) if body else "", getattr(edit, "was", ""))
        case Append(path, text):
            return ("Append", path, text)
        case Delete(path, was):
            return ("Delete", path, was)
