"""Scopes: parts of a project with a memory of their own, in a folder of `_memory/`.

A scope has the same layout one folder deeper; settings, journal and state are those of the whole memory.
"""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from recall_tui.errors import UsageError
from recall_tui.storage.documents.topic_files import is_device
from recall_tui.storage.files.symlinks import list_documents
from recall_tui.storage.layout import Layout
from recall_tui.storage.memory_context import Store
from recall_tui.text.lazy_pattern import lazy_pattern

AnyStore = TypeVar("AnyStore", bound=Store)
_NAME = lazy_pattern(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_RESERVED_NAMES = frozenset(("conversations", "topics", "weekly", "monthly", "wiki", "days", "sessions"))
"""Folder names that a memory uses itself."""
_SHARED_FIELDS = ("root", "base", "archives", "config")
"""Layout fields that a scope shares or computes separately."""


def list_scopes(layout: Layout) -> tuple[str, ...]:
    """Return the names of the existing scopes, sorted; only a layout with summaries as archives has any."""
    if not layout.design.summaries_are_archives:
        return ()
    try:
        folders = [one for one in layout.base.iterdir() if _is_name(one.name) and one.is_dir()]
    except OSError:
        return ()
    return tuple(sorted(one.name for one in folders if _is_scope(one)))


def open_scope(store: AnyStore, name: str | None) -> AnyStore:
    """Return the memory of a scope, existing or not; without a name the memory itself.

    Raises UsageError for an invalid name, and in a layout without scopes.
    """
    if not name:
        return store
    if not store.layout.design.summaries_are_archives:
        raise UsageError(f"layout {store.layout.name} has no scopes", hint="they are folders in _memory/")
    if not _is_name(name):
        raise UsageError(f"{name!r} is no name for a scope", hint="letters, digits, - and _, such as frontend")
    return store._replace(layout=scope_layout(store.layout, name))


def open_existing_scope(store: AnyStore, name: str | None) -> AnyStore:
    """Return the memory of a scope, with the errors of `open_scope`; UsageError when there is no such scope yet."""
    scope = open_scope(store, name)
    if name and name not in (known := list_scopes(store.layout)):
        there = f"there are: {', '.join(known)}" if known else "there is none yet"
        hint = f"{there}; the first summary makes it: recall-tui summarize SESSION --scope {name}"
        raise UsageError(f"no scope {name!r} in {store.relative(store.layout.base)}", hint=hint)
    return scope


def scope_of_session(layout: Layout, reference: str) -> str:
    """Return the scope that alone has the page of a session, given its id or the start of it; empty for none."""
    if not reference or _has_page(layout, reference):
        return ""
    found = [name for name in list_scopes(layout) if _has_page(scope_layout(layout, name), reference)]
    return found[0] if len(found) == 1 else ""


def scopes_with_master(layout: Layout) -> tuple[str, ...]:
    """Return the names of the scopes that have a master."""
    return tuple(name for name in list_scopes(layout) if scope_layout(layout, name).master.is_file())


def _has_page(layout: Layout, reference: str) -> bool:
    folder = layout.summaries
    if folder is None:
        return False
    return any(one.stem.startswith(reference.lower()) for one in list_documents(layout, folder))


def scope_layout(layout: Layout, name: str) -> Layout:
    """Return the layout of a scope."""
    base = layout.base / name
    moved = {
        place: base / path.relative_to(layout.base)
        for place in layout._fields
        if place not in _SHARED_FIELDS
        and isinstance(path := getattr(layout, place), Path)
        and path.is_relative_to(layout.base)
    }
    return Layout(**(layout._asdict() | moved | {"base": base}))


def _is_name(name: str) -> bool:
    return _NAME.fullmatch(name) is not None and name.lower() not in _RESERVED_NAMES and not is_device(name.lower())


def _is_scope(folder: Path) -> bool:
    return (folder / "conversations").is_dir() or (folder / "master.md").is_file()
