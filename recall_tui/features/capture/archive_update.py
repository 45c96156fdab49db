"""An archive that is brought up to date: everything that it holds stays, and what is new is put in its place.

Where it is as we wrote it, and its transcripts hold all that they held, it is written anew. Otherwise its turns are
kept as they stand and only messages that they do not hold are put between them: a person's words, and those of
records that no transcript holds any more, stay where they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from recall_tui.domain import ArchiveEntry, Message
from recall_tui.features.capture.archive_draft import NO_MARK, Draft, behind_head, with_body
from recall_tui.features.capture.session_reader import Covered, Reading, covered
from recall_tui.storage.archives import file as archive_file
from recall_tui.storage.archives import parts as archive_parts
from recall_tui.storage.archives.turns import Lines, joined
from recall_tui.storage.files import atomic
from recall_tui.storage.markdown.frontmatter_edit import others_lines
from recall_tui.storage.memory_context import Store
from recall_tui.text import three_way
from recall_tui.text.dates import duration
from recall_tui.text.secrets.redact import redact
from recall_tui.transcripts.head_builder import Tally

NOTES = "your notes kept"
LOST = "what is in no transcript any more was kept"


def up_to_date(store: Store, draft: Draft, reading: Reading, old: ArchiveEntry) -> Draft:
    """The draft of the whole session as what stands in its archive, with what that does not hold yet."""
    draft = replace(draft, replaces=atomic.digest_of(old.path))
    is_same = bool(old.content_hash) and old.content_hash == draft.head.content_hash
    if is_same and old.source != "checkpoint":
        return replace(draft, is_news=False)
    known = covered(reading, [old])
    if known.is_all and (head := archive_parts.head_as_written(old)) is not None:
        before, words = archive_parts.apart(head)
        is_ours = _is_ours(old, words)
        kept = "" if is_ours and _is_bare(before) else NOTES
        return replace(draft, before=before, words=None if is_ours else words, kept=kept, is_news=not is_same)
    if old.path.stat().st_size > archive_parts.MOST_HELD_BYTES:
        return _appended(store, draft, reading, old, known)
    return _joined(store, draft, reading, old, known)


def head_over(entry: ArchiveEntry, draft: Draft, old: ArchiveEntry) -> str:
    """The head in place of the one that stands in the archive, of which what somebody else wrote stays."""
    if draft.words is None:
        head = archive_file.render_head(entry, draft.digest)
    else:
        head = archive_file.head_with(entry, draft.words, are_ours=draft.are_words_ours)
    return archive_file.in_place_of(head, archive_file.head_of(old.path) if draft.before is None else draft.before)


def _is_bare(before: str) -> bool:
    """Whether nothing of somebody else stands in the frontmatter or above it."""
    at = archive_parts.frontmatter_at(before)
    return not before[:at].strip() and not others_lines(before[at:])


def _appended(store: Store, draft: Draft, reading: Reading, old: ArchiveEntry, known: Covered) -> Draft:
    """An archive that is too long to be held in memory gets what is new at its end, and stays as it is above."""
    before = archive_file.head_of(old.path)
    lines: list[Lines] = []

    def is_new(message: Message) -> bool:
        if known.has(message):
            return False
        if known.is_all and not message.is_sidechain:
            return True
        if not lines:
            lines.append(Lines(map(atomic.decode, atomic.chunks(old.path)), redact))
        return not lines[0].hold(message)

    news = list(filter(is_new, reading.whole.messages()))
    if news:
        draft = behind_head(store, draft, old.path, len(atomic.encode(before)), news)
    draft = _with_what_is_lost(draft, old, news)
    return replace(
        draft,
        written=f"{NO_MARK} {archive_parts.MIXED}",
        before=before,
        words="",
        kept=NOTES if known.is_all else LOST,
        is_news=bool(news),
        is_whole=False,
    )


def _joined(store: Store, draft: Draft, reading: Reading, old: ArchiveEntry, known: Covered) -> Draft:
    was = archive_parts.read(old.path)
    made = joined(was.body, reading.whole.messages(), known.has, redact)
    is_whole, is_own = known.is_all or not made.has_more, _is_ours(old, was.words)
    tags, tags_mark = _tags(old, was.tags, draft.tags, is_whole=is_whole)
    is_mixed = archive_parts.has_our_turns(old, was.body) is False or made.has_more or made.has_gaps
    has_notes = is_mixed or not is_own or tags != draft.tags or not _is_bare(was.before)
    if is_mixed or tags != draft.tags:
        turns_mark = NO_MARK if is_mixed else draft.written.split(" ")[1]
        draft = replace(draft, written=f"{NO_MARK} {turns_mark} {tags_mark}")
        draft = with_body(store, draft, made.text if is_mixed else None, tags)
    if not is_whole:
        draft = _with_what_is_lost(draft, old, made.news)
    return replace(
        draft,
        before=was.before,
        has_other_ends=was.has_other_ends,
        words=None if is_own and is_whole else was.words,
        are_words_ours=is_own,
        kept=LOST if not is_whole else NOTES if has_notes else "",
        is_news=bool(made.news),
        is_whole=is_whole,
    )


def _is_ours(old: ArchiveEntry, words: str) -> bool:
    """Whether the words at the head are ours; those that an older version wrote are when they have our form."""
    known = archive_parts.has_our_words(old, words)
    if known is not None:
        return known
    text = archive_file.head_with(replace(old, written=""), words)
    ours = archive_file.render_head(replace(old, written=""), archive_file.head_digest(text))
    return ours.strip() == text.strip()


def _tags(old: ArchiveEntry, was: str, new: str, *, is_whole: bool) -> tuple[str, str]:
    """The tags at the end, with what somebody wrote among or below them, and their mark."""
    mark = archive_parts.mark_of(new)
    ours = archive_parts.has_our_tags(old, was)
    if ours is None:
        ours = archive_file.render_tags(archive_file.parse_tags(was)).rstrip() == was.rstrip()
    if not was.strip() or (ours and is_whole):
        return new, mark
    below = archive_parts.below_tags(old, was)
    if below is not None and is_whole:
        return new + below, mark
    return three_way.union(was, new), NO_MARK


def _with_what_is_lost(draft: Draft, old: ArchiveEntry, news: Iterable[Message]) -> Draft:
    """The draft with the times and the count of the archive's own turns, some of which no transcript holds."""
    tally = Tally()
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
        duration=duration(started, ended),
        covers=extents,
    )
