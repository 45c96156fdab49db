"""Continue's sessions: a JSON file for each, and a list of all, which alone says when one was begun.

No message bears a time: a session is taken to have ended when its file was written last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from recall_tui.domain import Conversation, SkippedResult
from recall_tui.environment import Environment, agent_folder
from recall_tui.errors import RecallError
from recall_tui.transcripts.folder_reader import FolderReader, Listing

_FOLDER = "sessions"
_LIST = "sessions.json"
_NAME = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.json")
_OPENING = re.compile(rb'\A\s*\{\s*"sessionId"\s*:')
_UNTITLED = "Untitled Session"
_MAX_LIST_BYTES = 16 << 20


class ContinueReader(FolderReader):
    """The reader of `<continue>/sessions/<uuid>.json`."""

    agent = "continue"
    label = "Continue"
    program = "cn"

    def folders(self, environment: Environment) -> tuple[Path, ...]:
        """Return the folder of the sessions."""
        return (agent_folder(environment, "continue") / _FOLDER,)

    def list_paths(self, environment: Environment, listing: Listing) -> Iterator[Path]:
        """Yield the paths named like a session."""
        yield from filter(self.is_named, listing(agent_folder(environment, "continue") / _FOLDER))

    def is_named(self, path: Path) -> bool:
        """Return True for a UUID in a folder of sessions."""
        return path.parent.name == _FOLDER and _NAME.fullmatch(path.name) is not None

    def is_record(self, record: Mapping[str, Any]) -> bool:
        """Return True for a session on a single line."""
        return "sessionId" in record and isinstance(record.get("history"), list)

    def is_head(self, head: bytes) -> bool:
        """Return True for the start of a session on several lines, or on one that is too long to be looked at."""
        return _OPENING.match(head) is not None and b'"workspaceDirectory"' in head and b'"history"' in head

    def resume_arguments(self, session_id: str) -> tuple[str, ...]:
        """Return the words of `--fork`: a given session is gone on with as a copy only."""
        return ("--fork", session_id)

    def read_folder(self, path: Path) -> str:
        """Return the folder that the session names."""
        from recall_tui.transcripts.continue_dev.messages import workspace_folder
        from recall_tui.transcripts.whole_file import read_objects

        try:
            return workspace_folder(read_objects(path)[0])
        except RecallError:
            return ""

    def read(self, path: Path) -> Conversation | SkippedResult:
        """Return the conversation; Skipped for one without messages.

        Raises BrokenFileError when the file is not whole.
        """
        from recall_tui.transcripts.claude.records import first_text, sum_counts
        from recall_tui.transcripts.continue_dev.messages import last_model, read_messages, workspace_folder
        from recall_tui.transcripts.conversation_head import RecordMetadata, build_conversation
        from recall_tui.transcripts.read_report import ReadReport
        from recall_tui.transcripts.whole_file import read_objects

        reading = ReadReport()
        session, *_ = read_objects(path, reading)
        session_id = first_text(session, "sessionId") or self.session_id(path)
        title = " ".join(first_text(session, "title").split())
        told = RecordMetadata(
            session_id=session_id,
            title="" if title == _UNTITLED else title,
            cwd=workspace_folder(session),
            model=last_model(session),
            tokens=sum_counts(session.get("usage"), "promptTokens", "completionTokens"),
            started_at=_creation_time(path.with_name(_LIST), session_id),
            ended_at=_modification_time(path) if self.is_named(path) else None,
        )
        return build_conversation(self.agent, path, told, reading, partial(read_messages, session))


def _creation_time(listing: Path, session_id: str) -> datetime | None:
    """When the list says that a session was begun."""
    import json

    from recall_tui import files
    from recall_tui.transcripts.claude.metadata import parse_time_or_milliseconds
    from recall_tui.transcripts.whole_file import list_objects

    try:
        listed = list_objects(json.loads(files.read_file(listing, _MAX_LIST_BYTES)))
        created = next((one.get("dateCreated") for one in listed if one.get("sessionId") == session_id), None)
        return parse_time_or_milliseconds(int(created) if isinstance(created, str) else created)
    except (OSError, ValueError, RecursionError):
        return None


def _modification_time(path: Path) -> datetime | None:
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except OSError:
        return None
