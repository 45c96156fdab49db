"""The first pass over a transcript: what it holds, what in it counts, and what could not be read.

What is kept grows with the number of records (about 150 bytes each), never with their size.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from recall_tui.domain import ConversationHead
from recall_tui.errors import RecallError
from recall_tui.transcripts.claude.content_blocks import ClaudeMessageDraft, content_hash, message_drafts
from recall_tui.transcripts.claude.main_chain import RecordChain, record_key
from recall_tui.transcripts.claude.metadata import ConversationMetadata
from recall_tui.transcripts.claude.records import TranscriptRecord, parse_record
from recall_tui.transcripts.jsonl import numbered_lines
from recall_tui.transcripts.read_report import ReadReport


@dataclass(frozen=True, slots=True)
class TranscriptPart:
    """One file of a conversation, and which of its lines count."""

    path: Path
    last_line: int
    """The file may have grown since; later lines belong to the next reading."""
    dropped: frozenset[int]
    """Lines that repeat an earlier record."""
    left: frozenset[int]
    """Lines on branches that were rewound."""
    is_side: bool


class SessionScan:
    """What was found so far in the files of one session, the main one first."""

    def __init__(self) -> None:
        self.facts = ConversationMetadata()
        self.chain = RecordChain()
        self.parts: list[TranscriptPart] = []
        self.reading = ReadReport()
        self.has_messages = False
        self.has_sidechain = False
        self._prompts = array("l")
        self._replies = array("l")
        self._reply_ids: set[bytes] = set()
        self._queued: dict[str, int] = {}
        self._dropped: set[int] = set()

    def read_main(self, path: Path) -> None:
        """Read the session's own file."""
        last = 0
        for line in numbered_lines(path):
            record = self.reading.take(line, parse_record)
            last = last if line.problem else line.number
            if record is None:
                continue
            if record.is_sidechain:
                self._hear_aside(record, line.number, self._dropped)
            else:
                self._hear(record, line.number)
        self.parts.append(TranscriptPart(path, last, frozenset(self._dropped), self.chain.left_behind(), is_side=False))

    def read_side(self, path: Path) -> None:
        """Read the file of a sub-agent; one that cannot be read is a fault of the session."""
        dropped: set[int] = set()
        last = 0
        try:
            for line in numbered_lines(path):
                record = self.reading.take(line, parse_record, path.name)
                last = last if line.problem else line.number
                if record is not None:
                    self._hear_aside(record, line.number, dropped)
        except RecallError as error:
            self.reading.fault(0, error.message)
        self.parts.append(TranscriptPart(path, last, frozenset(dropped), frozenset(), is_side=True))

    def head(self, path: Path, agent: str, session_id: str) -> ConversationHead:
        """All that is known without the messages."""
        facts, main = self.facts, self.parts[0]
        passed_over = main.dropped | main.left
        return ConversationHead(
            session_id=session_id,
            agent=agent,
            source=path,
            started_at=facts.started_at,
            ended_at=facts.ended_at,
            title=facts.title(self.chain),
            cwd=facts.cwd,
            branch=facts.branch,
            model=facts.model,
            version=facts.version,
            prompts=sum(line not in passed_over for line in self._prompts),
            replies=sum(line not in passed_over for line in self._replies),
            tokens=facts.tokens,
            pull_requests=tuple(facts.pull_requests),
            side_files=tuple(part.path for part in self.parts[1:]),
            first_uuid=facts.first_uuid,
            last_uuid=facts.last_uuid,
            content_hash=self.reading.content_hash,
            fault_count=self.reading.fault_count,
            faults=tuple(self.reading.faults),
        )

    def _hear_aside(self, record: TranscriptRecord, line: int, dropped: set[int]) -> None:
        self.has_sidechain |= record.type in ("user", "assistant")
        self.facts.hear_aside(record)
        if record.uuid and not self.chain.note(record.uuid, content_hash(message_drafts(record))):
            dropped.add(line)

    def _hear(self, record: TranscriptRecord, line: int) -> None:
        if record.type in ("user", "assistant") and not (record.message and record.message.content):
            return  # a second record with its uuid may be whole
        found = message_drafts(record)
        prompt = next((piece for piece in found if piece.kind == "prompt"), None)
        is_prompt = record.type == "user" and bool(found) and all(piece.kind == "prompt" for piece in found)
        if record.uuid and not self.chain.add(record.uuid, record, line, is_prompt=is_prompt, said=content_hash(found)):
            self._dropped.add(line)
            return
        self.facts.hear(record)
        self.has_messages |= bool(found)
        if record.type == "assistant":
            self._queued.clear()
            self._hear_reply(record, found, line)
        elif prompt:
            self._hear_prompt(record, prompt.text, line)

    def _hear_prompt(self, record: TranscriptRecord, text: str, line: int) -> None:
        """A prompt that was queued and then came as a record of its own is counted once, as the latter."""
        self._prompts.append(line)
        if record.type == "attachment":
            self.facts.hear_time(record)
            self._queued[text] = line
            return
        if text in self._queued:
            self._dropped.add(self._queued[text])
        self._queued.clear()

    def _hear_reply(self, record: TranscriptRecord, found: Sequence[ClaudeMessageDraft], line: int) -> None:
        """A message of the agent counts by its first record that has text."""
        if not any(piece.kind == "reply" for piece in found):
            return
        id = (record.message.id if record.message else None) or record.uuid
        if id:
            key = record_key(id)
            if key in self._reply_ids:
                return
            self._reply_ids.add(key)
        self._replies.append(line)
