"""A session's line in the log of the day on which it ended."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from recall_tui.domain import ArchiveEntry, Edit
from recall_tui.features.capture.archive_draft import ArchiveDraft
from recall_tui.storage.documents import day_logs
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.memory_context import Store
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
    if has_day_line(store, entry, draft):
        return []
    ended = _ended_at(store, draft)
    return [day_logs.append_entry(store.layout, ended.date(), _render_line(store, entry, draft))]


def has_day_line(store: Store, entry: ArchiveEntry, draft: ArchiveDraft) -> bool:
    """Whether the log of that day has the session's line."""
    mine = day_logs.parse_log(_render_line(store, entry, draft)).lines[0]
    there = day_logs.parse_log(read_text(log_path(store, draft))).lines
    return any((one.archive, one.session) == (mine.archive, mine.session) for one in there)


def _render_line(store: Store, entry: ArchiveEntry, draft: ArchiveDraft) -> str:
    summary = draft.digest.summary or draft.session_summary
    return day_logs.render_line(_ended_at(store, draft), entry.title, summary, entry.name, entry.session_id)
