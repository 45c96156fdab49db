"""A memory that a second one, of another layout or nearer to the person, would take the place of.

A folder opens one memory: documents that the second layout does not read would no longer be found.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from recall_tui.environment import Environment, shorten_path
from recall_tui.errors import ConflictError
from recall_tui.resources import read_template
from recall_tui.storage.archives.file import parse_number
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.inventory import written_documents
from recall_tui.storage.layout import Layout, detect_layout, find_claude_project, find_enclosing, open_layout
from recall_tui.storage.project_root import find_project


class MemoryExistsError(ConflictError):
    """A memory of another layout is there, and a new one would hide it."""

    def __init__(self, message: str, hint: str, layout: Layout) -> None:
        super().__init__(message, hint)
        self.layout = layout
        """The memory that is there."""


class ExistingMemory(NamedTuple):
    """A memory that is there, and what of it another layout would not read."""

    layout: Layout
    documents: tuple[Path, ...]
    """Documents with content."""
    sessions: int
    """Archived sessions among them."""


def describe_outer(environment: Environment, layout: Layout, folder: Path) -> str:
    """Say which memory was opened from `folder` until now, when a new one of this layout takes precedence there.

    Empty when there is none, or when the memory of this layout is there already.
    """
    if layout.design.is_of_agent_home or detect_layout(layout.root):
        return ""
    here = folder if layout.design.is_of_agent else layout.root
    found = next(
        (
            one
            for above in here.parents
            if (one := find_enclosing(above) or find_claude_project(environment, above, here))
        ),
        find_enclosing(environment.claude),
    )
    if found is None:
        return ""
    outer, mine = (shorten_path(place, environment.home) for place in (found[0], here))
    return f"the memory in {outer} (layout {found[1][0]}) stays as it is; in {mine}, this one is used instead"


def memory_place(folder: Path, home: Path) -> Path:
    """Return where a memory of the project around a folder belongs: the project's top, from which agents are served.

    Outside any project, in its top, and in a memory of its own it is the folder itself.
    """
    project = None if find_enclosing(folder) else find_project(folder, home)
    return folder if project is None or project.top == Path(os.path.realpath(folder)) else project.top


def find_replaced(environment: Environment, folder: Path, layout: Layout) -> ExistingMemory | None:
    """Find the memory that is opened from `folder` now, and of which a new one of `layout` would hide something.

    None when there is none, when it is of this layout, or when no settings name its layout and the new one reads all.
    """
    found = find_enclosing(folder) or find_claude_project(environment, folder, folder)
    if found is None:
        return None
    root, (name, _) = found
    if (root, name) == (layout.root, layout.name):
        return None
    there = open_layout(root, name, environment.home)
    documents = _documents(there, layout)
    if not documents and not there.config.is_file():
        return None
    return ExistingMemory(there, documents, sum(is_session_page(there, path) for path in documents))


def expect_none_replaced(environment: Environment, folder: Path, layout: Layout) -> None:
    """Raise MemoryExistsError when a memory of this layout would hide the one that is opened from `folder` now."""
    if (there := find_replaced(environment, folder, layout)) is not None:
        words = _describe_conflict(environment, there, layout)
        raise MemoryExistsError(words, _ways_on(environment, there, layout), there.layout)


def _describe_conflict(environment: Environment, there: ExistingMemory, layout: Layout) -> str:
    """Return the sentences on the memory that is there and what would become of it."""
    folder = shorten_path(there.layout.root, environment.home)
    count, sessions = len(there.documents), there.sessions
    held = f"{count} document{'s' * (count != 1)}" if count else "nothing written yet"
    held += f", {sessions} of them session{'s' * (sessions != 1)}" if sessions else ""
    first = f"{folder} holds a memory already: layout {there.layout.name}, {held}."
    if there.layout.design.is_of_one_project and there.layout.root != layout.root:
        first = f"this project has a memory already, in {folder}: layout {there.layout.name}, {held}."
    if layout.design.is_of_claude_project:
        return f"{first} A second one of layout {layout.name} would never be opened from here"
    return (
        f"{first} A second one of layout {layout.name} would hide it: what it holds would no longer be found from here"
    )


def _ways_on(environment: Environment, there: ExistingMemory, layout: Layout) -> str:
    """Return the commands that go on: with the memory that is there, or with the new one."""
    root = shorten_path(there.layout.root, environment.home)
    share = ""
    if layout.design.publishes_summaries and not there.layout.design.is_of_agent:
        ignored = shorten_path(there.layout.base / ".gitignore", environment.home)
        share = f"; to commit its curated files, follow the lines in {ignored}"
    parts = sorted({path.relative_to(there.layout.root).parts[0] for path in (there.layout.config, *there.documents)})
    moved = f"move {' and '.join(f'{root}/{part}' for part in parts)} into another FOLDER, where --root FOLDER opens it"
    if not there.documents:
        moved = "take back its set-up with: recall-tui undo"
    return f"continue with it: recall-tui init {root}{share}. For the new one first {moved}"


def _documents(there: Layout, layout: Layout) -> tuple[Path, ...]:
    """Return the documents with content that the other layout does not read."""
    read = frozenset(written_documents(layout))
    template = read_template("memory/MEMORY.md").strip()
    generated = (there.rows, there.base / "ARCHITECTURE.md")
    return tuple(
        path
        for path in written_documents(there)
        if path not in read and path not in generated and read_text(path).strip() not in ("", template)
    )


def is_session_page(layout: Layout, path: Path) -> bool:
    """Return whether a path is that of an archived session: a numbered archive, or a session's summary."""
    if path.parent == layout.summaries:
        return True
    return parse_number(path.name) is not None and any(path.parent == place.folder for place in layout.archives)
