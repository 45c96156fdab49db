"""An archive that was made in the conversation's own words, told anew by the memory's model for summaries.

A model is asked once for each state of a session, never under the memory's lock, and never about words that a person
wrote or changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recall_tui.domain import Actor, ArchiveEntry, Plan
from recall_tui.errors import RecallError
from recall_tui.features.capture import provenance
from recall_tui.features.capture.archive import Source
from recall_tui.features.capture.archived_sessions import known_archives
from recall_tui.features.summaries.session_draft import prepare_session, with_model_summary
from recall_tui.features.summaries.summarize import SummaryFacts
from recall_tui.llm.client import ModelClient
from recall_tui.llm.model import Failure
from recall_tui.memory import Memory
from recall_tui.storage.archives import file as archive_file
from recall_tui.storage.archives import parts as archive_parts
from recall_tui.storage.archives import summary_file
from recall_tui.storage.files.atomic import read_text

if TYPE_CHECKING:
    from recall_tui.storage.journal.batch import Batch


def apply_resummary(
    memory: Memory, session_id: str, calls: ModelClient, *, by: Actor, batch: Batch | None = None
) -> str | Failure:
    """Have it done; who told it, empty when nobody did."""
    found = _build_plan(memory, session_id, calls)
    if not isinstance(found, Plan):
        return found or ""
    plan = found

    def retell(_: Memory) -> Plan:
        return plan

    try:
        memory.commit(retell, by=by, batch=batch)
    except RecallError as error:
        return Failure(error.message)
    return plan.facts["told_by"]


def _build_plan(memory: Memory, session_id: str, calls: ModelClient) -> Plan[SummaryFacts] | Failure | None:
    entry = find_candidate(memory, session_id) if calls.is_offered("summary") else None
    if entry is None:
        return None
    try:
        one = prepare_session(memory, session_id)
    except RecallError as error:
        return Failure(error.message)
    source: Source = "checkpoint" if entry.source == "checkpoint" else "session"
    said = with_model_summary(one._replace(source=source, is_first=False), calls)
    plan = said if isinstance(said, Failure) else said.summarize(memory)
    is_wanted = isinstance(plan, Plan) and bool(plan.edits) and not plan.facts["guarded"]
    if isinstance(plan, Failure) or all(getattr(edit, "body", None) != one.draft.body for edit in plan.edits):
        one.draft.discard()
    return plan if is_wanted or isinstance(plan, Failure) else None


def find_candidate(memory: Memory, session_id: str) -> ArchiveEntry | None:
    """The session's archive, if a model may tell it anew."""
    layout = memory.layout
    if layout.summaries is not None:
        path = layout.summaries / summary_file.file_name(session_id)
        text = read_text(path)
        entry = summary_file.parse_entry(text, path) if summary_file.is_ours_unedited(text) else None
    else:
        known = known_archives(memory, session_id)
        entry = known[-1] if known and _has_own_words(known[-1]) else None
    return (
        entry
        if entry and (not entry.content_hash or provenance.summarized_hash_of(entry) != entry.content_hash)
        else None
    )


def _has_own_words(known: ArchiveEntry) -> bool:
    """Whether nobody is known to have changed the words, title and topics of the archive's head."""
    entry = archive_file.read_entry(known.path) or known
    return archive_parts.has_own_head(entry, archive_parts.read_parts(known.path).words) is not False
