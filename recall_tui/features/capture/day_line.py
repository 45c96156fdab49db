"""A session's line in the log of the day on which it ended."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from recall_tui.domain import ArchiveEntry, Edit, Replace
from recall_tui.features.capture.archive_draft import ArchiveDraft
from recall_tui.storage.documents import day_logs
from recall_tui.storage.files.atomic import content_digest, read_text
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import own_lines
from recall_tui.text.classify.summary import ARROW
from recall_tui.text.dates import zone_of


def log_path(store: Store, draft: ArchiveDraft) -> Path:
    """The log of the day on which the session ended."""
    return day_logs.log_path(store.layout, _ended_at(store, draft).date())


def _ended_at(store: Store, draft: ArchiveDraft) -> datetime:
    said_last = draft.ended_at if draft.messages else draft.head.ended_at
    return (said_last or draft.ended_at or store.now()).astimezone(zone_of(store.now()))


def day_line_edits(store: Store, entry: ArchiveEntry, draft: ArchiveDraft, *, only_there: bool = False) -> list[Edit]:
    """The session's line in the log of the day on which it ended: new, or retold in place of the one that we wrote.

    A line that somebody edited stays. With `only_there` no line is begun.
    """
    if not store.layout.design.keeps_day_lines or not store.config.get("capture.days"):
        return []
    path, new = log_path(store, draft), _render_line(store, entry, draft)
    there = _find_line(store, entry, draft)
    if there == new or (only_there and not there):
        return []
    if there and not (draft.digest.told_by and own_lines.own_line_check(store.state, path, lambda line: False)(there)):
        return []
    own_lines.remember_lines(store.state, path, [new])
    if not there:
        return [day_logs.append_entry(store.layout, _ended_at(store, draft).date(), new)]
    text = read_text(path)
    return [Replace(path, content_digest(text), "\n".join(new if row == there else row for row in text.split("\n")))]


def has_day_line(store: Store, entry: ArchiveEntry, draft: ArchiveDraft) -> bool:
    """Whether the log of that day has the session's line."""
    return bool(_find_line(store, entry, draft))


def _find_line(store: Store, entry: ArchiveEntry, draft: ArchiveDraft) -> str:
    """The session's line as it stands there; empty when there is none."""
    mine = day_logs.parse_log(_render_line(store, entry, draft)).lines[0]
    for row in read_text(log_path(store, draft)).split("\n"):
        if any((one.archive, one.session) == (mine.archive, mine.session) for one in day_logs.parse_log(row).lines):
            return row
    return ""


def _render_line(store: Store, entry: ArchiveEntry, draft: ArchiveDraft) -> str:
    summary = draft.digest.summary or draft.session_summary
    if entry.title and not draft.digest.told_by and ARROW not in summary:
        summary = ""  # It is the request alone, or the outcome alone, and the title says that.
    return day_logs.render_line(_ended_at(store, draft), entry.title, summary, entry.name, entry.session_id)
