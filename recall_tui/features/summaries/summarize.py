"""`summarize`: one summary for each session, drafted from its own words, told by a model, or handed in by an agent.

The same session is always the same file, and the plan says when it would replace words that are not ours to replace.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Literal, NamedTuple, Required, TypedDict

from recall_tui.domain import ArchiveEntry, Create, Edit, Plan, Replace
from recall_tui.errors import ConflictError
from recall_tui.features.capture import archive as archiving
from recall_tui.features.capture import day_line, provenance, window_lines
from recall_tui.features.capture.archive import Source
from recall_tui.features.capture.archive_draft import ArchiveDraft, ArchiveFacts
from recall_tui.features.capture.archived_sessions import known_archives
from recall_tui.features.capture.blocked_paths import extend_file
from recall_tui.features.summaries import synthesis_sources
from recall_tui.features.summaries.synthesize import render_first_master
from recall_tui.storage.archives import file as archive_file
from recall_tui.storage.archives import index_file, summary_file
from recall_tui.storage.archives import parts as archive_parts
from recall_tui.storage.documents import window_file
from recall_tui.storage.files.atomic import content_digest, read_text
from recall_tui.storage.memory_context import Store
from recall_tui.text.cut import one_line

_PERSON_REASON = "a person wrote or changed it"
_OTHER_REASON = "a person or another program wrote or changed it"
_AUTHORS_WITHOUT_TOPICS = ("", provenance.AGENT_AUTHOR)
"""Who tells no topics: they are the conversation's most telling words, which change with all others in the memory."""


def summarize(
    store: Store, draft: ArchiveDraft, text: str = "", source: Source = "session", *, makes_master: bool = True
) -> Plan[SummaryFacts]:
    """Put the draft's words where the session's summary is; in layout project a `text` that is given stands as it is.

    The first summary makes the first master, too, unless that is not wanted.
    """
    if stone := archiving.find_tombstone(store, draft.head.session_id):
        return _build_plan(store, draft, store.layout.rows, (), reason=stone.reason)
    made = _build_page(store, draft, text, source) if store.layout.summaries else _plan_archive(store, draft, source)
    return _add_master(store, draft, made) if makes_master and made.plan.edits else made.plan


SummaryStatus = Literal["created", "updated", "unchanged"]


class SummaryFacts(TypedDict, total=False):
    """Facts of a plan that saves a session's summary."""

    status: Required[SummaryStatus]
    path: Required[str]
    guarded: Required[str]
    """Why it should not be replaced without a person's word; empty when it may."""
    told_by: Required[str]
    reason: str
    session_id: str
    number: int
    messages: int
    faults: int


class _SummaryDraft(NamedTuple):
    """A summary that is about to be saved."""

    plan: Plan[SummaryFacts]
    page: str
    """It as a page, whether the layout keeps pages or not."""
    entry: ArchiveEntry


def _plan_archive(store: Store, draft: ArchiveDraft, source: Source) -> _SummaryDraft:
    """Every other layout: the session is archived as far as it is not, and where it is, its words are changed."""
    entry = archiving.build_entry(draft, 0, store.layout.rows, source)
    own = _own_archive(store, draft)
    if own is not None:
        known: tuple[ArchiveEntry, ...] = (own,)
        archived: Plan[ArchiveFacts] | None = None
    else:
        known = known_archives(store, draft.head.session_id)
        archived = archiving.archive(store, draft, source, keeps_told=False)
    if archived and archived.edits:
        status: SummaryStatus = "created" if archived.facts["status"] == "archived" else "updated"
        guarded = _head_objection(draft, known[-1]) if known and status == "updated" else ""
        place = archived.facts["path"] if store.layout.archives else str(store.layout.rows)
        told_by = draft.digest.told_by
        facts: SummaryFacts = {
            **archived.facts,
            "status": status,
            "path": place,
            "guarded": guarded,
            "told_by": told_by,
        }
        plan = Plan(archived.title, archived.edits, archived.notes, facts)
    else:
        plan = _plan_head(store, draft, known[-1]) if known else _plan_line(store, draft)
        entry = replace(entry, content_hash=known[-1].content_hash if known else "")
    entry = replace(entry, path=Path(plan.facts["path"]))
    return _SummaryDraft(plan, summary_file.render_summary(entry, draft.digest), entry)


def _own_archive(store: Store, draft: ArchiveDraft) -> ArchiveEntry | None:
    """The archive that the draft was made from, where nothing else is left of the session: it is archived already."""
    source = draft.head.source
    if not any(source.parent == place.folder for place in store.layout.archives):
        return None
    found = archive_file.read_entry(source)
    if found is None:
        raise ConflictError(f"{source} is gone since it was read", hint="look again")
    return found


def _build_page(store: Store, draft: ArchiveDraft, text: str, source: Source) -> _SummaryDraft:
    """Layout project: the page of the session."""
    assert store.layout.summaries is not None
    path = store.layout.summaries / summary_file.file_name(draft.head.session_id)
    before, rows_text = read_text(path), store.register.look(is_exact=True).text
    old = summary_file.parse_entry(before, path)
    number = old.number if old and old.number else archiving.next_number(store)
    draft, text = provenance.shareable_draft(store, draft), provenance.shareable_text(store, text)
    entry = provenance.with_provenance(archiving.build_entry(draft, number, path, source), old.extra if old else {})
    if (
        old
        and old.topics
        and old.content_hash == entry.content_hash
        and draft.digest.told_by in _AUTHORS_WITHOUT_TOPICS
    ):
        entry = replace(entry, topics=old.topics)
    new = (
        summary_file.with_checksum(text, entry, before)
        if text
        else summary_file.render_summary(entry, draft.digest, before)
    )
    if new == before:
        return _SummaryDraft(_build_plan(store, draft, path, ()), new, entry)
    guarded = ""
    if before.strip() and summary_file.strip_note(new) != summary_file.strip_note(before):
        is_ours = old is not None and summary_file.is_ours_unedited(before)
        guarded = _summary_objection(draft, old) if is_ours and old else _PERSON_REASON
    edits: list[Edit] = [Replace(path, content_digest(before), new) if before else Create(path, new)]
    edits += extend_file(store.layout.rows, index_file.add_row(rows_text, entry, old))
    if source == "session":
        edits += (
            _window_edits(store, entry, draft) if before.strip() else window_lines.window_edits(store, entry, draft)
        )
    status: SummaryStatus = "updated" if before.strip() else "created"
    return _SummaryDraft(_build_plan(store, draft, path, edits, status=status, guarded=guarded), new, entry)


def _plan_head(store: Store, draft: ArchiveDraft, known: ArchiveEntry) -> Plan[SummaryFacts]:
    """Layouts with archives: the head of the session's newest one; what was said stays byte for byte."""
    before = read_text(known.path)
    old = archive_file.read_entry(known.path) or known
    said = draft.digest
    topics = (said.told_by in _AUTHORS_WITHOUT_TOPICS and old.topics) or said.topics
    if said.told_by:
        draft = replace(draft, digest=replace(said, told_of=old.content_hash))
    was = archive_parts.of(before)
    noted = provenance.with_provenance(archiving.build_entry(draft, old.number, old.path, "session"), old.extra)
    entry = replace(old, topics=topics, title=draft.title or old.title, extra=noted.extra)
    new = archive_file.merge_head(archive_file.render_head(entry, said), was.before) + was.body + was.tags
    words = archive_file.head_digest(before)
    if new == before or (
        not said.told_by and not provenance.author_of(old) and words.summary == one_line(said.summary)
    ):
        return _build_plan(store, draft, known.path, ())
    guarded = _head_objection(draft, known)
    edits: list[Edit] = [Replace(known.path, content_digest(before), new)]
    edits += extend_file(store.layout.rows, index_file.add_row(read_text(store.layout.rows), entry, old))
    edits += _window_edits(store, entry, draft)
    edits += day_line.day_line_edits(store, entry, draft, only_there=True)
    return _build_plan(store, draft, known.path, edits, status="updated", guarded=guarded)


def _plan_line(store: Store, draft: ArchiveDraft) -> Plan[SummaryFacts]:
    """Layout claude-project keeps no page: the row's topics and the session's line in the window."""
    rows_text = read_text(store.layout.rows)
    row = next((one for one in index_file.parse_rows(rows_text) if one.session_id == draft.head.session_id), None)
    if row is None:
        return _build_plan(store, draft, store.layout.rows, (), reason="nothing of it is kept here")
    entry = archiving.build_entry(draft, row.number, draft.head.source, "session")
    if draft.digest.told_by in _AUTHORS_WITHOUT_TOPICS:
        entry = replace(entry, topics=row.topics or entry.topics)
    edits = extend_file(store.layout.rows, index_file.add_row(rows_text, entry))
    edits += _window_edits(store, entry, draft)
    return _build_plan(store, draft, store.layout.window, edits, status="updated" if edits else "unchanged")


def _head_objection(draft: ArchiveDraft, known: ArchiveEntry) -> str:
    """Why the words at the head of an archive should not be replaced by the draft's; empty when they may be."""
    text = read_text(known.path)
    old = archive_file.read_entry(known.path) or known
    words = archive_parts.of(text).words
    is_ours = archive_parts.has_own_head(old, words)
    if is_ours is None:
        _, ours = archive_parts.apart(archive_file.render_head(old, archive_file.head_digest(text)))
        is_ours = ours.strip() == words.strip()
    return _summary_objection(draft, old) if is_ours else _OTHER_REASON


def _summary_objection(draft: ArchiveDraft, old: ArchiveEntry) -> str:
    """Why words of ours should not be replaced by the draft's; empty when they may be."""
    teller = provenance.author_of(old)
    if teller and not draft.digest.told_by:
        return f"it was written by {teller}, and this is only a draft in the conversation's own words"
    if draft.messages < old.messages and not draft.digest.told_by:
        return f"it is of more: {old.messages} messages, this one {draft.messages}"
    return ""


def _window_edits(store: Store, entry: ArchiveEntry, draft: ArchiveDraft) -> list[Edit]:
    """The session's place in the window, where it has one; what was handed over is not put there again."""
    text = read_text(store.layout.window)
    name = one_line(draft.head.session_id)
    one = window_file.read_last_session(text)
    is_there = any(entry.session_id == name for entry in window_file.parse_window(text).entries)
    return window_lines.window_edits(store, entry, draft) if is_there or (one and one.session_id == name) else []


def _build_plan(
    store: Store,
    draft: ArchiveDraft,
    path: object,
    edits: Iterable[Edit],
    *,
    status: SummaryStatus = "unchanged",
    guarded: str = "",
    reason: str = "",
) -> Plan[SummaryFacts]:
    made = tuple(edits)
    name = one_line(draft.title) or draft.head.session_id
    reason = reason or ("" if made else "its summary says this already")
    title = f"Summarised {name}" if made else f"{name}: {reason}"
    facts: SummaryFacts = {
        "status": status,
        "reason": reason,
        "session_id": draft.head.session_id,
        "path": str(path),
        "told_by": draft.digest.told_by,
        "guarded": guarded,
    }
    return Plan(title, made, (reason,) if reason and not made else (), facts)


def _add_master(store: Store, draft: ArchiveDraft, made: _SummaryDraft) -> Plan[SummaryFacts]:
    """The plan, and the first master where there is none yet."""
    plan, master = made.plan, store.layout.master
    before = read_text(master)
    if before.strip():
        return plan
    text = render_first_master(
        store, synthesis_sources.pending_summaries(store, made.page, made.entry, draft.session_summary)
    )
    edit = Replace(master, content_digest(before), text) if before else Create(master, text)
    notes = (*plan.notes, f"the first summary makes the first {store.relative(master)}")
    return replace(plan, edits=(*plan.edits, edit), notes=notes)
