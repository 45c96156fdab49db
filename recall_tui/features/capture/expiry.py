"""Which sessions are about to be lost: some agents delete transcripts some days after their last word.

Little is read but names and times: where a memory takes one project only, what tells the project, and of small
transcripts that nothing holds, whether anything is said in them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.domain import ArchiveEntry, SkippedResult
from recall_tui.errors import RecallError
from recall_tui.features.capture.archived_sessions import find_archive, find_own_memory, is_accepted
from recall_tui.index.project_scope import ProjectScope
from recall_tui.index.sources.transcripts import ignore_matcher
from recall_tui.storage.archives import retained
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.state.tombstones import read_all
from recall_tui.transcripts.own_sessions import is_own_folder
from recall_tui.transcripts.registry import present_readers, read_transcript
from recall_tui.transcripts.shared_file import transcript_state

if TYPE_CHECKING:
    from recall_tui.storage.memory_context import Store
    from recall_tui.transcripts.folder_reader import FolderReader
    from recall_tui.transcripts.reader import TranscriptFile

WARNING_DAYS = 7
"""Days before its end from which a transcript is spoken of."""
_MAX_SEARCHED_BYTES = 65_536
"""Bytes of a transcript that is looked into for a message."""
_MAX_CHANGES = 200
"""Changes that are looked through for the last capture."""


@dataclass(frozen=True, slots=True)
class ExpiringTranscript:
    """A transcript that will be deleted soon."""

    file: TranscriptFile
    expires_at: datetime
    """From then on; it is deleted when the agent starts next."""
    archive: ArchiveEntry | None
    """The archive that holds it as it is now; None when there is none."""
    copy: Path | None = None
    """The retained copy of it as it is now; None when there is none."""
    is_elsewhere: bool = False
    """The person's own memory holds it as it is now, and this one is a team's."""

    @property
    def is_held(self) -> bool:
        """Whether nothing is lost when the agent deletes it."""
        return self.archive is not None or self.copy is not None or self.is_elsewhere


@dataclass(frozen=True, slots=True)
class ExpiryReport:
    """What agents are about to delete."""

    transcripts: int
    """Those of agents that delete them."""
    soon: tuple[ExpiringTranscript, ...]
    """Those of the memory whose end is near, the nearest first."""

    @property
    def unarchived(self) -> tuple[ExpiringTranscript, ...]:
        """Those that no archive holds."""
        return tuple(one for one in self.soon if one.archive is None)

    @property
    def lost(self) -> tuple[ExpiringTranscript, ...]:
        """Those that neither an archive nor a retained copy holds."""
        return tuple(one for one in self.soon if not one.is_held)


def expiry_report(store: Store, within: timedelta = timedelta(days=WARNING_DAYS)) -> ExpiryReport:
    """The transcripts that expire within so long, and whether the memory holds each."""
    deleted = [(file, days) for reader, days in _deleting_readers(store) for file in reader.discover(store.environment)]
    last = store.now() + within
    forgotten = read_all(store).sessions
    is_ignored = ignore_matcher(store.environment)
    soon: list[ExpiringTranscript] = []
    scope, own = ProjectScope(store), find_own_memory(store)
    for file, days in deleted:
        expires_at = file.modified + timedelta(days=days)
        if expires_at > last or file.session_id in forgotten or is_own_folder(file.path, store.environment.state):
            continue
        if is_ignored(str(file.path)):
            continue
        archive = find_archive(store, file)
        if archive is not None or is_accepted(store, file.path, scope=scope):
            copy = retained.find_copy_since(store.environment.kept, file.session_id, file.modified.timestamp())
            is_elsewhere = archive is None and own is not None and find_archive(own, file) is not None
            one = ExpiringTranscript(file, expires_at, archive, copy, is_elsewhere)
            if one.is_held or not _is_empty(file.path):
                soon.append(one)
    return ExpiryReport(len(deleted), tuple(sorted(soon, key=lambda one: one.expires_at)))


def _deleting_readers(store: Store) -> Iterator[tuple[FolderReader, int]]:
    """The readers of agents that delete transcripts, and after how many days."""
    for reader in present_readers(store.environment):
        if (days := reader.retention(store.environment).days) is not None:
            yield reader, days


def _is_empty(path: Path) -> bool:
    """Whether there is no message in it, as when a session was opened and left: nothing is lost with it."""
    found = find_nothing(path)
    return found is not None and not found.faults


def find_nothing(path: Path) -> SkippedResult | None:
    """Return the reason that a transcript holds nothing to archive; None when it holds something, or is too long."""
    try:
        found = read_transcript(path) if transcript_state(path)[0] <= _MAX_SEARCHED_BYTES else None
    except (OSError, RecallError):
        return None
    return found if isinstance(found, SkippedResult) else None


def last_capture_time(store: Store) -> datetime | None:
    """When a session was last archived here; None when none of the newest changes did so."""
    folders = [place.folder for place in store.layout.archives]
    folders += [store.layout.summaries] if store.layout.summaries else []
    for entry in Journal(store.state, store.now).entries(_MAX_CHANGES):
        is_capture = any(path.is_relative_to(folder) and path.exists() for path in entry.paths for folder in folders)
        if is_capture and not entry.undoes and not entry.is_undone:
            return entry.at
    return None
