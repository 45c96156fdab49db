"""The points of sessions' digests as their archives and summaries hold them, each with its line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path

from recall_tui.domain import ArchiveEntry
from recall_tui.storage.archives import summary_file
from recall_tui.storage.archives.folder import ArchiveFolder
from recall_tui.storage.documents.day_logs import PointLabel, SessionEntry, SessionPoint
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.memory_context import Store
from recall_tui.text.classify.summary import ARROW

_TURNS = re.compile(r"^# Conversation\b|^## Related Files|^### User$", re.MULTILINE)
"""Where a session's own words begin, or its digest is over."""
_DIGEST_LABELS = ("**Decisions**:", "**Points**:", "**Action Items**:")
_POINT_LABEL = re.compile(r"^- (Decision|Discovery|Lesson|Learning|Failed approach|Next step|Preference): ")
_LEARNED_LABELS = ("Discovery", "Lesson", "Learning", "Failed approach")
_LESSON_LABELS = ("Discovery", "Lesson", "Learning", "Failed approach", "Preference")


def read_session_points(store: Store, *, lessons_only: bool = False) -> Mapping[date, Mapping[str, str]]:
    """Read the points by day and document, without their labels; every other line of a document is empty."""
    found: dict[date, dict[str, str]] = {}
    for path, day in _session_pages(store):
        if text := _digest_text(read_text(path), lessons_only=lessons_only):
            found.setdefault(day, {})[store.relative(path)] = text
    return found


def read_session_entries(store: Store) -> Iterator[tuple[str, date, SessionEntry]]:
    """Yield what each archive or summary says of its session, as an entry of a log would, with its path and day."""
    for path, day in _session_pages(store):
        if entry := parse_session_entry(path.stem, read_text(path)):
            yield store.relative(path), day, entry


def is_session_page(text: str) -> bool:
    """Return whether a text is an archive or a summary of a session."""
    return _TURNS.search(text) is not None


def parse_session_entry(name: str, text: str) -> SessionEntry | None:
    """Return what an archive or a summary says of its session; None for a text that says nothing."""
    end = _TURNS.search(text)
    rows = text[: end.start() if end else len(text)].split("\n")
    first = next((at for at, row in enumerate(rows) if row == "## Summary"), -1)
    summary = next((at for at, row in enumerate(rows) if at > first >= 0 and row.strip()), -1)
    if summary < 0:
        return None
    title, _, outcome = rows[summary].partition(ARROW)
    points: list[SessionPoint] = []
    label: PointLabel | None = None
    for number, row in enumerate(rows[summary + 1 :], summary + 2):
        if row.startswith("**"):
            label = {"**Decisions**:": "Decision", "**Points**:": "Lesson"}.get(row.strip())  # type: ignore[assignment]
        elif label and row.startswith("- "):
            found = _POINT_LABEL.match(row)
            if label == "Decision" or (found is not None and found[1] in _LEARNED_LABELS):
                points.append(SessionPoint(label, _POINT_LABEL.sub("- ", row)[2:], number))
    return SessionEntry(title, outcome, summary + 1, name, tuple(points))


def _session_pages(store: Store) -> Iterator[tuple[Path, date]]:
    folder = store.layout.summaries
    entries: Iterable[ArchiveEntry | None] = ()
    if folder is not None and folder.is_dir():
        entries = (summary_file.read_head(path) for path in sorted(folder.glob("*.md")))
    elif store.layout.archives:
        entries = ArchiveFolder(store.layout).entries()
    for entry in entries:
        moment = (entry.ended_at or entry.date) if entry else None
        if entry and moment:
            yield entry.path, moment.date()


def _digest_text(text: str, *, lessons_only: bool) -> str:
    """The text with nothing but the points of its digest, each on its line; empty when there is none."""
    end = _TURNS.search(text)
    kept: list[str] = []
    is_open = False
    for line in text[: end.start() if end else len(text)].split("\n"):
        if line.startswith("## "):
            is_open = line[3:].strip().lower() == "tracking points"
            kept.append(line)
        elif line.startswith("**"):
            is_open = line.strip() in _DIGEST_LABELS
            kept.append("")
        else:
            label = _POINT_LABEL.match(line)
            is_wanted = not lessons_only or (label is not None and label[1] in _LESSON_LABELS)
            is_point = is_open and is_wanted and line.startswith("- ")
            kept.append(_POINT_LABEL.sub("- ", line) if is_point else "")
    return "\n".join(kept) if any(line.startswith("- ") for line in kept) else ""
