"""The settings of the memory's file that wait for the user's confirmation, in words."""

from __future__ import annotations

import os
from pathlib import Path

from recall_tui.git_repository import tracked_files
from recall_tui.setting_schema import find_rule
from recall_tui.storage import trust
from recall_tui.storage.memory_context import Store
from recall_tui.storage.project_root import find_work_tree


def describe_unconfirmed(store: Store) -> dict[str, str]:
    """Return, by setting, a sentence on what it does, that it is not confirmed, and where its file came from."""
    if trust.is_trusted(store):
        return {}
    came = "; its file came with the repository" if _came_with_repository(store) else ""
    return {
        key: f"{key} {reach.does}{came}; {trust.CONFIRM_HINT}"
        for key in trust.declared_settings(store)
        if (reach := find_rule(key))
    }


def _came_with_repository(store: Store) -> bool:
    """Return whether git tracks the settings file of a memory that was not made on this machine."""
    path = store.written.path
    around = find_work_tree(store.root, store.environment)
    if path is None or around is None or not trust.is_foreign(store):
        return False
    return bool(tracked_files(around.top, Path(os.path.realpath(path)), around.git))
