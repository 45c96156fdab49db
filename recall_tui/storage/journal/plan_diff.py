"""A plan as a person reads it: what each file would lose and gain."""

from __future__ import annotations

import io
from pathlib import Path

from recall_tui import files
from recall_tui.domain import Append, Create, Delete, Edit, Plan, Replace
from recall_tui.storage.files import atomic
from recall_tui.storage.journal.line_ends import with_line_ends
from recall_tui.text.patch import unified

_BODY_CHARACTERS = 20_000


def diff(plan: Plan, root: Path | None = None) -> str:
    """The plan as a unified diff of every file it touches; long new bodies are cut, and say so.

    Files inside `root` are named relative to it.
    """
    return "\n".join(part for edit in with_line_ends(plan).edits if (part := _one(edit, root)))


def _one(edit: Edit, root: Path | None) -> str:
    path = edit.path.relative_to(root) if root and edit.path.is_relative_to(root) else edit.path
    name = path.as_posix().lstrip("/")
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
    with io.TextIOWrapper(files.opened(body), "utf-8", "surrogateescape", newline="") as file:
        start = file.read(_BODY_CHARACTERS)
        return start if not file.read(1) else f"{start}\n[… the rest of {body.stat().st_size:,} bytes]\n"
