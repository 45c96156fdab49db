"""Notes that hierarchical Recall keeps beside days and pages: typed memories, insights and contradictions.

They are recognized by path alone; none is opened.
"""

from __future__ import annotations

import re
from pathlib import Path

from recall_tui.domain.documents import NOTE_KINDS
from recall_tui.storage.documents import period_files
from recall_tui.storage.documents.topic_files import is_topic
from recall_tui.storage.files.symlinks import list_documents
from recall_tui.storage.layout import Layout
from recall_tui.text.lazy_pattern import lazy_pattern

_LEADING_DAY = lazy_pattern(r"\d{4}-\d{2}-\d{2}(?!\d)", re.ASCII)


def typed_memories(layout: Layout) -> tuple[Path, ...]:
    """List the notes beside the day logs, in the layout that keeps its topics elsewhere."""
    if not layout.design.keeps_typed_memories:
        return ()
    fixed = {path.name.casefold() for path in (*layout.fixed_files(), layout.config) if path.parent == layout.base}
    return tuple(
        path
        for path in _files(layout, layout.base)
        if path.name.casefold() not in fixed and is_topic(path.name) and not period_files.page_kind(path)
    )


def insight_files(layout: Layout) -> tuple[Path, ...]:
    """List the insights from dreams, one file each."""
    return _files(layout, layout.base / "dreams" / "insights")


def contradiction_files(layout: Layout) -> tuple[Path, ...]:
    """List the contradictions to the wisdom found by dreams, one file per day."""
    return _files(layout, layout.base / "dreams" / "contradictions")


def all_notes(layout: Layout) -> tuple[tuple[Path, str], ...]:
    """List all notes, each with its kind."""
    found = zip(NOTE_KINDS, (typed_memories(layout), insight_files(layout), contradiction_files(layout)), strict=True)
    return tuple((path, kind) for kind, paths in found for path in paths)


def note_kind(layout: Layout, path: Path) -> str:
    """Return a file's kind of note by its path; empty when it is none."""
    dreams = layout.base / "dreams"
    if path.parent in (dreams / "insights", dreams / "contradictions"):
        return path.parent.name.removesuffix("s")
    is_typed = layout.design.keeps_typed_memories and path.parent == layout.base and path.suffix == ".md"
    return "typed" if is_typed and is_topic(path.name) and not period_files.page_kind(path) else ""


def note_day(path: Path) -> str:
    """Return the day at the start of a note's name; empty when there is none."""
    found = _LEADING_DAY.match(path.name)
    return found[0] if found else ""


def _files(layout: Layout, folder: Path) -> tuple[Path, ...]:
    return tuple(path for path in sorted(list_documents(layout, folder)) if not path.name.startswith("."))
