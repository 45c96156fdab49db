"""Archiving: a conversation becomes an archive, a row of the index, an entry of the window and a line of its day.

The same transcript archived twice is one archive; a grown one brings it up to date, and a shorter one never does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from recall_tui.domain import (
    ArchiveEntry,
    Create,
    Edit,
    Plan,
    Replace,
    SessionDigest,
    SkippedResult,
)
from recall_tui.errors import ConflictError
from recall_tui.features.capture import archive_update, day_line, provenance, window_lines
from recall_tui.features.capture.archive_draft import (
    ArchiveDraft,
    ArchiveFacts,
    ArchivePlan,
    ArchiveStatus,
    archive_facts,
    build_draft,
)
from recall_tui.features.capture.archived_sessions import find_archives
from recall_tui.features.capture.blocked_paths import block_edits, extend_file, obstacle_reason
from recall_tui.features.capture.session_reader import (
    MergeConversations,
    ReadTranscript,
    copied_lines,
    is_retained,
    read_session,
    read_stable,
    unlogged_filter,
)
from recall_tui.storage.archives import index_file, summary_file
from recall_tui.storage.archives import retained as kept
from recall_tui.storage.archives.file import head_digest, render_head
from recall_tui.storage.files.atomic import content_digest, file_digest, read_text
from recall_tui.storage.state import own_lines, processed_transcripts, tombstones
from recall_tui.text.secrets.redact import redact
from recall_tui.transcripts.own_sessions import is_own_session

if TYPE_CHECKING:
    from recall_tui.storage.memory_context import Store
    from recall_tui.storage.state.tombstones import Tombstone

Source = Literal["session", "checkpoint"]


def prepare_draft(
    store: Store, path: Path, read: ReadTranscript, merge: MergeConversations
) -> ArchiveDraft | SkippedResult:
    """Read the transcript at `path` and make it ready, with what this memory knows of the session already.

    All transcripts of the session are read and merged by record; in layout user the draft holds only what none of the
    session's logs does, and where a session has one archive what stands in it stays.
    """
    first = read_stable(path, read)
    if isinstance(first, SkippedResult):
        return first
    conversation = first.said
    if stone := find_tombstone(store, conversation.head.session_id):
        return SkippedResult(stone.reason)
    if is_own_session(conversation, store.environment.state):
        return SkippedResult("a session that recall-tui itself started")
    rarity = store.register.look().rarity
    if store.layout.design.retains_transcripts:
        return _attach_transcript(store, build_draft(store, conversation, rarity))
    known = find_archives(store, conversation.head.session_id)
    reading = read_session(store, path, first, known, read, merge)
    if store.layout.design.logs_each_stretch and known:
        draft = build_draft(
            store, reading.whole, rarity, after=previous_archive_name(known), is_new=unlogged_filter(reading, known)
        )
    else:
        draft = build_draft(store, reading.whole, rarity)
    if isinstance(draft, SkippedResult):
        return draft
    draft = replace(draft, sources=reading.sources, covers=reading.extents)
    if store.layout.design.summaries_are_archives:
        return archive_update.merge_summary(draft, reading, known)
    if store.layout.design.logs_each_stretch:
        return draft
    return archive_update.merge_into_archive(store, draft, reading, known[-1]) if known else replace(draft, replaces="")


def previous_archive_name(known: Sequence[ArchiveEntry]) -> str:
    """The archive that the next stretch of a session begins behind; empty when there is none."""
    return known[-1].name if known else ""


def _attach_transcript(store: Store, draft: ArchiveDraft | SkippedResult) -> ArchiveDraft | SkippedResult:
    """The draft with a compressed copy of the transcript in place of the rendered turns."""
    if isinstance(draft, SkippedResult):
        return draft
    draft.discard()
    return replace(draft, body=kept.stage_copy(draft.head, store.spool, copied_lines))


def find_tombstone(store: Store, *ids: str) -> Tombstone | None:
    """The mark that keeps the session known by these ids out, whichever memory of the person it was forgotten in."""
    return tombstones.read_all(store).of_session(*ids)


def archive(store: Store, draft: ArchiveDraft, source: Source = "session", *, keeps_told: bool = True) -> ArchivePlan:
    """Plan the archive, its row and, unless it is a checkpoint, its place in the window and in the log of its day.

    What a model or an agent told of the session stays over the draft's own words, unless `keeps_told` is False.
    A session that was forgotten since it was read gets none of them.
    """
    if stone := find_tombstone(store, draft.head.session_id):
        facts = ArchiveFacts(status="skipped", reason=stone.reason, number=0, path="")
        return Plan(f"{draft.head.session_id}: {stone.reason}", (), (stone.reason,), facts)
    if store.layout.design.summaries_are_archives:
        return _plan_summary(store, draft, source)
    if store.layout.design.retains_transcripts:
        return _plan_retained(store, draft, source)
    if store.layout.design.logs_each_stretch:
        return _plan_log(store, draft, source)
    return _plan_conversation(store, draft, source, keeps_told=keeps_told)


def _plan_conversation(store: Store, draft: ArchiveDraft, source: Source, *, keeps_told: bool) -> ArchivePlan:
    """One file for each session, brought up to date in place."""
    rows = store.register.look(is_exact=True)
    known = store.register.by_session(draft.head.session_id)
    if draft.replaces is not None and bool(known) != bool(draft.replaces):
        raise ConflictError("another process archived this session meanwhile", hint="try again")
    if not known:
        store.register.expect_readable(draft.head.session_id)
        number = next_number(store)
        entry = build_entry(draft, number, store.register.new_path(number), source)
        return _build_plan(store, draft, "archived", entry, rows.text, source, _create_edit(entry, draft))
    old = known[-1]
    if draft.replaces is not None and draft.replaces != file_digest(old.path):
        raise ConflictError("another process archived this session meanwhile", hint="try again")
    if keeps_told and provenance.keeps_summary(draft, old):
        draft = provenance.with_existing_summary(draft, old, head_digest(read_text(old.path)))
    is_final = source == "session" and old.source == "checkpoint"
    if not draft.is_news and not is_final:
        is_same = old.content_hash == draft.head.content_hash or draft.messages >= old.messages
        more = f"the archive holds more: {old.messages} messages, this one {draft.messages}"
        return _unchanged_plan(draft, old, "it is archived already" if is_same else more)
    entry = provenance.with_provenance(build_entry(draft, old.number, old.path, source), old.extra)
    if draft.words is not None:
        entry = replace(entry, title=old.title, topics=old.topics)
    head, body = archive_update.head_over(entry, draft, old), draft.body
    # Of a text that is held in memory the journal makes the line ends those of the file.
    whole = head + read_text(body) if draft.has_other_ends else head
    edit = Replace(old.path, file_digest(old.path), whole, None if draft.has_other_ends else body)
    return _build_plan(store, draft, "updated", entry, rows.text, source, edit, was=old)


def _plan_log(store: Store, draft: ArchiveDraft, source: Source) -> ArchivePlan:
    """A log of its own for each new stretch; logs that exist are never written again."""
    rows_text = store.register.look(is_exact=True).text
    known = store.register.by_session(draft.head.session_id)
    if not known:
        store.register.expect_readable(draft.head.session_id)
    if previous_archive_name(known) != draft.after:
        raise ConflictError("another process archived this session meanwhile", hint="try again")
    if not draft.is_news:
        return _plan_session_end(store, draft, known[-1], source, rows_text)
    number = next_number(store)
    promoted: tuple[Edit, ...] = ()
    if source == "session" and (made := _plan_promotion(store, number, rows_text)):
        promoted, rows_text = made
        number += 1
    entry = build_entry(draft, number, store.register.new_path(number), source)
    return _build_plan(store, draft, "archived", entry, rows_text, source, *promoted, _create_edit(entry, draft))


def _plan_promotion(store: Store, number: int, rows_text: str) -> tuple[tuple[Edit, ...], str] | None:
    """The log of what a person left in the window, and ARCHIVE.md with its row; None when there is nothing."""
    window = "" if obstacle_reason(store, store.layout.window) else read_text(store.layout.window)
    if not window_lines.has_person_text(window):
        return None
    entry = build_promoted_entry(store, number, store.register.new_path(number), window)
    return (Create(entry.path, render_promoted(entry, window)),), index_file.add_row(rows_text, entry)


def _plan_session_end(
    store: Store, draft: ArchiveDraft, last: ArchiveEntry, source: Source, rows_text: str
) -> ArchivePlan:
    """A session that ended right after its checkpoint: no new log, but its summary joins the window, once."""
    is_ended = (
        source != "session" or last.source != "checkpoint" or processed_transcripts.was_read(store.state, last.path)
    )
    if is_ended or day_line.has_day_line(store, last, draft):
        return _unchanged_plan(draft, last, "nothing was said since its last log")
    edits: list[Edit] = []
    if made := _plan_promotion(store, next_number(store), rows_text):
        edits += [*made[0], *extend_file(store.layout.rows, made[1])]
    edits += window_lines.window_edits(store, last, draft)
    edits += day_line.day_line_edits(store, last, draft)
    title = f"Put the session of {last.name} where sessions that ended are"
    return Plan(title, tuple(edits), facts=archive_facts(draft, last, "updated"))


def _plan_summary(store: Store, draft: ArchiveDraft, source: Source) -> ArchivePlan:
    """Layout project keeps a summary for each session; one that a person wrote or edited is left alone."""
    assert store.layout.summaries is not None
    path = store.layout.summaries / summary_file.file_name(draft.head.session_id)
    rows_text = store.register.look(is_exact=True).text
    text = read_text(path)
    old = summary_file.read_head(path)
    number = old.number if old and old.number else next_number(store)
    if old and provenance.keeps_summary(draft, old):
        draft = provenance.with_existing_summary(draft, old, summary_file.parse_digest(text))
    draft = provenance.shareable_draft(store, draft)
    entry = provenance.with_provenance(build_entry(draft, number, path, source), old.extra if old else {})
    draft.discard()
    if text and not summary_file.is_ours_unedited(text):
        return _unchanged_plan(draft, entry, "its summary was written or edited by a person; it is left unchanged")
    if old and old.content_hash == entry.content_hash and not (source == "session" and old.source == "checkpoint"):
        return _unchanged_plan(draft, entry, "it is summarised already")
    if old and draft.is_whole and draft.messages < old.messages:
        return _unchanged_plan(
            draft, entry, f"the summary is of more: {old.messages} messages, this one {draft.messages}"
        )
    if draft.digest.told_of:
        new = summary_file.with_checksum(summary_file.strip_note(text), entry, text)
    else:
        new = summary_file.render_summary(entry, draft.digest, text)
    edit = Replace(path, content_digest(text), new) if text else Create(path, new)
    return _build_plan(store, draft, "updated" if text else "archived", entry, rows_text, source, edit, was=old)


def note_phase(store: Store, draft: ArchiveDraft, source: Source, path: Path) -> None:
    """Remember what no file tells after a capture: which session has only a checkpoint, or ended right after one."""
    design = store.layout.design
    if design.retains_transcripts:
        copy = kept.retained_path(store.environment.kept, draft.head)
        note = processed_transcripts.add_transcript if source == "checkpoint" else processed_transcripts.drop_transcript
        note(store.state, copy)
    elif design.logs_each_stretch and source == "session":
        processed_transcripts.add_transcript(store.state, path)


def _plan_retained(store: Store, draft: ArchiveDraft, source: Source) -> ArchivePlan:
    """Layout claude-project has no archives: the transcript is retained, and the row and the window point at it."""
    rows = store.register.look(is_exact=True)
    known = next(iter(rows.of_session(draft.head.session_id)), None)
    entry = build_entry(draft, known[0] if known else next_number(store), draft.head.source, source)
    copy = kept.retained_path(store.environment.kept, draft.head)
    is_whole = known is None or draft.messages >= known[1]
    is_end = is_whole and source == "session" and processed_transcripts.was_read(store.state, copy)
    if known and copy.exists() and not is_end:
        return _unchanged_plan(draft, entry, "it is retained already")
    is_shorter = known is not None and draft.messages <= known[1]
    if is_shorter and not is_end and draft.body is not None and is_retained(store, draft.head.session_id, draft.body):
        return _unchanged_plan(draft, entry, "a retained copy has it already")
    if known:
        # A copy of fewer messages is one of others: it is retained beside those that are there.
        entry = replace(entry, messages=max(entry.messages, known[1]))
    entry = _keep_person_topics(store, entry, rows.text)
    retained = () if copy.exists() else (Create(copy, "", draft.body),)
    return _build_plan(store, draft, "updated" if known else "archived", entry, rows.text, source, *retained)


def _keep_person_topics(store: Store, entry: ArchiveEntry, rows_text: str) -> ArchiveEntry:
    """The entry with the topics that its row has, when that is not as we wrote it."""
    path = store.layout.rows
    is_ours = own_lines.own_line_check(store.state, path, lambda line: True)
    there = index_file.find_line(rows_text, entry)
    if there and not is_ours(there):
        return replace(entry, topics=index_file.parse_rows(there)[0].topics)
    own_lines.remember_lines(store.state, path, [index_file.render_row(entry)])
    return entry


def _build_plan(
    store: Store,
    draft: ArchiveDraft,
    status: ArchiveStatus,
    entry: ArchiveEntry,
    rows_text: str,
    source: Source,
    *archives: Edit,
    was: ArchiveEntry | None = None,
) -> ArchivePlan:
    rows = store.layout.rows
    beside: list[tuple[Path, Callable[[], list[Edit]]]] = [
        (rows, lambda: extend_file(rows, _extend_rows(store, rows_text, entry, was)))
    ]
    if source == "session":
        beside.append((store.layout.window, lambda: window_lines.window_edits(store, entry, draft)))
        beside.append((day_line.log_path(store, draft), lambda: day_line.day_line_edits(store, entry, draft)))
    edits, notes = list(archives), (draft.kept,) * bool(draft.kept)
    for path, edits_of in beside:
        more, said = block_edits(store, path, edits_of)
        edits, notes = edits + more, notes + said
    verb = {"archived": "Archived", "updated": "Brought up to date"}[status]
    title = f"{verb} {entry.title or entry.session_id} → {entry.name}{f' ({draft.kept})' if draft.kept else ''}"
    return Plan(title, tuple(edits), notes, archive_facts(draft, entry, status, "; ".join(notes)))


def _extend_rows(store: Store, rows_text: str, entry: ArchiveEntry, was: ArchiveEntry | None) -> str:
    """ARCHIVE.md with the archive's row, and with those of logs that another program wrote since."""
    known = store.register.look()
    foreign = [one for one in store.register.newer_than_rows() if one.number != entry.number]
    if not foreign:
        return known.added(rows_text, entry, was)
    for one in foreign:
        rows_text = index_file.add_row(rows_text, index_file.with_listed(rows_text, one))
    return index_file.add_row(rows_text, entry, was)


def _unchanged_plan(draft: ArchiveDraft, entry: ArchiveEntry, reason: str) -> ArchivePlan:
    return Plan(f"{entry.name}: {reason}", (), (reason,), archive_facts(draft, entry, "unchanged", reason))


def _create_edit(entry: ArchiveEntry, draft: ArchiveDraft) -> Create:
    return Create(entry.path, render_head(entry, draft.digest), draft.body)


def build_entry(draft: ArchiveDraft, number: int, path: Path, source: Source) -> ArchiveEntry:
    """The head of an archive of the draft."""
    head = draft.head
    return ArchiveEntry(
        number=number,
        path=path,
        session_id=head.session_id,
        date=draft.ended_at,
        messages=draft.messages,
        duration=draft.duration,
        source=source,
        topics=draft.digest.topics,
        title=draft.title,
        started_at=draft.started_at,
        ended_at=draft.ended_at,
        cwd=redact(head.cwd),
        project=redact(draft.project),
        branch=redact(head.branch),
        model=head.model,
        agent=head.agent,
        content_hash=head.content_hash,
        transcripts=tuple(map(str, draft.sources)),
        last_uuid=head.last_uuid,
        covers=draft.covers,
        written=draft.written,
        extra={**draft.notes, **provenance.provenance_of(draft)},
    )


def next_number(store: Store) -> int:
    """The number after the highest of an archive or its row, or of a session that was forgotten.

    What names such a session shall name no other; the store's register was looked at before.
    """
    gone = (number for one in tombstones.read_tombstones(store.state).all for number in one.numbers)
    return max(store.register.next_number(), max(gone, default=0) + 1)


def build_promoted_entry(store: Store, number: int, path: Path, text: str, context: str = "") -> ArchiveEntry:
    """Return the entry of an archive that holds a text of the window; `context` is its title."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    title = context or next((line for line in lines if not line.startswith("#")), lines[0].lstrip("# "))
    now, source = store.now(), "session-end" if store.layout.design.logs_each_stretch else "promote"
    return ArchiveEntry(number, path, date=now, ended_at=now, source=source, title=redact(title)[:120])


def render_promoted(entry: ArchiveEntry, text: str) -> str:
    """Return the archive's text."""
    return render_head(entry, SessionDigest("")) + "\n" + redact(text.strip()) + "\n"
