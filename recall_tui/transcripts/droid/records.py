"""What the records of a Droid session say: a first one for the session, then messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from recall_tui.transcripts.claude.metadata import parse_record_time
from recall_tui.transcripts.claude.records import first_text
from recall_tui.transcripts.message_blocks import agent_drafts, user_drafts
from recall_tui.transcripts.reader import MessageDraft, record_type
from recall_tui.transcripts.record_log import LogEntry, LogScan

_MAX_VERSION = 2
"""The newest form of the files that is known."""


class DroidScan(LogScan):
    """What was found in the file of a session, or of a sub-agent."""

    @staticmethod
    def parse(record: Mapping[str, Any]) -> LogEntry:
        """Return what a record says."""
        id = first_text(record, "id") if record_type(record) != "session_start" else ""
        at = parse_record_time(record.get("timestamp"))
        return LogEntry(list(_drafts(record)), at, id, first_text(record, "parentId"))

    def opens_file(self, record: Mapping[str, Any]) -> bool:
        """Return True for the record that begins each session."""
        return record_type(record) == "session_start"

    def hear(self, record: Mapping[str, Any], entry: LogEntry, line: int) -> None:
        """Take in id, title, folder, caller and form of the session, and the model of its messages."""
        if record_type(record) == "session_start":
            self.note_session(first_text(record, "id"))
            self.title = first_text(record, "sessionTitle", "title")
            self.cwd = first_text(record, "cwd")
            self.parent = first_text(record, "callingSessionId")
            self.expect_version(record.get("version"), _MAX_VERSION)
        self.model = first_text(record.get("message"), "modelId") or self.model


def _drafts(record: Mapping[str, Any]) -> Iterator[MessageDraft]:
    if record_type(record) == "compaction_state":
        if summary := first_text(record, "summaryText").strip():
            yield MessageDraft("compact_summary", summary)
        return
    message = record.get("message")
    if record_type(record) != "message" or not isinstance(message, dict):
        return
    if "llm_only" in (message.get("visibility"), record.get("visibility")):
        return
    match message.get("role"):
        case "assistant":
            yield from agent_drafts(message.get("content"))
        case "user":
            yield from user_drafts(message.get("content"))
