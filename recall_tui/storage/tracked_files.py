"""The memory's session files that git tracks, and so commits whatever is ignored.

Each repository that may commit them is checked on its own: permission for one does not extend to another.
"""

from __future__ import annotations

import os
import re
import shlex
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from recall_tui.git_repository import git_folders, read_bytes, shared_folder, tracked_files
from recall_tui.storage import trust
from recall_tui.storage.files.symlinks import find_outside_target
from recall_tui.storage.layout import Layout
from recall_tui.storage.memory_context import Store
from recall_tui.storage.project_root import EnclosingProject, find_work_trees

GITIGNORE_SYSTEMS = ("git", "jj")
"""Version control systems that respect `.gitignore`."""
DAY_GLOB = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9].md"
PRIVATE_PATTERNS = (".recall-*", "*.saved-*", DAY_GLOB)
"""Patterns of private files whose names are not known in advance."""
COPY_ENDS = ("[ _(]*", ".sync-conflict-*", "-[A-Z0-9]*")
"""Suffixes that sync services add to a file's name (without `.md`) for a second copy."""
MAX_BYTES = 1 << 20
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}\.md")
_SPECIAL_CHARS = re.compile(r"([\\*?\[\] ])")


class TrackedFiles(NamedTuple):
    """The session files that a repository tracks."""

    around: EnclosingProject
    names: list[str]
    """Paths relative to the repository's top."""

    @property
    def repository(self) -> str:
        """The repository's own folder, or its top where that contains it."""
        return str(self.around.git or self.around.top)


def find_tracked(store: Store) -> Iterator[TrackedFiles]:
    """Yield the tracked session files by repository, nearest first."""
    layout, real = store.layout, Path(os.path.realpath(store.root))
    base = locate(real, layout, layout.base)
    private = set(_private_places(layout, real))

    def is_private(path: Path) -> bool:
        is_day = path.parent == base and _DAY.fullmatch(path.name)
        return bool(is_day) or not private.isdisjoint((path, *path.parents))

    found: dict[EnclosingProject, dict[str, None]] = {}
    for place in (real, *sorted(path for path in private if not path.is_relative_to(real))):
        for around in find_work_trees(place, store.environment):
            names = _tracked_names(around, place, store) if around.system in GITIGNORE_SYSTEMS else []
            if names := [name for name in names if is_private(around.top / name)]:
                found.setdefault(around, {}).update(dict.fromkeys(names))
    for around, held in found.items():
        yield TrackedFiles(around, list(held))


def _tracked_names(around: EnclosingProject, place: Path, store: Store) -> list[str]:
    """The files in the repository's index, and in the one that `GIT_INDEX_FILE` names, as while a commit is made."""
    named = store.environment.env.get("GIT_INDEX_FILE")
    indexes = ["index", *(str(folder / named) for folder in (around.top, store.environment.cwd) if named)]
    return [name for one in dict.fromkeys(indexes) for name in tracked_files(around.top, place, around.git, one)]


def find_published(store: Store) -> Iterator[TrackedFiles]:
    """Yield the tracked session files that the user did not declare as meant for that repository's commits."""
    for one in find_tracked(store):
        names = [name for name in one.names if name.endswith(".md")]
        if not names or trust.lets_commit(store, one.repository):
            continue
        known = {line.rstrip("/") for line in exclude_lines(one.around)}
        if names := [name for name in names if not _is_let_in(name, known)]:
            yield TrackedFiles(one.around, names)


def published(store: Store) -> list[str]:
    """Return the tracked session files that the user did not declare as meant for commits."""
    return _names(find_published(store))


def tracked_private(store: Store) -> list[str]:
    """Return the session files tracked by repositories around the memory, relative to each top."""
    return _names(find_tracked(store))


def _names(found: Iterator[TrackedFiles]) -> list[str]:
    return list(dict.fromkeys(name for one in found for name in one.names))


def _is_let_in(name: str, known: set[str]) -> bool:
    parts = name.split("/")
    paths = ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
    days = [*parts[:-1], DAY_GLOB] if _DAY.fullmatch(parts[-1]) else parts
    return any("#" + ignore_line(path) in known for path in (*paths, "/".join(days)))


def label_files(names: list[str]) -> str:
    """Describe a list of session files briefly."""
    return names[0] if len(names) == 1 else f"{len(names)} files of sessions, such as {names[0]}"


def untrack_command(store: Store) -> str:
    """Return the git command that stops tracking session files and keeps them on disk."""
    found = list(find_published(store)) or list(find_tracked(store))
    return " && ".join(_untrack_words(store, one) for one in found)


def _untrack_words(store: Store, found: TrackedFiles) -> str:
    real, top = Path(os.path.realpath(store.root)), found.around.top
    inside = (path for path in _private_places(store.layout, real) if path.is_relative_to(top))
    private = dict.fromkeys(str(path.relative_to(top)) for path in inside)
    places = [one for one in private if any(name == one or name.startswith(f"{one}/") for name in found.names)]
    rest = [name for name in found.names if not any(name == one or name.startswith(f"{one}/") for one in places)]
    git = ["git", "-C", str(top)]
    git += [f"--git-dir={found.around.git}", f"--work-tree={top}"] if found.around.git else []
    return f"{shlex.join(git)} rm -r --cached -- {shlex.join([*places, *rest])}"


def private_paths(layout: Layout) -> list[Path]:
    """Return the paths of session data that is not meant to be committed."""
    found = [layout.window, layout.rows, layout.dreams, layout.weekly, layout.monthly]
    found += [place.folder for place in layout.archives]
    if layout.days != layout.base:
        found.append(layout.days)
    return found if layout.design.publishes_summaries else [*found, layout.master, layout.wisdom]


def _private_places(layout: Layout, real: Path) -> Iterator[Path]:
    """Yield the resolved private paths, and the targets of those that are followed links."""
    for path in private_paths(layout):
        yield (place := locate(real, layout, path))
        target = Path(os.path.realpath(path))
        if target != place and find_outside_target(layout, path) is None:
            yield target


def locate(real: Path, layout: Layout, path: Path) -> Path:
    """Return a path of the memory with the links in its root resolved."""
    return real / path.relative_to(layout.root) if path.is_relative_to(layout.root) else path


def exclude_lines(around: EnclosingProject) -> list[str]:
    """Return the lines of the repository's private list; empty when it cannot be read."""
    file = exclude_file(around)
    return parse_lines(read_limited(file)) if file is not None and file_kind(file) == stat.S_IFREG else []


def exclude_file(around: EnclosingProject) -> Path | None:
    """Return the path of the repository's private list, existing or not."""
    found = git_folders(around.top) if around.git is None else (around.git, shared_folder(around.git))
    return None if found is None else found[1] / "info" / "exclude"


def parse_lines(text: str) -> list[str]:
    """Split into lines as git does: at line feeds only, without a UTF-8 byte order mark."""
    return [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]


def read_limited(file: Path) -> str:
    """Read the start of a repository's file, at most `MAX_BYTES`."""
    return read_bytes(file, MAX_BYTES).decode("utf-8", "surrogateescape")


def ignore_line(name: str) -> str:
    """Return the `.gitignore` line for a relative path, whose last part may be a pattern."""
    folder, slash, last = name.rpartition("/")
    end = next((end for end in COPY_ENDS if last.endswith(end)), "")
    known = last if last in PRIVATE_PATTERNS else _escape(last.removesuffix(end)) + end
    return "/" + _escape(folder) + slash + known


def _escape(name: str) -> str:
    return _SPECIAL_CHARS.sub(r"\\\1", name)


def file_kind(path: Path) -> int:
    """Return the file's type without following links; 0 when there is none."""
    try:
        return stat.S_IFMT(path.lstat().st_mode)
    except OSError:
        return 0
