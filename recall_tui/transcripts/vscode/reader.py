"""Chats with Copilot in VS Code: a file for each, below the folder of the workspace that was open."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from recall_tui.environment import Environment, agent_folders
from recall_tui.transcripts.discovery import list_folder
from recall_tui.transcripts.shared_file import ListedSession
from recall_tui.transcripts.shared_file_reader import SharedFileReader

_CHATS = "chatSessions"
_WITHOUT_WORKSPACE = Path("globalStorage", "emptyWindowChatSessions")
_SUFFIXES = (".json", ".jsonl")


class VSCodeReader(SharedFileReader):
    """The reader of `workspaceStorage/*/chatSessions/` of every editor that is there."""

    agent = "vscode"
    label = "Copilot in VS Code"

    def folders(self, environment: Environment) -> tuple[Path, ...]:
        """Return the folders of the workspaces, and those of chats without one."""
        workspaces = agent_folders(environment, self.agent)
        return *workspaces, *(one.parent / _WITHOUT_WORKSPACE for one in workspaces)

    def shared_files(self, environment: Environment) -> list[Path]:
        """Return the file of each chat; of one that lies there in both forms the newer."""
        workspaces = agent_folders(environment, self.agent)
        places = [one / _CHATS for folder in workspaces for one in list_folder(folder)]
        places += [one.parent / _WITHOUT_WORKSPACE for one in workspaces]
        found: dict[Path, Path] = {}
        for file in (file for place in places for file in list_folder(place) if file.suffix in _SUFFIXES):
            found[file.with_suffix("")] = file
        return list(found.values())

    def is_shared_file(self, file: Path) -> bool:
        """Return True: a chat's id tells."""
        return True

    def list_sessions(self, file: Path) -> Mapping[str, ListedSession]:
        """Return the chat by its id."""
        from recall_tui.transcripts.vscode.chats import list_sessions

        return list_sessions(file)

    def resume_arguments(self, session_id: str) -> tuple[str, ...]:
        """Return nothing: a chat is gone on with in its editor."""
        return ()
