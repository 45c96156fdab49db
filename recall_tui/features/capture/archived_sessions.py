"""Which transcripts the memory holds as they are now, and whose sessions it takes; nothing is written for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.domain import ArchiveEntry, Conversation
from recall_tui.index.project_scope import ProjectScope
from recall_tui.index.sources.markdown import drain
from recall_tui.index.sources.transcripts import ignore_matcher, is_extra, list_all_copies
from recall_tui.storage.archives import summary_file
from recall_tui.storage.files.trusted_clock import is_ahead
from recall_tui.storage.state import processed_transcripts, tombstones
from recall_tui.transcripts.edge_lines import session_folder
from recall_tui.transcripts.read_extent import extent_size
from recall_tui.transcripts.registry import read_transcript, session_files
from recall_tui.transcripts.shared_file import split_session_path, transcript_state

if TYPE_CHECKING:
    from recall_tui.storage.memory_context import Store
    from recall_tui.transcripts.reader import TranscriptFile

_TRAILING_WRITES = timedelta(minutes=1)
"""An agent may write into a transcript for so long after the last message."""


def unarchived_transcripts(
    store: Store,
    since: datetime | None = None,
    *,
    of_all: bool = False,
    others: Counter[str] | None = None,
) -> Iterator[Path]:
    """The transcripts that this memory does not hold as they are now, oldest first.

    Every file of a session counts by itself. A memory of one project takes only what was said in it, unless it takes
    those `of_all`; the folders that it leaves out are counted in `others`. Those that `.recall-ignore` names are none.
    """
    forgotten = tombstones.read_all(store).sessions
    scope = ProjectScope(store)
    is_ignored = ignore_matcher(store.environment)
    for found in drain(list_all_copies(store)):
        if found.session_id in forgotten or is_ignored(str(found.path)):
            continue
        if since is not None and found.modified < since:
            continue
        if find_archive(store, found) is not None:
            continue
        if of_all or _began_here(store, found, scope) or is_accepted(store, found.path, others, scope):
            yield found.path


def _began_here(store: Store, found: TranscriptFile, scope: ProjectScope) -> bool:
    """Whether an archived session began in the memory's own project, wherever it went on.

    Its transcripts on this machine tell; an archive may have come with a repository, and names any session its own.
    """
    if not find_archives(store, found.session_id):
        return False
    files = session_files(store.environment, found.agent, found.session_id)
    return any(cwd and scope.has_folder(cwd) for cwd in (session_folder(file.path) for file in files))


def find_archive(store: Store, found: TranscriptFile) -> ArchiveEntry | None:
    """The archive that holds the transcript as it is now; None when it is to be archived, or brought up to date.

    One that an archive was made from is held as long as it is no younger and as long as it was then; any other when
    its content is that of such a one, or when it was read and there was nothing new in it.
    """
    known = find_archives(store, found.session_id)
    if not known or known[-1].source == "checkpoint":
        return None
    if processed_transcripts.was_read(store.state, found.path, transcript_state):
        return known[-1]
    covers = {extent for entry in known for extent in entry.covers}
    name = str(found.path).removesuffix(".zst")
    # Pages that are shared name transcripts by their files alone.
    names = (name, Path(name).name)
    is_named = any(one.removesuffix(".zst") in names for entry in known for one in entry.transcripts)
    if is_named:
        is_older = _archived_at(known[-1], found, store.now()) >= found.modified
        # The size of these is not that of the lines that were read.
        is_other_size = found.path.suffix == ".zst" or split_session_path(found.path) is not None
        is_as_long = not covers or is_other_size or any(extent_size(extent) == found.size for extent in covers)
        if is_older and is_as_long:
            return known[-1]
    from recall_tui.features.capture.session_reader import is_covered

    return known[-1] if is_covered(found.path, covers) else None


def _archived_at(entry: ArchiveEntry, found: TranscriptFile, now: datetime) -> datetime:
    """When the archive was written; where only its file says that it will be, when the session ended."""
    written = datetime.fromtimestamp(entry.path.stat().st_mtime, UTC)
    if not is_ahead(written, now) or is_ahead(found.modified, now):
        return written
    return (entry.ended_at or entry.date or written) + _TRAILING_WRITES


def is_accepted(
    store: Store, path: Path, others: Counter[str] | None = None, scope: ProjectScope | None = None
) -> bool:
    """Whether the memory takes what was said in the transcript; if not, its folder is counted in `others`.

    A `scope` is handed over where many transcripts are asked about.
    """
    scope = scope or ProjectScope(store)
    if scope.captures_all:
        return True
    if store.layout.design.is_of_claude_project and path.is_relative_to(store.root) and not is_extra(store, path):
        return True
    cwd = session_folder(path)
    if not cwd or scope.has_folder(cwd):
        conversation = read_transcript(path)
        if not isinstance(conversation, Conversation):
            return False
        cwd = conversation.head.cwd
    if cwd and scope.has_folder(cwd):
        return True
    if others is not None:
        others[cwd] += 1
    return False


def find_own_memory(store: Store) -> Store | None:
    """Return the person's own memory, in the agent's home, beside one that a team reads; None for any other."""
    if not store.layout.design.publishes_summaries:
        return None
    from recall_tui.storage.layout import find_enclosing, open_layout
    from recall_tui.storage.memory_context import Store

    environment = store.environment
    found = find_enclosing(environment.claude)
    if found is None or found[0] == store.root:
        return None
    return Store(open_layout(found[0], found[1][0], environment.home), environment, store.now)


def find_archives(store: Store, session_id: str) -> tuple[ArchiveEntry, ...]:
    """The archives of a session, or its summary."""
    if store.layout.summaries is None:
        return known_archives(store, session_id)
    found = summary_file.read_head(store.layout.summaries / summary_file.file_name(session_id))
    return (found,) if found else ()


def known_archives(store: Store, session_id: str) -> tuple[ArchiveEntry, ...]:
    """The archives that this memory has of a session, oldest first."""
    store.register.look()
    return store.register.by_session(session_id)
