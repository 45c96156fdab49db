"""The project around a memory's folder: a repository, or a folder with a manifest.

Projects are recognized by names alone. A repository of the user's whole home, such as one of dotfiles, counts as a
project only for its top folder, not for the folders below. Files in its work tree may be committed all the same, even
where the repository's own folder lies elsewhere, as the environment or common dotfile managers set it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.errors import UsageError

if TYPE_CHECKING:
    from recall_tui.environment import Environment
    from recall_tui.storage.memory_context import Store

_VERSION_CONTROL = {
    ".git": "git", ".jj": "jj", ".hg": "hg", ".svn": "svn", ".bzr": "bzr", "_darcs": "darcs", ".pijul": "pijul",
    ".fslckout": "fossil", "CVS": "cvs",
}  # fmt: skip
"""Entries in the top folder of a work tree, and the version control system of each."""
_GIT_FOLDER_NAMES = ("HEAD", "objects", "refs")
"""Entries of a repository's own folder."""
_MANIFESTS = (
    "package.json", "deno.json", "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile", "Cargo.toml",
    "go.mod", "pom.xml", "build.gradle", "build.gradle.kts", "Gemfile", "composer.json", "mix.exs", "CMakeLists.txt",
    "meson.build", "pubspec.yaml", "Package.swift", "build.sbt", "stack.yaml", "dune-project", "build.zig", "flake.nix",
)  # fmt: skip
_MAX_ENV_SETTINGS = 100
"""The most settings of git in the environment to read."""
_MAX_CACHED_FOLDERS = 1024
"""The most folders whose project to cache in a process."""


class EnclosingProject(NamedTuple):
    """The project that a folder is in."""

    top: Path
    system: str
    """Version control system of its repository, such as `git`; empty for a folder with a manifest."""
    git: Path | None = None
    """The repository's own folder, when it is not in the top folder."""


def find_project(folder: Path, home: Path) -> EnclosingProject | None:
    """Return the nearest project that contains a folder; None when there is none."""
    return _project_at(os.path.realpath(folder), os.path.realpath(home))


def find_memory_project(store: Store) -> EnclosingProject | None:
    """Return the project around a memory; None in Claude Code's own folders and outside any project."""
    return None if is_owned(store) else find_project(store.root, store.environment.home)


def is_owned(store: Store) -> bool:
    """Return whether the memory is Claude Code's own folder, or one of its folders for projects.

    Deeper folders are not the user's own, nor is a project's folder that somebody cloned or linked there.
    """
    home, root = (Path(os.path.realpath(one)) for one in (store.environment.claude, store.root))
    if root == home:
        return store.layout.design.is_of_agent_home
    projects = home / "projects"
    if not store.layout.design.is_of_claude_project or root.parent != projects:
        return False
    return not any(os.path.lexists(folder / ".git") for folder in (root, projects))


def find_work_tree(folder: Path, environment: Environment) -> EnclosingProject | None:
    """Return the nearest work tree that contains a folder, even one of the whole home: its files may be committed."""
    return next(find_work_trees(folder, environment), None)


def find_work_trees(folder: Path, environment: Environment) -> Iterator[EnclosingProject]:
    """Yield every work tree that contains a folder, nearest first: an outer one commits what it tracks, too.

    Work trees of repositories that lie elsewhere come last.
    """
    real = os.path.realpath(folder)
    above = (real, *map(str, Path(real).parents))
    for top in above:
        if system := _version_control(top):
            yield EnclosingProject(Path(top), system)
    found = dict.fromkeys(_distant_repositories(above, environment))
    if not found:
        return
    from recall_tui.git_repository import index_folders, named_git_folder, named_work_tree

    for path, trees in found:
        if (git := named_git_folder(Path(path))) is None:
            continue
        set_tree = None if trees.is_sure else named_work_tree(git)
        for tree in dict.fromkeys([set_tree] if set_tree else [Path(os.path.realpath(one)) for one in trees.tops]):
            if str(tree) in above and git != (index_folders(tree) or (None,))[0]:
                yield EnclosingProject(tree, "git", git)


class _WorkTrees(NamedTuple):
    """The possible work trees of a repository."""

    tops: tuple[str, ...] = ()
    is_sure: bool = False
    """The work trees hold whatever the repository's settings say."""


def _distant_repositories(above: tuple[str, ...], environment: Environment) -> Iterator[tuple[str, _WorkTrees]]:
    """Yield folders of repositories whose work tree may be elsewhere (`core.worktree` in git-config(1)).

    Only the environment, the surrounding folders and hidden folders in the home name candidates, never files that
    others wrote.
    """
    cwd, home, named = environment.cwd, os.path.realpath(environment.home), environment.env.get("GIT_DIR")
    tree = environment.env.get("GIT_WORK_TREE") or _work_tree_of_settings(environment.env)
    if tree and not named:
        named = next((f"{top}/.git" for top in (cwd, *cwd.parents) if os.path.lexists(f"{top}/.git")), None)
    if named:
        is_sure = bool(tree)
        yield str(cwd / named), _WorkTrees((str(cwd / tree),) if tree else (str(cwd), home), is_sure)
    yield from ((f"{top}/.git", _WorkTrees()) for top in above if os.path.lexists(f"{top}/.git/config"))
    if home in above:
        yield from _dotfile_repositories(home, environment)


def _work_tree_of_settings(env: Mapping[str, str]) -> str:
    """The `core.worktree` that the environment sets (git-config(1)), as `git -c` does; empty without one."""
    count = env.get("GIT_CONFIG_COUNT", "")
    numbers = range(min(int(count), _MAX_ENV_SETTINGS)) if count.isascii() and count.isdecimal() else ()
    pairs = [(env.get(f"GIT_CONFIG_KEY_{one}", ""), env.get(f"GIT_CONFIG_VALUE_{one}", "")) for one in numbers]
    if parameters := env.get("GIT_CONFIG_PARAMETERS"):
        import shlex

        with suppress(ValueError):
            pairs += [(one.partition("=")[0], one.partition("=")[2]) for one in shlex.split(parameters)]
    return next((value for key, value in reversed(pairs) if key.lower() == "core.worktree"), "")


def _dotfile_repositories(home: str, environment: Environment) -> Iterator[tuple[str, _WorkTrees]]:
    """Yield dotfile repositories: hidden folders in the home, even with a set work tree, and yadm's and vcsh's."""
    config = environment.env.get("XDG_CONFIG_HOME") or f"{home}/.config"
    data = environment.env.get("XDG_DATA_HOME") or f"{home}/.local/share"
    for folder, start in ((home, "."), (f"{data}/yadm", ""), (f"{config}/yadm", ""), (f"{config}/vcsh/repo.d", "")):
        try:
            with os.scandir(folder) as entries:
                names = [entry.name for entry in entries if entry.name.startswith(start) and entry.name != ".git"]
        except OSError:
            continue
        for path in (f"{folder}/{name}" for name in sorted(names)):
            if os.path.lexists(f"{path}/.git"):
                # A clone belongs to this folder unless its settings say otherwise, and cloning copies no settings.
                yield f"{path}/.git", _WorkTrees()
            elif all(os.path.lexists(f"{path}/{name}") for name in (*_GIT_FOLDER_NAMES, "index")):
                yield path, _WorkTrees((home,))


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


def expect_agent_home(environment: Environment, folder: Path) -> None:
    """Raise UsageError for a folder that cannot be an agent's home: inside a project, the current folder, or the home.

    Any other named folder may be one, such as a copy of an agent's home; only the agent's own home takes in the
    sessions of every project.
    """
    real = folder.resolve()
    if real == environment.claude.resolve():
        return
    is_here = real in (environment.cwd.resolve(), environment.home.resolve()) and not folder.name.startswith(".claude")
    if is_here or find_project(folder, environment.home):
        raise UsageError(
            f"a memory of layout user is in the agent's home, {environment.claude}, not in {folder}",
            hint="run: recall-tui init --layout user, or for a memory of this project: recall-tui init .",
        )
