"""Clears what is left of what was forgotten: in the journal, in files being made, in logs, and in the index.

A mark stays open until nothing is left, so that whoever comes next goes on with it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from recall_tui.domain import IndexRow
from recall_tui.errors import BrokenFileError, LockedError
from recall_tui.features.dreaming import state as dream_state
from recall_tui.features.erasure.copies import unwindowed
from recall_tui.features.erasure.derived_pages import is_page
from recall_tui.features.erasure.forget import in_scopes, masters, others_in, unmarked
from recall_tui.index.ingest.compaction import Watch
from recall_tui.index.maintenance.purge import UNWATCHED, purge
from recall_tui.index.opener import Index
from recall_tui.index.sources.transcripts import every_copy
from recall_tui.llm.usage_ledger import Ledger
from recall_tui.storage.archives import retained as kept
from recall_tui.storage.archives import summary_file
from recall_tui.storage.archives.conflicted_copies import original_in
from recall_tui.storage.archives.parts import frontmatter_at
from recall_tui.storage.documents import day_logs, master_file
from recall_tui.storage.documents import period_files as dated_pages
from recall_tui.storage.files import atomic
from recall_tui.storage.files import staging as spool
from recall_tui.storage.files.lock import held
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.journal.scrub import Scrub
from recall_tui.storage.layout import Layout
from recall_tui.storage.markdown.frontmatter import split
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import backup_ring as backups
from recall_tui.storage.state import leftover_files as leavings
from recall_tui.storage.state import proposals, search_log, tombstones
from recall_tui.storage.state import saved_searches as searches
from recall_tui.storage.state.tombstones import Tombstone
from recall_tui.text.cut import one_line

NEUTRAL = "A change of a session that was forgotten"
"""What a change is called whose title may have been the session's own words."""


@dataclass(frozen=True, slots=True)
class Cleared:
    """What was cleared, and what could not be."""

    changes: int = 0
    """Earlier changes that can no longer be taken back, or only in part."""
    left: tuple[str, ...] = ()
    """What could not be cleared now, for a person; doing it again clears it."""


def clear(store: Store, index: Index, journal: Journal, watch: Watch = UNWATCHED) -> Cleared:
    """Clear what is left of everything that was forgotten in this memory."""
    stones = tombstones.read(store.state).open
    if not stones:
        return Cleared()
    sessions = [id for stone in stones for id in stone.sessions]
    resting = _forgotten_in(store, journal)
    how = _scrub(store, stones, resting)
    scrubbed = journal.scrub(how)
    try:
        backups.scrub(store, how)
    except LockedError as error:
        return Cleared(scrubbed.count, (f"the backups: {error.message}",))
    with held(store.state / "lock", "forget"):
        _clear_state(store, sessions)
        search_log.forget(store, lambda: resting | _answers_of(store, stones))
        proposals.forget(store, resting)
    try:
        dream_state.forget(store, resting)
    except LockedError as error:
        return Cleared(scrubbed.count, (f"what a dream came to: {error.message}",))
    if (store.state / searches.FILE).is_file():
        searches.change(store, lambda found: found.without_naming(sessions))
    documents = resting.union(path for stone in stones for path in stone.paths)
    documents |= {
        store.relative(path)
        for path in (store.layout.window, *masters(store.layout), *in_scopes(store.layout, sessions))
    }
    documents |= {store.relative(path) for paths in dated_pages.day_logs(store.layout).values() for path in paths}
    try:
        is_clear = purge(index, store, sessions, documents, watch)
    except LockedError as error:
        return Cleared(scrubbed.count, (f"the search index: {error.message}",))
    if not is_clear:
        return Cleared(scrubbed.count, (f"the files of the search index: {index.folder} is in use, or was stopped",))
    try:
        Ledger(store.state).forget(sessions)
    except BrokenFileError as error:
        return Cleared(scrubbed.count, (f"the ledger of model calls: {error.message}",))
    with held(store.state / "lock", "forget"):
        tombstones.write_done(store.state, stones)
    return Cleared(scrubbed.count)


def _clear_state(store: Store, sessions: Sequence[str]) -> None:
    """Clear what lies in files: being made, left by a killed process, or told of in logs; under the memory's lock."""
    spool.remove_of(store.spool, sessions)
    leavings.remove(store.state, sessions)
    folders = [*(place.folder for place in store.layout.archives), store.layout.days]
    folders += [folder for folder in (store.layout.summaries, store.spool) if folder is not None]
    folders += [kept.folder_of(store.places.kept, id) for id in sessions]
    for folder in folders:
        for leftover in atomic.leftovers(folder):
            atomic.delete(leftover)
    for id in sessions:
        kept.remove_empty(store.places.kept, id)


def _answers_of(store: Store, stones: Sequence[Tombstone]) -> set[str]:
    """The documents and transcripts of what was forgotten, as searches name what they found."""
    sessions = {id for stone in stones for id in stone.sessions}
    own = {str(file.path) for file in every_copy(store) if file.session_id in sessions}
    return own.union(path for stone in stones for path in stone.paths)


def _forgotten_in(store: Store, journal: Journal) -> set[str]:
    """The documents that forgetting removed, or took lines out of, but for the window and the rows."""
    changed = {
        change.path
        for record, _ in journal.changes_of(tombstones.path_of(store.state))
        if record.no_way_back
        for change in record.changes
    }
    own = {path for path in changed if path.is_relative_to(store.root)}
    return {store.relative(path) for path in own - {store.layout.rows, store.layout.window}}


def _scrub(store: Store, stones: Sequence[Tombstone], resting: Collection[str]) -> Scrub:
    """What of the journal may be kept when these are gone."""
    layout = store.layout
    sessions = [id for stone in stones for id in stone.sessions]
    gone = {store.root / path for stone in stones for path in stone.paths}
    folders = {kept.folder_of(store.places.kept, id) for id in sessions}
    archives = {place.folder for place in layout.archives}
    if layout.summaries is not None:
        gone |= {layout.summaries / summary_file.file_name(id) for id in sessions}
        gone |= set(in_scopes(layout, sessions))
    numbers = {number for stone in stones if not stone.sessions for number in stone.numbers}
    others = others_in(store, sessions)
    days = dated_pages.day_folders(layout)
    of_masters = masters(layout)
    listed = {f"[[{Path(path).stem}]]" for path in resting if (store.root / path).parent == layout.wiki}
    names = {*sessions, *(Path(path).stem for stone in stones for path in stone.paths)}

    def is_gone(row: IndexRow) -> bool:
        return not row.session_id and row.number in numbers

    def text(path: Path, content: str) -> str | None:
        if path in gone or path.parent in folders:
            return None
        path = original_in(layout, path)
        session = _session_of(layout, path, content)
        if session in sessions or (path in gone and content and not session):
            return None
        if not content:
            return content
        if is_page(layout, path):
            # Its lines may have been drawn from other lines than those that the logs had in the end.
            return None if any(one in content for one in (*resting, *names, *listed)) else content
        if path in of_masters:
            return master_file.without(content, names)
        if path.parent in days and path not in (layout.rows, layout.window):
            return day_logs.without(content, sessions, others)
        if path.parent in archives and not session:
            return unwindowed(content, sessions) or None
        if path not in (layout.rows, layout.window):
            return content
        less = unmarked(content, sessions, is_gone) if path == layout.rows else unwindowed(content, sessions)
        return None if any(id in less for id in sessions) else less

    def title(words: str, is_less: bool) -> str:
        return NEUTRAL if is_less or any(id in words for id in sessions) else words

    return Scrub(text, title)


def _session_of(layout: Layout, path: Path, content: str) -> str:
    """The session that an archive or a summary with this content is of; empty for anything else."""
    if path.parent == layout.summaries:
        entry = summary_file.entry_of(content, path)
        return one_line(entry.session_id) if entry else ""
    is_archive = any(place.folder == path.parent for place in layout.archives)
    return one_line(str(split(content[frontmatter_at(content) :])[0].get("session_id", ""))) if is_archive else ""
