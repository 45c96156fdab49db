"""`MEMORY.saved-1.md`: what another program wrote and could not be brought into the file, kept for a person."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from recall_tui.storage.layout import Layout
from recall_tui.storage.watch_paths import watched_folders

_SAVED_NAME = re.compile(r"(.+)\.saved-\d+(\.[^.]+)?")
_SAVED_INFIX = ".saved-"


def find_saved(layout: Layout, others: Iterable[Path] = ()) -> tuple[Path, ...]:
    """Those in the memory's folders, and in other ones."""
    return tuple(
        sorted({path for folder in (*watched_folders(layout), layout.wiki, *others) for path in _find_in(folder)})
    )


def original_path(path: Path) -> Path:
    """The file whose other text it holds."""
    name = _SAVED_NAME.fullmatch(path.name)
    return path if name is None else path.with_name(name[1] + (name[2] or ""))


def describe(name: str) -> str:
    """The file, and what to do about it, for a person."""
    return f"{name} holds what another program wrote meanwhile; see: recall-tui review"


def _find_in(folder: Path) -> Iterator[Path]:
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _SAVED_INFIX in entry.name and _SAVED_NAME.fullmatch(entry.name):
                yield Path(entry.path)
