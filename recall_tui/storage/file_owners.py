"""The accounts that own a memory's files."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator
from pathlib import Path

from recall_tui.storage.files.symlinks import DOCS_FOLDER, find_outside_target, memory_folders
from recall_tui.storage.layout import CONFIG_NAME, JSON_CONFIG_NAME, Layout


def memory_parts(layout: Layout) -> Iterator[Path]:
    """Yield the root, the paths that mark it as a memory, and those of its documents."""
    root = layout.root
    marks = [root / "memory", root / "_memory"]
    marks += [folder / CONFIG_NAME for folder in (*marks, root)]
    folders = [place.folder for place in layout.archives]
    folders += [layout.base, layout.topics, layout.days, layout.weekly, layout.monthly, layout.wiki]
    folders += [layout.summaries] if layout.summaries else []
    yield from dict.fromkeys((root, *marks, root / JSON_CONFIG_NAME, layout.config, *folders, *layout.fixed_files()))


def files_of_others(layout: Layout, own: Collection[int]) -> Iterator[tuple[Path, int]]:
    """Yield every regular file in the memory's folders owned by an account not in `own`, with that account's uid."""
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
    """Yield the owner's uid of the path, and for a link also that of its target; nothing when there is no file."""
    try:
        status = path.lstat()
        yield status.st_uid
        if stat.S_ISLNK(status.st_mode):
            yield path.stat().st_uid
    except OSError:
        return
