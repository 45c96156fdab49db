"""The label of the session that a document holds, for titles and reports."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from recall_tui.domain import SessionLabel
from recall_tui.text.classify.session_title import session_title
from recall_tui.text.dates import duration_text
from recall_tui.text.session_line import label_archive, project_name, session_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from recall_tui.domain import ConversationHead, Message
    from recall_tui.features.documents.citations import Citation
    from recall_tui.features.documents.lookup import Document
    from recall_tui.storage.memory_context import Store

_MAX_OPENING_MESSAGES = 200
"""Messages to look through for the first real request."""


def label_document(document: Document) -> SessionLabel | None:
    """Return how the session of an archive, summary or transcript is recognized; None for any other document."""
    if document.head is not None:
        return label_conversation(document.head, document.title)
    if document.kind not in ("conversation", "summary") or document.path.suffix != ".md":
        return None
    from recall_tui.storage.archives import file, summary_file

    entry = file.parse_entry(document.text, document.path) or summary_file.parse_entry(document.text, document.path)
    return label_archive(entry) if entry is not None else None


def label_conversation(head: ConversationHead, title: str) -> SessionLabel:
    """Return how a conversation is recognized that is called `title`."""
    length = duration_text(head.started_at, head.ended_at)
    return SessionLabel(title, project_name(head.cwd), head.agent, head.ended_at or head.started_at, length)


def conversation_title(head: ConversationHead, messages: Iterable[Message]) -> str:
    """Return the conversation's own title, else its first request; empty when it has neither."""
    return session_title(head.title, _prompts(messages), head.branch)


def name_sessions(store: Store, found: Iterable[Citation]) -> tuple[Citation, ...]:
    """Return the citations, those of archives with the line by which their sessions are recognized."""
    known: dict[str, str] = {}
    named = []
    for one in found:
        if one.reference not in known:
            known[one.reference] = _archive_line(store, one.reference)
        named.append(replace(one, session=known[one.reference]))
    return tuple(named)


def _archive_line(store: Store, reference: str) -> str:
    """Return the line of the session whose archive a reference names; empty for any other reference."""
    from recall_tui.storage.archives.folder import ArchiveFolder

    entry = ArchiveFolder(store.layout).named(f"{reference.rpartition('/')[2].removesuffix('.md')}.md")
    return session_line(label_archive(entry), store.now()) if entry is not None else ""


def _prompts(messages: Iterable[Message]) -> Iterator[str]:
    for message in islice(messages, _MAX_OPENING_MESSAGES):
        if message.kind == "prompt" and not (message.is_sidechain or message.is_off_chain):
            yield message.text
