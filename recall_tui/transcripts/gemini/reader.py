"""Gemini CLI's transcripts: one chat a file, as a single JSON object or as one JSON record a line.

A chat of records is held in memory never; a single object is, while it is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recall_tui import files
from recall_tui.environment import Environment
from recall_tui.errors import RecallError
from recall_tui.transcripts.discovery import list_folder, transcript_stem
from recall_tui.transcripts.folder_reader import FolderReader, Listing
from recall_tui.transcripts.reader import Retention, record_type

if TYPE_CHECKING:
    from recall_tui.domain import Conversation, Message, SkippedResult
    from recall_tui.transcripts.gemini.scan import GeminiScan, GeminiSession
    from recall_tui.transcripts.read_report import ReadReport


_CHATS_FOLDER = "chats"
"""The folder of a project's chats."""
_NAME = re.compile(r"session-.+\.jsonl?")
_SESSION = re.compile(rb'"sessionId"\s*:\s*"([^"\\]+)"')
_ID_CHARS = 8
"""Characters of a session's id in the name of its chat."""
_PEEK_BYTES = 4096
_MAX_PATH_BYTES = 4096
_OBJECT = re.compile(rb'\A\s*\{\s*"sessionId"\s*:.*"(?:projectHash|messages)"\s*:', re.DOTALL)


class GeminiReader(FolderReader):
    """The reader of Gemini CLI's chats, `<gemini>/tmp/*/chats/session-*.json` or `.jsonl`.

    It keeps every session, so chats in which this program asked it are left out; they run in the state folder.
    """

    agent = "gemini"
    label = "Gemini CLI"

    def folders(self, environment: Environment) -> tuple[Path, ...]:
        """Return the folder of the projects."""
        return (environment.gemini / "tmp",)

    def list_paths(self, environment: Environment, listing: Listing) -> Iterator[Path]:
        """Yield the paths named like a chat."""
        for project in list_folder(environment.gemini / "tmp"):
            if not _is_own_project(project, environment):
                yield from filter(self.is_named, listing(project / _CHATS_FOLDER))

    def is_named(self, path: Path) -> bool:
        """Return True for `session-*.json` and `session-*.jsonl`."""
        return _NAME.fullmatch(path.name) is not None

    def session_id(self, path: Path) -> str:
        """Return the id in the first bytes of the chat, as the name has only the start of it."""
        try:
            with files.open_file(path, files.MAX_TRANSCRIPT_BYTES) as file:
                named = _SESSION.search(file.read(_PEEK_BYTES))
        except OSError:
            named = None
        return named[1].decode("utf-8", "replace") if named else path.stem

    def id_in_name(self, session_id: str) -> str:
        """Return the start of the id."""
        return session_id[:_ID_CHARS]

    def is_own_call(self, path: Path, environment: Environment) -> bool:
        """Return True if the chat lies in the project of a folder in which this program asks models."""
        return path.parent.name == _CHATS_FOLDER and _is_own_project(path.parent.parent, environment)

    def is_subagent_folder(self, folder: Path) -> bool:
        """Return True for a session's folder beside chats; it has the chats of its sub-agents."""
        chats = folder.parent
        return chats.name == _CHATS_FOLDER and any(map(self.is_named, list_folder(chats)))

    def is_record(self, record: Mapping[str, Any]) -> bool:
        """Return True for a record of Gemini CLI."""
        is_opening = "sessionId" in record and ("projectHash" in record or "$set" in record)
        return is_opening or record_type(record) == "gemini" or "$rewindTo" in record

    def is_head(self, head: bytes) -> bool:
        """Return True for the start of a chat that is a single JSON object."""
        # Continue's sessions begin so, too.
        return _OBJECT.match(head) is not None and b'"workspaceDirectory"' not in head[:_PEEK_BYTES]

    def read_folder(self, path: Path) -> str:
        """Return the project's folder, which the chat itself does not tell."""
        return project_root(path.parent.parent)

    def retention(self, environment: Environment) -> Retention:
        """Return the days that its settings say, else those that it documents."""
        from recall_tui.transcripts.gemini.retention import gemini_retention

        days, is_default = gemini_retention(environment)
        return Retention(days, is_default)

    def read(self, path: Path) -> Conversation | SkippedResult:
        """The session in a chat with its sub-agents; Skipped for a sub-agent's chat and one without messages."""
        from recall_tui.transcripts.claude.metadata import parse_record_time
        from recall_tui.transcripts.conversation_head import RecordMetadata, build_conversation, part_messages
        from recall_tui.transcripts.gemini.scan import GeminiScan
        from recall_tui.transcripts.read_report import ReadReport

        reading = ReadReport()
        own = GeminiScan(path, reading)
        if own.meta.get("kind") == "subagent":
            parent = "" if path.parent.name == _CHATS_FOLDER else f" of session {path.parent.name}"
            from recall_tui.domain import SkippedResult

            return SkippedResult(f"a sub-agent's transcript{parent}")
        session_id = own.session_id or transcript_stem(path)
        side = list(_subagent_chats(path.parent, own.session_id, reading))
        told = RecordMetadata(
            session_id=session_id,
            title=" ".join(own.meta.get("summary", "").split()),
            cwd=project_root(path.parent.parent),
            model=own.model,
            tokens=own.tokens,
            started_at=parse_record_time(own.meta.get("startTime")),
            side_files=tuple(one.path for one in side),
        )
        chats = tuple(one.chat(one.session_id or transcript_stem(one.path)) for one in side)
        messages = partial(part_messages, _file_messages, (own.chat(session_id), *chats))
        return build_conversation(self.agent, path, told, reading, messages)


def project_root(project: Path) -> str:
    """Return the folder that was worked in, as newer versions of Gemini CLI note it beside the folder of chats."""
    noted = project / ".project_root"
    try:
        # Anything but a regular file, such as a pipe, might never end.
        root = (
            files.read_file(noted)[:_MAX_PATH_BYTES].decode("utf-8", "surrogateescape").strip()
            if noted.is_file()
            else ""
        )
    except OSError:
        return ""
    return root if Path(root).is_absolute() else ""


def _is_own_project(project: Path, environment: Environment) -> bool:
    root = project_root(project)
    return bool(root) and Path(root).is_relative_to(environment.state.resolve())


def _file_messages(chat: GeminiSession) -> Iterator[Message]:
    from recall_tui.domain import Message
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
