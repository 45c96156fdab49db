"""Undone set-ups: what an undo would remove that a person should confirm, and the folders that it leaves empty."""

from __future__ import annotations

from recall_tui.domain import Delete, Plan
from recall_tui.environment import shorten_path
from recall_tui.storage.existing_memory import is_session_page
from recall_tui.storage.files.atomic import delete_empty
from recall_tui.storage.memory_context import Store

_MANY_SESSIONS = 10
"""Sessions from which on an undo that removes them is confirmed."""


def describe_removal(store: Store, plan: Plan) -> tuple[str, ...]:
    """Return what an undo or redo removes and is asked about first: the memory itself, and many sessions.

    Each is the end of a sentence, such as `removes the memory in ~/shop`.
    """
    layout = store.layout
    deleted = [edit.path for edit in plan.edits if isinstance(edit, Delete)]
    sessions = sum(is_session_page(layout, path) for path in deleted)
    found = []
    # A first change may have written the settings beside a MEMORY.md that was there before.
    if layout.memory_file in deleted or (layout.config in deleted and not layout.memory_file.exists()):
        found.append(f"removes the memory in {shorten_path(layout.base, store.environment.home)}")
    if sessions >= _MANY_SESSIONS:
        found.append(f"removes {sessions:,} archived sessions")
    return tuple(found)


def is_removed(store: Store) -> bool:
    """Return whether nothing is left of the memory's own files, as after its set-up was undone."""
    layout = store.layout
    return not any(path.exists() for path in (layout.config, layout.memory_file, layout.window, layout.rows))


def clear_away(store: Store) -> None:
    """Delete the empty folders of a removed memory: they alone would still count as one."""
    if is_removed(store):
        for folder in reversed(store.layout.folders()):
            delete_empty((folder,))
