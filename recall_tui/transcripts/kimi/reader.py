"""Kimi Code's transcripts: one event a line, one folder a session with a log for each of its agents."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from recall_tui import files
from recall_tui.domain import Conversation, SkippedResult
from recall_tui.environment import Environment
from recall_tui.transcripts.discovery import list_folder, transcript_stem
from recall_tui.transcripts.folder_reader import FolderReader, Listing
from recall_tui.transcripts.reader import record_type

_LOG = "wire.jsonl"
_MAIN = Path("agents", "main", _LOG)
_STATE = "state.json"


class KimiReader(FolderReader):
    """The reader of Kimi Code's logs, `<kimi>/sessions/*/<session>/agents/main/wire.jsonl`."""

    agent = "kimi"
    label = "Kimi Code"

    def folders(self, environment: Environment) -> tuple[Path, ...]:
        """Return the folder of the sessions."""
        return (environment.kimi / "sessions",)

    def list_paths(self, environment: Environment, listing: Listing) -> Iterator[Path]:
        """Yield the paths named like the log of a session's main agent."""
        projects = list_folder(environment.kimi / "sessions")
        return (session / _MAIN for project in projects for session in listing(project))

    def is_named(self, path: Path) -> bool:
        """Return True for `agents/main/wire.jsonl`."""
        return path.parts[-len(_MAIN.parts) :] == _MAIN.parts

    def session_id(self, path: Path) -> str:
        """Return the id in the name of the session's folder; that of a retained copy has it, too."""
        return _session_folder(path).name if self.is_named(path) else transcript_stem(path.parent)

    def companions(self, path: Path) -> tuple[Path, ...]:
        """Return the file with the session's title, and the logs of its sub-agents."""
        if not self.is_named(path):
            return ()
        others = (agent / _LOG for agent in list_folder(path.parent.parent) if agent != path.parent)
        return (_session_folder(path) / _STATE, *(log for log in others if log.is_file()))

    def resume_arguments(self, session_id: str) -> tuple[str, ...]:
        """Return the option."""
        return ("--session", session_id)

    def is_record(self, record: Mapping[str, Any]) -> bool:
        """Return True for the event that begins a log."""
        return record_type(record) == "metadata" and "protocol_version" in record

    def read_folder(self, path: Path) -> str:
        """Return the folder in the session's state."""
        return _state_text(path, "cwd") if self.is_named(path) else ""

    def read(self, path: Path) -> Conversation | SkippedResult:
        """The session in a log with its sub-agents; Skipped for one without messages."""
        from recall_tui.transcripts.kimi.records import KimiScan
        from recall_tui.transcripts.read_report import ReadReport
        from recall_tui.transcripts.record_log import read_log, scan_sides

        reading = ReadReport()
        own = KimiScan(path, reading, self.session_id(path)).run()
        if self.is_named(path):
            own.title = _state_text(path, "title")
            own.cwd = own.cwd or _state_text(path, "cwd")
        logs = [file for file in self.companions(path) if file.name == _LOG]
        sides = [KimiScan(file, reading, own.session_id, is_side=True) for file in logs]
        return read_log(self.agent, own, scan_sides(sides, reading))


def _session_folder(log: Path) -> Path:
    return log.parent.parent.parent


def _state_text(log: Path, field: str) -> str:
    """A text of the session's state; empty when it cannot be read or has none."""
    path = _session_folder(log) / _STATE
    try:
        # Anything but a regular file, such as a pipe, might never end.
        state = json.loads(files.read_file(path)) if path.is_file() else None
    except (OSError, ValueError, RecursionError):
        return ""
    value = state.get(field) if isinstance(state, dict) else None
    return value if isinstance(value, str) else ""
