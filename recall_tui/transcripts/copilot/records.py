"""What the events of a Copilot CLI log say; most of them tell how a turn goes, and repeat what is said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from recall_tui.domain import MessageKind
from recall_tui.transcripts.claude.metadata import parse_record_time
from recall_tui.transcripts.claude.records import first_text, sum_counts
from recall_tui.transcripts.gemini.records import list_objects
from recall_tui.transcripts.message_blocks import call_draft, user_drafts
from recall_tui.transcripts.reader import MessageDraft, record_type
from recall_tui.transcripts.record_log import NO_ENTRY, LogEntry, LogScan
from recall_tui.transcripts.tool_calls import result_content_text

_MAX_VERSION = 1
"""The newest form of the logs that is known."""
_SPEAKERS = ("user", "agent-")
"""Sources of a prompt that a person or another agent wrote; others, such as `skill-pdf`, are the program's."""


class CopilotScan(LogScan):
    """What was found in the log of a session."""

    @staticmethod
    def parse(record: Mapping[str, Any]) -> LogEntry:
        """Return what an event says."""
        data = record.get("data")
        if not isinstance(data, dict):
            return NO_ENTRY
        return LogEntry(
            list(_drafts(record_type(record), data)),
            parse_record_time(record.get("timestamp")),
            first_text(record, "id"),
            message_id=first_text(data, "messageId"),
            is_side=bool(first_text(record, "agentId")),
        )

    def hear(self, record: Mapping[str, Any], entry: LogEntry, line: int) -> None:
        """Take in id, version, model, tokens, folder and branch; a thought that its message says again counts once."""
        data = record.get("data")
        if not isinstance(data, dict):
            return
        match record_type(record):
            case "session.start":
                self.note_session(first_text(data, "sessionId"))
                self.version = first_text(data, "copilotVersion")
                self.started_at = parse_record_time(data.get("startTime"))
                self.model = first_text(data, "selectedModel")
                self.expect_version(data.get("version"), _MAX_VERSION)
                self._hear_context(data.get("context"))
            case "session.resume":
                self._hear_context(data.get("context"))
            case "session.context_changed":
                self._hear_context(data)
            case "session.model_change":
                self.model = first_text(data, "newModel") or self.model
            case "assistant.reasoning":
                self.announce(first_text(data, "content"), line)
            case "assistant.message":
                self.model = first_text(data, "model") or self.model
                self.say(first_text(data, "reasoningText"))

            case "session.usage_record":
                self.tokens += sum_counts(data.get("usage"), "inputTokens", "outputTokens")

    def _hear_context(self, context: object) -> None:
        self.cwd = self.cwd or first_text(context, "cwd")
        self.branch = first_text(context, "branch") or self.branch


def _drafts(kind: str, data: Mapping[str, Any]) -> Iterator[MessageDraft]:
    match kind:
        case "user.message":
            if first_text(data, "source").startswith(_SPEAKERS) or not data.get("source"):
                yield from user_drafts(first_text(data, "content"))
        case "assistant.reasoning":
            yield from _spoken_draft("thought", first_text(data, "content"))
        case "assistant.message":
            yield from _spoken_draft("thought", first_text(data, "reasoningText"))
            yield from _spoken_draft("reply", first_text(data, "content"))
            for request in list_objects(data.get("toolRequests")):
                yield call_draft(request, "arguments")
        case "tool.execution_complete":
            result, error = data.get("result"), data.get("error")
            answer = result.get("content") if isinstance(result, dict) else result
            text = result_content_text(answer) or first_text(error, "message") or result_content_text(error)
            is_error = data.get("success") is False
            yield MessageDraft("tool_result", text, answers=first_text(data, "toolCallId"), is_error=is_error)
        case "session.compaction_complete":
            yield from _spoken_draft("compact_summary", first_text(data, "summaryContent", "summary"))


def _spoken_draft(kind: MessageKind, text: str) -> Iterator[MessageDraft]:
    if text.strip():
        yield MessageDraft(kind, text)
