"""What the events of a Kimi Code log say.

Everything is logged twice, for the model's context and for the screen; only the events of the context are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from recall_tui.transcripts.claude.metadata import parse_time_or_milliseconds
from recall_tui.transcripts.claude.records import first_text, sum_counts
from recall_tui.transcripts.message_blocks import block_texts, call_draft, user_drafts
from recall_tui.transcripts.read_report import ReadReport
from recall_tui.transcripts.reader import MessageDraft, record_type
from recall_tui.transcripts.record_log import LogEntry, LogScan
from recall_tui.transcripts.tool_calls import result_content_text

_MAX_PROTOCOL = 1
"""The newest protocol that is known, without its minor number."""
_USAGE = ("inputOther", "output", "inputCacheRead", "inputCacheCreation")
_PERSONS = frozenset({"user", "shell_command"})
"""Origins of what a person typed."""
_CALLER = ("system_trigger", "subagent")
"""Kind and name of the origin of what a sub-agent is told by the agent that called it."""


class KimiScan(LogScan):
    """What was found in the log of an agent."""

    def __init__(self, path: Path, reading: ReadReport, session_id: str, *, is_side: bool = False) -> None:
        super().__init__(path, reading, session_id, is_side=is_side)
        self._turns: list[int] = []
        """Lines of the prompts that can still be taken back."""

    @staticmethod
    def parse(record: Mapping[str, Any]) -> LogEntry:
        """Return what an event says."""
        event = record.get("event")
        own = event if isinstance(event, dict) else record.get("message")
        id = first_text(own, "uuid", "parentUuid", "id") or record_type(record)
        time = record.get("time")
        drafts = list(_drafts(record))
        key = f"{time}:{first_text(record, 'agentId')}:{id}:{first_text(event, 'type')}" if drafts else ""
        at = parse_time_or_milliseconds(time)
        return LogEntry(drafts, at, key, message_id=first_text(event, "stepUuid"))

    def opens_file(self, record: Mapping[str, Any]) -> bool:
        """Return True for the event that begins each log."""
        return record_type(record) == "metadata"

    def hear(self, record: Mapping[str, Any], entry: LogEntry, line: int) -> None:
        """Take in form, folder, model and tokens, and what of the context was taken back."""
        match record_type(record):
            case "metadata":
                self.started_at = parse_time_or_milliseconds(record.get("created_at"))
                major = first_text(record, "protocol_version").partition(".")[0]
                self.expect_version(int(major) if major.isascii() and major.isdecimal() else 0, _MAX_PROTOCOL)
            case "profile.bind":
                self.cwd = self.cwd or first_text(record.get("environmentDisclosure"), "cwd")
            case "config.update":
                self.cwd = self.cwd or first_text(record, "cwd")
            case "llm.request":
                self.model = first_text(record, "model") or self.model
            case "usage.record":
                self.tokens += sum_counts(record.get("usage"), *_USAGE)
            case "turn.steer":
                self.announce(_prompt_of(entry), line)
            case "context.append_message" if prompt := _prompt_of(entry):
                self.say(prompt)
                self._turns.append(line)
            case "context.clear" | "context.apply_compaction":
                self._turns.clear()
            case "context.undo":
                self._take_back(record.get("count"), line)
            case "" if first_text(record.get("message"), "type"):
                self.refusal = "a log of kimi-cli, an older form that is not read"

    def _take_back(self, count: object, line: int) -> None:
        if isinstance(count, int) and 0 < count <= len(self._turns):
            self.left.update(range(self._turns[-count], line))
            del self._turns[-count:]


def _prompt_of(entry: LogEntry) -> str:
    return next((draft.text for draft in entry.drafts if draft.kind == "prompt"), "")


def _drafts(record: Mapping[str, Any]) -> Iterator[MessageDraft]:
    match record_type(record):
        case "context.append_message":
            message = record.get("message")
            yield from _message_drafts(message) if isinstance(message, dict) else ()
        case "turn.steer" if _origin(record) in _PERSONS:
            yield from user_drafts(record.get("input"))
        case "context.append_loop_event":
            event = record.get("event")
            yield from _event_drafts(event) if isinstance(event, dict) else ()
        case "context.apply_compaction":
            yield from _summary_drafts(first_text(record, "summary"))


def _message_drafts(message: Mapping[str, Any]) -> Iterator[MessageDraft]:
    origin = _origin(message)
    if origin in _PERSONS or (origin, first_text(message.get("origin"), "name")) == _CALLER:
        yield from user_drafts(message.get("content"))
    elif origin == "compaction_summary":
        yield from _summary_drafts("\n\n".join(block_texts(message.get("content"))))


def _origin(record: Mapping[str, Any]) -> str:
    return first_text(record.get("origin"), "kind")


def _summary_drafts(text: str) -> Iterator[MessageDraft]:
    if text.strip():
        yield MessageDraft("compact_summary", text)


def _event_drafts(event: Mapping[str, Any]) -> Iterator[MessageDraft]:
    match event.get("type"):
        case "content.part":
            part = event.get("part")
            if (text := first_text(part, "text")).strip():
                yield MessageDraft("reply", text)
            elif (thought := first_text(part, "think")).strip():
                yield MessageDraft("thought", thought)
        case "tool.call":
            yield call_draft({**event, "id": first_text(event, "toolCallId")}, "args")
        case "tool.result":
            result = event.get("result")
            answer = result.get("output") if isinstance(result, dict) else result
            is_error = isinstance(result, dict) and result.get("isError") is True
            text = result_content_text(answer)
            yield MessageDraft("tool_result", text, answers=first_text(event, "toolCallId"), is_error=is_error)
