"""The files that belong to a memory, and the paths that they may have.

In layout project they include the documents in `_docs/`, from which a master is made. Excluded are hidden files (except
migrated notes), files brought in by links, and what an agent keeps beside the memory.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath

from recall_tui.files import open_file
from recall_tui.storage.archives.file import parse_number
from recall_tui.storage.documents.topic_files import is_topic
from recall_tui.storage.files.atomic import TEMPORARY_PATTERN
from recall_tui.storage.files.symlinks import DOCS_FOLDER, INSTRUCTION_FILES, find_outside_target, memory_folders
from recall_tui.storage.files.temporary_files import REPLACED_FOLDER, TOMBSTONE_FOLDER
from recall_tui.storage.layout import CONFIG_NAME, JSON_CONFIG_NAME, Layout

_OUTSIDE_LINK = "it is a link that points outside the memory"
_OF_THE_PLACE = ".gitignore"
"""A file about the memory's folder itself, which does not travel with the memory."""
_MAX_NAME_BYTES = 255
"""The longest file name on all common file systems."""
_MAX_PATH_BYTES = 1_000
"""The longest path below the root."""
MIGRATED_FOLDER = PurePosixPath(".archive/typed-memories")
"""Below the base folder: original notes that became wiki pages; hidden, but included."""
_APART = frozenset((REPLACED_FOLDER, TOMBSTONE_FOLDER, ".git"))
"""Folders in a memory without any of the user's content."""
_MAX_PEEK_BYTES = 1 << 20
"""Bytes of a file to search for a zero byte, which marks it as binary."""
DOCUMENT_SUFFIXES = (".md", ".markdown", ".txt")
"""Extensions of documents."""


@dataclass(frozen=True, slots=True)
class ExcludedFile:
    """A file that is left out, and why."""

    path: str
    reason: str


def list_files(layout: Layout) -> tuple[tuple[Path, ...], tuple[ExcludedFile, ...]]:
    """Return every file of the memory, the fixed ones first, and the files left out among them."""
    found: dict[Path, None] = {}
    left_out: list[ExcludedFile] = []
    for path in _candidates(layout, left_out):
        if not path.is_file():
            continue
        if not path.is_relative_to(layout.root) or ".." in path.relative_to(layout.root).parts:
            left_out.append(ExcludedFile(_display_path(path), "it lies outside the memory's folder"))
        elif not _is_utf8(str(path)):
            left_out.append(ExcludedFile(_display_path(path.relative_to(layout.root)), "its name is not UTF-8"))
        elif find_outside_target(layout, path):
            left_out.append(ExcludedFile(_display_path(path.relative_to(layout.root)), _OUTSIDE_LINK))
        else:
            found[path] = None
    return tuple(found), tuple(left_out)


def resolve_name(layout: Layout, name: str) -> Path:
    """Return the path for a file `name`, relative to the root; ValueError says why a memory cannot have that file."""
    if not _is_utf8(name) or "\0" in name or not name:
        raise ValueError("no path")
    pure = PurePosixPath(name)
    if pure.is_absolute():
        raise ValueError("an absolute path")
    if ".." in pure.parts or pure.as_posix() != name:
        raise ValueError("a path with .. or detours")
    if len(name.encode()) > _MAX_PATH_BYTES or any(len(part.encode()) > _MAX_NAME_BYTES for part in pure.parts):
        raise ValueError("a name that is too long")
    path = layout.root / name
    if path in _fixed_files(layout):
        return path
    if any(_has_document_name(part) for part in pure.parts[:-1]):
        raise ValueError("a folder where a document belongs")
    folder, own = layout.base / MIGRATED_FOLDER, path.parent
    if any(part.startswith(".") for part in (pure.parts if own != folder else (pure.name,))):
        raise ValueError("a hidden name")
    if not _is_in_layout(layout, path):
        raise ValueError(f"no place of a memory of layout {layout.name}")
    return path


def _has_document_name(name: str) -> bool:
    return unicodedata.normalize("NFKC", name).casefold().rstrip(" .").endswith(DOCUMENT_SUFFIXES)


def exclusion_reason(path: Path) -> str:
    """Return why the name of an imported file excludes it; empty when it may be imported."""
    name = unicodedata.normalize("NFKC", path.name).casefold().rstrip(" .")
    if name in (CONFIG_NAME, JSON_CONFIG_NAME):
        return "settings never travel; set what you want here: recall-tui config set"
    return "agents would obey it" if name in INSTRUCTION_FILES else ""


def migrated_notes(layout: Layout) -> tuple[Path, ...]:
    """Return the original notes that became wiki pages."""
    folder = layout.base / MIGRATED_FOLDER
    if any(place.is_symlink() for place in (folder.parent, folder)):
        return ()
    return tuple(path for path in _sorted(folder) if path.suffix in DOCUMENT_SUFFIXES and _is_own(path))


def written_documents(layout: Layout) -> Iterator[Path]:
    """Yield every document in the memory's own folders, by any author and under any name; no settings."""
    files, _ = list_files(layout)
    settings = frozenset((layout.config, layout.root / JSON_CONFIG_NAME))
    docs = _docs(layout)
    for path in files:
        if (
            path.suffix.lower() in DOCUMENT_SUFFIXES
            and path not in settings
            and not any(one in path.parents for one in docs)
        ):
            yield path


def other_files(layout: Layout) -> Iterator[Path]:
    """Yield every regular file in the memory's own folders, including hidden files, other types and editors' leftovers.

    Excluded are files brought in by links, temporary files, tombstones and a repository's own files.
    """
    fixed = {*_fixed_files(layout), layout.root / JSON_CONFIG_NAME}
    for folder in memory_folders(layout):
        if find_outside_target(layout, folder):
            continue
        for place, names, files in os.walk(folder):
            names[:] = sorted(set(names) - _APART)
            yield from (path for name in sorted(files) if _is_plain(path := Path(place, name)))
    for folder in sorted({path.parent for path in fixed} | {place.folder for place in layout.archives}):
        if any(folder.is_relative_to(own) for own in memory_folders(layout)) or find_outside_target(layout, folder):
            continue
        from recall_tui.storage.archives.conflicted_copies import original_in

        for path in filter(_is_plain, _sorted(folder)):
            of = original_in(layout, path)
            if path in fixed or (of != path and (of in fixed or parse_number(of.name) is not None)):
                yield path


def is_text(path: Path) -> bool:
    """Return whether a file without a document's extension holds text."""
    try:
        with open_file(path) as file:
            return b"\0" not in file.read(_MAX_PEEK_BYTES)
    except OSError:
        return False


def points_outside(layout: Layout, path: Path) -> bool:
    """Return whether links on the way to `path` lead out of the memory; for fixed files they may."""
    if path in _fixed_files(layout):
        return False
    real = _real(path)
    if real.is_symlink():
        return True
    own = (*memory_folders(layout), *_docs(layout))
    if not any(path.is_relative_to(folder) for folder in own):
        return path.is_symlink()
    return not any(real.is_relative_to(_real(folder)) for folder in own)


def is_memory_path(layout: Layout, path: Path) -> bool:
    """Return whether a file at `path`, links followed, would belong to the memory."""
    real = _real(path)
    if real in map(_real, _fixed_files(layout)):
        return True
    if any(real.is_relative_to(_real(folder)) for folder in memory_folders(layout)):
        return True
    if any(_is_document(_real(folder), real) for folder in _docs(layout)):
        return True
    return real.parent == _real(layout.root) and _is_in_layout(layout, layout.root / real.name)


def _real(path: Path) -> Path:
    """Resolve links; a link loop stays unresolved."""
    return Path(os.path.realpath(path))


@lru_cache(maxsize=4)
def _fixed_files(layout: Layout) -> tuple[Path, ...]:
    other = (layout.root / JSON_CONFIG_NAME,) if layout.design.reads_json_settings else ()
    return (*layout.fixed_files(), layout.config, *other)


def _docs(layout: Layout) -> tuple[Path, ...]:
    return (layout.root / DOCS_FOLDER,) if layout.design.keeps_project_documents else ()


def _is_document(folder: Path, path: Path) -> bool:
    return path != folder and path.is_relative_to(folder) and path.suffix.lower() in DOCUMENT_SUFFIXES


def _is_in_layout(layout: Layout, path: Path) -> bool:
    if any(_is_document(folder, path) for folder in _docs(layout)):
        return True
    if any(path.is_relative_to(folder) and path != folder for folder in memory_folders(layout)):
        return True
    if path.parent == layout.topics:
        return is_topic(path.name)
    places = [place for place in layout.archives if place.folder == path.parent]
    return parse_number(path.name) is not None and any(path.name.startswith(f"{place.prefix}-") for place in places)


def _candidates(layout: Layout, left_out: list[ExcludedFile]) -> Iterator[Path]:
    fixed = _fixed_files(layout)
    yield from fixed
    own_folders = memory_folders(layout)
    for folder in (layout.topics, *(place.folder for place in layout.archives)):
        if not any(folder.is_relative_to(own) for own in own_folders):
            yield from (path for path in _sorted(folder) if _is_in_layout(layout, path) and not path.is_symlink())
    for folder in own_folders:
        if find_outside_target(layout, folder):
            left_out.append(ExcludedFile(_display_path(folder.relative_to(layout.root)), _OUTSIDE_LINK))
            continue
        yield from _walk(layout, folder, frozenset(fixed), left_out)
    yield from migrated_notes(layout)
    for folder in _docs(layout):
        if find_outside_target(layout, folder):
            left_out.append(ExcludedFile(_display_path(folder.relative_to(layout.root)), _OUTSIDE_LINK))
            continue
        for path in _walk(layout, folder, frozenset(), left_out):
            if _is_document(folder, path):
                yield path
            else:
                left_out.append(ExcludedFile(_display_path(path.relative_to(layout.root)), "it is not a text file"))


def _walk(layout: Layout, folder: Path, fixed: frozenset[Path], left_out: list[ExcludedFile]) -> Iterator[Path]:
    for path in _sorted(folder):
        reason = ""
        if (
            path in fixed
            or TEMPORARY_PATTERN.fullmatch(path.name)
            or path.name in (REPLACED_FOLDER, TOMBSTONE_FOLDER, _OF_THE_PLACE)
        ):
            continue
        if path.name.startswith("."):
            if path == layout.base / MIGRATED_FOLDER.parent and migrated_notes(layout):
                continue
            reason = "it is hidden"
        elif path.is_symlink() and (path.is_dir() or not path.is_file()):
            reason = "it is a link to something other than a file"
        elif points_outside(layout, path):
            reason = _OUTSIDE_LINK
        elif path.is_dir():
            yield from _walk(layout, path, fixed, left_out)
        elif path.is_file():
            yield path
        else:
            reason = "it is no regular file"
        if reason:
            left_out.append(ExcludedFile(_display_path(path.relative_to(layout.root)), reason))


def _is_plain(path: Path) -> bool:
    return path.is_file() and not path.is_symlink() and not TEMPORARY_PATTERN.fullmatch(path.name)


def _is_own(path: Path) -> bool:
    return path.is_file() and not path.is_symlink() and not path.name.startswith(".")


def _sorted(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _display_path(path: Path) -> str:
    return os.fsencode(path).decode("utf-8", "backslashreplace")
