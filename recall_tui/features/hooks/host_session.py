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

from recall_tui.domain import ArchiveEntry, By, Conversation, Create, Digest, Message, Plan, Skipped
from recall_tui.errors import ConflictError
from recall_tui.features.capture import archive as archiving
from recall_tui.features.capture.archive import Source
from recall_tui.features.capture.archive_draft import Draft
from recall_tui.features.capture.model_summary import retold
from recall_tui.features.capture.sessions import Captured, capture_draft
from recall_tui.index.project_scope import captures_all, is_own
from recall_tui.memory import Memory
from recall_tui.storage.archives import retained as kept
from recall_tui.storage.archives.body import parse_body
from recall_tui.storage.files import atomic
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.files.staging import written
from recall_tui.text.cut import one_line, plain
from recall_tui.text.secrets.redact import redact
from recall_tui.transcripts import host_records
from recall_tui.transcripts.merge import merged
from recall_tui.transcripts.registry import read

AGENT = "host"
"""Whose sessions they are when the host does not name itself."""
_ID_DIGITS = 32
_ANONYMOUS = "host-"
_SPEECH = ("prompt", "reply", "plan", "command")
_NOBODY = ("", "")
"""Whose turn stands before the first that anybody said."""


@contextmanager
def opened(memory: Memory, messages: Sequence[object], metadata: Mapping[str, object]) -> Iterator[Conversation | None]:
    """The conversation of the messages, as long as the block runs.

    None when no person spoke in it, or it was held in a project that the memory does not take.

    `metadata` may say `session_id`, `agent`, `title`, `cwd`, `branch`, `model`, `started_at` and `ended_at`. Without a
    `session_id` the session is known by what was said in it, so that more of it is another session.
    """
    told = {name: one_line(plain(host_records.words_of(value))) for name, value in metadata.items()}
    session_id = told.get("session_id") or _session_of(messages)
    rows = host_records.records(messages, session_id, told)
    with written(memory.spool, session_id, ".jsonl", map(json.dumps, rows), memory.now()) as path:
        found = read(path)
        is_taken = not told.get("cwd") or captures_all(memory) or is_own(memory, told["cwd"])
        if is_taken and isinstance(found, Conversation) and found.head.prompts:
            title = told.get("title") or found.head.title
            yield replace(found, head=replace(found.head, agent=told.get("agent") or AGENT, title=title))
        else:
            yield None


def is_news(memory: Memory, conversation: Conversation, source: Source) -> bool:
    """Whether archiving the conversation would change anything, as far as can be told without the memory's lock."""
    if _of_transcript(memory, conversation):
        return False
    try:
        draft = _draft(memory, conversation, source)
        if isinstance(draft, Skipped):
            return False
        plan = archiving.archive(memory, draft, source)
        draft.discard()
    except ConflictError:
        return True
    return bool(plan.edits)


def capture(
    memory: Memory, conversation: Conversation, source: Source, said: Digest | None = None, *, by: By
) -> Captured:
    """Archive the conversation; `said` is what a model told of it.

    One that is archived from its agent's own transcript, which tells more, is left as it is.
    """
    path = conversation.head.source
    if held := _of_transcript(memory, conversation):
        reason = "it is archived from its transcript"
        return Captured(path, "unchanged", reason, held.session_id, held.number, str(held.path), held.messages)

    def made() -> Draft | Skipped:
        draft = _draft(memory, conversation, source)
        if isinstance(draft, Skipped):
            return draft
        draft = replace(draft, sources=(), covers=())
        return retold(draft, said) if said else draft

    done = capture_draft(memory, path, source, made, by=by)
    if memory.layout.summaries is not None and done.number:
        memory.commit(lambda memory: _retained(memory, conversation), by=by)
    return done


def _retained(memory: Memory, conversation: Conversation) -> Plan:
    """A copy of what was said, where an archive is no more than its summary and no agent has a transcript."""
    head = conversation.head
    copy = kept.path_of(memory.places.kept, head)
    edits = () if copy.exists() else (Create(copy, "", kept.spooled(head, memory.spool)),)
    return Plan(f"Kept what was said in {head.session_id}", edits)


def _of_transcript(memory: Memory, conversation: Conversation) -> ArchiveEntry | None:
    known = _known(memory, conversation)
    return known[-1] if known and any(Path(name).exists() for name in known[-1].transcripts) else None


def _draft(memory: Memory, conversation: Conversation, source: Source) -> Draft | Skipped:
    path = conversation.head.source
    known = _known(memory, conversation)
    whole = conversation
    if known and memory.layout.archives and not memory.layout.has_one_summary:
        whole = _joined(conversation, known[-1], source)
    return archiving.draft_of(memory, path, lambda one: whole if one == path else read(one), merged)


def _known(memory: Memory, conversation: Conversation) -> tuple[ArchiveEntry, ...]:
    return archiving.known_archives(memory, conversation.head.session_id)


def _joined(conversation: Conversation, held: ArchiveEntry, source: Source) -> Conversation:
    """The conversation together with what only its archive still holds, each at its place."""
    before, now = list(_turns(parse_body(read_text(held.path)))), list(_turns(conversation.messages()))
    old, new = [key for key, _ in before], [key for key, _ in now]
    if set(old) <= set(new):
        return conversation
    if set(new) <= set(old) and not (source == "session" and held.source == "checkpoint"):
        return conversation
    if now[0][0] == _NOBODY and set(map(words_of, now[0][1])) <= {words_of(one) for _, turn in before for one in turn}:
        del now[0], new[0]  # the end of a turn that is archived whole
    found: list[tuple[Message, ...]] = []
    for kind, start, end, from_, to in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind in ("delete", "replace"):
            found += [messages for _, messages in before[start:end]]
        if kind != "delete":
            found += [messages for _, messages in now[from_:to]]
    return replace(conversation, messages=lambda: chain.from_iterable(found))


def _turns(messages: Iterable[Message]) -> Iterator[tuple[tuple[str, str], tuple[Message, ...]]]:
    """What was said, each with the tools and thoughts that follow it, known by its words."""
    key, turn = _NOBODY, list[Message]()
    for message in messages:
        if message.kind in _SPEECH:
            if turn:
                yield key, tuple(turn)
            key, turn = words_of(message), []
        turn.append(message)
    if turn:
        yield key, tuple(turn)


def words_of(message: Message) -> tuple[str, str]:
    """What a message says, as its archive would have it; short whatever its length."""
    return message.kind, atomic.digest(one_line(redact(message.text)))


def _session_of(messages: Sequence[object]) -> str:
    said = [row["uuid"] for row in host_records.records(messages, "", {})]
    return _ANONYMOUS + atomic.digest("\n".join(said))[:_ID_DIGITS]
