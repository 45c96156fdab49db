"""Aider's runs: one growing Markdown file in each project that it was used in.

There is no list of these files: they are looked for in the projects that the sessions of other agents name. A project
may come from others, so a history is always one of the folder in which it really lies.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from recall_tui.environment import Environment
from recall_tui.transcripts.shared_file import PROJECT_FILE, ListedSession
from recall_tui.transcripts.shared_file_reader import SharedFileReader

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
        here = map(str, (environment.cwd, *environment.cwd.parents))
        folders = filter(None, map(_real_path, (*here, *project_folders(environment, without=self.agent))))
        own = _real_path(str(environment.cwd / named)) if named else None
        return list(dict.fromkeys((*((own,) if own else ()), *(folder / PROJECT_FILE for folder in folders))))

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


def _real_path(path: str) -> Path | None:
    """Where links lead to; None for what can be no path."""
    try:
        return Path(os.path.realpath(path))
    except (OSError, ValueError):
        return None
