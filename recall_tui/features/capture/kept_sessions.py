"""Count the sessions on this machine that the memory keeps, by archive or by copy, and those that it lacks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta

from recall_tui.features.capture.archived_sessions import find_archive, find_own_memory, is_accepted
from recall_tui.features.capture.expiry import WARNING_DAYS, find_nothing
from recall_tui.index.project_scope import ProjectScope
from recall_tui.index.sources.markdown import drain
from recall_tui.index.sources.transcripts import ignore_matcher, list_all_copies
from recall_tui.storage.archives import retained
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state.tombstones import read_all
from recall_tui.transcripts.edge_lines import find_last_time, session_folder
from recall_tui.transcripts.own_sessions import is_own_folder
from recall_tui.transcripts.reader import TranscriptFile
from recall_tui.transcripts.registry import agent_label, present_readers

RUNNING_WITHIN = timedelta(minutes=10)
"""A transcript written so lately may be of a running session, which is archived when it ends."""


@dataclass(frozen=True, slots=True)
class KeptSessions:
    """The sessions of a memory whose transcripts are on this machine."""

    total: int
    kept: int
    """Sessions with an archive, or a retained copy, of the transcript as it is now."""
    running: int
    """Sessions that are not kept yet because they may still be running."""
    expiring: int
    """Sessions that are not kept and that their agent deletes within WARNING_DAYS."""
    next_expiry: datetime | None
    """The time from which the next session that is not kept is deleted; None when none is."""
    next_agent: str
    """The name, as a person knows it, of the agent that deletes it."""
    others: int
    """Sessions of other projects, which the memory does not take."""
    archived: int = 0
    """Sessions with an archive."""
    copied: int = 0
    """Sessions with a retained copy."""
    elsewhere: int = 0
    """Sessions that this memory, a team's, does not keep and the person's own does."""

    @property
    def missing(self) -> int:
        """Sessions that ended and that no memory keeps."""
        return self.total - self.kept - self.running - self.elsewhere


def count_kept(store: Store) -> KeptSessions:
    """Count the sessions of the memory; copies of one session in several places count once."""
    newest = {file.session_id: file for file in drain(list_all_copies(store))}
    forgotten = read_all(store).sessions
    is_ignored = ignore_matcher(store.environment)
    others: Counter[str] = Counter()
    total = kept = running = archived = copied = elsewhere = 0
    own = find_own_memory(store)
    expiries: list[tuple[datetime, str]] = []
    deleted_after = {one.label: one.retention(store.environment).days for one in present_readers(store.environment)}
    scope = ProjectScope(store)
    for file in newest.values():
        if file.session_id in forgotten or is_own_folder(file.path, store.environment.state):
            continue
        if is_ignored(str(file.path)):
            continue
        is_archived = find_archive(store, file) is not None
        # Copies are kept for all memories together: those of other projects are none of this one's sessions.
        if not is_archived and not is_accepted(store, file.path, others, scope):
            continue
        is_copied = is_retained(store, file)
        is_kept = is_archived or is_copied
        if not is_kept and find_nothing(file.path) is not None:
            continue
        total += 1
        archived += is_archived
        copied += is_copied
        if is_kept:
            kept += 1
        elif own is not None and find_archive(own, file) is not None:
            elsewhere += 1
        elif _may_be_running(file, store.now()):
            running += 1
        elif (days := deleted_after.get(label := agent_label(file.agent))) is not None:
            expiries.append((file.modified + timedelta(days=days), label))
    soon = store.now() + timedelta(days=WARNING_DAYS)
    next_expiry, next_agent = min(expiries, default=(None, ""))
    is_soon = sum(at <= soon for at, _ in expiries)
    return KeptSessions(
        total, kept, running, is_soon, next_expiry, next_agent, others.total(), archived, copied, elsewhere
    )


def _may_be_running(file: TranscriptFile, now: datetime) -> bool:
    """Whether the transcript was written lately, and not merely copied: its last words are as new."""
    if now - file.modified >= RUNNING_WITHIN:
        return False
    said = find_last_time(file.path)
    return said is None or now - said < RUNNING_WITHIN


def is_retained(store: Store, file: TranscriptFile) -> bool:
    """Return whether there is a copy of the transcript as it is now."""
    moment = file.modified.timestamp()
    return retained.find_copy_since(store.environment.kept, file.session_id, moment) is not None


def count_by_project(store: Store) -> tuple[tuple[str, int], ...]:
    """Count the sessions on this machine by the folder that they began in, the most first, whoever keeps them."""
    from recall_tui.features.capture.project_extent import home_relative

    newest = {file.session_id: file.path for file in drain(list_all_copies(store))}
    folders = (session_folder(path) for path in newest.values() if not is_own_folder(path, store.environment.state))
    return tuple(Counter(home_relative(store, folder) for folder in folders if folder).most_common())
