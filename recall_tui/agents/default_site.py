"""Where a memory is installed when nobody says more: the scope, and the project's folder."""

from __future__ import annotations

import re
from pathlib import Path

from recall_tui.agents.target import Scope, Site
from recall_tui.environment import Places
from recall_tui.errors import UsageError
from recall_tui.storage.layout import Layout
from recall_tui.storage.memory_context import Store

_MAX_FOLDER_CHARS = 200
"""Characters of a folder's path that Claude Code keeps in the name of its own folder for it."""


def default_scope(layout: Layout) -> Scope:
    """The project, where the memory is one project's; else the person."""
    return "project" if layout.design.is_of_one_project else "user"


def default_site(store: Store, command: tuple[str, ...], scope: Scope | None = None) -> Site:
    """The site of the memory; UsageError for a project that is the home folder, or that nobody knows."""
    scope = scope or default_scope(store.layout)
    project = store.root if scope == "user" else project_folder(store.layout, store.places)
    if scope == "project" and project == store.places.home:
        raise UsageError(f"{project} is the home folder and no project", hint="say: --scope user, or go to the project")
    return Site(scope, project, store.layout, store.places, command)


def project_folder(layout: Layout, places: Places) -> Path:
    """The folder of the project: the memory's own, else the work tree that one stands in, else where one stands."""
    if layout.design.is_of_project:
        return layout.root
    if layout.design.is_of_claude_project:
        return _claude_project(layout.root, places)
    for folder in (places.cwd, *places.cwd.parents):
        if (folder / ".git").exists():
            return folder
    return places.cwd


def _claude_project(root: Path, places: Places) -> Path:
    """The project that Claude Code's folder is for; its name is lossy, so that a real folder has to fit it."""
    for folder in (places.cwd, *places.cwd.parents):
        if _is_claude_folder_for(root.name, folder):
            return folder
    from recall_tui.transcripts.first_lines import session_folder

    for transcript in sorted(root.glob("*.jsonl"), reverse=True):
        begun_in = session_folder(transcript)
        if begun_in and _is_claude_folder_for(root.name, Path(begun_in)) and Path(begun_in).is_dir():
            return Path(begun_in)
    raise UsageError(f"it is not known which project {root} is for", hint="go to the project's folder")


def _is_claude_folder_for(name: str, folder: Path) -> bool:
    encoded = re.sub(r"[^A-Za-z0-9]", "-", str(folder))
    return name == encoded if len(encoded) <= _MAX_FOLDER_CHARS else name.startswith(f"{encoded[:_MAX_FOLDER_CHARS]}-")
