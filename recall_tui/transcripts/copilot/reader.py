"""Copilot CLI's transcripts: one event a line, one folder a session, its sub-agents in the same log."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from recall_tui.domain import Conversation, SkippedResult
from recall_tui.environment import Environment
from recall_tui.transcripts.folder_reader import FolderReader, Listing
from recall_tui.transcripts.reader import record_type

_FOLDER = "session-state"
_LOG = "events.jsonl"
_SESSION = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")


class CopilotReader(FolderReader):
    """The reader of Copilot CLI's logs, `<copilot>/session-state/*/events.jsonl`."""

    agent = "copilot"
    label = "Copilot CLI"

    def folders(self, environment: Environment) -> tuple[Path, ...]:
        """Return the folder of the sessions."""
        return (environment.copilot / _FOLDER,)

    def list_paths(self, environment: Environment, listing: Listing) -> Iterator[Path]:
        """Yield the paths named like a log."""
        return filter(self.is_named, (session / _LOG for session in listing(environment.copilot / _FOLDER)))

    def is_named(self, path: Path) -> bool:
        """Return True for `<uuid>/events.jsonl`."""
        return path.name == _LOG and _SESSION.fullmatch(path.parent.name) is not None

    def session_id(self, path: Path) -> str:
        """Return the id in the name of the session's folder."""
        return path.parent.name

    def companions(self, path: Path) -> tuple[Path, ...]:
        """Return the file with the session's title."""
        from recall_tui.transcripts.copilot.workspace import WORKSPACE_FILE

        return (path.with_name(WORKSPACE_FILE),)

    def resume_arguments(self, session_id: str) -> tuple[str, ...]:
        """Return the option, which takes its value only behind a sign of equality."""
        return (f"--resume={session_id}",)

    def is_record(self, record: Mapping[str, Any]) -> bool:
        """Return True for the event that begins a session."""
        data = record.get("data")
        return record_type(record) == "session.start" and isinstance(data, dict) and "producer" in data

    def folder_in_record(self, record: Mapping[str, Any]) -> str:
        """Return the folder in the context of the first event."""
        data = record.get("data")
        context = data.get("context") if isinstance(data, dict) else None
        return super().folder_in_record(context) if isinstance(context, dict) else ""

    def read(self, path: Path) -> Conversation | SkippedResult:
        """The session in a log with its sub-agents; Skipped for one without messages."""
        from recall_tui.transcripts.copilot.records import CopilotScan
        from recall_tui.transcripts.copilot.workspace import session_title
        from recall_tui.transcripts.read_report import ReadReport
        from recall_tui.transcripts.record_log import read_log

        own = CopilotScan(path, ReadReport(), self.session_id(path)).run()
        own.title = session_title(path)
        return read_log(self.agent, own)
