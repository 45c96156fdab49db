"""Cline, Roo Code and Kilo as extensions of an editor: a folder for each task, with its messages as one JSON file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from recall_tui.environment import Environment, agent_folders
from recall_tui.transcripts.discovery import list_folder
from recall_tui.transcripts.shared_file import ListedSession
from recall_tui.transcripts.shared_file_reader import SharedFileReader

HISTORY_FILE = "api_conversation_history.json"


class TaskReader(SharedFileReader):
    """The reader of `<extension>/tasks/*/api_conversation_history.json`, of every editor that is there."""

    def folders(self, environment: Environment) -> tuple[Path, ...]:
        """Return the extension's folder in each editor."""
        return agent_folders(environment, self.agent)

    def shared_files(self, environment: Environment) -> list[Path]:
        """Return the messages of each task."""
        tasks = (task for folder in self.folders(environment) for task in list_folder(folder / "tasks"))
        return [file for task in tasks if (file := task / HISTORY_FILE).is_file()]

    def is_shared_file(self, file: Path) -> bool:
        """Return True for messages in a folder of this extension."""
        from recall_tui.transcripts.editor_tasks.tasks import agent_of

        return file.name == HISTORY_FILE and agent_of(file) == self.agent

    def list_sessions(self, file: Path) -> Mapping[str, ListedSession]:
        """Return the task by its id."""
        from recall_tui.transcripts.editor_tasks.tasks import list_sessions

        return list_sessions(file)

    def resume_arguments(self, session_id: str) -> tuple[str, ...]:
        """Return nothing: a task is gone on with in its editor."""
        return ()


class ClineTaskReader(TaskReader):
    """The reader of Cline's tasks."""

    agent = "cline-editor"
    label = "Cline in an editor"


class RooReader(TaskReader):
    """The reader of Roo Code's tasks."""

    agent = "roo"
    label = "Roo Code"


class KiloTaskReader(TaskReader):
    """The reader of the tasks of Kilo's older extension."""

    agent = "kilo-editor"
    label = "Kilo in an editor"
