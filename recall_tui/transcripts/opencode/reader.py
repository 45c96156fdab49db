"""OpenCode's and Kilo's sessions: all of an agent's in one SQLite database, of one form."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from recall_tui.environment import Environment
from recall_tui.transcripts.discovery import list_folder
from recall_tui.transcripts.shared_file import ListedSession
from recall_tui.transcripts.shared_file_reader import SharedFileReader

_VARIABLES = ("OPENCODE_DB", "KILO_DB")
"""The variables that name another database."""


class OpenCodeReader(SharedFileReader):
    """The reader of `opencode.db`, and of `opencode-<channel>.db` of other channels."""

    agent = "opencode"
    label = "OpenCode"

    def folders(self, environment: Environment) -> tuple[Path, ...]:
        """Return the folder of data."""
        return (environment.opencode,)

    def shared_files(self, environment: Environment) -> list[Path]:
        """Return the databases in the folder of data, and the one that a variable names."""
        (folder,) = self.folders(environment)
        named = (environment.named(variable) for variable in _VARIABLES)
        found = (*(path for path in list_folder(folder) if path.suffix == ".db"), *filter(None, named))
        return [path for path in dict.fromkeys(folder / path for path in found) if self.is_shared_file(path)]

    def is_shared_file(self, file: Path) -> bool:
        """Return True unless the database is named like Kilo's."""
        return "kilo" not in file.name.lower()

    def list_sessions(self, file: Path) -> Mapping[str, ListedSession]:
        """Return the sessions of a database by their ids, those of sub-agents counted to their parents."""
        from recall_tui.transcripts.opencode.database import list_sessions

        return list_sessions(file)


class KiloReader(OpenCodeReader):
    """The reader of `kilo.db`."""

    agent = "kilo"
    label = "Kilo"

    def folders(self, environment: Environment) -> tuple[Path, ...]:
        """Return the folder of data."""
        return (environment.kilo,)

    def is_shared_file(self, file: Path) -> bool:
        """Return True if the database is named like Kilo's."""
        return "kilo" in file.name.lower()
