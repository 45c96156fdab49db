"""Gemini CLI's transcripts: one chat a file, as a single JSON object or as one JSON record a line.

A chat of records is held in memory never; a single object is, while it is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.domain import Conversation, Message, SkippedResult
from recall_tui.environment import Environment
from recall_tui.errors import RecallError
from recall_tui.transcripts.claude.subagents import transcript_stem
from recall_tui.transcripts.discovery import CHATS_FOLDER, gemini_transcripts, project_root
from recall_tui.transcripts.reader import TranscriptFile

if TYPE_CHECKING:
    from recall_tui.transcripts.gemini.scan import GeminiScan, GeminiSession
    from recall_tui.transcripts.read_report import ReadReport


class GeminiReader:
    """The reader of Gemini CLI's transcripts."""

    agent = "gemini"

    def claims(self, path: Path, head: bytes) -> bool:
        """Whether the first bytes are those of a chat of Gemini CLI."""
        from recall_tui.transcripts.format_detection import GEMINI, detect_format

        return detect_format(path, head) == GEMINI

    def read(self, path: Path) -> Conversation | SkippedResult:
        """The session in a chat with its sub-agents; Skipped for a sub-agent's chat and one without messages."""
        from recall_tui.transcripts.claude.metadata import parse_record_time
        from recall_tui.transcripts.conversation_head import RecordMetadata, build_conversation
        from recall_tui.transcripts.gemini.scan import GeminiScan
        from recall_tui.transcripts.read_report import ReadReport

        reading = ReadReport()
        own = GeminiScan(path, reading)
        if own.meta.get("kind") == "subagent":
            parent = "" if path.parent.name == CHATS_FOLDER else f" of session {path.parent.name}"
            return SkippedResult(f"a sub-agent's transcript{parent}")
        session_id = own.session_id or transcript_stem(path)
        side = list(_subagent_chats(path.parent, own.session_id, reading))
        told = RecordMetadata(
            session_id=session_id,
            title=" ".join(own.meta.get("summary", "").split()),
            cwd=project_root(path.parent.parent),
            model=own.model,
            started_at=parse_record_time(own.meta.get("startTime")),
            side_files=tuple(one.path for one in side),
        )
        chats = tuple(one.chat(one.session_id or transcript_stem(one.path)) for one in side)
        messages = partial(read_messages, (own.chat(session_id), *chats))
        return build_conversation(self.agent, path, told, reading, messages)

    def discover(self, environment: Environment) -> Iterator[TranscriptFile]:
        """Every chat in Gemini CLI's folder, oldest first."""
        return gemini_transcripts(environment)


def read_messages(chats: Sequence[GeminiSession]) -> Iterator[Message]:
    """Yield the messages of a session's chats; a sub-agent's chat that vanished meanwhile is passed over."""
    for chat in chats:
        try:
            yield from _file_messages(chat)
        except RecallError:
            if not chat.is_side:
                raise


def _file_messages(chat: GeminiSession) -> Iterator[Message]:
    from recall_tui.transcripts.claude.metadata import parse_record_time
    from recall_tui.transcripts.claude.records import first_text
    from recall_tui.transcripts.gemini.records import message_drafts
    from recall_tui.transcripts.gemini.scan import messages_in_record, reread_records, session_of_record

    session = chat.session_id
    for line, record in reread_records(chat.path, chat.last):
        session = session_of_record(record) or session
        for recorded in messages_in_record(record, line):
            if recorded.place not in chat.counted:
                continue
            at, uuid = parse_record_time(first_text(recorded.message, "timestamp")), f"{session}:{recorded.key}"
            for utterance in message_drafts(recorded.message):
                yield Message(
                    kind=utterance.kind,
                    text=utterance.text,
                    at=at,
                    uuid=uuid,
                    message_id=uuid,
                    tool=utterance.tool,
                    is_error=utterance.is_error,
                    is_sidechain=chat.is_aside(session),
                    is_off_chain=recorded.place in chat.left,
                    line=recorded.line,
                )


def _subagent_chats(chats: Path, session_id: str, reading: ReadReport) -> Iterator[GeminiScan]:
    """The chats of the session's sub-agents, in the folder that bears its id; an id that leads elsewhere has none."""
    from recall_tui.transcripts.gemini.scan import GeminiScan

    folder = chats / session_id
    if not session_id or "\0" in session_id or session_id == ".." or folder.name != session_id:
        return
    try:
        paths = sorted(folder.glob("*.json*"))
    except OSError:  # Such as an id that is too long for a name.
        return
    for path in paths:
        if path.suffix not in (".json", ".jsonl") or not path.is_file():
            continue
        try:
            yield GeminiScan(path, reading, is_side=True)
        except RecallError as error:
            reading.fault(0, error.message)
