"""An archive that is brought up to date: everything that it holds stays, and what is new is put in its place.

Where it is as we wrote it, and its transcripts hold all that they held, it is written anew. Otherwise its turns are
kept as they stand and only messages that they do not hold are put between them: a person's words, and those of
records that no transcript holds any more, stay where they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from recall_tui.features.capture.archive_draft import NO_CHECKSUM, ArchiveDraft, with_body, with_stored_body
from recall_tui.features.capture.session_reader import MergedSession, ReadCoverage, compute_coverage
from recall_tui.storage.archives import file as archive_file
from recall_tui.storage.archives import parts as archive_parts
from recall_tui.storage.archives import summary_file
from recall_tui.storage.archives.turns import ArchiveLines, merge_messages
from recall_tui.storage.files import atomic
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.markdown.frontmatter import split_frontmatter
from recall_tui.storage.markdown.frontmatter_edit import others_lines
from recall_tui.text import three_way
from recall_tui.text.cut import one_line
from recall_tui.text.dates import duration_text
from recall_tui.text.secrets.redact import redact
from recall_tui.transcripts.conversation_head import HeadBuilder

if TYPE_CHECKING:
    from recall_tui.domain import ArchiveEntry, Message, SessionDigest
    from recall_tui.storage.memory_context import Store

NOTES_REASON = "your notes kept"
MISSING_REASON = "text that is in no transcript any more was kept"


def merge_into_archive(store: Store, draft: ArchiveDraft, reading: MergedSession, old: ArchiveEntry) -> ArchiveDraft:
    """The draft of the whole session as what stands in its archive, with what that does not hold yet."""
    draft = replace(draft, replaces=atomic.file_digest(old.path))
    is_same = bool(old.content_hash) and old.content_hash == draft.head.content_hash
    if is_same and old.source != "checkpoint":
        return replace(draft, is_news=False)
    known = compute_coverage(reading, [old])
    if known.is_all and (head := archive_parts.head_as_written(old)) is not None:
        before, words = archive_parts.apart(head)
        is_ours = _is_own_text(old, words)
        kept = "" if is_ours and _is_bare(before) else NOTES_REASON
        return replace(draft, before=before, words=None if is_ours else words, kept=kept, is_news=not is_same)
    if old.path.stat().st_size > archive_parts.MAX_LOADED_BYTES:
        return _append_new(store, draft, reading, old, known)
    return _join_turns(store, draft, reading, old, known)


def head_over(entry: ArchiveEntry, draft: ArchiveDraft, old: ArchiveEntry) -> str:
    """The head in place of the one that stands in the archive, of which what somebody else wrote stays."""
    if draft.words is None:
        head = archive_file.render_head(entry, draft.digest)
    else:
        head = archive_file.render_head_with(entry, draft.words, are_ours=draft.are_words_ours)
    return archive_file.merge_head(head, archive_file.read_head(old.path) if draft.before is None else draft.before)


def _is_bare(before: str) -> bool:
    """Whether nothing of somebody else stands in the frontmatter or above it."""
    at = archive_parts.frontmatter_at(before)
    values, _ = split_frontmatter(before[at:])
    return not before[:at].strip() and not others_lines(before[at:]) and not archive_parts.corrected_keys(values)


def _append_new(
    store: Store, draft: ArchiveDraft, reading: MergedSession, old: ArchiveEntry, known: ReadCoverage
) -> ArchiveDraft:
    """An archive that is too long to be held in memory gets what is new at its end, and stays as it is above."""
    before = archive_file.read_head(old.path)
    lines: list[ArchiveLines] = []

    def is_new(message: Message) -> bool:
        if known.has(message):
            return False
        if known.is_all and not message.is_sidechain:
            return True
        if not lines:
            lines.append(ArchiveLines(map(atomic.decode, atomic.read_chunks(old.path)), redact))
        return not lines[0].hold(message)

    news = list(filter(is_new, reading.whole.messages()))
    if news:
        draft = with_stored_body(store, draft, old.path, len(atomic.encode(before)), news)
    draft = _keep_missing_turns(draft, old, news)
    return replace(
        draft,
        written=f"{NO_CHECKSUM} {archive_parts.MIXED_DIGESTS}",
        before=before,
        words="",
        kept=NOTES_REASON if known.is_all else MISSING_REASON,
        is_news=bool(news),
        is_whole=False,
    )


def _join_turns(
    store: Store, draft: ArchiveDraft, reading: MergedSession, old: ArchiveEntry, known: ReadCoverage
) -> ArchiveDraft:
    was = archive_parts.read_parts(old.path)
    made = merge_messages(was.body, reading.whole.messages(), known.has, redact)
    is_whole, is_own = known.is_all or not made.has_more, _is_own_text(old, was.words)
    tags, tags_mark = _merge_tags(old, was.tags, draft.tags, is_whole=is_whole)
    is_mixed = archive_parts.has_own_turns(old, was.body) is False or made.has_more or made.has_gaps
    has_notes = is_mixed or not is_own or tags != draft.tags or not _is_bare(was.before)
    if is_mixed or tags != draft.tags:
        turns_mark = NO_CHECKSUM if is_mixed else draft.written.split(" ")[1]
        draft = replace(draft, written=f"{NO_CHECKSUM} {turns_mark} {tags_mark}")
        draft = with_body(store, draft, made.text if is_mixed else None, tags)
    if not is_whole:
        draft = _keep_missing_turns(draft, old, made.news)
    return replace(
        draft,
        before=was.before,
        has_other_ends=was.has_other_ends,
        words=None if is_own and is_whole else was.words,
        are_words_ours=is_own,
        kept=MISSING_REASON if not is_whole else NOTES_REASON if has_notes else "",
        is_news=bool(made.news),
        is_whole=is_whole,
    )


def _is_own_text(old: ArchiveEntry, words: str) -> bool:
    """Whether the words at the head are ours; those that an older version wrote are when they have our form."""
    known = archive_parts.has_own_head(old, words)
    if known is not None:
        return known
    text = archive_file.render_head_with(replace(old, written=""), words)
    ours = archive_file.render_head(replace(old, written=""), archive_file.head_digest(text))
    return ours.strip() == text.strip()


def _merge_tags(old: ArchiveEntry, was: str, new: str, *, is_whole: bool) -> tuple[str, str]:
    """The tags at the end, with what somebody wrote among or below them, and their mark."""
    mark = archive_parts.text_digest(new)
    ours = archive_parts.has_own_tags(old, was)
    if ours is None:
        ours = archive_file.render_tags(archive_file.parse_tags(was)).rstrip() == was.rstrip()
    if not was.strip() or (ours and is_whole):
        return new, mark
    below = archive_parts.text_below_tags(old, was)
    if below is not None and is_whole:
        return new + below, mark
    return three_way.union_lines(was, new), NO_CHECKSUM


def _keep_missing_turns(draft: ArchiveDraft, old: ArchiveEntry, news: Iterable[Message]) -> ArchiveDraft:
    """The draft with the times and the count of the archive's own turns, some of which no transcript holds."""
    tally = HeadBuilder()
    for message in news:
        tally.hear(message)
    started = min(filter(None, (old.started_at, draft.started_at)), default=None)
    ended = max(filter(None, (old.ended_at, draft.ended_at)), default=None)
    extents = tuple(dict.fromkeys((*draft.covers, *old.covers)))
    return replace(
        draft,
        messages=old.messages + tally.prompts + tally.replies,
        started_at=started,
        ended_at=ended,
        duration=duration_text(started, ended),
        covers=extents,
    )


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
