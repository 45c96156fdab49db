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
from recall_tui.features.erasure.copies import remove_from_window
from recall_tui.features.erasure.derived_pages import is_derived_page, without_master_lines
from recall_tui.features.erasure.forget import master_paths, other_archive_names, remove_rows, scope_summaries
from recall_tui.features.summaries.synthesis_state import forget_sources
from recall_tui.index.ingest.compaction import CopyCallbacks
from recall_tui.index.maintenance.purge import NO_CALLBACKS, purge
from recall_tui.index.opener import Index
from recall_tui.index.sources.transcripts import list_all_copies
from recall_tui.llm.usage_ledger import UsageLedger
from recall_tui.storage.archives import retained, summary_file
from recall_tui.storage.archives.conflicted_copies import original_in
from recall_tui.storage.archives.parts import frontmatter_at
from recall_tui.storage.documents import day_logs, period_files
from recall_tui.storage.files import atomic, staging
from recall_tui.storage.files.lock import acquire
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.journal.scrub import ScrubRules
from recall_tui.storage.layout import Layout
from recall_tui.storage.markdown.frontmatter import split_frontmatter
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import (
    backup_ring,
    last_search,
    leftover_files,
    proposals,
    saved_searches,
    search_log,
    server_log,
    tombstones,
)
from recall_tui.storage.state.tombstones import Tombstone
from recall_tui.text.cut import one_line

NEUTRAL_TITLE = "A change of a session that was forgotten"
"""What a change is called whose title may have been the session's own words."""


@dataclass(frozen=True, slots=True)
class PurgeResult:
    """What was cleared, and what could not be."""

    changes: int = 0
    """Earlier changes that can no longer be taken back, or only in part."""
    left: tuple[str, ...] = ()
    """What could not be cleared now, for a person; doing it again clears it."""


def purge_remains(store: Store, index: Index, journal: Journal, watch: CopyCallbacks = NO_CALLBACKS) -> PurgeResult:
    """Clear what is left of everything that was forgotten in this memory."""
    stones = tombstones.read_tombstones(store.state).open
    if not stones:
        return PurgeResult()
    sessions = [id for stone in stones for id in stone.sessions]
    resting = _edited_documents(store, journal)
    how = _build_scrub(store, stones, resting)
    scrubbed = journal.scrub(how)
    try:
        backup_ring.scrub_backups(store, how)
    except LockedError as error:
        return PurgeResult(scrubbed.count, (f"the backups: {error.message}",))
    with acquire(store.state / "lock", "forget"):
        _purge_state(store, sessions)
        last_search.forget_hits(store)
        server_log.forget_errors(store)
        search_log.forget_documents(store, lambda: resting | _result_paths(store, stones))
        based = resting.union(path for stone in stones for path in stone.paths)
        proposals.delete_based_on(store, based)
        names = (Path(path) for stone in stones for path in stone.paths)
        forget_sources(store, {*sessions, *(name for path in names for name in (path.stem, path.as_posix()))})
    try:
        dream_state.drop_documents(store, based)
    except LockedError as error:
        return PurgeResult(scrubbed.count, (f"what a dream came to: {error.message}",))
    if (store.state / saved_searches.SEARCHES_FILE).is_file():
        saved_searches.update(store, lambda found: found.without_naming(sessions))
    documents = resting.union(path for stone in stones for path in stone.paths)
    documents |= {
        store.relative(path)
        for path in (store.layout.window, *master_paths(store.layout), *scope_summaries(store.layout, sessions))
    }
    documents |= {store.relative(path) for paths in period_files.list_day_logs(store.layout).values() for path in paths}
    try:
        is_clear = purge(index, store, sessions, documents, watch)
    except LockedError as error:
        return PurgeResult(scrubbed.count, (f"the search index: {error.message}",))
    if not is_clear:
        return PurgeResult(
            scrubbed.count, (f"the files of the search index: {index.folder} is in use, or was stopped",)
        )
    try:
        UsageLedger(store.state).forget(sessions)
    except BrokenFileError as error:
        return PurgeResult(scrubbed.count, (f"the ledger of model calls: {error.message}",))
    with acquire(store.state / "lock", "forget"):
        tombstones.mark_done(store.state, stones)
    return PurgeResult(scrubbed.count)


def _purge_state(store: Store, sessions: Sequence[str]) -> None:
    """Clear what lies in files: being made, left by a killed process, or told of in logs; under the memory's lock."""
    staging.remove_sessions(store.spool, sessions)
    leftover_files.remove_named(store.state, sessions)
    folders = [*(place.folder for place in store.layout.archives), store.layout.days]
    folders += [folder for folder in (store.layout.summaries, store.spool) if folder is not None]
    folders += [retained.session_folder(store.environment.kept, id) for id in sessions]
    for folder in folders:
        for leftover in atomic.find_leftovers(folder):
            atomic.delete_file(leftover)
    for id in sessions:
        retained.remove_empty(store.environment.kept, id)


def _result_paths(store: Store, stones: Sequence[Tombstone]) -> set[str]:
    """The documents and transcripts of what was forgotten, as searches name what they found."""
    sessions = {id for stone in stones for id in stone.sessions}
    own = {str(file.path) for file in list_all_copies(store) if file.session_id in sessions}
    return own.union(path for stone in stones for path in stone.paths)


def _edited_documents(store: Store, journal: Journal) -> set[str]:
    """The documents that forgetting removed, or took lines out of, but for the window and the rows."""
    changed = {
        change.path
        for record, _ in journal.changes_of(tombstones.tombstones_path(store.state))
        if record.no_way_back
        for change in record.changes
    }
    own = {path for path in changed if path.is_relative_to(store.root)}
    return {store.relative(path) for path in own - {store.layout.rows, store.layout.window}}


def _build_scrub(store: Store, stones: Sequence[Tombstone], resting: Collection[str]) -> ScrubRules:
    """What of the journal may be kept when these are gone."""
    layout = store.layout
    sessions = [id for stone in stones for id in stone.sessions]
    gone = {store.root / path for stone in stones for path in stone.paths}
    folders = {retained.session_folder(store.environment.kept, id) for id in sessions}
    archives = {place.folder for place in layout.archives}
    if layout.summaries is not None:
        gone |= {layout.summaries / summary_file.file_name(id) for id in sessions}
        gone |= set(scope_summaries(layout, sessions))
    numbers = {number for stone in stones if not stone.sessions for number in stone.numbers}
    others = other_archive_names(store, sessions)
    days = period_files.day_folders(layout)
    of_masters = master_paths(layout)
    listed = {f"[[{Path(path).stem}]]" for path in resting if (store.root / path).parent == layout.wiki}
    names = {*sessions, *(Path(path).stem for stone in stones for path in stone.paths)}

    def is_gone(row: IndexRow) -> bool:
        return not row.session_id and row.number in numbers

    def text(path: Path, content: str) -> str | None:
        if path in gone or path.parent in folders:
            return None
        path = original_in(layout, path)
        session = _archive_session(layout, path, content)
        if session in sessions or (path in gone and content and not session):
            return None
        if not content:
            return content
        if is_derived_page(layout, path):
            # Its lines may have been drawn from other lines than those that the logs had in the end.
            return None if any(one in content for one in (*resting, *names, *listed)) else content
        if path in of_masters:
            return without_master_lines(content, names)
        if path.parent in days and path not in (layout.rows, layout.window):
            return day_logs.without_sessions(content, sessions, others)
        if path.parent in archives and not session:
            return remove_from_window(content, sessions) or None
        if path not in (layout.rows, layout.window):
            return content
        less = remove_rows(content, sessions, is_gone) if path == layout.rows else remove_from_window(content, sessions)
        return None if any(id in less for id in sessions) else less

    def title(words: str, is_less: bool) -> str:
        return NEUTRAL_TITLE if is_less or any(id in words for id in sessions) else words

    return ScrubRules(text, title)


def _archive_session(layout: Layout, path: Path, content: str) -> str:
    """The session that an archive or a summary with this content is of; empty for anything else."""
    if path.parent == layout.summaries:
        entry = summary_file.parse_entry(content, path)
        return one_line(entry.session_id) if entry else ""
    is_archive = any(place.folder == path.parent for place in layout.archives)
    return (
        one_line(str(split_frontmatter(content[frontmatter_at(content) :])[0].get("session_id", "")))
        if is_archive
        else ""
    )
