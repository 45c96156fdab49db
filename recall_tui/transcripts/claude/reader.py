"""Claude Code's transcripts: one JSON record a line, one file a session, its sub-agents' files beside it.

A file is read twice, once for the head and once at each call of `messages`, and held in memory never.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from recall_tui.domain import Conversation, SkippedResult
from recall_tui.environment import Environment
from recall_tui.transcripts.claude.subagents import subagent_files, transcript_stem
from recall_tui.transcripts.discovery import claude_transcripts
from recall_tui.transcripts.reader import TranscriptFile


class ClaudeReader:
    """The reader of Claude Code's transcripts."""

    agent = "claude"

    def claims(self, path: Path, head: bytes) -> bool:
        """Whether the first lines hold records of Claude Code."""
        from recall_tui.transcripts.format_detection import CLAUDE_CODE, detect_format

        return detect_format(path, head) == CLAUDE_CODE

    def read(self, path: Path) -> Conversation | SkippedResult:
        """The session in a file with its sub-agents; Skipped for a sub-agent's file and one without messages."""
        from recall_tui.transcripts.claude.messages import read_messages
        from recall_tui.transcripts.claude.scan import SessionScan

        scan = SessionScan()
        scan.read_main(path)
        session_id = scan.facts.session_id(transcript_stem(path))
        if not scan.has_messages:
            is_aside = scan.has_sidechain
            return scan.reading.skipped(f"a sub-agent's transcript of session {session_id}" if is_aside else "")
        for file in subagent_files(path, session_id):
            scan.read_side(file)
        head = scan.head(path, self.agent, session_id)
        return Conversation(head, partial(read_messages, tuple(scan.parts)))

    def discover(self, environment: Environment) -> Iterator[TranscriptFile]:
        """Every session under the projects of Claude Code's folder, oldest first."""
        return claude_transcripts(environment)
