"""A session that a host program holds in memory, archived as a transcript is.

The same messages archived twice are one archive; more of them bring it up to date, and a host that keeps only the last
of them loses nothing that was archived before.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import chain
from pathlib import Path

from recall_tui.domain import Actor, ArchiveEntry, Conversation, Create, Message, Plan, SessionDigest, SkippedResult
from recall_tui.errors import ConflictError
from recall_tui.features.capture import archive as archiving
from recall_tui.features.capture.archive import Source
from recall_tui.features.capture.archive_draft import ArchiveDraft
from recall_tui.features.capture.archived_sessions import known_archives
from recall_tui.features.capture.model_summary import with_digest
from recall_tui.features.capture.sessions import CaptureResult, capture_draft
from recall_tui.index.project_scope import belongs_to_project, captures_all_projects
from recall_tui.memory import Memory
from recall_tui.storage.archives import retained
from recall_tui.storage.archives.body import parse_body
from recall_tui.storage.files import atomic
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.files.staging import staged_file
from recall_tui.text.cut import one_line, strip_controls
from recall_tui.text.secrets.redact import redact
from recall_tui.transcripts import host_records
from recall_tui.transcripts.merge import merge
from recall_tui.transcripts.registry import read_transcript

DEFAULT_AGENT = "host"
"""Whose sessions they are when the host does not name itself."""
_ID_CHARS = 32
_ANONYMOUS_PREFIX = "host-"
_SPEECH_KINDS = ("prompt", "reply", "plan", "command")
_NO_SPEAKER = ("", "")
"""Whose turn stands before the first that anybody said."""


@contextmanager
def open_conversation(
    memory: Memory, messages: Sequence[object], metadata: Mapping[str, object]
) -> Iterator[Conversation | None]:
    """The conversation of the messages, as long as the block runs.

    None when no person spoke in it, or it was held in a project that the memory does not take.

    `metadata` may say `session_id`, `agent`, `title`, `cwd`, `branch`, `model`, `started_at` and `ended_at`. Without a
    `session_id` the session is known by what was said in it, so that more of it is another session.
    """
    told = {name: one_line(strip_controls(host_records.field_text(value))) for name, value in metadata.items()}
    session_id = told.get("session_id") or _derive_session_id(messages)
    rows = host_records.to_records(messages, session_id, told)
    with staged_file(memory.spool, session_id, ".jsonl", map(json.dumps, rows), memory.now()) as path:
        found = read_transcript(path)
        is_taken = not told.get("cwd") or captures_all_projects(memory) or belongs_to_project(memory, told["cwd"])
        if is_taken and isinstance(found, Conversation) and found.head.prompts:
            title = told.get("title") or found.head.title
            yield replace(found, head=replace(found.head, agent=told.get("agent") or DEFAULT_AGENT, title=title))
        else:
            yield None


def is_changed(memory: Memory, conversation: Conversation, source: Source) -> bool:
    """Whether archiving the conversation would change anything, as far as can be told without the memory's lock."""
    if _find_transcript_archive(memory, conversation):
        return False
    try:
        draft = _prepare_draft(memory, conversation, source)
        if isinstance(draft, SkippedResult):
            return False
        plan = archiving.archive(memory, draft, source)
        draft.discard()
    except ConflictError:
        return True
    return bool(plan.edits)


def capture_host_session(
    memory: Memory, conversation: Conversation, source: Source, said: SessionDigest | None = None, *, by: Actor
) -> CaptureResult:
    """Archive the conversation; `said` is what a model told of it.

    One that is archived from its agent's own transcript, which tells more, is left as it is.
    """
    path = conversation.head.source
    if held := _find_transcript_archive(memory, conversation):
        reason = "it is archived from its transcript"
        return CaptureResult(path, "unchanged", reason, held.session_id, held.number, str(held.path), held.messages)

    def made() -> ArchiveDraft | SkippedResult:
        draft = _prepare_draft(memory, conversation, source)
        if isinstance(draft, SkippedResult):
            return draft
        draft = replace(draft, sources=(), covers=())
        return with_digest(draft, said) if said else draft

    done = capture_draft(memory, path, source, made, by=by)
    if memory.layout.design.summaries_are_archives and done.number:
        memory.commit(lambda memory: _plan_copy(memory, conversation), by=by)
    return done


def _plan_copy(memory: Memory, conversation: Conversation) -> Plan:
    """A copy of what was said, where an archive is no more than its summary and no agent has a transcript."""
    head = conversation.head
    copy = retained.retained_path(memory.environment.kept, head)
    edits = () if copy.exists() else (Create(copy, "", retained.stage_copy(head, memory.spool)),)
    return Plan(f"Archived {head.session_id}", edits)


def _find_transcript_archive(memory: Memory, conversation: Conversation) -> ArchiveEntry | None:
    known = _archives_of(memory, conversation)
    return known[-1] if known and any(Path(name).exists() for name in known[-1].transcripts) else None


def _prepare_draft(memory: Memory, conversation: Conversation, source: Source) -> ArchiveDraft | SkippedResult:
    path = conversation.head.source
    known = _archives_of(memory, conversation)
    whole = conversation
    if known and memory.layout.archives and not memory.layout.design.logs_each_stretch:
        whole = _merge_archived(conversation, known[-1], source)
    return archiving.prepare_draft(memory, path, lambda one: whole if one == path else read_transcript(one), merge)


def _archives_of(memory: Memory, conversation: Conversation) -> tuple[ArchiveEntry, ...]:
    return known_archives(memory, conversation.head.session_id)


def _merge_archived(conversation: Conversation, held: ArchiveEntry, source: Source) -> Conversation:
    """The conversation together with what only its archive still holds, each at its place."""
    before, now = list(_split_turns(parse_body(read_text(held.path)))), list(_split_turns(conversation.messages()))
    old, new = [key for key, _ in before], [key for key, _ in now]
    if set(old) <= set(new):
        return conversation
    if set(new) <= set(old) and not (source == "session" and held.source == "checkpoint"):
        return conversation
    if now[0][0] == _NO_SPEAKER and set(map(message_text, now[0][1])) <= {
        message_text(one) for _, turn in before for one in turn
    }:
        del now[0], new[0]  # the end of a turn that is archived whole
    found: list[tuple[Message, ...]] = []
    for kind, start, end, from_, to in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind in ("delete", "replace"):
            found += [messages for _, messages in before[start:end]]
        if kind != "delete":
            found += [messages for _, messages in now[from_:to]]
    return replace(conversation, messages=lambda: chain.from_iterable(found))


def _split_turns(messages: Iterable[Message]) -> Iterator[tuple[tuple[str, str], tuple[Message, ...]]]:
    """What was said, each with the tools and thoughts that follow it, known by its words."""
    key, turn = _NO_SPEAKER, list[Message]()
    for message in messages:
        if message.kind in _SPEECH_KINDS:
            if turn:
                yield key, tuple(turn)
            key, turn = message_text(message), []
        turn.append(message)
    if turn:
        yield key, tuple(turn)


def message_text(message: Message) -> tuple[str, str]:
    """What a message says, as its archive would have it; short whatever its length."""
    return message.kind, atomic.content_digest(one_line(redact(message.text)))


def _derive_session_id(messages: Sequence[object]) -> str:
    said = [row["uuid"] for row in host_records.to_records(messages, "", {})]
    return _ANONYMOUS_PREFIX + atomic.content_digest("\n".join(said))[:_ID_CHARS]
