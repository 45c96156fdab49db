"""Documents in which git left a conflict: nobody can tell which of the two versions holds."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from heapq import nlargest
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.storage.files.atomic import decode, read_bytes
from recall_tui.storage.files.symlinks import list_documents
from recall_tui.storage.scopes import list_scopes, scope_layout
from recall_tui.storage.watch_paths import watched_folders

if TYPE_CHECKING:
    from recall_tui.domain import Problem
    from recall_tui.storage.layout import Layout
    from recall_tui.storage.memory_context import Store

MAX_NEWEST_FILES = 200
"""Files that a quick look reads: those that were changed last, for a merge changes what it leaves."""
_OPENING = b"<<<<<<<"


def describe_conflicts(store: Store) -> list[str]:
    """Return a sentence for each file of those changed last that git left a conflict in, with its first line."""
    paths = nlargest(MAX_NEWEST_FILES, _documents(store.layout), key=_changed_at)
    return [words for _, words in _look_into(store, sorted(paths))]


def find_problems(store: Store) -> Iterator[Problem]:
    """Yield a problem for each file that git left a conflict in."""
    from recall_tui.domain import Problem

    for path, words in _look_into(store, sorted(_documents(store.layout))):
        yield Problem("conflict", words, path)


def _look_into(store: Store, paths: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    for path in paths:
        data: bytes | None = None
        with contextlib.suppress(OSError):
            data = read_bytes(path)
        if data is None or _OPENING not in data:
            continue
        from recall_tui.text.merge_conflicts import find_conflicts

        if found := find_conflicts(decode(data)):
            more = f", and {len(found) - 1} more below" if len(found) > 1 else ""
            yield path, f"{store.relative(path)}:{found[0][0]} holds a conflict of git{more}; settle it in the file"


def _documents(layout: Layout) -> set[Path]:
    """The documents that git may merge; an archive holds what was said, conflicts of code too."""
    layouts = [layout, *(scope_layout(layout, name) for name in list_scopes(layout))]
    archives = {place.folder for place in layout.archives}
    folders = {folder for one in layouts for folder in (*watched_folders(one), one.wiki)} - archives
    found = {path for folder in folders for path in list_documents(layout, folder)}
    return found | {path for one in layouts for path in one.fixed_files() if path.is_file()}


def _changed_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
