"""Handing the window over: its exact text to whoever starts the next session.

Reading it changes nothing; emptying it is a change of its own, made after the text arrived.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.memory_context import Store

if TYPE_CHECKING:
    from recall_tui.domain import Plan


def window_text(store: Store) -> str:
    """The window's text without blank edges; empty for an empty window."""
    return read_text(store.layout.window).strip()


def handed_text(held: str) -> str:
    """Return the window's text without the program's own marker line, and with words in place of git's markers."""
    if "<<<<<<<" in held:
        from recall_tui.text.merge_conflicts import mark_conflicts

        held = mark_conflicts(held)
    if not held.startswith("<!--"):
        return held
    from recall_tui.storage.documents.window_file import strip_note

    return strip_note(held)


def came_with_repository(store: Store) -> bool:
    """Whether the repository around the memory tracks what is handed over, and the person gave no word for it."""
    from recall_tui.storage.project_root import find_work_tree

    if find_work_tree(store.root, store.environment) is None:
        return False
    from recall_tui.storage.tracked_files import published

    return bool(published(store))


def clear_window(store: Store, handed: str) -> Plan:
    """Empty the window, if it still is what was handed over."""
    from recall_tui.domain import Plan, Replace
    from recall_tui.storage.files.atomic import content_digest

    text = read_text(store.layout.window)
    if not text.strip():
        return Plan("EPHEMERAL.md is empty already")
    if text.strip() != handed.strip():
        return Plan("EPHEMERAL.md changed while it was read; it is left unchanged")
    return Plan("Emptied EPHEMERAL.md after handing it over", (Replace(store.layout.window, content_digest(text), ""),))
