"""A session that is to be summarised: which one it is, what was said in it, and the draft of its summary.

Nothing is locked or changed. A session is never guessed: it is named, or the agent that runs the command says which.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.domain import ArchiveEntry, Conversation, ConversationHead, Plan, SessionDigest, SkippedResult
from recall_tui.errors import NotFoundError, RecallError, UsageError
from recall_tui.features.capture import archive as archiving
from recall_tui.features.capture.archive import Source
from recall_tui.features.capture.archive_draft import ArchiveDraft, build_draft
from recall_tui.features.capture.archived_sessions import is_accepted
from recall_tui.features.capture.model_summary import summarize_with_model, with_digest
from recall_tui.features.capture.provenance import AGENT_AUTHOR
from recall_tui.features.documents.past_sessions import day_called, sessions_on_day
from recall_tui.features.summaries import summarize as summarizing
from recall_tui.features.summaries.summarize import SummaryFacts
from recall_tui.index.sources.transcripts import find_session, list_transcripts
from recall_tui.llm.client import ModelClient
from recall_tui.llm.model import Failure
from recall_tui.storage.archives import index_file, retained, summary_file
from recall_tui.storage.archives.body import parse_body
from recall_tui.storage.archives.folder import ArchiveFolder
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.memory_context import Store
from recall_tui.text.cut import one_line, shorten, strip_controls
from recall_tui.text.dates import duration_text
from recall_tui.text.secrets.redact import redact
from recall_tui.transcripts.merge import merge
from recall_tui.transcripts.registry import read_transcript

if TYPE_CHECKING:
    from recall_tui.index.opener import Index

SESSION_VARIABLE = "CLAUDE_CODE_SESSION_ID"
"""Set in the shell of an agent's session, by the agent."""
MAX_SUMMARY_CHARS = 64 << 10
"""Characters of a summary that is handed in."""
_MAX_LINE_CHARS = 300
_MAX_TITLE_CHARS = 1_000
_MAX_SEARCHED = 50
_SESSION_ID = re.compile(r"[\w-]{8,100}")


class SessionToSummarize(NamedTuple):
    """One session, ready to be summarised."""

    store: Store
    """The memory, with a clock that stands still: what is shown and what is made have the same times."""
    draft: ArchiveDraft
    conversation: Conversation | None = None
    """What was said; None when nothing of it is there but the summary that is handed in."""
    text: str = ""
    """The summary that was handed in."""
    source: Source = "session"
    is_first: bool = True
    """It may make the first master."""

    def summarize(self, _: Store) -> Plan[SummaryFacts]:
        """What saving the summary changes: a verb, for it may be made again under the memory's lock."""
        return summarizing.summarize(self.store, self.draft, self.text, self.source, makes_master=self.is_first)


class SessionChoice(NamedTuple):
    """A session that somebody may mean."""

    session_id: str
    modified: datetime
    title: str


def session_reference(store: Store, given: str = "", index: Callable[[], Index] | None = None) -> str:
    """The session to summarise: the one that is given, else that of the agent; UsageError when nobody says which.

    With an `index` a day, such as `yesterday` or `2026-03-06`, stands for the only session that was held on it.
    """
    reference = given.strip() or store.environment.env.get(SESSION_VARIABLE, "").strip()
    if not reference:
        raise UsageError("which session?", hint="recall-tui summarize SESSION, with the id of one, or its beginning")
    if index is None or (day := day_called(store, reference)) is None:
        return reference
    held = sessions_on_day(store, index(), day)
    if len(held) != 1:
        which = "; ".join(f"recall-tui summarize {one.session_id or one.reference}" for one in held)
        raise UsageError(f"{len(held) or 'no'} sessions were held on {day}", hint=which or "see: recall-tui list")
    return held[0].session_id or held[0].reference


def latest_sessions(store: Store, most: int = 5) -> tuple[SessionChoice, ...]:
    """The sessions that went on last, of those that the memory takes; they are shown, and none is chosen."""
    files = sorted(list_transcripts(store), key=lambda file: file.modified, reverse=True)

    def listed() -> Iterator[SessionChoice]:
        for file in islice(files, _MAX_SEARCHED):
            found = read_transcript(file.path)
            if isinstance(found, Conversation) and found.head.message_count and is_accepted(store, file.path):
                said = found.head.title or next((one.text for one in found.messages() if one.kind == "prompt"), "")
                title = shorten(redact(one_line(strip_controls(said[:_MAX_TITLE_CHARS]))), 80)
                yield SessionChoice(found.head.session_id, file.modified, title)

    return tuple(islice(listed(), most))


def prepare_session(store: Store, reference: str, text: str = "") -> SessionToSummarize:
    """The session called `reference`, drafted in its own words, or in those of the `text` that is handed in.

    It may be an id, the beginning of one, or an archive's number or name. NotFoundError when nothing of it is there;
    layout project takes a handed-in text of a session without a transcript, too.
    """
    store = _freeze_clock(store)
    conversation = _find_conversation(store, reference)
    known = _find_archive(store, reference) if conversation is None else None
    if known is not None and store.layout.archives:
        conversation = Conversation(_archive_head(known), lambda: parse_body(read_text(known.path)))
        draft = _draft_archive(store, conversation, known)
    elif conversation is not None:
        draft = _draft_transcript(store, conversation)
    elif text and store.layout.design.summaries_are_archives and _SESSION_ID.fullmatch(reference):
        head = _archive_head(known) if known else ConversationHead(reference, "", store.root)
        draft = _empty_draft(store, head)
    else:
        raise NotFoundError(f"nothing is there of session {reference}", hint="see: recall-tui list")
    return SessionToSummarize(store, _apply_summary(store, draft, text) if text else draft, conversation, text)


def clean_summary(text: str) -> str:
    """A summary as an agent or a person wrote it, without secrets; UsageError when it has not the shape of one."""
    if len(text) > MAX_SUMMARY_CHARS:
        raise UsageError(
            f"the summary has more than {MAX_SUMMARY_CHARS} characters", hint="it is no transcript: shorten it"
        )
    text = redact(strip_controls(text.replace("\r\n", "\n"))).strip() + "\n"
    if missing := summary_file.missing_parts(text):
        shape = "# Title, ## Context, ## Tracking Points with bullets such as `- Decision: …`"
        raise UsageError(f"the summary has no {', no '.join(missing)}", hint=shape)
    return text


def with_model_summary(one: SessionToSummarize, calls: ModelClient) -> SessionToSummarize | Failure:
    """The subject in the words of the memory's model for summaries; a Failure when it has none for it."""
    if one.conversation is None:
        return Failure("there is no conversation to tell of", is_refusal=True)
    said = summarize_with_model(one.store, calls, one.conversation)
    if isinstance(said, Failure):
        return said
    draft = with_digest(one.draft, said)
    return one._replace(draft=replace(draft, session_summary=shorten(said.summary, _MAX_LINE_CHARS)))


def _freeze_clock(store: Store) -> Store:
    moment = store.now()
    clock: Callable[[], datetime] = lambda: moment  # noqa: E731
    return Store(store.layout, store.environment, clock)


def _find_conversation(store: Store, reference: str) -> Conversation | None:
    """What was said, from the agent's transcript, else from the copy that was retained of it."""
    known = _find_archive(store, reference)
    if known and not known.session_id:
        raise NotFoundError(f"{known.name} is of no session", hint="see: recall-tui list")
    session_id = known.session_id if known else reference
    path = find_session(store, session_id) if len(session_id) >= 4 else None
    if path is None:
        path = next(reversed(retained.list_copies(store.environment.kept, session_id)), None)
    if path is not None and not session_id.startswith(reference) and not is_accepted(store, path):
        return None  # An archive that came with a repository may name any session its own.
    found = read_transcript(path) if path is not None else None
    if isinstance(found, SkippedResult):
        raise RecallError(f"{path}: {found.reason}")
    return found


def _find_archive(store: Store, reference: str) -> ArchiveEntry | None:
    """The archive, or the summary, that the reference names."""
    folder = ArchiveFolder(store.layout)
    try:
        return folder.get(reference)
    except NotFoundError:
        rows = index_file.parse_rows(read_text(store.layout.rows))
    matches = [row for row in rows if len(reference) >= 4 and row.session_id.startswith(reference)]
    found = folder.by_session(matches[-1].session_id, rows) if matches and store.layout.archives else ()
    return found[-1] if found else None


def _draft_transcript(store: Store, conversation: Conversation) -> ArchiveDraft:
    path = conversation.head.source
    draft = archiving.prepare_draft(
        store, path, lambda one: conversation if one == path else read_transcript(one), merge
    )
    if isinstance(draft, SkippedResult):
        raise RecallError(f"{conversation.head.session_id}: {draft.reason}")
    if draft.after:
        # The newest stretch has its own words; a summary is of the whole session.
        whole = build_draft(store, conversation)
        if isinstance(whole, ArchiveDraft):
            whole.discard()
            draft = replace(draft, digest=whole.digest, title=whole.title)
    return draft


def _draft_archive(store: Store, conversation: Conversation, known: ArchiveEntry) -> ArchiveDraft:
    """A draft of what the archive holds, where nothing else is left of the session."""
    made = build_draft(store, conversation)
    if isinstance(made, SkippedResult):
        raise RecallError(f"{known.name}: {made.reason}")
    made.discard()
    after = known.name if store.layout.design.logs_each_stretch else ""
    return replace(made, messages=0 if after else known.messages, after=after, duration=known.duration)


def _archive_head(known: ArchiveEntry) -> ConversationHead:
    return ConversationHead(
        known.session_id,
        known.agent,
        known.path,
        known.started_at,
        known.ended_at,
        known.title,
        known.cwd,
        known.branch,
        known.model,
        prompts=known.messages,
        last_uuid=known.last_uuid,
        content_hash=known.content_hash,
    )


def _empty_draft(store: Store, head: ConversationHead) -> ArchiveDraft:
    """A draft of a session of which nobody kept a word."""
    nothing = store.spool / "nothing"
    return ArchiveDraft(
        head,
        SessionDigest(""),
        nothing,
        "",
        head.message_count,
        duration_text(head.started_at, head.ended_at),
        head.started_at,
        head.ended_at or store.now(),
        head.title,
    )


def _apply_summary(store: Store, draft: ArchiveDraft, text: str) -> ArchiveDraft:
    """The draft in the words of a summary that was handed in."""
    words = replace(summary_file.parse_digest(text), told_by=AGENT_AUTHOR)
    line = words.summary
    if store.layout.design.retains_transcripts:
        # Its one line in the window is all that this layout keeps of a summary.
        line = "; ".join((line.rstrip("."), *(f"{label}: {said}" for label, said in summary_file.parse_points(text))))
    return replace(with_digest(draft, words), session_summary=line, title=words.title or draft.title)
