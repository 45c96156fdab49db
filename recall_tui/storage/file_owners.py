"""Which accounts the files of a memory belong to."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator
from pathlib import Path

from recall_tui.storage.files.symlinks import DOCS_FOLDER, find_outside_target, memory_folders
from recall_tui.storage.layout import CONFIG_NAME, JSON_CONFIG_NAME, Layout


def memory_parts(layout: Layout) -> Iterator[Path]:
    """The root, what makes it a memory, and where its documents are."""
    root = layout.root
    marks = [root / "memory", root / "_memory"]
    marks += [folder / CONFIG_NAME for folder in (*marks, root)]
    folders = [place.folder for place in layout.archives]
    folders += [layout.base, layout.topics, layout.days, layout.weekly, layout.monthly, layout.wiki]
    folders += [layout.summaries] if layout.summaries else []
    yield from dict.fromkeys((root, *marks, root / JSON_CONFIG_NAME, layout.config, *folders, *layout.fixed_files()))


def files_of_others(layout: Layout, own: Collection[int]) -> Iterator[tuple[Path, int]]:
    """Every regular file in the memory's folders that belongs to another account than these, with that account."""
    for top in (*memory_folders(layout), layout.root / DOCS_FOLDER):
        if find_outside_target(layout, top):
            continue
        for folder, _, names in os.walk(top):
            for path in (Path(folder, name) for name in sorted(names)):
                try:
                    status = path.lstat()
                except OSError:
                    continue
                if stat.S_ISREG(status.st_mode) and status.st_uid not in own:
                    yield path, status.st_uid


def owners_of(path: Path) -> Iterator[int]:
    """The owner of the file, and for a link that of what it leads to; none where there is no file."""
    try:
        status = path.lstat()
        yield status.st_uid
        if stat.S_ISLNK(status.st_mode):
            yield path.stat().st_uid
    except OSError:
        return
