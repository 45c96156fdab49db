"""Aider's runs: one growing Markdown file in each project that it was used in.

There is no list of these files: they are looked for in the projects that the sessions of other agents name.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from recall_tui.environment import Environment
from recall_tui.transcripts.shared_file import ListedSession
from recall_tui.transcripts.shared_file_reader import SharedFileReader

HISTORY_FILE = ".aider.chat.history.md"
_VARIABLE = "AIDER_CHAT_HISTORY_FILE"


class AiderReader(SharedFileReader):
    """The reader of `.aider.chat.history.md`, each run of the program a session."""

    agent = "aider"
    label = "Aider"

    def folders(self, environment: Environment) -> tuple[Path, ...]:
        """Return none: the files lie among those of the projects."""
        return ()

    def shared_files(self, environment: Environment) -> list[Path]:
        """Return where the file may be: in the folder worked in, above it, and in other agents' projects."""
        from recall_tui.transcripts.registry import project_folders

        named = environment.env.get(_VARIABLE)
        here = (environment.cwd, *environment.cwd.parents)
        folders = dict.fromkeys((*here, *map(Path, project_folders(environment, without=self.agent))))
        found = (folder / HISTORY_FILE for folder in folders)
        return list(dict.fromkeys((*((environment.cwd / named,) if named else ()), *found)))

    def is_shared_file(self, file: Path) -> bool:
        """Return True: a run's id tells."""
        return True

    def list_sessions(self, file: Path) -> Mapping[str, ListedSession]:
        """Return the runs in a file by their ids."""
        from recall_tui.transcripts.aider.history import list_sessions

        return list_sessions(file)

    def resume_arguments(self, session_id: str) -> tuple[str, ...]:
        """Return the words that take up all that was said in the folder: a run cannot be named."""
        return ("--restore-chat-history",)
