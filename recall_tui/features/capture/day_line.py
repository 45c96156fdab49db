"""A session's line in the log of the day on which it ended."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from recall_tui.domain import ArchiveEntry, Edit
from recall_tui.features.capture.archive_draft import ArchiveDraft
from recall_tui.storage.documents import day_logs
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.memory_context import Store
from recall_tui.text.classify.summary import ARROW
from recall_tui.text.dates import zone_of


def log_path(store: Store, draft: ArchiveDraft) -> Path:
    """The log of the day on which the session ended."""
    return day_logs.log_path(store.layout, _ended_at(store, draft).date())


def _ended_at(store: Store, draft: ArchiveDraft) -> datetime:
    said_last = draft.ended_at if draft.messages else draft.head.ended_at
    return (said_last or draft.ended_at or store.now()).astimezone(zone_of(store.now()))


def day_line_edits(store: Store, entry: ArchiveEntry, draft: ArchiveDraft) -> list[Edit]:
    """The session's line in the log of the day on which it ended, unless it has one there."""
    if not store.layout.design.keeps_day_lines or not store.config.get("capture.days"):
        return []
    ended = _ended_at(store, draft)
    summary = draft.digest.summary
    if entry.title and not draft.digest.told_by and ARROW not in summary:
        summary = ""  # it is the request alone, or the outcome alone, and the title says that
    line = day_logs.render_line(ended, entry.title, summary, entry.name, entry.session_id)
    mine = day_logs.parse_log(line).lines[0]
    there = day_logs.parse_log(read_text(day_logs.log_path(store.layout, ended.date()))).lines
    if any((one.archive, one.session) == (mine.archive, mine.session) for one in there):
        return []
    return [day_logs.append_entry(store.layout, ended.date(), line)]
