"""A reader of an agent that keeps a file for each session below folders of its own."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recall_tui.files import MAX_TRANSCRIPT_BYTES, open_file
from recall_tui.transcripts.discovery import find_files, is_unreadable, list_folder, list_non_files, transcript_stem
from recall_tui.transcripts.reader import FileState, FormatMarks, Retention, TranscriptFile

if TYPE_CHECKING:
    from recall_tui.domain import Conversation, SkippedResult
    from recall_tui.environment import Environment

Listing = Callable[[Path], list[Path]]
"""Lists the entries of a folder, or some of them."""
_EDGE_BYTES = (1 << 13, 1 << 18)
"""The start of a transcript in which the first record with a folder is looked for; mostly the first piece has it."""
_MAX_LOOKED_AT = 20
"""Transcripts of a folder in which the folder of the project is looked for."""
_MAX_FOLDERS = 200
"""The same, of all folders."""
_EPOCH = datetime.fromtimestamp(0, UTC)


@lru_cache(maxsize=4 * _MAX_FOLDERS)
def _cached_folder(reader: FolderReader, path: Path) -> str:
    return reader.read_folder(path)


class FolderReader(ABC):
    """Base of the readers of such agents."""

    agent: str
    program = ""
    """The name of its program; empty when it is called like the agent."""
    label: str
    """The agent's name as a person knows it."""
    is_broad = False
    """Its names and marks fit files of other agents too, which are asked before."""

    @abstractmethod
    def folders(self, environment: Environment) -> tuple[Path, ...]:
        """Return the folders below which the agent keeps its transcripts."""

    @abstractmethod
    def list_paths(self, environment: Environment, listing: Listing) -> Iterator[Path]:
        """Yield the paths named like a session's transcript, where `listing` lists a folder of transcripts."""

    @abstractmethod
    def is_named(self, path: Path) -> bool:
        """Return True if the file's name is that of a session's transcript."""

    def session_id(self, path: Path) -> str:
        """Return the session's id by the file's name."""
        return transcript_stem(path)

    @abstractmethod
    def is_record(self, record: Mapping[str, Any]) -> bool:
        """Return True if a JSON record in the first lines of a file bears a mark of this agent."""

    @abstractmethod
    def read(self, path: Path) -> Conversation | SkippedResult:
        """Return the conversation in a claimed file."""

    def claims(self, path: Path, head: bytes) -> bool:
        """Return True if the file is in this agent's format, judged by its first bytes."""
        from recall_tui.transcripts.registry import detect_agent

        return detect_agent(path, head) == self.label

    @property
    def marks(self) -> FormatMarks:
        """Return what the start of a file in this agent's format is recognised by."""
        return FormatMarks(self.label, self.is_record, self.is_head, self.is_broad)

    def discover(self, environment: Environment) -> Iterator[TranscriptFile]:
        """Yield every transcript of this agent on the machine, oldest first."""
        yield from self.list_files(self.list_paths(environment, list_folder))

    def list_files(self, paths: Iterable[Path]) -> list[TranscriptFile]:
        """Return the regular files among the paths as this agent's transcripts, oldest first."""
        return find_files(paths, self.agent, self.session_id)

    def file_states(self, environment: Environment) -> Iterator[FileState]:
        """Yield the state of every file that the agent's sessions are read from, and of what stands in its place.

        As long as none of them changes, no session did.
        """
        from recall_tui.transcripts.shared_file import transcript_state

        files = list(self.discover(environment))
        for file, companions in zip(files, self.each_companions([file.path for file in files]), strict=True):
            yield str(file.path), file.size, file.mtime_ns
            for path in companions if file.mtime_ns else (file.path, *companions):
                with suppress(OSError):
                    yield str(path), *transcript_state(path)
        yield from ((str(file.path), -1, 0) for file in self.find_unreadable(environment))

    def find_session(self, environment: Environment, session_id: str) -> list[TranscriptFile]:
        """Return every file of a session, oldest first; a session resumed in another folder has several."""
        part = self.id_in_name(session_id)
        paths = self.list_paths(environment, lambda folder: [one for one in list_folder(folder) if part in one.name])
        return [file for file in self.list_files(paths) if file.session_id == session_id]

    def id_in_name(self, session_id: str) -> str:
        """Return the part of a session's id that the name of its file has."""
        return session_id

    def companions(self, path: Path) -> tuple[Path, ...]:
        """Return the other files that the session in a transcript is read from; some may not be there."""
        return ()

    def each_companions(self, paths: Iterable[Path]) -> Iterator[tuple[Path, ...]]:
        """Yield `companions` of each path, of which there may be thousands; those of one folder follow one another."""
        return map(self.companions, paths)

    def resume_arguments(self, session_id: str) -> tuple[str, ...]:
        """Return the arguments with which the agent's program goes on with a session."""
        return ("--resume", session_id)

    def is_resumable(self, path: Path) -> bool:
        """Return False for a transcript whose session the agent's program cannot go on with."""
        return True

    def is_head(self, head: bytes) -> bool:
        """Return True for the start of a file whose first line is longer than what is looked at."""
        return False

    def project_folders(self, environment: Environment) -> Iterator[str]:
        """Yield the folders in which sessions were begun, by the newest names in each folder of transcripts."""
        paths: dict[Path, list[Path]] = {}
        for path in self.list_paths(environment, list_folder):
            paths.setdefault(path.parent, []).append(path)
        newest = (path for found in reversed(paths.values()) for path in sorted(found)[-_MAX_LOOKED_AT:])
        for path in islice(newest, _MAX_FOLDERS):
            yield _cached_folder(self, path)

    def retention(self, environment: Environment) -> Retention:
        """Return for how long the agent keeps its transcripts, as far as that is documented."""
        return Retention(is_documented=False)

    def is_own_call(self, path: Path, environment: Environment) -> bool:
        """Return True if the transcript is one of this program's own calls of the agent."""
        return False

    def is_subagent_folder(self, folder: Path) -> bool:
        """Return True for a folder with transcripts of sub-agents, which are read with their session."""
        return False

    def read_folder(self, path: Path) -> str:
        """Return the folder that a session was begun in; empty when the first lines do not tell."""
        try:
            with open_file(path, MAX_TRANSCRIPT_BYTES) as file:
                head = b""
                for size in _EDGE_BYTES:
                    lines = (head + file.read(size - len(head))).split(b"\n")
                    if folder := _folder_in(self, lines[:-1]):
                        return folder
                    head = lines[-1]
        except OSError:
            pass
        return ""

    def folder_in_record(self, record: Mapping[str, Any]) -> str:
        """Return the folder that a record names; empty when it names none."""
        folder = record.get("cwd")
        return folder if isinstance(folder, str) else ""

    def find_unreadable(self, environment: Environment) -> Iterator[TranscriptFile]:
        """Yield folders and broken links named like a transcript."""
        for path in self.list_paths(environment, list_non_files):
            if is_unreadable(path):
                yield TranscriptFile(path, self.session_id(path), self.agent, _EPOCH, 0)


def _folder_in(reader: FolderReader, lines: Iterable[bytes]) -> str:
    for line in lines:
        if b'"cwd"' not in line:
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict) and (folder := reader.folder_in_record(record)):
            return folder
    return ""
