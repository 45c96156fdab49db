"""A session whose transcript was deleted before it was archived: the index still holds what was said in it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.domain import Conversation, ConversationHead
from recall_tui.errors import RecallError
from recall_tui.features.documents.lookup import (
    SESSION_REFERENCE,
    TRANSCRIPT_SUFFIXES,
    Document,
    check_tombstone,
    conversation_document,
)
from recall_tui.storage.memory_context import Store
from recall_tui.transcripts.discovery import match_session_id
from recall_tui.transcripts.registry import session_id_by_name
from recall_tui.transcripts.shared_file import split_session_path

if TYPE_CHECKING:
    from collections.abc import Callable

    from recall_tui.index.opener import Index


def find_vanished_session(store: Store, index: Callable[[], Index], reference: str) -> Document | None:
    """The session by its id, the start of it, or the path that its hits name; None when it is not indexed.

    Only sessions of the memory's own projects are found. NotFoundError for one that was forgotten.
    """
    path = Path(reference.strip())
    if named := split_session_path(path):
        wanted = named[1]
    else:
        wanted = session_id_by_name(path) if path.suffix in TRANSCRIPT_SUFFIXES else reference.strip()
    if not SESSION_REFERENCE.fullmatch(wanted):
        return None
    with suppress(RecallError):
        if conversation := _indexed_conversation(store, index(), wanted):
            return check_tombstone(store, conversation_document(conversation.head.source, conversation))
    return None


def _indexed_conversation(store: Store, index: Index, wanted: str) -> Conversation | None:
    from recall_tui.index.sources.retained_sessions import retained_messages
    from recall_tui.index.sources.sessions import indexed_sessions

    gone = {one.session_id: one for one in indexed_sessions(index, store) if one.is_gone}
    session_id = match_session_id(wanted, gone)
    if session_id is None:
        return None
    one = gone[session_id]
    head = ConversationHead(session_id, one.agent, Path(one.document), one.started_at, one.ended_at, one.title)
    return Conversation(head, lambda: retained_messages(index, session_id))
