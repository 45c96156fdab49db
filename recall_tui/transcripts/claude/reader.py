"""Claude Code's transcripts: one JSON record a line, one file a session, its sub-agents' files beside it.

A file is read twice, once for the head and once at each call of `messages`, and held in memory never.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recall_tui.environment import Environment
from recall_tui.transcripts.discovery import list_folder, transcript_stem
from recall_tui.transcripts.folder_reader import FolderReader, Listing
from recall_tui.transcripts.reader import FileState, Retention, TranscriptFile, record_type

if TYPE_CHECKING:
    from recall_tui.domain import Conversation, SkippedResult

_TYPES = frozenset(
    {"summary", "ai-title", "custom-title", "agent-name", "agent-setting", "tag", "last-prompt", "queue-operation"}
    | {"file-history-snapshot", "mode", "permission-mode", "pr-link", "bridge-session", "turn_end", "cost-state"}
    | {"session_start", "attachment", "progress", "system"}
)
_LONG_LINE = re.compile(
    rb'"(?:parentUuid|isSidechain|isSnapshotUpdate)"\s*:'
    rb'|"type"\s*:\s*"(?:file-history-snapshot|queue-operation)"'
)
"""Marks in a first line that is longer than what is looked at."""
_LISTS = ("history.jsonl", "session_index.jsonl")
"""Lists that Claude Code and Codex keep beside their transcripts, named like one."""


class ClaudeReader(FolderReader):
    """The reader of Claude Code's transcripts, `<claude>/projects/*/*.jsonl`."""

    agent = "claude"
    label = "Claude Code"
    is_broad = True

    def folders(self, environment: Environment) -> tuple[Path, ...]:
        """Return the folder of the projects."""
        return (environment.claude / "projects",)

    def list_paths(self, environment: Environment, listing: Listing) -> Iterator[Path]:
        """Yield the paths named like a main transcript."""
        paths = (path for folder in list_folder(environment.claude / "projects") for path in listing(folder))
        return filter(self.is_named, paths)

    def is_named(self, path: Path) -> bool:
        """Return True for `*.jsonl`, except that of a sub-agent and known lists."""
        return path.suffix == ".jsonl" and not path.name.startswith("agent-") and path.name not in _LISTS

    def file_states(self, environment: Environment) -> Iterator[FileState]:
        """Yield the states of all the files named like a transcript, by one look at each."""
        from recall_tui.transcripts.claude.subagents import each_state

        return each_state(environment.claude / "projects")

    def find_session(self, environment: Environment, session_id: str) -> list[TranscriptFile]:
        """Return every file of a session, oldest first; its name is known, so no folder of sessions is listed."""
        folders = list_folder(environment.claude / "projects")
        return self.list_files(filter(self.is_named, (folder / f"{session_id}.jsonl" for folder in folders)))

    def companions(self, path: Path) -> tuple[Path, ...]:
        """Return the transcripts of the session's sub-agents."""
        from recall_tui.transcripts.claude.subagents import subagent_files

        return subagent_files(path, transcript_stem(path))

    def each_companions(self, paths: Iterable[Path]) -> Iterator[tuple[Path, ...]]:
        """Yield the same for each path; a folder is listed once for those that lie in it."""
        from recall_tui.transcripts.claude.subagents import each_subagent_files

        return each_subagent_files(paths)

    def is_subagent_folder(self, folder: Path) -> bool:
        """Return True for the folder of a session's sub-agents."""
        return folder.name == "subagents"

    def is_record(self, record: Mapping[str, Any]) -> bool:
        """Return True for a record of Claude Code; its marks are so broad that other agents are asked before."""
        kind = record_type(record)
        if kind in ("user", "assistant"):
            return "message" in record or "uuid" in record or "sessionId" in record
        return kind in _TYPES

    def is_head(self, head: bytes) -> bool:
        """Return True if a first line that is cut off bears a mark of Claude Code."""
        return _LONG_LINE.search(head) is not None

    def retention(self, environment: Environment) -> Retention:
        """Return the days that its settings say, else those that it documents."""
        from recall_tui.transcripts.claude.project_folder import has_own_retention, retention_days

        return Retention(retention_days(environment), is_default=not has_own_retention(environment))

    def read(self, path: Path) -> Conversation | SkippedResult:
        """Return the session in a file with its sub-agents; skipped for a sub-agent's file and one without messages."""
        from recall_tui.domain import Conversation
        from recall_tui.transcripts.claude.messages import read_part
        from recall_tui.transcripts.claude.scan import SessionScan
        from recall_tui.transcripts.claude.subagents import subagent_files
        from recall_tui.transcripts.conversation_head import part_messages

        scan = SessionScan()
        scan.read_main(path)
        session_id = scan.facts.session_id(transcript_stem(path))
        if not scan.has_messages:
            is_aside = scan.has_sidechain
            return scan.reading.skipped(f"a sub-agent's transcript of session {session_id}" if is_aside else "")
        for file in subagent_files(path, session_id):
            scan.read_side(file)
        head = scan.head(path, self.agent, session_id)
        return Conversation(head, partial(part_messages, read_part, tuple(scan.parts)))
