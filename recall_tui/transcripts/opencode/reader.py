"""OpenCode's and Kilo's sessions: all of an agent's in one SQLite database, of one form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from recall_tui.environment import Environment, agent_folder
from recall_tui.transcripts.discovery import list_folder
from recall_tui.transcripts.reader import TranscriptFile
from recall_tui.transcripts.shared_file import ListedSession
from recall_tui.transcripts.shared_file_reader import SharedFileReader

_STORAGE = Path("storage", "session")


def _is_stored(path: Path) -> bool:
    """Whether a session lies in the files that were there before the database."""
    return path.parent.parent.name == _STORAGE.name


class OpenCodeReader(SharedFileReader):
    """The reader of `opencode.db`, and of `opencode-<channel>.db` of other channels."""

    agent = "opencode"
    label = "OpenCode"
    variable = "OPENCODE_DB"
    """The variable that names another database."""

    def folders(self, environment: Environment) -> tuple[Path, ...]:
        """Return the folder of data."""
        return (agent_folder(environment, "opencode"),)

    def shared_files(self, environment: Environment) -> list[Path]:
        """Return the database that the variable names, else those of all channels in the folder of data."""
        (folder,) = self.folders(environment)
        if named := environment.env.get(self.variable):
            return [folder / Path(named).name]
        found = [one for one in list_folder(folder) if one.suffix == ".db" and one.stem.split("-")[0] == self.agent]
        projects = list_folder(folder / _STORAGE)
        return [*found, *(file for project in projects for file in list_folder(project) if file.suffix == ".json")]

    def discover(self, environment: Environment) -> Iterator[TranscriptFile]:
        """Yield every session, oldest first; one that a database has taken over is not read from its old file."""
        found = list(super().discover(environment))
        moved = {one.session_id for one in found if not _is_stored(one.path)}
        yield from (one for one in found if not _is_stored(one.path) or one.session_id not in moved)

    def is_shared_file(self, file: Path) -> bool:
        """Return True unless the database is named like Kilo's."""
        return "kilo" not in file.name.lower()

    def resume_arguments(self, session_id: str) -> tuple[str, ...]:
        """Return the words of `--session`."""
        return ("--session", session_id)

    def list_sessions(self, file: Path) -> Mapping[str, ListedSession]:
        """Return the sessions of a database by their ids, those of sub-agents counted to their parents."""
        from recall_tui.transcripts.opencode.database import list_sessions

        return list_sessions(file)


class KiloReader(OpenCodeReader):
    """The reader of `kilo.db`."""

    agent = "kilo"
    label = "Kilo"
    variable = "KILO_DB"

    def folders(self, environment: Environment) -> tuple[Path, ...]:
        """Return the folder of data."""
        return (agent_folder(environment, "kilo"),)

    def is_shared_file(self, file: Path) -> bool:
        """Return True if the database is named like Kilo's."""
        return "kilo" in file.name.lower()
