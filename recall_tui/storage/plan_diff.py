"""A plan as a person reads it: what each file would lose and gain."""

from __future__ import annotations

from pathlib import Path

from recall_tui.domain import Append, Create, Delete, Edit, Plan, Replace
from recall_tui.storage import atomic
from recall_tui.text.patch import unified

_BODY_CHARACTERS = 20_000


def diff(plan: Plan) -> str:
    """The plan as a unified diff of every file it touches; long new bodies are cut, and say so."""
    return "\n".join(part for edit in plan.edits if (part := _one(edit)))


def _one(edit: Edit) -> str:
    name = str(edit.path).lstrip("/")
    before = atomic.read_text(edit.path)
    match edit:
        case Create(_, text, body):
            return unified("", text + _start_of(body), name)
        case Append(_, text):
            return unified(before, before + text, name)
        case Replace(_, _, text, body):
            return unified(before, text + _start_of(body), name)
        case Delete():
            return unified(before, "", name)


def _start_of(body: Path | None) -> str:
    if body is None:
        return ""
    with body.open(encoding="utf-8", errors="surrogateescape", newline="") as file:
        start = file.read(_BODY_CHARACTERS)
        return start if not file.read(1) else f"{start}\n[… the rest of {body.stat().st_size:,} bytes]\n"
