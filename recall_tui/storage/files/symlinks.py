"""Symbolic links in a memory, and which of them are followed.

A memory may come with a repository that others wrote, and a link in it may lead to any file of the user who opens it.
What a link, or a setting of the folder, brings in from outside the memory is not read, given to agents, exported or
written until the user allows it on this machine. In Claude Code's own folder the known documents of the memory, and its
folders as a whole, may be links; deeper entries may not, because plugins and marketplaces are cloned there. Elsewhere a
folder of a memory may be a link as a whole once the user has confirmed its target.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from recall_tui.errors import RecallError
from recall_tui.files import RootBoundary, is_person_file
from recall_tui.storage.layout import JSON_CONFIG_NAME, Layout, make_layout

FOLLOW_SETTING = "memory.follow_links"
DOCS_FOLDER = "_docs"
"""A project's folder of documents, beside its memory."""
_LINK_HINT = f"remove it, or, if it is your own: recall-tui config set {FOLLOW_SETTING} true"
_TRUST_COMMAND = "recall-tui config trust"
_FOLDER_HINT = f"remove it, or, if it is your own: {_TRUST_COMMAND}"
INSTRUCTION_FILES = frozenset(
    ("claude.md", "claude.local.md", "agents.md", "agents.override.md", "gemini.md", "copilot-instructions.md")
)
"""Lower-case names of files that agents obey wherever they lie."""
_MANUAL_HINT = f"remove it, or, if it is your own: RECALL_{FOLLOW_SETTING.replace('.', '_').upper()}=true"


def points_outside(root: Path, path: Path) -> bool:
    """Return whether a path from a setting is outside the root, links resolved; an invalid path is."""
    try:
        return not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(root))
    except ValueError:
        return True


def misplaced_settings(layout: Layout) -> dict[str, str]:
    """Return the settings that put a document outside the memory or onto an unsuitable file, with their targets.

    A file is unsuitable if it is not `.md`, agents obey it, or another document has that path.
    """
    if not layout.design.reads_json_settings:
        return {}
    named = _moved_settings(layout)
    pages = [real for key, real in named.items() if key != "paths.memories"]
    taken = {os.path.realpath(one) for one in _fixed_documents(make_layout(layout.root, layout.name))}
    found = dict(layout.astray)
    for key, real in named.items():
        is_page = key == "paths.memories" or (
            Path(real).suffix.lower() == ".md"
            and Path(real).name.casefold() not in INSTRUCTION_FILES
            and real not in taken
            and pages.count(real) == 1
        )
        if not is_page or points_outside(layout.root, Path(real)):
            found[key] = real
    return found


def _moved_settings(layout: Layout) -> dict[str, str]:
    """Return the settings that move documents away from the design's paths, with their resolved targets."""
    design = make_layout(layout.root, layout.name)
    pairs = {
        "paths.memory": (layout.memory_file, design.memory_file),
        "paths.ephemeral": (layout.window, design.window),
        "paths.archive": (layout.rows, design.rows),
        "paths.memories": (layout.archives[0].folder, design.archives[0].folder),
    }
    moved = ((key, os.path.realpath(now), was) for key, (now, was) in pairs.items() if now != was)
    return {key: real for key, real, was in moved if real != os.path.realpath(was)}


def linked_folders(layout: Layout) -> Iterator[tuple[Path, Path]]:
    """Yield the memory's folders that are, as a whole, links out of it, each with its target."""
    root = Path(os.path.realpath(layout.root))
    for folder in memory_folders(layout):
        if not (real := Path(os.path.realpath(folder))).is_relative_to(root):
            yield folder, real


def find_outside_target(layout: Layout, path: Path) -> Path | None:
    """Return the resolved target of `path` if it is outside the memory and not followed; else None.

    Within the root a link may lead to a file of the same kind: to CLAUDE.md, but not to one without an extension.
    """
    real = memory_enclosure(layout).stray(str(path.absolute()))
    return None if real is None else Path(real)


def memory_enclosure(layout: Layout) -> RootBoundary:
    """Return the boundary at which files are opened: the root, and the links of the memory that are the user's."""
    root, *inside = (Path(os.path.realpath(one)) for one in (layout.root, *memory_folders(layout)))
    places = (*_moved_settings(layout).values(),) if layout.owns_places else ()
    return RootBoundary(
        str(layout.root),
        str(root),
        layout.follows_links,
        (*(str(one) for one in inside if layout.owns_folders or one.is_relative_to(root)), *places),
        _design_paths(layout.root, layout.name) if layout.owns_files else frozenset(),
    )


def list_documents(layout: Layout, folder: Path) -> list[Path]:
    """List the markdown files in a folder of the memory, hidden ones too, unordered; skip those brought in by links.

    A link loop counts as no folder.
    """
    try:
        with os.scandir(folder) as found:
            entries = [one for one in found if one.name.endswith(".md") and is_file(one)]
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        if error.errno != errno.ELOOP:
            raise
        return []
    is_shut = link_check(layout)
    return [folder / one.name for one in entries if not is_shut(one)]


def is_file(place: Path | os.DirEntry[str]) -> bool:
    """Return whether a regular file is there, links followed; a link loop is none."""
    try:
        return place.is_file()
    except OSError:
        return False


def link_check(layout: Layout) -> Callable[[Path | os.DirEntry[str]], bool]:
    """Return a predicate for files that links bring in from outside; it checks each folder once."""
    shut: dict[str, bool] = {}

    def is_shut(file: Path | os.DirEntry[str]) -> bool:
        if layout.follows_links:
            return False
        folder = os.path.split(file)[0]
        if folder not in shut:
            shut[folder] = find_outside_target(layout, Path(folder)) is not None
        return shut[folder] or (file.is_symlink() and find_outside_target(layout, Path(file)) is not None)

    return is_shut


def shared_link_check(folder: Path) -> Callable[[Path], bool]:
    """Return a predicate for files in a shared folder that are links to outside of it."""
    real = Path(os.path.realpath(folder))
    return lambda file: file.is_symlink() and not Path(os.path.realpath(file)).is_relative_to(real)


def expect_within(folder: Path, files: Iterable[Path]) -> None:
    """Raise RecallError if a file in a shared folder is a link that leads out of it."""
    is_shut = shared_link_check(folder)
    for file in files:
        if is_shut(file):
            raise RecallError(
                f"{file} points outside {folder}, to {os.path.realpath(file)}: nothing was read or written there",
                hint="remove the link",
            )


def expect_own(layout: Layout, path: Path) -> None:
    """Raise RecallError if a link on the path to a file of the memory leads out of it; ignore other files."""
    is_ours = path.is_relative_to(layout.root) and not is_person_file(path)
    if (is_ours or path in _fixed_documents(layout)) and (target := find_outside_target(layout, path)):
        raise _refusal(layout, path, target)


def expect_own_documents(layout: Layout) -> None:
    """Raise RecallError if a fixed document of the memory is a link that leads out, or is configured outside."""
    for key, real in layout.astray:
        raise RecallError(
            f"{key} in {layout.root / JSON_CONFIG_NAME} points to {real}: nothing was read or written there",
            hint=f"change it, or, if it is your own: {_TRUST_COMMAND}",
        )
    for path in _fixed_documents(layout):
        if path != layout.config and (target := find_outside_target(layout, path)):
            raise _refusal(layout, path, target)


def outside_links(layout: Layout) -> Iterator[tuple[Path, Path]]:
    """Yield every link of the memory that leads out and is not followed, with its target."""
    seen: set[Path] = set()
    for path in (*_fixed_documents(layout), *_entries(layout)):
        if path not in seen and (target := find_outside_target(layout, path)):
            yield path, target
        seen.add(path)


def memory_folders(layout: Layout) -> tuple[Path, ...]:
    """Return the folders that belong to the memory alone, by the design and not by settings."""
    return _folders(layout.root, layout.name)


def _refusal(layout: Layout, path: Path, target: Path) -> RecallError:
    name = path.relative_to(layout.root) if path.is_relative_to(layout.root) else path
    in_linked = any(path.is_relative_to(folder) for folder, _ in linked_folders(layout)) and not layout.owns_folders
    return RecallError(
        f"{name} points outside the memory in {layout.root}, to {target}: nothing was read or written there",
        hint=_FOLDER_HINT if in_linked else _MANUAL_HINT if path == layout.config else _LINK_HINT,
    )


def _fixed_documents(layout: Layout) -> tuple[Path, ...]:
    return (*layout.fixed_files(), layout.config)


def _entries(layout: Layout) -> Iterator[Path]:
    for top in (*memory_folders(layout), layout.root / DOCS_FOLDER):
        if find_outside_target(layout, top):
            # Do not scan it either: it may be a whole disk.
            yield top
            continue
        for folder, names, files in os.walk(top):
            yield from (path for name in sorted((*names, *files)) if (path := Path(folder, name)).is_symlink())


@lru_cache(maxsize=8)
def _folders(root: Path, name: str) -> tuple[Path, ...]:
    design = make_layout(root, name)  # type: ignore[arg-type]
    found = dict.fromkeys((design.base, *(place.folder for place in design.archives)))
    return tuple(one for one in found if not any(other in one.parents for other in found))


@lru_cache(maxsize=8)
def _design_paths(root: Path, name: str) -> frozenset[str]:
    """Return the design's documents and settings, relative to the root, regardless of settings that move them."""
    design = make_layout(root, name)  # type: ignore[arg-type]
    return frozenset(one.relative_to(root).as_posix() for one in (*_fixed_documents(design), root / JSON_CONFIG_NAME))
