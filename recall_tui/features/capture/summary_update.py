"""A session's summary in layout project that is brought up to date: what it told of records that are gone stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from recall_tui.domain import ArchiveEntry, SessionDigest
from recall_tui.features.capture.archive_draft import ArchiveDraft
from recall_tui.features.capture.session_reader import MergedSession, compute_coverage
from recall_tui.storage.archives import summary_file
from recall_tui.storage.files.atomic import read_text
from recall_tui.text.cut import one_line
from recall_tui.text.dates import duration_text
from recall_tui.transcripts.conversation_head import HeadBuilder


def merge_summary(draft: ArchiveDraft, reading: MergedSession, known: Sequence[ArchiveEntry]) -> ArchiveDraft:
    """The draft of the whole session, in the words of its summary too where that tells of more."""
    old = known[-1] if known else None
    if old is None or old.content_hash == draft.head.content_hash or not old.covers:
        return draft
    before = compute_coverage(reading, [old])
    if before.is_all:
        return draft
    tally = HeadBuilder()
    for message in reading.whole.messages():
        if not before.has(message):
            tally.hear(message)
    started = min(filter(None, (old.started_at, draft.started_at)), default=None)
    ended = max(filter(None, (old.ended_at, draft.ended_at)), default=None)
    return replace(
        draft,
        messages=old.messages + tally.prompts + tally.replies,
        started_at=started,
        ended_at=ended,
        duration=duration_text(started, ended),
        title=old.title or draft.title,
        digest=_join_digests(summary_file.parse_digest(read_text(old.path)), draft.digest),
        covers=tuple(dict.fromkeys((*draft.covers, *old.covers))),
        is_whole=False,
    )


def _join_digests(old: SessionDigest, new: SessionDigest) -> SessionDigest:
    """What both say, each thing once."""
    said = [one_line(text) for text in (old.summary, new.summary) if text.strip()]
    tags = replace(
        new.tags,
        decisions=_join_unique(old.tags.decisions, new.tags.decisions),
        actions=_join_unique(old.tags.actions, new.tags.actions),
        files=_join_unique(old.tags.files, new.tags.files),
    )
    points = dict.fromkeys(point for point in (*old.points, *new.points) if not summary_file.is_placeholder(*point))
    return replace(new, summary=" ".join(dict.fromkeys(said)), tags=tags, points=tuple(points))


def _join_unique(old: Sequence[str], new: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*old, *new)))
