"""What the entries of a pi session say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from recall_tui.transcripts.claude.metadata import parse_record_time
from recall_tui.transcripts.claude.records import first_text, sum_counts
from recall_tui.transcripts.message_blocks import agent_drafts, user_drafts
from recall_tui.transcripts.read_report import ReadReport
from recall_tui.transcripts.reader import MessageDraft, record_type
from recall_tui.transcripts.record_log import LogEntry, LogScan
from recall_tui.transcripts.tool_calls import result_content_text

_MAX_VERSION = 3
"""The newest form of the files that is known; the first has no ids, and one entry follows the other."""
_USAGE = ("input", "output", "cacheRead", "cacheWrite")
_SUMMARIES = frozenset({"compaction", "branch_summary", "compactionSummary", "branchSummary"})


class PiScan(LogScan):
    """What was found in the file of a session."""

    is_tree = True

    def __init__(self, path: Path, reading: ReadReport, session_id: str) -> None:
        super().__init__(path, reading, session_id)
        self._forked_at: datetime | None = None

    @staticmethod
    def parse(record: Mapping[str, Any]) -> LogEntry:
        """Return what an entry says."""
        at = parse_record_time(record.get("timestamp"))
        if record_type(record) == "session":
            return LogEntry((), at)
        parent = record.get("parentId", "")
        return LogEntry(
            list(_drafts(record)), at, first_text(record, "id"), parent if isinstance(parent, str) else None
        )

    def hear(self, record: Mapping[str, Any], entry: LogEntry, line: int) -> None:
        """Take in id, folder, time, title and model; what a fork repeats is the session's that it was forked from."""
        match record_type(record):
            case "session":
                self.note_session(first_text(record, "id"))
                self.cwd = first_text(record, "cwd")
                self.started_at = entry.at
                self._forked_at = entry.at if first_text(record, "parentSession") else None
                self.expect_version(record.get("version"), _MAX_VERSION)
            case "session_info":
                self.title = first_text(record, "name") or self.title
            case "message":
                self._hear_message(record.get("message"), entry.at)
        if entry.at and self._forked_at and entry.at < self._forked_at:
            self.drop(line)

    def _hear_message(self, message: object, at: datetime | None) -> None:
        self.model = first_text(message, "model") or self.model
        is_own = not (at and self._forked_at and at < self._forked_at)
        if is_own and isinstance(message, dict):
            self.tokens += sum_counts(message.get("usage"), *_USAGE)


def _drafts(record: Mapping[str, Any]) -> Iterator[MessageDraft]:
    message = record if record_type(record) in _SUMMARIES else record.get("message")
    if not isinstance(message, dict) or record_type(record) not in (*_SUMMARIES, "message"):
        return
    content = message.get("content")
    match first_text(message, "role") or record_type(record):
        case "user":
            yield from user_drafts(content)
        case "assistant":
            yield from agent_drafts(content)
        case "toolResult":
            is_error = message.get("isError") is True
            answers = first_text(message, "toolCallId")
            yield MessageDraft("tool_result", result_content_text(content), answers=answers, is_error=is_error)
        case "bashExecution" if command := first_text(message, "command").strip():
            yield MessageDraft("command", f"!{command}")
            yield MessageDraft("tool_result", result_content_text(message.get("output")))
        case kind if kind in _SUMMARIES and (summary := first_text(message, "summary").strip()):
            yield MessageDraft("compact_summary", summary)
