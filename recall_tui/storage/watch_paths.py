"""The folders whose files make up what is shown and searched of a memory, and which changes in them count.

Never the agents' transcripts beside them, which change with every word.
"""

from __future__ import annotations

from pathlib import Path

from recall_tui.storage.documents.period_files import day_folders
from recall_tui.storage.layout import Layout


def watched_folders(layout: Layout) -> tuple[Path, ...]:
    """Those that are there now."""
    places = [layout.base, layout.rows.parent, layout.window.parent, layout.topics, layout.wisdom.parent]
    places += [place.folder for place in layout.archives]
    places += [place for place in (layout.summaries, layout.weekly, layout.monthly, layout.wiki) if place]
    places += [layout.base / "dreams" / name for name in ("insights", "contradictions")]
    places += day_folders(layout)
    return tuple(sorted({place for place in places if place.is_dir()}))


def is_watched(path: Path) -> bool:
    """Whether a file that changed may be one of the memory's; what is written beside a file for a moment is none."""
    return path.suffix in (".md", ".toml", ".json") or not (path.suffix or path.name.startswith("."))
