"""A conversation made ready to be archived: read once, its words gathered, its body spooled.

Nothing of the memory is locked or changed meanwhile; a draft that is not used is thrown away.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Required, TypedDict

from recall_tui.domain import (
    ArchiveEntry,
    Conversation,
    ConversationHead,
    Message,
    Plan,
    SessionDigest,
    SkippedResult,
    Tags,
    ToolCall,
)
from recall_tui.errors import name_path
from recall_tui.index.project_scope import folder_aliases
from recall_tui.storage.archives.body import write_body
from recall_tui.storage.archives.file import render_tags
from recall_tui.storage.archives.parts import body_digests
from recall_tui.storage.files import atomic
from recall_tui.storage.files.staging import new_path
from recall_tui.storage.files.trusted_clock import trusted_time
from recall_tui.storage.memory_context import Store
from recall_tui.text.classify.keywords import find_topics
from recall_tui.text.classify.sentence_labels import find_point, is_unresolved
from recall_tui.text.classify.summary import join_summary, strip_banner, summarize
from recall_tui.text.classify.tags import MAX_TAG_FILES, TagCollector
from recall_tui.text.cut import one_line, shorten, strip_controls
from recall_tui.text.dates import duration_text
from recall_tui.text.line_ends import main_end
from recall_tui.text.secrets.redact import redact
from recall_tui.transcripts.project import project_of
from recall_tui.transcripts.shared_file import last_written

if TYPE_CHECKING:
    from recall_tui.features.digest.collector import DigestCollector
    from recall_tui.features.digest.digest import Digest, DigestItem

_MAX_TOPIC_PROMPTS = 5
"""How many of the first prompts name what a conversation is about."""
_MAX_TOPIC_CHARS = 4_000
_MAX_FILES = 10_000
"""Files that are counted."""
_STALE_STAGING_SECONDS = 86_400
NO_CHECKSUM = "-"
"""Stands for the mark of words that are written later, or are a person's."""
_POINT_LABELS: dict[str, str] = {"lesson": "Discovery", "preference": "Preference"}
"""Under which label a summary tells what is neither a decision nor left to do."""
_MAX_TITLE_CHARS = 120
"""Characters of a title at most."""


ArchiveStatus = Literal["archived", "updated", "unchanged", "skipped"]


class ArchiveFacts(TypedDict, total=False):
    """Facts of a plan that archives a session; a promoted window has only the first three."""

    status: Required[ArchiveStatus]
    number: int
    path: str
    reason: str
    session_id: str
    messages: int
    faults: int


ArchivePlan = Plan[ArchiveFacts]


@dataclass(frozen=True, slots=True)
class ArchiveDraft:
    """What an archive of a conversation, or of its newest stretch, will hold."""

    head: ConversationHead
    digest: SessionDigest
    body: Path
    """The spooled turns and tags."""
    project: str
    messages: int
    duration: str
    started_at: datetime | None
    ended_at: datetime | None
    title: str
    after: str = ""
    """The archive that this stretch begins behind; empty for the whole conversation."""
    session_summary: str = ""
    """One line on the whole session, also when this is only a stretch of it."""
    session_tags: Tags | None = None
    """The tags of the whole session when this is only a stretch of it."""
    unresolved: tuple[str, ...] = ()
    """What the whole session left without an answer, or held up."""
    session_topics: tuple[str, ...] = ()
    """The topics of the whole session, also when this is only a stretch of it."""
    sources: tuple[Path, ...] = ()
    """The transcripts it was made from."""
    covers: tuple[str, ...] = ()
    """How far they were read; see `transcripts.read_extent`."""
    written: str = ""
    """The marks of turns and tags; see `storage.archives.parts`."""
    replaces: str | None = None
    """The digest of the archive that it brings up to date; empty when there was none, None when nobody looked."""
    tags: str = ""
    """The tags at the end of the body."""
    before: str | None = None
    """That archive up to the end of its frontmatter, as it was read; None when nobody looked."""
    words: str | None = None
    """What stands between its frontmatter and its turns and stays; None when the draft's own words take its place."""
    has_other_ends: bool = False
    """Its lines do not all end in a newline alone, and what is new is to end as they do."""
    are_words_ours: bool = False
    """What stays there was not written by a person."""
    kept: str = ""
    """What of that archive was kept that is not in the transcripts, for a person."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """What is to stand at its head beside what is known of the session, by key."""
    is_news: bool = True
    """Something is in it that the archive does not hold."""
    is_whole: bool = True
    """Everything that was archived of the session before is in its transcripts still."""

    def discard(self) -> None:
        """Throw the spooled body away, if nobody took it."""
        self.body.unlink(missing_ok=True)


def _new_collector() -> DigestCollector:
    from recall_tui.features.digest.collector import DigestCollector

    return DigestCollector()


@dataclass(slots=True)
class _Collector:
    """What is picked up while the messages of a conversation flow by; bounded whatever its length."""

    is_new: Callable[[Message], bool] | None = None
    """Whether a message belongs to the stretch; None when all do."""
    is_fork: bool = False
    """What it repeats of another session is written, and tells nothing of this one."""
    request: str = ""
    """The first prompt of all, also before the stretch."""
    prompts: list[str] = field(default_factory=list)
    heard: DigestCollector = field(default_factory=_new_collector)
    session_heard: DigestCollector = field(default_factory=_new_collector)
    """The whole session, also outside the stretch; empty when all belong to it."""
    session_tags: TagCollector = field(default_factory=TagCollector)
    files: Counter[str] = field(default_factory=Counter)
    session_prompts: list[str] = field(default_factory=list)
    session_files: Counter[str] = field(default_factory=Counter)
    tags: TagCollector = field(default_factory=TagCollector)
    started_at: datetime | None = None
    ended_at: datetime | None = None
    has_speech: bool = False
    """Somebody said something, a sub-agent or on a branch that was left too."""
    prompt_count: int = 0
    reply_count: int = 0
    _reply_ids: set[str] = field(default_factory=set)

    @property
    def messages(self) -> int:
        return self.prompt_count + self.reply_count

    def watch(self, messages: Iterator[Message]) -> Iterator[Message]:
        """Hand the messages of the stretch on, and remember what matters of them."""
        for message in messages:
            is_foreign = self.is_fork and message.is_repeated
            if not self.request and message.kind == "prompt" and not message.is_sidechain and not is_foreign:
                self.request = message.text[:_MAX_TOPIC_CHARS]
            if self.is_new is not None:
                self._note_session(message)
            if self.is_new is None or self.is_new(message):
                self._note(message)
                yield message

    def _note_session(self, message: Message) -> None:
        if message.is_sidechain or (self.is_fork and message.is_repeated):
            return
        self.session_heard.hear(message)
        if message.tool is not None and message.kind == "tool_call":
            self.session_tags.use(message.tool)
            _count_file(self.session_files, message.tool)
        if message.kind == "prompt" and not message.is_off_chain and len(self.session_prompts) < _MAX_TOPIC_PROMPTS:
            self.session_prompts.append(message.text[:_MAX_TOPIC_CHARS])

    def _note(self, message: Message) -> None:
        self.has_speech |= message.kind in ("prompt", "reply", "plan") and bool(message.text.strip())
        if message.is_sidechain:
            return
        is_own = not (self.is_fork and message.is_repeated)
        if is_own:
            self.heard.hear(message)
        if message.at is not None:
            self.started_at = min(self.started_at or message.at, message.at)
            self.ended_at = max(self.ended_at or message.at, message.at)
        if is_own and message.tool is not None and message.kind == "tool_call":
            self.tags.use(message.tool)
            _count_file(self.files, message.tool)
        if message.is_off_chain or not message.text.strip():
            return
        if message.kind == "prompt":
            self.prompt_count += 1
            if is_own and len(self.prompts) < _MAX_TOPIC_PROMPTS:
                self.prompts.append(message.text[:_MAX_TOPIC_CHARS])
        elif message.kind == "reply":
            key = message.message_id or message.uuid
            if not key or key not in self._reply_ids:
                self._reply_ids.add(key)
                self.reply_count += 1


def _count_file(files: Counter[str], call: ToolCall) -> None:
    if call.is_file and len(files) < _MAX_FILES:
        files[call.target] += 1


def build_draft(
    store: Store,
    conversation: Conversation,
    rarity: Callable[[str], float] = lambda _: 1.0,
    *,
    after: str = "",
    is_new: Callable[[Message], bool] | None = None,
) -> ArchiveDraft | SkippedResult:
    """Read the conversation and spool its body, secrets redacted.

    `rarity` tells rare topics of the archive from common ones. With `after`, the archive of the stretch before, only
    the messages of which `is_new` says so.
    """
    from recall_tui.features.digest.digest import make_digest

    head = conversation.head
    body = new_path(store.spool, head.session_id, ".md")
    _sweep_staging(store)
    gathered = _Collector(is_new, conversation.is_fork())
    descriptor = os.open(body, os.O_CREAT | os.O_EXCL | os.O_WRONLY, atomic.PRIVATE_FILE)
    with (
        name_path(body),
        os.fdopen(descriptor, "w", encoding="utf-8", errors="surrogateescape", newline="") as out,
    ):
        write_body(gathered.watch(conversation.messages()), out, clean=redact)
        project = project_of(head.cwd, folder_aliases(store)).name if head.cwd else ""
        digest = make_digest(gathered.heard, head)
        tags = _clean_tags(replace(gathered.tags.tags(head.cwd), project=project), digest)
        tag_lines = render_tags(tags)
        out.write(tag_lines)
    if not gathered.messages and not after:
        body.unlink(missing_ok=True)
        return SkippedResult("it has no messages")
    words = SessionDigest(
        _summary_line(digest, gathered.prompts[0] if gathered.prompts else ""),
        _find_topics(gathered.prompts, gathered.files, rarity, digest),
        tags,
        tuple((label, _bare_text(one)) for one in digest.items if (label := _point_label(one))),
        outcome=digest.outcome,
    )
    session_digest = make_digest(gathered.session_heard, head) if is_new else digest
    title = head.title or digest.title or (gathered.prompts[0] if gathered.prompts else "")
    return ArchiveDraft(
        head=head,
        digest=words,
        body=body,
        project=project,
        messages=gathered.messages,
        duration=duration_text(gathered.started_at, gathered.ended_at),
        started_at=gathered.started_at,
        ended_at=gathered.ended_at or last_written(head.source),
        title=shorten(one_line(redact(title)), _MAX_TITLE_CHARS),
        after=after,
        session_summary=_summary_line(session_digest, gathered.request),
        session_tags=_clean_tags(gathered.session_tags.tags(head.cwd), session_digest) if is_new else None,
        unresolved=tuple(one.text for one in session_digest.items if _is_thread(one)),
        session_topics=_find_topics(gathered.session_prompts, gathered.session_files, rarity, session_digest)
        if is_new
        else words.topics,
        sources=(head.source,),
        written=f"{NO_CHECKSUM} {body_digests(body, tag_lines)}",
        tags=tag_lines,
        is_news=gathered.has_speech,
    )


def _find_topics(
    prompts: Iterable[str], files: Counter[str], rarity: Callable[[str], float], digest: Digest
) -> tuple[str, ...]:
    """The topics of the prompts and files; those that the digest names count for more."""
    kept = "\n".join((digest.title, digest.outcome, *(one.text for one in digest.items), *digest.files))
    said = [strip_controls(redact(strip_banner(prompt))) for prompt in prompts]
    return find_topics(said, list(files.elements()), rarity, kept=kept)


def with_stored_body(
    store: Store, draft: ArchiveDraft, path: Path, start: int, messages: Iterable[Message]
) -> ArchiveDraft:
    """The draft with what stands in a file from the byte `start` on, and these messages below it."""
    body = new_path(store.spool, draft.head.session_id, ".md")
    descriptor = os.open(body, os.O_CREAT | os.O_EXCL | os.O_WRONLY, atomic.PRIVATE_FILE)
    with name_path(body), os.fdopen(descriptor, "wb") as out:
        end = "\n"
        for piece in atomic.read_chunks(path):
            end = main_end(atomic.decode(piece)) if b"\r\n" in piece else end
            out.write(piece[start:])
            start = max(0, start - len(piece))
        with TextIOWrapper(out, encoding="utf-8", errors="surrogateescape", newline=end) as text:
            text.write("\n\n")
            write_body(messages, text, clean=redact)
    draft.discard()
    return replace(draft, body=body)


def with_body(store: Store, draft: ArchiveDraft, turns: str | None, tags: str) -> ArchiveDraft:
    """The draft with these tags, and these turns in place of its own."""
    body = new_path(store.spool, draft.head.session_id, ".md")
    left = draft.body.stat().st_size - len(atomic.encode(draft.tags))
    descriptor = os.open(body, os.O_CREAT | os.O_EXCL | os.O_WRONLY, atomic.PRIVATE_FILE)
    with name_path(body), os.fdopen(descriptor, "wb") as out:
        if turns is None:
            for piece in atomic.read_chunks(draft.body):
                out.write(piece[:left])
                left -= min(left, len(piece))
        else:
            out.write(atomic.encode(turns))
        out.write(atomic.encode(tags))
    draft.discard()
    return replace(draft, body=body, tags=tags)


def _summary_line(digest: Digest, request: str) -> str:
    """The session in one line: its title, or the request where the outcome says the title again, and its outcome."""
    if digest.title and not digest.outcome.casefold().startswith(digest.title.rstrip("…").casefold()):
        return join_summary(digest.title, digest.outcome)
    return join_summary(redact(summarize(request, "")), digest.outcome)


def _point_label(item: DigestItem) -> str:
    """The label that an item gives itself, such as `Blocker`, else that of its kind; empty for what the tags hold."""
    found = find_point(item.text)
    return found[0] if found and item.kind != "decision" else _POINT_LABELS.get(item.kind, "")


def _bare_text(item: DigestItem) -> str:
    """The words of an item without the label that it gives itself."""
    found = find_point(item.text)
    return found[2] if found else item.text


def _is_thread(item: DigestItem) -> bool:
    """Whether an item is a question that is open still, or what the work waits for."""
    return item.kind != "decision" and (is_unresolved(item.text) or _point_label(item) == "Blocker")


def _clean_tags(tags: Tags, digest: Digest) -> Tags:
    """The tags without secrets, with what the digest says was decided and left open, and changed files first."""
    return Tags(
        redact(tags.project),
        tuple(one.text for one in digest.items if one.kind == "decision"),
        tuple(one.text for one in digest.items if one.kind == "open" and not _point_label(one)),
        tuple(dict.fromkeys((*digest.files, *map(redact, tags.files))))[:MAX_TAG_FILES],
        tags.tools,
    )


def _sweep_staging(store: Store) -> None:
    """Remove what processes that were killed left in the spool a day ago or earlier."""
    oldest = trusted_time(store.state, store.now(), 1).timestamp() - _STALE_STAGING_SECONDS
    for path in store.spool.iterdir():
        with suppress(FileNotFoundError):
            if path.stat().st_mtime < oldest:
                path.unlink()


def archive_facts(draft: ArchiveDraft, entry: ArchiveEntry, status: ArchiveStatus, reason: str = "") -> ArchiveFacts:
    """Return the facts of a plan for the draft's archive, whose head is `entry`."""
    return {
        "status": status,
        "reason": reason,
        "session_id": draft.head.session_id,
        "number": entry.number,
        "path": str(entry.path),
        "messages": draft.messages,
        "faults": draft.head.fault_count,
    }
