"""A reader of an agent that keeps many sessions in one file."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recall_tui.errors import RecallError
from recall_tui.transcripts.discovery import find_files, sort_by_time
from recall_tui.transcripts.folder_reader import FolderReader, Listing
from recall_tui.transcripts.reader import TranscriptFile
from recall_tui.transcripts.shared_file import (
    ListedSession,
    find_listed_session,
    is_session_id,
    session_path,
    split_session_path,
)

if TYPE_CHECKING:
    from recall_tui.domain import Conversation, SkippedResult
    from recall_tui.environment import Environment

_NANOSECONDS = 1_000_000_000


class SharedFileReader(FolderReader):
    """Base of the readers of such agents."""

    @abstractmethod
    def shared_files(self, environment: Environment) -> list[Path]:
        """Return the files in which the agent keeps its sessions, whether they are there or not."""

    @abstractmethod
    def list_sessions(self, file: Path) -> Mapping[str, ListedSession]:
        """Return the sessions of a file by their ids; RecallError when it cannot be read."""

    def list_paths(self, environment: Environment, listing: Listing) -> Iterator[Path]:
        """Yield the names of the sessions."""
        yield from (one.path for one in self.discover(environment))

    def is_named(self, path: Path) -> bool:
        """Return True for the name of a session in a file that the agent's own are called like."""
        found = split_session_path(path)
        return found is not None and self.is_shared_file(found[0])

    @abstractmethod
    def is_shared_file(self, file: Path) -> bool:
        """Return True if a file is called like those of the agent."""

    def session_id(self, path: Path) -> str:
        """Return the id in the session's name."""
        found = split_session_path(path)
        return found[1] if found else super().session_id(path)

    def is_record(self, record: Mapping[str, Any]) -> bool:
        """Return True for the first of a session's own lines."""
        from recall_tui.transcripts.session_lines import SESSION_FIELD

        return record.get(SESSION_FIELD) == self.agent

    def read(self, path: Path) -> Conversation | SkippedResult:
        """Return the conversation with its sub-agents; Skipped for one without messages."""
        from recall_tui.domain import SkippedResult
        from recall_tui.transcripts.session_lines import read_session

        found, listed = read_session(path, self.agent), find_listed_session(path)
        if listed is None or isinstance(found, SkippedResult):
            return found
        # Not among the lines, which are told apart by their hash: what is said stays the same.
        return replace(found, head=replace(found.head, tokens=listed.tokens, cwd=found.head.cwd or listed.folder))

    def read_folder(self, path: Path) -> str:
        """Return the folder that the file says of the session."""
        listed = find_listed_session(path)
        return listed.folder if listed else super().read_folder(path)

    def discover(self, environment: Environment) -> Iterator[TranscriptFile]:
        """Yield every session of this agent on the machine, oldest first; a file that cannot be read as itself."""
        found: list[TranscriptFile] = []
        for file in self.shared_files(environment):
            try:
                sessions = self.list_sessions(file).values() if file.is_file() else ()
            except (RecallError, OSError):
                found += find_files([file], self.agent, lambda path: path.name)
                continue
            for one in filter(lambda listed: is_session_id(listed.id), sessions):
                modified = datetime.fromtimestamp(one.mtime_ns / _NANOSECONDS, UTC)
                path = session_path(file, one.id)
                found.append(TranscriptFile(path, one.id, self.agent, modified, one.size, one.mtime_ns))
        yield from sort_by_time(found)

    def find_session(self, environment: Environment, session_id: str) -> list[TranscriptFile]:
        """Return the places of a session, oldest first."""
        return [one for one in self.discover(environment) if one.session_id == session_id]

    def project_folders(self, environment: Environment) -> Iterator[str]:
        """Yield the folders that the files name."""
        for file in self.shared_files(environment):
            try:
                yield from {one.folder for one in self.list_sessions(file).values()}
            except (RecallError, OSError):
                continue

    def find_unreadable(self, environment: Environment) -> Iterator[TranscriptFile]:
        """Yield nothing: a file that cannot be read is among those that are discovered."""
        yield from ()
