"""What the records of a Qwen Code chat say: messages of parts, and notes of the program itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from recall_tui.transcripts.claude.metadata import parse_record_time
from recall_tui.transcripts.claude.records import first_text, sum_counts
from recall_tui.transcripts.gemini.records import function_answer, list_objects, parts_text, strip_attached
from recall_tui.transcripts.message_blocks import call_draft, user_drafts
from recall_tui.transcripts.reader import MessageDraft
from recall_tui.transcripts.record_log import LogEntry, LogScan

_TYPED_LATER = "mid_turn_user_message"
"""What a person typed while the agent was at work."""
_FAILURE_STATES = frozenset({"error", "cancelled", "canceled"})


class QwenScan(LogScan):
    """What was found in a chat, or in the log of a sub-agent."""

    is_tree = True
    _has_own_id = False

    @staticmethod
    def parse(record: Mapping[str, Any]) -> LogEntry:
        """Return what a record says."""
        parent = record.get("parentUuid", "")
        return LogEntry(
            list(_drafts(record)),
            parse_record_time(record.get("timestamp")),
            first_text(record, "uuid"),
            parent if isinstance(parent, str) else None,
            is_side=record.get("isSidechain") is True,
        )

    def hear(self, record: Mapping[str, Any], entry: LogEntry, line: int) -> None:
        """Take in id, folder, branch, version, model, tokens and title."""
        self.note_session(first_text(record, "sessionId"))
        self.cwd = self.cwd or first_text(record, "cwd")
        self.branch = first_text(record, "gitBranch") or self.branch
        self.version = first_text(record, "version") or self.version
        self.model = first_text(record, "model") or self.model
        self.tokens += sum_counts(record.get("usageMetadata"), "promptTokenCount", "candidatesTokenCount")
        if first_text(record, "subtype") == "custom_title":
            self.title = first_text(record.get("systemPayload"), "customTitle") or self.title


def _drafts(record: Mapping[str, Any]) -> Iterator[MessageDraft]:
    message = record.get("message")
    parts = list_objects(message.get("parts")) if isinstance(message, dict) else []
    match first_text(record, "type"):
        case "user" if _is_persons(record):
            yield from user_drafts(strip_attached(parts_text(parts)))
        case "assistant":
            for part in parts:
                yield from _agent_drafts(part)
        case "tool_result":
            for part in parts:
                yield from _answer_drafts(part, record.get("toolCallResult"))
        case "system" if first_text(record, "subtype") == "chat_compression":
            yield from _summary_drafts(record.get("systemPayload"))


def _is_persons(record: Mapping[str, Any]) -> bool:
    """Whether a record of type `user` is a person's, or in a sub-agent's log the agent's; notices have a subtype."""
    subtype = first_text(record, "subtype")
    return subtype == _TYPED_LATER or (not subtype and first_text(record, "provenance") in ("", "real_user"))


def _agent_drafts(part: Mapping[str, Any]) -> Iterator[MessageDraft]:
    call = part.get("functionCall")
    if isinstance(call, dict):
        yield call_draft(call, "args")
    elif (text := parts_text(part)).strip():
        yield MessageDraft("thought" if part.get("thought") is True else "reply", text)


def _answer_drafts(part: Mapping[str, Any], told: Any) -> Iterator[MessageDraft]:
    function = part.get("functionResponse")
    if not isinstance(function, dict):
        return
    response = function.get("response")
    is_error = first_text(told, "status") in _FAILURE_STATES or bool(
        isinstance(response, dict) and response.get("error")
    )
    yield MessageDraft("tool_result", function_answer(part), answers=first_text(function, "id"), is_error=is_error)


def _summary_drafts(payload: Any) -> Iterator[MessageDraft]:
    """The summary that begins the history after it was compressed."""
    history = list_objects(payload.get("compressedHistory")) if isinstance(payload, dict) else []
    text = first_text(payload, "summary") or (parts_text(history[0].get("parts")) if history else "")
    if text.strip():
        yield MessageDraft("compact_summary", text)
