"""A session's entry in the log of the day on which it ended: its title and outcome, and what it decided and learned."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.domain import ArchiveEntry, Edit, Replace
from recall_tui.storage.documents import day_logs
from recall_tui.storage.files.atomic import content_digest, read_text
from recall_tui.storage.state import own_lines
from recall_tui.text.classify.summary import ARROW
from recall_tui.text.dates import zone_of
from recall_tui.text.sentences import split_sentences

if TYPE_CHECKING:
    from recall_tui.features.capture.archive_draft import ArchiveDraft
    from recall_tui.storage.memory_context import Store

LESSON_LABELS = frozenset({"Discovery", "Lesson", "Learning", "Failed approach", "Warning"})
"""Of a digest's points, those that tell of something learned."""


def log_path(store: Store, draft: ArchiveDraft) -> Path:
    """The log of the day on which the session ended."""
    return day_logs.log_path(store.layout, _ended_at(store, draft).date())


def _ended_at(store: Store, draft: ArchiveDraft) -> datetime:
    said_last = draft.ended_at if draft.messages else draft.head.ended_at
    return (said_last or draft.ended_at or store.now()).astimezone(zone_of(store.now()))


def day_line_edits(store: Store, entry: ArchiveEntry, draft: ArchiveDraft, *, only_there: bool = False) -> list[Edit]:
    """The session's entry in the log of the day on which it ended: new, or retold in place of the one that we wrote.

    An entry that somebody edited stays. With `only_there` none is begun.
    """
    if not store.layout.design.keeps_day_lines or not store.config.get("capture.days"):
        return []
    path, new = log_path(store, draft), _render_entry(store, entry, draft)
    there = _find_entry(store, entry, draft)
    if there == new or (only_there and not there):
        return []
    is_ours = own_lines.own_line_check(store.state, path, lambda line: False)
    if there and not (draft.digest.told_by and all(map(is_ours, there.split("\n")))):
        return []
    own_lines.remember_lines(store.state, path, new.split("\n"))
    if not there:
        return [day_logs.append_entry(store.layout, _ended_at(store, draft).date(), new)]
    text = read_text(path)
    return [Replace(path, content_digest(text), f"\n{text}\n".replace(f"\n{there}\n", f"\n{new}\n", 1)[1:-1])]


def has_day_line(store: Store, entry: ArchiveEntry, draft: ArchiveDraft) -> bool:
    """Whether the log of that day has the session's entry."""
    return bool(_find_entry(store, entry, draft))


def _find_entry(store: Store, entry: ArchiveEntry, draft: ArchiveDraft) -> str:
    """The session's entry as it stands there; empty when there is none."""
    return day_logs.find_entry(read_text(log_path(store, draft)), entry.name, entry.session_id)


def _render_entry(store: Store, entry: ArchiveEntry, draft: ArchiveDraft) -> str:
    line = _render_line(store, entry, draft)
    return "\n".join((line, *day_logs.render_points(_points(line, draft), entry.name, entry.session_id)))


def _points(line: str, draft: ArchiveDraft) -> Iterator[tuple[day_logs.PointLabel, str]]:
    """Yield what the line has no room for: the rest of the outcome, and what was decided and learned."""
    digest = draft.digest
    if rest := " ".join(one for one in split_sentences(digest.outcome) if one not in line):
        yield "Outcome", rest
    for text in digest.tags.decisions:
        if text not in line:
            yield "Decision", text
    for label, text in digest.points:
        if label in LESSON_LABELS and text not in line:
            yield "Lesson", text


def _render_line(store: Store, entry: ArchiveEntry, draft: ArchiveDraft) -> str:
    summary = draft.digest.summary or draft.session_summary
    if entry.title and not draft.digest.told_by and ARROW not in summary:
        summary = ""  # It is the request alone, or the outcome alone, and the title says that.
    if summary and draft.digest.outcome and not draft.digest.told_by:
        summary = f"{entry.title}{ARROW}{draft.digest.outcome}"  # Either may have an arrow of its own.
    return day_logs.render_line(_ended_at(store, draft), entry.title, summary, entry.name, entry.session_id)
