"""Goose's sessions: all in one SQLite database, those of older versions each in a file of lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from recall_tui.environment import Environment, agent_folder
from recall_tui.transcripts.discovery import list_folder
from recall_tui.transcripts.reader import TranscriptFile
from recall_tui.transcripts.shared_file import ListedSession
from recall_tui.transcripts.shared_file_reader import SharedFileReader

_FOLDER = "sessions"
_DATABASE = "sessions.db"


class GooseReader(SharedFileReader):
    """The reader of `<goose>/sessions/sessions.db`, and of `*.jsonl` beside it."""

    agent = "goose"
    label = "Goose"

    def folders(self, environment: Environment) -> tuple[Path, ...]:
        """Return the folder of the sessions."""
        return (agent_folder(environment, "goose") / _FOLDER,)

    def shared_files(self, environment: Environment) -> list[Path]:
        """Return the database, then the files of older versions."""
        (folder,) = self.folders(environment)
        return [folder / _DATABASE, *(one for one in list_folder(folder) if one.suffix == ".jsonl")]

    def is_shared_file(self, file: Path) -> bool:
        """Return True: a session's id tells."""
        return True

    def list_sessions(self, file: Path) -> Mapping[str, ListedSession]:
        """Return the sessions of a file by their ids, those of sub-agents left out."""
        from recall_tui.transcripts.goose.sessions import list_sessions

        return list_sessions(file)

    def discover(self, environment: Environment) -> Iterator[TranscriptFile]:
        """Yield every session, oldest first; one that the database has taken over is not read from its old file."""
        found = list(super().discover(environment))
        moved = {one.session_id for one in found if one.path.name.startswith(_DATABASE)}
        yield from (one for one in found if one.path.name.startswith(_DATABASE) or one.session_id not in moved)

    def resume_arguments(self, session_id: str) -> tuple[str, ...]:
        """Return the words of `goose session`."""
        return ("session", "--resume", "--session-id", session_id)
