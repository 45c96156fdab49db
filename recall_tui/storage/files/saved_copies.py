"""`MEMORY.saved-1.md`: text from another program that could not be merged into the file, kept for the user."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from recall_tui.storage.layout import Layout
from recall_tui.storage.watch_paths import watched_folders
from recall_tui.text.lazy_pattern import lazy_pattern

_SAVED_NAME = lazy_pattern(r"(.+)\.saved-\d+(\.[^.]+)?")
_SAVED_INFIX = ".saved-"


def find_saved(layout: Layout, others: Iterable[Path] = ()) -> tuple[Path, ...]:
    """Find the saved copies in the memory's folders and in `others`."""
    return tuple(
        sorted({path for folder in (*watched_folders(layout), layout.wiki, *others) for path in _find_in(folder)})
    )


def original_path(path: Path) -> Path:
    """Return the path of the file that this is a saved copy of."""
    name = _SAVED_NAME.fullmatch(path.name)
    return path if name is None else path.with_name(name[1] + (name[2] or ""))


def describe(name: str) -> str:
    """Describe the saved copy and the command that handles it, for the user."""
    return f"{name} contains text that another program wrote meanwhile; see: recall-tui review"


def _find_in(folder: Path) -> Iterator[Path]:
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _SAVED_INFIX in entry.name and _SAVED_NAME.fullmatch(entry.name):
                yield Path(entry.path)
