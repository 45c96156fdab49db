"""Cline's sessions: a folder for each, with its messages as one JSON file, and a header beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recall_tui.domain import Conversation, SkippedResult
from recall_tui.environment import Environment, agent_folder
from recall_tui.errors import RecallError
from recall_tui.transcripts.discovery import list_folder
from recall_tui.transcripts.folder_reader import FolderReader, Listing

if TYPE_CHECKING:
    from recall_tui.transcripts.read_report import ReadReport

_SUFFIX = ".messages.json"
_OPENING = re.compile(rb'\A\s*\{\s*"version"\s*:\s*\d+\s*,\s*"updated_at"\s*:')


class ClineReader(FolderReader):
    """The reader of `<sessions>/<id>/<id>.messages.json`."""

    agent = "cline"
    label = "Cline"

    def folders(self, environment: Environment) -> tuple[Path, ...]:
        """Return the folder of the sessions."""
        return (agent_folder(environment, "cline"),)

    def list_paths(self, environment: Environment, listing: Listing) -> Iterator[Path]:
        """Yield the paths named like the messages of a session, those of sub-agents left out."""
        for folder in list_folder(agent_folder(environment, "cline")):
            yield from filter(self.is_named, listing(folder))

    def is_named(self, path: Path) -> bool:
        """Return True for the messages in the folder of their session."""
        return path.name == f"{path.parent.name}{_SUFFIX}"

    def session_id(self, path: Path) -> str:
        """Return the id in the file's name."""
        return path.name.removesuffix(_SUFFIX)

    def is_record(self, record: Mapping[str, Any]) -> bool:
        """Return True for messages on a single line."""
        return "sessionId" in record and "updated_at" in record and isinstance(record.get("messages"), list)

    def is_head(self, head: bytes) -> bool:
        """Return True for the start of messages on several lines, or on one that is too long to be looked at."""
        return _OPENING.match(head) is not None and b'"sessionId"' in head and b'"messages"' in head

    def companions(self, path: Path) -> tuple[Path, ...]:
        """Return the session's header, and the messages of its sub-agents."""
        if not self.is_named(path):
            return ()
        others = [one for one in list_folder(path.parent) if one.name.endswith(_SUFFIX) and one.name != path.name]
        return (_header_path(path), *others)

    def resume_arguments(self, session_id: str) -> tuple[str, ...]:
        """Return the words of `--id`."""
        return ("--id", session_id)

    def read_folder(self, path: Path) -> str:
        """Return the folder that the header names."""
        from recall_tui.transcripts.whole_file import read_objects

        try:
            return next(filter(None, map(self.folder_in_record, read_objects(_header_path(path)))), "")
        except RecallError:
            return ""

    def read(self, path: Path) -> Conversation | SkippedResult:
        """Return the conversation with its sub-agents; Skipped for one without messages.

        Raises BrokenFileError when the messages are not whole.
        """
        from recall_tui.transcripts.claude.metadata import parse_record_time
        from recall_tui.transcripts.claude.records import first_text
        from recall_tui.transcripts.cline.messages import last_model, read_messages, used_tokens
        from recall_tui.transcripts.conversation_head import RecordMetadata, build_conversation
        from recall_tui.transcripts.read_report import ReadReport
        from recall_tui.transcripts.whole_file import read_objects

        reading = ReadReport()
        found = read_objects(path, reading)
        side_files = tuple(one for one in self.companions(path) if one.is_file())
        for one in side_files:
            found += _read_side(one, reading)
        own, *others = found
        header = next((one for one in others if "messages" not in one), {})
        sides = [one for one in others if "messages" in one]
        metadata = header.get("metadata")
        told = RecordMetadata(
            session_id=first_text(own, "sessionId") or self.session_id(path),
            title=" ".join(first_text(metadata, "title").split()),
            cwd=first_text(header, "cwd"),
            model=last_model(own) or first_text(header, "model"),
            version=first_text(own.get("origin"), "version"),
            started_at=parse_record_time(header.get("started_at")),
            tokens=used_tokens(own),
            side_files=side_files,
        )
        return build_conversation(self.agent, path, told, reading, partial(read_messages, own, sides))


def _header_path(path: Path) -> Path:
    return path.with_name(f"{path.name.removesuffix(_SUFFIX)}.json")


def _read_side(path: Path, reading: ReadReport) -> list[Mapping[str, Any]]:
    from recall_tui.transcripts.whole_file import read_objects

    try:
        return read_objects(path, reading)
    except RecallError as error:
        reading.fault(0, error.message)
        return []
