"""Cursor's chats: those of the editor in its SQLite database, those of its command line in files of lines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.environment import Environment, agent_folders
from recall_tui.transcripts.discovery import list_folder
from recall_tui.transcripts.shared_file import ListedSession, session_path, split_session_path
from recall_tui.transcripts.shared_file_reader import SharedFileReader

if TYPE_CHECKING:
    from recall_tui.domain import Conversation, SkippedResult

_DATABASE = "state.vscdb"
_LOGS = "agent-transcripts"
_LOG_NAME = re.compile(r"[\w-]+\.jsonl")


class CursorReader(SharedFileReader):
    """The reader of `state.vscdb`, of which only chats are read, and of `agent-transcripts/` in Cursor's projects."""

    agent = "cursor"
    label = "Cursor"
    program = "cursor-agent"

    def folders(self, environment: Environment) -> tuple[Path, ...]:
        """Return the folder of the projects, and those of the database."""
        command_line, *editors = agent_folders(environment, self.agent)
        return command_line / "projects", *editors

    def shared_files(self, environment: Environment) -> list[Path]:
        """Return the database of each system's folder, then the logs of the command line."""
        projects, *editors = self.folders(environment)
        logs = []
        for project in list_folder(projects):
            for one in list_folder(project / _LOGS):
                # One with sub-agents has a folder.
                log = one if one.suffix == ".jsonl" else one / f"{one.name}.jsonl"
                logs += [log] if _LOG_NAME.fullmatch(log.name) and log.is_file() else []
        return [*(folder / _DATABASE for folder in editors), *logs]

    def is_shared_file(self, file: Path) -> bool:
        """Return True: a chat's id tells."""
        return True

    def list_sessions(self, file: Path) -> Mapping[str, ListedSession]:
        """Return the chats in a file by their ids."""
        from recall_tui.transcripts.cursor.chats import list_sessions

        return list_sessions(file)

    def read(self, path: Path) -> Conversation | SkippedResult:
        """Return the conversation; a log may be named as the file that it is, too."""
        if path.suffix == ".jsonl" and split_session_path(path) is None:
            from recall_tui.transcripts.cursor.chats import list_sessions

            path = session_path(path, next(iter(list_sessions(path))))
        return super().read(path)

    def resume_arguments(self, session_id: str) -> tuple[str, ...]:
        """Return the option, with the id that Cursor knows."""
        return ("--resume", session_id.removeprefix("cursor-"))

    def is_resumable(self, path: Path) -> bool:
        """Return True for a chat of the command line; one of the editor is gone on with there."""
        found = split_session_path(path)
        return (found[0] if found else path).suffix == ".jsonl"
