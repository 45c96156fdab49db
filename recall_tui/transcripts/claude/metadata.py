"""What the records of a transcript tell about the conversation beside its words: title, folder, branch, model, times.

Only records of the main conversation are shown to it, each once, in the order of the file.
"""

from __future__ import annotations

from collections import Counter, deque
from datetime import UTC, datetime, timedelta

from recall_tui.transcripts.claude.main_chain import RecordChain, record_key
from recall_tui.transcripts.claude.records import TranscriptRecord, decode_value, sum_counts

_SYNTHETIC_MODEL = "<synthetic>"
"""The model of messages that Claude Code itself wrote, such as errors of the API."""
_USAGE = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
_MAX_SUMMARIES = 100
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MAX_MS = int((datetime(9999, 1, 1, tzinfo=UTC) - _EPOCH) / timedelta(milliseconds=1))
_VALID_YEARS = range(1970, 9999)
"""Dates outside are mistakes, and cannot be moved to another time zone without overflow."""


def record_time(record: TranscriptRecord) -> datetime | None:
    """When a record was written, with an offset; UTC when it names none."""
    return parse_record_time(record.timestamp)


def parse_record_time(timestamp: object) -> datetime | None:
    """A time as records write it, with an offset; UTC when it names none, None when it is no time."""
    try:
        at = datetime.fromisoformat(timestamp) if isinstance(timestamp, str) and timestamp else None
    except ValueError:
        return None
    if at is None or at.year not in _VALID_YEARS:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def parse_time_or_milliseconds(value: object) -> datetime | None:
    """A number of milliseconds, or a time as records write it; None for what is neither or cannot be meant."""
    if isinstance(value, int | float):
        return _EPOCH + timedelta(milliseconds=value) if 0 < value < _MAX_MS else None
    return parse_record_time(value)


class ConversationMetadata:
    """What has been told so far."""

    def __init__(self) -> None:
        self.cwd = ""
        self.branch = ""
        self.model = ""
        self.version = ""
        self.started_at: datetime | None = None
        self.ended_at: datetime | None = None
        self.first_uuid = ""
        self.last_uuid = ""
        self.pull_requests: dict[str, None] = {}
        self._tokens: dict[bytes, int] = {}
        self._sessions: Counter[str] = Counter()
        self._sessions_aside: Counter[str] = Counter()
        self._titles: dict[str, dict[str, str]] = {}
        self._summaries: deque[tuple[str, str]] = deque(maxlen=_MAX_SUMMARIES)

    @property
    def tokens(self) -> int:
        """Those of all requests; every record of an answer repeats them, the last one with all that was written."""
        return sum(self._tokens.values())

    def hear(self, record: TranscriptRecord) -> None:
        """Take in what a record of any type tells."""
        self.cwd = self.cwd or record.cwd or ""
        self.branch = record.git_branch or self.branch
        self.version = record.version or self.version
        is_message = record.type in ("user", "assistant")
        if record.session_id:
            (self._sessions if is_message else self._sessions_aside)[record.session_id] += 1
        if is_message:
            self._hear_message(record)
        else:
            self._hear_other(record)

    def hear_aside(self, record: TranscriptRecord) -> None:
        """Take in what a record of a sub-agent tells: no more than the session that it belongs to."""
        if record.session_id:
            self._sessions_aside[record.session_id] += 1

    def hear_time(self, record: TranscriptRecord) -> None:
        """Let the conversation reach to the time of a record."""
        at = record_time(record)
        if at is None:
            return
        if self.started_at is None or at < self.started_at:
            self.started_at = at
        if self.ended_at is None or at > self.ended_at:
            self.ended_at = at

    def session_id(self, stem: str) -> str:
        """The file's own name when a record bears it, else the id that most messages bear, else the name."""
        for ids in (self._sessions, self._sessions_aside):
            if stem in ids:
                return stem
        ids = self._sessions or self._sessions_aside
        most = max(ids.values(), default=0)
        return next((id for id in reversed(ids) if ids[id] == most), stem)

    def title(self, chain: RecordChain) -> str:
        """The person's title, else Claude Code's, else the last summary of one of this file's own records.

        A title under another session's id, and a summary of a record that is not here, are another session's: Claude
        Code writes them into the file of the session that comes next.
        """
        for name in ("custom-title", "ai-title", "agent-name"):
            found = self._titles.get(name, {})
            if title := next((found[session] for session in reversed(found) if self._is_own(session)), ""):
                return title
        own = [text for leaf, text in self._summaries if leaf and leaf in chain]
        texts = own or [text for leaf, text in self._summaries if not leaf]
        return texts[-1] if texts else ""

    def _is_own(self, session_id: str) -> bool:
        return not session_id or not self._sessions or session_id in self._sessions

    def _hear_message(self, record: TranscriptRecord) -> None:
        self.hear_time(record)
        if record.uuid:
            self.first_uuid = self.first_uuid or record.uuid
            self.last_uuid = record.uuid
        model = record.message.model if record.message else None
        if model and model != _SYNTHETIC_MODEL:
            self.model = model
        if record.type == "assistant" and record.message and (id := record.message.id or record.uuid):
            self._tokens[record_key(id)] = sum_counts(decode_value(record.message.usage), *_USAGE)

    def _hear_other(self, record: TranscriptRecord) -> None:
        title = {
            "custom-title": record.custom_title,
            "ai-title": record.ai_title,
            "agent-name": record.agent_name,
        }.get(record.type or "")
        if title and title.strip():
            titles = self._titles.setdefault(record.type or "", {})
            titles.pop(record.session_id or "", None)
            titles[record.session_id or ""] = " ".join(title.split())
            if len(titles) > _MAX_SUMMARIES:
                del titles[next(iter(titles))]
        if record.type == "summary" and record.summary and record.summary.strip():
            self._summaries.append((record.leaf_uuid or "", " ".join(record.summary.split())))
        if record.type == "pr-link":
            link = record.pr_url or (f"{record.pr_repository or ''}#{record.pr_number}" if record.pr_number else "")
            if link:
                self.pull_requests[link] = None
