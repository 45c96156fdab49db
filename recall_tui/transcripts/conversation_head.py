"""The head of a conversation made from its messages, for formats that tell no more than those.

What is counted is what `messages` yields, so that the two never differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from recall_tui.domain import Conversation, ConversationHead, Message, SkippedResult
from recall_tui.errors import RecallError
from recall_tui.transcripts.claude.main_chain import record_key

if TYPE_CHECKING:
    from recall_tui.transcripts.read_report import ReadReport


class HeadBuilder:
    """What the messages heard so far come to; those said with sub-agents are passed over."""

    def __init__(self) -> None:
        self.prompts = 0
        self.has_messages = False
        self.started_at: datetime | None = None
        self.ended_at: datetime | None = None
        self.first_uuid = ""
        self.last_uuid = ""
        self._reply_ids: set[bytes] = set()
        self._loose_replies = 0

    @property
    def replies(self) -> int:
        """Messages of the agent with text, each once."""
        return len(self._reply_ids) + self._loose_replies

    def hear(self, message: Message) -> None:
        """Count a message in; one that was left behind lends no more than its time and its uuid."""
        if message.is_sidechain:
            return
        self.has_messages = True
        self.first_uuid = self.first_uuid or message.uuid
        self.last_uuid = message.uuid or self.last_uuid
        if at := message.at:
            self.started_at = min(self.started_at or at, at)
            self.ended_at = max(self.ended_at or at, at)
        if message.is_off_chain:
            return
        if message.kind == "prompt":
            self.prompts += 1
        elif message.kind == "reply" and (id := message.message_id or message.uuid):
            self._reply_ids.add(record_key(id))
        elif message.kind == "reply":
            self._loose_replies += 1


@dataclass(frozen=True, slots=True)
class RecordMetadata:
    """What the records of a conversation tell beside its messages."""

    session_id: str
    title: str = ""
    cwd: str = ""
    branch: str = ""
    model: str = ""
    version: str = ""
    started_at: datetime | None = None
    """Stands when no message bears a time."""
    ended_at: datetime | None = None
    """The same."""
    tokens: int = 0
    side_files: tuple[Path, ...] = ()


def build_conversation(
    agent: str, path: Path, told: RecordMetadata, reading: ReadReport, messages: Callable[[], Iterator[Message]]
) -> Conversation | SkippedResult:
    """The conversation in the file at `path`, its messages read once for the head; Skipped when there are none."""
    tally = HeadBuilder()
    for message in messages():
        tally.hear(message)
    if not tally.has_messages:
        return reading.skipped()
    head = ConversationHead(
        session_id=told.session_id,
        agent=agent,
        source=path,
        started_at=tally.started_at or told.started_at,
        ended_at=tally.ended_at or told.ended_at or told.started_at,
        title=told.title,
        cwd=told.cwd,
        branch=told.branch,
        model=told.model,
        version=told.version,
        prompts=tally.prompts,
        replies=tally.replies,
        tokens=told.tokens,
        side_files=told.side_files,
        first_uuid=tally.first_uuid,
        last_uuid=tally.last_uuid,
        content_hash=reading.content_hash,
        fault_count=reading.fault_count,
        faults=tuple(reading.faults),
    )
    return Conversation(head, messages)


class _Part(Protocol):
    """A file of a session, or a stretch of one."""

    @property
    def is_side(self) -> bool:
        """It is a sub-agent's."""


_P = TypeVar("_P", bound=_Part)


def part_messages(read: Callable[[_P], Iterator[Message]], parts: Iterable[_P]) -> Iterator[Message]:
    """Yield the messages of a session's parts; a sub-agent's file that vanished meanwhile is passed over."""
    for part in parts:
        try:
            yield from read(part)
        except RecallError:
            if not part.is_side:
                raise
