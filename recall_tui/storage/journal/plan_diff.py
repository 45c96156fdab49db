"""Render a plan as a diff: the lines each file would lose and gain."""

from __future__ import annotations

import io
from pathlib import Path

from recall_tui import files
from recall_tui.domain import Append, Create, Delete, Edit, Plan, Replace
from recall_tui.storage.files import atomic
from recall_tui.storage.journal.line_ends import with_line_ends
from recall_tui.text.patch import unified_diff

_MAX_BODY_CHARS = 20_000
_COMPRESSED_SUFFIX = ".zst"
"""Of files whose bytes say nothing to a reader, such as retained transcripts."""


def plan_as_diff(plan: Plan, root: Path | None, home: Path) -> str:
    """Render the plan as a unified diff of every file it touches; long new bodies are cut, and marked as cut.

    Files inside `root` are named relative to it, others inside `home` from `~` on.
    """
    return "\n".join(part for edit in with_line_ends(plan).edits if (part := _edit_diff(edit, root, home)))


def _edit_diff(edit: Edit, root: Path | None, home: Path) -> str:
    name = display_name(edit.path, root, home)
    before = _text_before(edit.path)
    match edit:
        case Create(path, text, body):
            return unified_diff("", text + _body_start(body, path), name)
        case Append(_, text):
            return unified_diff(before, before + text, name)
        case Replace(path, _, text, body):
            return unified_diff(before, text + _body_start(body, path), name)
        case Delete():
            return unified_diff(before, "", name)


def display_name(path: Path, root: Path | None, home: Path) -> str:
    """Return the name of a file in a diff: relative to the memory, else from the home folder on, as `~/…`."""
    if root and path.is_relative_to(root):
        return path.relative_to(root).as_posix()
    if path.is_relative_to(home):
        return f"~/{path.relative_to(home).as_posix()}"
    return path.as_posix().lstrip("/")


def _text_before(path: Path) -> str:
    return _describe_bytes(path) if path.suffix == _COMPRESSED_SUFFIX and path.is_file() else atomic.read_text(path)


def _describe_bytes(path: Path) -> str:
    return f"[compressed, {path.stat().st_size:,} bytes]\n"


def _body_start(body: Path | None, path: Path) -> str:
    if body is None:
        return ""
    if path.suffix == _COMPRESSED_SUFFIX:
        return _describe_bytes(body)
    with io.TextIOWrapper(files.open_file(body), "utf-8", "surrogateescape", newline="") as file:
        start = file.read(_MAX_BODY_CHARS)
        return start if not file.read(1) else f"{start}\n[… the rest of {body.stat().st_size:,} bytes]\n"
