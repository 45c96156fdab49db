"""Folders to watch for a memory, and the file changes that count.

Agents' transcripts beside them are excluded, because they change with every message.
"""

from __future__ import annotations

from pathlib import Path

from recall_tui.storage.documents.period_files import day_folders
from recall_tui.storage.layout import Layout


def watched_folders(layout: Layout) -> tuple[Path, ...]:
    """Return the folders that exist now."""
    places = [layout.base, layout.rows.parent, layout.window.parent, layout.topics, layout.wisdom.parent]
    places += [place.folder for place in layout.archives]
    places += [place for place in (layout.summaries, layout.weekly, layout.monthly, layout.wiki) if place]
    places += [layout.base / "dreams" / name for name in ("insights", "contradictions")]
    places += day_folders(layout)
    return tuple(sorted({place for place in places if place.is_dir()}))


def is_watched(path: Path) -> bool:
    """Return whether a changed file may belong to the memory; temporary files do not."""
    return path.suffix in (".md", ".toml", ".json") or not (path.suffix or path.name.startswith("."))
