"""The notes that hierarchical Recall keeps beside days and pages: typed memories, insights and contradictions.

They are told by where they lie alone; none is opened.
"""

from __future__ import annotations

import re
from pathlib import Path

from recall_tui.storage.documents import period_files as dated_pages
from recall_tui.storage.documents.topic_files import is_topic
from recall_tui.storage.files.symlinks import documents
from recall_tui.storage.layout import Layout

KINDS = ("typed", "insight", "contradiction")
_LEADING_DAY = re.compile(r"\d{4}-\d{2}-\d{2}(?!\d)", re.ASCII)


def typed(layout: Layout) -> tuple[Path, ...]:
    """What lies beside the days and is none, in the layout that keeps its topics elsewhere."""
    if layout.name != "hierarchical":
        return ()
    fixed = {path.name.casefold() for path in (*layout.fixed_files(), layout.config) if path.parent == layout.base}
    return tuple(
        path
        for path in _files(layout, layout.base)
        if path.name.casefold() not in fixed and is_topic(path.name) and not dated_pages.kind_of(path)
    )


def insights(layout: Layout) -> tuple[Path, ...]:
    """What dreams found out, a file each."""
    return _files(layout, layout.base / "dreams" / "insights")


def contradictions(layout: Layout) -> tuple[Path, ...]:
    """What dreams found to contradict the wisdom, a file for each day."""
    return _files(layout, layout.base / "dreams" / "contradictions")


def notes(layout: Layout) -> tuple[tuple[Path, str], ...]:
    """All of them, each with its kind."""
    found = zip(KINDS, (typed(layout), insights(layout), contradictions(layout)), strict=True)
    return tuple((path, kind) for kind, paths in found for path in paths)


def kind_of(layout: Layout, path: Path) -> str:
    """Which kind a file is by where it lies; empty for one that is no such note."""
    dreams = layout.base / "dreams"
    if path.parent in (dreams / "insights", dreams / "contradictions"):
        return path.parent.name.removesuffix("s")
    is_typed = layout.name == "hierarchical" and path.parent == layout.base and path.suffix == ".md"
    return "typed" if is_typed and is_topic(path.name) and not dated_pages.kind_of(path) else ""


def day_of(path: Path) -> str:
    """The day that a note's name begins with; empty when it begins with none."""
    found = _LEADING_DAY.match(path.name)
    return found[0] if found else ""


def _files(layout: Layout, folder: Path) -> tuple[Path, ...]:
    return tuple(path for path in sorted(documents(layout, folder)) if not path.name.startswith("."))
