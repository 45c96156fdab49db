"""Which conversations are a memory's own: those of its project, wherever its folder was before.

What is filed knows nothing of moves. They are looked up when a question is asked, so that naming one changes the
answers at once, and only those of the memory that named it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.index.text.schema import clean_text
from recall_tui.storage.memory_context import Store

if TYPE_CHECKING:
    from recall_tui.index.opener import Index
    from recall_tui.index.text.reader import PassageReader
    from recall_tui.transcripts.project import Project

MAX_PROJECT_KEYS = 10_000
"""Projects that are looked at below one folder."""


def includes_all_projects(store: Store) -> bool:
    """Whether the memory is one of every project, and not only of its own: what a question is answered from."""
    from recall_tui.storage.trust import includes_every_project

    which = store.config.get("transcripts.projects")
    return which == "all" or (which is None and includes_every_project(store))


def captures_all_projects(store: Store) -> bool:
    """Whether sessions of every project come into the memory; one from elsewhere waits for the person's word."""
    from recall_tui.storage.trust import is_foreign

    return includes_all_projects(store) and (store.config.get("transcripts.projects") == "all" or not is_foreign(store))


def belongs_to_project(store: Store, cwd: str) -> bool:
    """Whether what was said in a folder belongs to the memory's own project, whatever projects it takes."""
    return ProjectScope(store).has_folder(cwd)


class ProjectScope:
    """The memory's own project as it is now, for many questions in a row."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, bool] = {}

    @cached_property
    def captures_all(self) -> bool:
        """Whether sessions of every project come into the memory."""
        return captures_all_projects(self._store)

    def has_folder(self, cwd: str) -> bool:
        """Whether what was said in the folder belongs to the project."""
        if cwd not in self._known:
            self._known[cwd] = self._is_within(cwd)
        return self._known[cwd]

    def _is_within(self, cwd: str) -> bool:
        from recall_tui.transcripts.project import is_within, project_of

        there = project_of(cwd, self._aliases)
        return there.key in self._own or any(is_within(there, project) for project in self._own.values())

    @cached_property
    def _aliases(self) -> Mapping[str, str]:
        return folder_aliases(self._store)

    @cached_property
    def _own(self) -> Mapping[str, Project]:
        """The keys of the project and of those that were joined with it."""
        from recall_tui.storage.state import joined_projects
        from recall_tui.transcripts.project import project_of

        here = project_of(own_folder(self._store), self._aliases)
        keys = joined_projects.read_joins(self._store.environment).with_key(here.key)
        return {key: project_of(key) for key in keys}


def own_folder(store: Store) -> Path:
    """Return the folder whose project is the memory's own: its root, or the project of Claude Code's folder."""
    is_elsewhere = store.layout.design.is_of_claude_project
    return (claude_project_folder(store.root) if is_elsewhere else None) or store.root


def claude_project_folder(root: Path) -> Path | None:
    """Return the existing folder that Claude Code's project folder is named after; None when there is none."""
    from recall_tui.transcripts.claude.project_folder import find_project_folder

    folder = Path(find_project_folder(root.name))
    return folder if folder.is_absolute() and folder.is_dir() else None


def folder_aliases(store: Store) -> Mapping[str, str]:
    """Where folders were moved to, as the memory's settings say; what has no new place is the memory's folder now."""
    lines = store.config.get("transcripts.aliases")
    if not lines or not isinstance(lines, tuple):
        return {}
    from recall_tui.transcripts.project import parse_aliases

    return parse_aliases(map(str, lines), own_folder(store), store.environment.home)


def own_project_keys(
    index: Index, reader: PassageReader, store: Store, *, is_unasked: bool = False
) -> tuple[str, ...] | None:
    """Return the keys under which the memory's own conversations are filed; None for all."""
    if captures_all_projects(store) if is_unasked else includes_all_projects(store):
        return None
    # Most memories take everything, and need not know how projects are told apart.
    from recall_tui.storage.state import joined_projects
    from recall_tui.transcripts.project import project_of

    aliases, joined = folder_aliases(store), joined_projects.read_joins(store.environment)
    folders = [str(own_folder(store)), str(store.root), *_folders_within(index, store)]
    meant = {one for folder in folders for one in joined.with_key(project_of(folder, aliases).key)}
    meant |= {key for one in meant for key in _keys_within(reader, one)}
    keys = meant | {project_of(folder).key for folder in folders}
    keys |= {project_of(old).key for old in aliases if project_of(old, aliases).key in meant}
    keys |= {key for key in _keys_before(reader, aliases) if project_of(key, aliases).key in meant}
    return tuple(sorted(map(clean_text, keys)))


def moved_project_keys(reader: PassageReader, aliases: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """What conversations are filed under that were held in a folder that moved, and the path of that folder now."""
    from recall_tui.transcripts.project import current_folder, project_of

    for key in _keys_before(reader, aliases):
        yield key, current_folder(key, aliases)
    for new in set(aliases.values()):
        yield clean_text(project_of(new).key), new


def _folders_within(index: Index, store: Store) -> list[str]:
    """The folders that sessions worked in whose transcripts are a part of the memory."""
    if not store.layout.design.is_of_claude_project:
        return []
    with index.facts() as facts:
        return facts.projects_within(str(store.root)) if facts else []


def _keys_within(reader: PassageReader, outer: str) -> set[str]:
    """What is filed under a folder below the project that is in no repository of its own."""
    from recall_tui.transcripts.project import is_within, project_of

    project = project_of(outer)
    begin = f"{clean_text(outer)}/"
    keys = (key for key, _ in reader.dictionary("project", begin, None, MAX_PROJECT_KEYS))
    return {key for key in keys if key.startswith(begin) and is_within(project_of(key), project)}


def _keys_before(reader: PassageReader, aliases: Mapping[str, str]) -> set[str]:
    """What is filed under a folder that moved, or below it."""
    found: set[str] = set()
    for old in aliases:
        keys = (key for key, _ in reader.dictionary("project", clean_text(old), None, MAX_PROJECT_KEYS))
        found.update(key for key in keys if f"{key}/".startswith(f"{clean_text(old)}/"))
    return found
