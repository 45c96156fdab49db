"""Which project a folder belongs to: the one function that both writing and reading ask.

A project is a repository, known by the place of its main work tree on this machine; a folder outside of any repository
is a project by itself. Where a repository says that it was cloned from joins nothing, for any folder can say so: the
person does (see `storage.state.joined_projects`). Nothing is run and nothing is written.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from recall_tui.git_repository import Repository, find_repository, is_folder, is_home_or_root, local_path, normalize_url
from recall_tui.text.folder_name import folder_name
from recall_tui.text.lazy_pattern import lazy_pattern

_MAX_CACHED_FOLDERS = 4096
"""Folders whose project is remembered in a process."""
_SEPARATORS = lazy_pattern(r"[/\\]+")


class Project(NamedTuple):
    """What a folder belongs to."""

    key: str
    """The same for every work tree and sub-folder of the project: its root."""
    name: str
    """For a person, such as `api`."""
    root: Path
    """The main work tree on this machine."""
    remote: str = ""
    """Where it says that it was cloned from: `host/path` without user and password, or a folder; empty when nowhere."""
    part: str = ""
    """The folder inside the repository, such as `packages/web`; empty for its top."""


def project_of(cwd: str | Path, aliases: Mapping[str, str] | None = None) -> Project:
    """The project of a folder, which need not exist any more.

    `aliases` say where folders were moved, old path to new; they hold for what is inside too. An answer is remembered
    as long as the process lives.
    """
    home = _expand_home("~")
    return _identity(os.fspath(cwd), tuple(sorted((aliases or {}).items())), home)


def is_within(inner: Project, outer: Project) -> bool:
    """Whether a folder lies below a project's, and in no repository of its own."""
    home = _real(Path(_expand_home("~")))
    if inner.root == outer.root or not inner.root.is_relative_to(outer.root) or is_home_or_root(outer.root, home):
        return False
    return _repository(_nearest_existing(inner.root), home) is None


def are_copies(one: Project, other: Project) -> bool:
    """Whether two projects say that they are copies of each other, or of the same; nothing follows from it."""
    if one.key == other.key or not (one.remote or other.remote):
        return False
    return one.remote in (other.remote, other.key) or other.remote == one.key


def parse_aliases(lines: Iterable[str], here: Path, home: Path) -> dict[str, str]:
    """Where folders were moved to, old path to new, as lines such as `~/old = ~/new` say.

    A line without a new path speaks of a folder that is `here` now.
    """
    found: dict[str, str] = {}
    for line in lines:
        old, _, new = line.partition(" = " if " = " in line else "=")
        path, place = _home_path(old, home), _home_path(new, home) or str(here)
        # What is filed was named by its real path, where there was a way to know.
        for name in (path, str(_real(Path(path))) if Path(path).is_absolute() else ""):
            if name and name != place:
                found.setdefault(name, place)
    return found


def _home_path(text: str, home: Path) -> str:
    path = text.strip().rstrip("/")
    return f"{home}{path[1:]}" if path == "~" or path.startswith("~/") else path


def current_folder(path: str, aliases: Mapping[str, str]) -> str:
    """Where a folder is after every move that concerns it."""
    return _apply_moves(path, tuple(sorted(aliases.items())))


@lru_cache(maxsize=_MAX_CACHED_FOLDERS)
def _identity(cwd: str, aliases: tuple[tuple[str, str], ...], home: str) -> Project:
    named = _expand_home(cwd)
    moved = _apply_moves(named, aliases)
    path = Path(moved)
    if not path.is_absolute():
        # Of another machine, or unknown: nothing on this disk tells more.
        return Project(cwd, folder_name(_SEPARATORS.split(cwd.rstrip("/\\")), ()), path)
    real = _real(path)
    if moved == named:
        real = _real(Path(_apply_moves(str(real), aliases)))
    return _project(real, _real(Path(home)))


def _project(path: Path, home: Path) -> Project:
    repository = _repository(_nearest_existing(path), home)
    if repository is None or (path != repository.top and is_home_or_root(repository.top, home)):
        return Project(str(path), folder_name(path.parts, home.parts) or str(path), path)
    part = path.relative_to(repository.top).as_posix() if path.is_relative_to(repository.top) else ""
    remote = normalize_url(repository.url)
    name = remote.rpartition("/")[2] or repository.name
    if repository.url and not remote:
        # Only named: looking at a path that somebody else wrote may reach out to another machine.
        remote = os.path.normpath(repository.root / _expand_home(local_path(repository.url)))
    return Project(str(repository.root), name, repository.root, remote, "" if part == "." else part)


@lru_cache(maxsize=_MAX_CACHED_FOLDERS)
def _repository(folder: Path, home: Path) -> Repository | None:
    return find_repository(folder, home)


def _nearest_existing(path: Path) -> Path:
    """The folder itself, or the nearest above it that is still there."""
    return next((folder for folder in (path, *path.parents) if is_folder(folder)), path)


def _apply_moves(path: str, aliases: tuple[tuple[str, str], ...]) -> str:
    """The path after every move, the closest folder first; each move is made once, so that none goes in a circle."""
    open_ = [(_expand_home(old).rstrip("/"), _expand_home(new).rstrip("/")) for old, new in aliases]
    open_ = sorted((alias for alias in open_ if alias[0]), key=lambda alias: len(alias[0]))
    while move := next((alias for alias in reversed(open_) if f"{path}/".startswith(f"{alias[0]}/")), None):
        open_.remove(move)
        path = move[1] + path[len(move[0]) :]
    return path


def _expand_home(path: str) -> str:
    """The path with `~` written out, unless nobody knows where that is."""
    try:
        return str(Path(path).expanduser()) if path.startswith("~") else path
    except (RuntimeError, ValueError):
        return path


def _real(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        return path
