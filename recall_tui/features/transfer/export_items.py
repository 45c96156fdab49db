"""What leaves a memory, as values: documents, sessions and hits, their secrets masked.

Whatever form it is written in, it is made from these; nothing here is a file of the memory any more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import zip_longest

from recall_tui.domain import Conversation, Hit, Message, SearchResult, SessionLabel
from recall_tui.features.documents.excerpt import Excerpt, whole_document
from recall_tui.features.documents.lookup import Document, kind_of, title_of
from recall_tui.index.project_scope import folder_aliases
from recall_tui.storage.archives.body import parse_body
from recall_tui.storage.archives.file import parse_entry, parse_number, read_summary
from recall_tui.storage.files.atomic import read_bytes
from recall_tui.storage.inventory import ExcludedFile, list_files
from recall_tui.storage.markdown.quoting import FenceTracker
from recall_tui.storage.memory_context import Store
from recall_tui.text.classify.session_title import PLAN_PROMPT, session_title
from recall_tui.text.classify.summary import join_summary
from recall_tui.text.cut import one_line, shorten, strip_controls
from recall_tui.text.dates import duration_text, iso_minute
from recall_tui.text.redaction_marks import MARK_PREFIX
from recall_tui.text.secrets.redact import redact, redact_counted
from recall_tui.text.session_line import label_archive, project_name, session_line
from recall_tui.transcripts.project import project_of

_CONVERSATION = "conversation"
_MAX_TITLE_CHARS = 120
_SUMMARY_TAG = re.compile(r"\s*<summary>(.*?)</summary>\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ExportedDocument:
    """A document that is no conversation, or a part of one."""

    title: str
    path: str
    """Relative to the root when inside it, else absolute."""
    kind: str
    text: str
    lines: tuple[int, int]
    is_whole: bool
    masked: int


@dataclass(frozen=True, slots=True)
class ExportedSession:
    """A session: what is known of it, and what was said."""

    title: str
    path: str
    text: str
    """The archive's own text, or the transcript as its archive would show it."""
    messages: tuple[Message, ...]
    """Empty for an archive of a form that marks no turns; its text says it all."""
    masked: int
    archive: str = ""
    """The name of the archive's file; empty for a transcript."""
    session_id: str = ""
    agent: str = ""
    project: str = ""
    branch: str = ""
    model: str = ""
    started_at: datetime | None = None
    ended_at: datetime | None = None
    summary: str = ""
    topics: tuple[str, ...] = ()

    @property
    def label(self) -> SessionLabel:
        """How it is recognized."""
        length = duration_text(self.started_at, self.ended_at)
        return SessionLabel(self.title, project_name(self.project), self.agent, self.ended_at, length)


ExportedItem = ExportedDocument | ExportedSession


@dataclass(frozen=True, slots=True)
class ExportedSearch:
    """A question and what answered it."""

    answer: SearchResult
    hits: tuple[tuple[Hit, str], ...]
    """Each hit and its whole passage."""
    masked: int


@dataclass(slots=True)
class ExportCounts:
    """What was counted while an export was made."""

    items: int = 0
    masked: int = 0
    left_out: list[ExcludedFile] = field(default_factory=list)

    def counted(self, outs: Iterable[ExportedItem]) -> Iterator[ExportedItem]:
        """Hand them on, and count them."""
        for out in outs:
            self.items += 1
            self.masked += out.masked
            yield out


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A tool's call and its result; one of the two may be missing."""

    call: Message | None
    result: Message | None


@dataclass(frozen=True, slots=True)
class SubagentSection:
    """What a sub-agent was told and did."""

    messages: tuple[Message, ...]

    def as_main(self) -> tuple[Message, ...]:
        """The same as if they were the conversation."""
        return tuple(replace(message, is_sidechain=False) for message in self.messages)


ConversationStep = Message | ToolUse | SubagentSection


def export_item(store: Store, part: Excerpt) -> ExportedItem:
    """A document or a part of it as it leaves the memory; a whole archive or transcript is a session."""
    document = part.document
    text, masked = redact_counted(part.text)
    if part.is_whole and document.kind == "transcript":
        # A transcript is shown with its secrets masked already.
        return _export_transcript(store, document, text, text.count(MARK_PREFIX))
    if part.is_whole and document.kind == _CONVERSATION and parse_number(document.path.name) is not None:
        return _export_archive(store, document, text, masked)
    title = redact(one_line(document.title))
    path = store.relative(document.path)
    # A summary is found among the archives, and is no conversation.
    kind = kind_of(store.layout, document.path) if document.kind == _CONVERSATION else document.kind
    return ExportedDocument(title, path, kind, text, part.lines, part.is_whole, masked)


def without_thoughts(out: ExportedItem) -> ExportedItem:
    """A session without what its agents thought; any other item as it is."""
    if not isinstance(out, ExportedSession):
        return out
    return replace(out, messages=tuple(message for message in out.messages if message.kind != "thought"))


def export_memory(store: Store, tally: ExportCounts) -> Iterator[ExportedItem]:
    """Every document of the memory, one after the other; what is no text, and the settings, are left out."""
    paths, left_out = list_files(store.layout)
    tally.left_out += left_out
    for path in paths:
        kind = kind_of(store.layout, path)
        reason = _exclusion_reason(kind, path.suffix)
        try:
            text = (read_bytes(path) or b"").decode() if not reason else ""
        except UnicodeDecodeError:
            reason = "it is not UTF-8"
        if reason:
            tally.left_out.append(ExcludedFile(store.relative(path), f"{reason}; it goes along in JSON"))
        else:
            yield export_item(store, whole_document(Document(path, title_of(store.layout, path, kind), text, kind)))


def export_search(answer: SearchResult, text_of: Callable[[Hit], str]) -> ExportedSearch:
    """The hits of an answer with their passages."""
    found = [(hit, redact_counted((text_of(hit) or hit.snippet).strip("\n"))) for hit in answer.hits]
    answer = answer._replace(query=redact(answer.query))
    return ExportedSearch(answer, tuple((hit, text) for hit, (text, _) in found), sum(count for _, (_, count) in found))


def group_steps(messages: Sequence[Message]) -> Iterator[ConversationStep]:
    """The messages in order, with each tool's result beside its call and a sub-agent's messages together."""
    at = 0
    while at < len(messages):
        end = at + 1
        if messages[at].is_sidechain:
            while end < len(messages) and messages[end].is_sidechain:
                end += 1
            yield SubagentSection(tuple(messages[at:end]))
        elif _is_tool_message(messages[at]):
            while end < len(messages) and _is_tool_message(messages[end]) and not messages[end].is_sidechain:
                end += 1
            yield from _pair_tool_uses(messages[at:end])
        else:
            yield messages[at]
        at = end


def _pair_tool_uses(run: Sequence[Message]) -> Iterator[ToolUse]:
    """Calls in a row and the results after them, in their order; where some have none, those of the last are there."""
    at = 0
    while at < len(run):
        turn = at
        while turn < len(run) and run[turn].kind == "tool_call":
            turn += 1
        end = turn
        while end < len(run) and run[end].kind == "tool_result":
            end += 1
        results: list[Message | None] = [None] * (2 * turn - at - end) + list(run[turn:end])
        yield from (ToolUse(call, result) for call, result in zip_longest(run[at:turn], results))
        at = end


def transcript_messages(text: str) -> tuple[Message, ...]:
    """What was said in a transcript that is shown as its archive would be."""
    return _archive_messages(f"# Conversation\n{text}")


def _archive_messages(text: str) -> tuple[Message, ...]:
    """What was said in an archive; folds whose label has a line of its own are read as the others are."""
    fence = FenceTracker()
    lines: list[str] = []
    for line in text.split("\n"):
        found = None if fence.holds(line) else _SUMMARY_TAG.fullmatch(line)
        if found and lines and lines[-1].strip() == "<details>":
            lines[-1] = f"<details><summary>{found[1]}</summary>"
            # Every message keeps the line where it begins.
            lines.append("")
        else:
            lines.append(line)
    return tuple(parse_body("\n".join(lines)))


def _is_tool_message(message: Message) -> bool:
    return message.kind in ("tool_call", "tool_result")


def _exclusion_reason(kind: str, suffix: str) -> str:
    if kind == "config":
        return "it holds settings"
    return "" if suffix in (".md", ".txt", ".markdown") else "it is not a text file"


def _export_archive(store: Store, document: Document, text: str, masked: int) -> ExportedSession:
    # What is read from the masked text holds no secrets either.
    entry = parse_entry(text, document.path)
    assert entry is not None
    return ExportedSession(
        title=label_archive(entry).title,
        path=store.relative(document.path),
        text=text,
        messages=_archive_messages(text),
        masked=masked,
        archive=document.path.name,
        session_id=entry.session_id,
        # Archives of before there were other agents do not name theirs.
        agent=entry.agent or ("claude" if entry.session_id else ""),
        project=entry.project,
        branch=entry.branch,
        model=entry.model,
        started_at=entry.started_at,
        ended_at=entry.ended_at or entry.date,
        summary=read_summary(text),
        topics=entry.topics,
    )


def _export_transcript(store: Store, document: Document, text: str, masked: int) -> ExportedSession:
    from recall_tui.features.digest.digest import read_digest

    head = document.head
    assert head is not None
    messages = transcript_messages(text)
    request = next((one.text for one in messages if one.kind == "prompt" and not one.is_sidechain), "")
    digest = read_digest(Conversation(head, lambda: iter(messages)))
    title = digest.title or shorten(one_line(request), _MAX_TITLE_CHARS)
    return ExportedSession(
        title=shorten(one_line((head.title and document.title) or title), _MAX_TITLE_CHARS) or head.session_id,
        path=store.relative(document.path),
        text=text,
        messages=messages,
        masked=masked,
        summary=join_summary(title, digest.outcome),
        session_id=head.session_id,
        agent=head.agent,
        project=redact(project_of(head.cwd, folder_aliases(store)).name) if head.cwd else "",
        branch=redact(head.branch),
        model=head.model,
        started_at=head.started_at,
        ended_at=head.ended_at,
    )


MAX_HEADING_CHARS = 80
"""Of a prompt in its heading; the whole prompt stands below when it is longer."""


def search_label(found: ExportedSearch, asked_at: datetime) -> str:
    """How a question was answered, in a line."""
    answer = found.answer
    searched = f"{answer.searched.get('passages', 0):,} passages of {answer.searched.get('sources', 0):,} sources"
    return f"{len(found.hits)} of {answer.total} in {searched} · {answer.rung} · {iso_minute(asked_at)}"


def hit_heading(hit: Hit) -> str:
    """What a hit is called: a session by its label, any other document by its title."""
    return redact(session_line(hit.label, None) if hit.label is not None else hit.title)


def masked_label(count: int) -> str:
    """How many secrets were masked, in words."""
    return f"{count} secret{'s' if count != 1 else ''} masked"


def session_label(session: ExportedSession) -> list[tuple[str, str]]:
    """What is known of a session, each fact with its name, on one line; what is not known is left out."""
    when = iso_minute(session.started_at or session.ended_at)
    if session.started_at and session.ended_at:
        when = (
            f"{_time_range(when, iso_minute(session.ended_at))} ({duration_text(session.started_at, session.ended_at)})"
        )
    agent = " · ".join(filter(None, (session.agent, session.model)))
    project = " · ".join(filter(None, (session.project, f"branch {session.branch}" if session.branch else "")))
    facts = (
        ("Date", when),
        ("Agent", agent),
        ("Project", project),
        ("Topics", ", ".join(session.topics)),
        ("Session", session.session_id),
        ("Source", session.path),
    )
    return [(name, one_line(strip_controls(value))) for name, value in facts if value.strip()]


def prompt_heading(message: Message) -> tuple[str, bool]:
    """The first words of a prompt, on one line, and whether they are all of it; of a pasted plan its title."""
    if PLAN_PROMPT.match(message.text) and (title := session_title("", [message.text])):
        return title, False
    words = one_line(strip_controls(message.text))
    return shorten(words, MAX_HEADING_CHARS) or "…", len(
        words
    ) <= MAX_HEADING_CHARS and "\n" not in message.text.strip()


def tool_label(call: Message) -> tuple[str, str]:
    """A tool's name, and what it acted on."""
    name, target = (call.tool.name, call.tool.target) if call.tool else ("", call.text)
    return one_line(strip_controls(name)) or "tool", one_line(strip_controls(target))


def _time_range(start: str, end: str) -> str:
    """From one minute to another; the day once when it is the same."""
    day = len("2026-03-06 ")
    return f"{start.removesuffix(' UTC')} – {end[day:] if end[:day] == start[:day] else end}"
