"""Retained transcripts that were kept as long as `keep.days` asks for: removed, so that nothing is kept for ever.

Without the setting nothing goes. A copy stays while the agent, or a further folder, has the transcript, while this
memory has no archive of it, and when it is all that another memory has of its session.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from recall_tui.domain import Delete, Plan
from recall_tui.index.sources.transcripts import list_transcripts
from recall_tui.storage.archives import index_file, retained
from recall_tui.storage.archives.folder import ArchiveFolder, read_rows
from recall_tui.storage.files.atomic import file_digest, read_text
from recall_tui.storage.files.trusted_clock import trusted_time
from recall_tui.storage.layout import make_layout
from recall_tui.storage.memory_context import Store

_DAY_SECONDS = 86_400.0


def prune(store: Store) -> Plan:
    """Remove the retained transcripts of this memory's sessions that are older than `keep.days`."""
    found = list(_expired_copies(store))
    count = f"{len(found)} retained transcript{'s' * (len(found) != 1)}"
    if not found:
        return Plan("no retained transcript is old enough to go", facts={"copies": 0})
    edits = tuple(Delete(path, file_digest(path), (path.parent,)) for path in found)
    days = store.config.whole("keep.days")
    hint = f"copies older than {days} days go, see: recall-tui config get keep.days"
    return Plan(f"Removed {count} after {days} days", edits, facts={"copies": len(found)}, no_way_back=hint)


def is_enabled(store: Store) -> bool:
    """Whether retained transcripts go at all."""
    return store.config.get("keep.days") is not None


def _expired_copies(store: Store) -> Iterator[Path]:
    """The copies that are to go; a session that went on is kept whole."""
    if not is_enabled(store) or not store.environment.kept.is_dir():
        return
    days = store.config.whole("keep.days")
    oldest = trusted_time(store.state, store.now(), days).timestamp() - days * _DAY_SECONDS
    aged: dict[str, tuple[Path, ...]] = {}
    for session_id in _archived_sessions(store):
        copies = retained.list_copies(store.environment.kept, session_id)
        if copies and copies[-1].stat().st_mtime < oldest:
            aged[session_id] = copies
    if not aged:
        return
    needed = {file.session_id for file in list_transcripts(store)} | _sessions_of_others(store)
    for session_id in aged.keys() - needed:
        yield from aged[session_id]


def _archived_sessions(store: Store) -> set[str]:
    """The sessions of which the memory has what it keeps of them: the whole archive, else a row or a summary."""
    if not store.layout.archives:
        return {row.session_id for row in read_rows(store.layout.rows) if row.session_id}
    last = {entry.session_id: entry for entry in ArchiveFolder(store.layout).entries() if entry.session_id}
    return {session_id for session_id, entry in last.items() if entry.source != "checkpoint"}


def _sessions_of_others(store: Store) -> set[str]:
    """The sessions of which another memory has nothing but a copy: those of the agent's own project folders."""
    found: set[str] = set()
    for folder in store.environment.claude.glob("projects/*"):
        if folder != store.root:
            rows = make_layout(folder, "claude-project").rows
            found.update(row.session_id for row in index_file.parse_rows(read_text(rows)))
    return found
