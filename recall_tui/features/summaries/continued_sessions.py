"""Sessions that went on after their summary was written, where summaries are pages that somebody asks for."""

from __future__ import annotations

from recall_tui.domain import Conversation
from recall_tui.index.sources.transcripts import list_transcripts
from recall_tui.storage.archives.folder import ArchiveFolder
from recall_tui.storage.memory_context import Store
from recall_tui.transcripts.read_extent import extent_size
from recall_tui.transcripts.registry import read_transcript

MAX_NAMED_SESSIONS = 3
"""Sessions that are named of those that went on."""


def find_continued(store: Store) -> tuple[str, ...]:
    """The ids of sessions in which more was said than their summary knows, in the order of the summaries.

    Only a transcript that is longer than it was then is read.
    """
    if not store.layout.design.summaries_are_archives:
        return ()
    held = {one.session_id: one for one in ArchiveFolder(store.layout).entries() if one.session_id and one.covers}
    longer = [
        file
        for file in (list_transcripts(store) if held else ())
        if (entry := held.get(file.session_id)) and file.size > max(map(extent_size, entry.covers)) > 0
    ]
    said = {file.session_id: read_transcript(file.path) for file in longer if file.path.suffix != ".zst"}
    return tuple(
        session
        for session, entry in held.items()
        if isinstance(found := said.get(session), Conversation) and found.head.message_count > entry.messages
    )


def continued_note(store: Store) -> str:
    """The note on sessions that went on, with the next step; empty when none did."""
    found = find_continued(store)
    if not found:
        return ""
    commands = "; ".join(f"recall-tui summarize {session}" for session in found[:MAX_NAMED_SESSIONS])
    more = f" and {len(found) - MAX_NAMED_SESSIONS} more" if len(found) > MAX_NAMED_SESSIONS else ""
    return f"{len(found)} session{'s' * (len(found) != 1)} went on after the summary: {commands}{more}"
