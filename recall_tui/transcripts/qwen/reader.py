"""Qwen Code's transcripts: one JSON record a line, one chat a session, its sub-agents' logs apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from recall_tui.domain import Conversation, SkippedResult
from recall_tui.environment import Environment
from recall_tui.transcripts.discovery import list_folder, transcript_stem
from recall_tui.transcripts.folder_reader import FolderReader, Listing
from recall_tui.transcripts.reader import record_type

_NAME = re.compile(r"[0-9a-f-]{32,36}\.jsonl")
_TYPES = frozenset({"user", "assistant", "tool_result", "system"})
_LONG_LINE = re.compile(rb'"provenance"\s*:|"message"\s*:\s*\{\s*"role"\s*:\s*"\w+"\s*,\s*"parts"\s*:')
"""Marks in a first line that is longer than what is looked at."""


class QwenReader(FolderReader):
    """The reader of Qwen Code's chats, `<qwen>/projects/*/chats/*.jsonl`."""

    agent = "qwen"
    label = "Qwen Code"

    def folders(self, environment: Environment) -> tuple[Path, ...]:
        """Return the folder of the projects."""
        return (environment.qwen / "projects",)

    def list_paths(self, environment: Environment, listing: Listing) -> Iterator[Path]:
        """Yield the paths named like a chat."""
        projects = list_folder(environment.qwen / "projects")
        return filter(self.is_named, (path for project in projects for path in listing(project / "chats")))

    def is_named(self, path: Path) -> bool:
        """Return True for `chats/<uuid>.jsonl`."""
        return path.parent.name == "chats" and _NAME.fullmatch(path.name) is not None

    def companions(self, path: Path) -> tuple[Path, ...]:
        """Return the logs of the session's sub-agents."""
        folder = path.parent.parent / "subagents" / transcript_stem(path)
        return tuple(file for file in list_folder(folder) if file.suffix == ".jsonl")

    def is_subagent_folder(self, folder: Path) -> bool:
        """Return True for the folder of the sub-agents of a project's sessions."""
        return folder.name == "subagents"

    def is_record(self, record: Mapping[str, Any]) -> bool:
        """Return True for a record of Qwen Code, which has parts or says whose it is."""
        if record_type(record) not in _TYPES:
            return False
        message = record.get("message")
        has_parts = isinstance(message, dict) and isinstance(message.get("parts"), list)
        return has_parts or "provenance" in record or "systemPayload" in record

    def is_head(self, head: bytes) -> bool:
        """Return True if a first line that is cut off bears a mark of Qwen Code."""
        return _LONG_LINE.search(head) is not None

    def read(self, path: Path) -> Conversation | SkippedResult:
        """The session in a chat with its sub-agents; Skipped for a sub-agent's log and one without messages."""
        from recall_tui.transcripts.qwen.records import QwenScan
        from recall_tui.transcripts.read_report import ReadReport
        from recall_tui.transcripts.record_log import read_log, scan_sides

        reading = ReadReport()
        own = QwenScan(path, reading, transcript_stem(path)).run()
        logs = [QwenScan(file, reading, own.session_id, is_side=True) for file in self.companions(path)]
        return read_log(self.agent, own, scan_sides(logs, reading))
