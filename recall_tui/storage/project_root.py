"""The project that a memory's folder lies in, as its folders tell: a repository, or a folder with a manifest.

Only names are looked at. A repository of the person's whole home, such as one of dotfiles, is that of its top alone: it
makes no project of what lies below.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from recall_tui.storage.memory_context import Store

_VERSION_CONTROL = {
    ".git": "git", ".jj": "jj", ".hg": "hg", ".svn": "svn", ".bzr": "bzr", "_darcs": "darcs", ".pijul": "pijul",
    ".fslckout": "fossil", "CVS": "cvs",
}  # fmt: skip
"""What lies in the top folder of a work tree, and whose it is."""
_GIT_FOLDER_NAMES = ("HEAD", "objects", "refs")
"""What a repository's own folder holds."""
_MANIFESTS = (
    "package.json", "deno.json", "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile", "Cargo.toml",
    "go.mod", "pom.xml", "build.gradle", "build.gradle.kts", "Gemfile", "composer.json", "mix.exs", "CMakeLists.txt",
    "meson.build", "pubspec.yaml", "Package.swift", "build.sbt", "stack.yaml", "dune-project", "build.zig", "flake.nix",
)  # fmt: skip
_MAX_CACHED_FOLDERS = 1024
"""Folders whose surroundings are remembered in a process."""


class EnclosingProject(NamedTuple):
    """The project that a folder is in."""

    top: Path
    """Its topmost folder."""
    system: str
    """Whose repository it is, such as `git`; empty for a folder with a manifest."""


def find_project(folder: Path, home: Path) -> EnclosingProject | None:
    """The nearest project that a folder is in; None when it is in none."""
    return _project_at(os.path.realpath(folder), os.path.realpath(home))


def find_memory_project(store: Store) -> EnclosingProject | None:
    """The project that a memory lies in; None for one that is a person's, in the agents' home or in no project."""
    return None if is_owned(store) else find_project(store.root, store.places.home)


def is_owned(store: Store) -> bool:
    """Whether the memory is Claude Code's own folder, or one of those that it makes for projects.

    Deeper folders are not the person's own, nor is a project's folder that somebody cloned or linked there.
    """
    home, root = (Path(os.path.realpath(one)) for one in (store.places.claude, store.root))
    if root == home:
        return store.layout.design.is_of_agent_home
    projects = home / "projects"
    if not store.layout.design.is_of_claude_project or root.parent != projects:
        return False
    return not any(os.path.lexists(folder / ".git") for folder in (root, projects))


def find_work_tree(folder: Path) -> EnclosingProject | None:
    """The nearest work tree that a folder is in, also one of the whole home: what lies in it may be committed."""
    return next(find_work_trees(folder), None)


def find_work_trees(folder: Path) -> Iterator[EnclosingProject]:
    """Every work tree that a folder is in, the nearest first: what an outer one tracks is committed with it, too."""
    real = os.path.realpath(folder)
    for top in (real, *map(str, Path(real).parents)):
        if system := _version_control(top):
            yield EnclosingProject(Path(top), system)


@lru_cache(maxsize=_MAX_CACHED_FOLDERS)
def _project_at(folder: str, home: str) -> EnclosingProject | None:
    for top in (folder, *map(str, Path(folder).parents)):
        is_wide = top == "/" or f"{home}/".startswith(f"{top}/")
        if is_wide and top != folder:
            return None
        if (system := _version_control(top)) or all(os.path.lexists(f"{top}/{name}") for name in _GIT_FOLDER_NAMES):
            return EnclosingProject(Path(top), system or "git")
        if not is_wide and any(os.path.lexists(f"{top}/{name}") for name in _MANIFESTS):
            return EnclosingProject(Path(top), "")
    return None


def _version_control(top: str) -> str:
    return next((system for name, system in _VERSION_CONTROL.items() if os.path.lexists(f"{top}/{name}")), "")
