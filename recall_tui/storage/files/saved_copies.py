"""`MEMORY.saved-1.md`: what another program wrote and could not be brought into the file, kept for a person."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from recall_tui.storage.layout import Layout
from recall_tui.storage.watch_paths import folders

_NAME = re.compile(r"(.+)\.saved-\d+(\.[^.]+)?")
_SIGN = ".saved-"


def find_saved(layout: Layout, others: Iterable[Path] = ()) -> tuple[Path, ...]:
    """Those in the memory's folders, and in other ones."""
    return tuple(sorted({path for folder in (*folders(layout), layout.wiki, *others) for path in _in(folder)}))


def original_of(path: Path) -> Path:
    """The file whose other text it holds."""
    name = _NAME.fullmatch(path.name)
    return path if name is None else path.with_name(name[1] + (name[2] or ""))


def in_words(name: str) -> str:
    """The file, and what to do about it, for a person."""
    return f"{name} holds what another program wrote meanwhile; see: recall-tui review"


def _in(folder: Path) -> Iterator[Path]:
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _SIGN in entry.name and _NAME.fullmatch(entry.name):
                yield Path(entry.path)
