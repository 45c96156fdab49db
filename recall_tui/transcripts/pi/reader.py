"""pi's transcripts: one entry a line, a tree of them for each session."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from recall_tui.domain import Conversation, SkippedResult
from recall_tui.environment import Environment
from recall_tui.transcripts.discovery import list_folder, transcript_stem
from recall_tui.transcripts.folder_reader import FolderReader, Listing
from recall_tui.transcripts.reader import record_type

_NAME = re.compile(r"\d{4}-\d\d-\d\dT[\d-]+Z?_([0-9A-Za-z-]+)\.jsonl")


class PiReader(FolderReader):
    """The reader of pi's sessions, `<pi>/*/<time>_<id>.jsonl`, in a folder of the person's own also `<pi>/*.jsonl`."""

    agent = "pi"
    label = "pi"

    def folders(self, environment: Environment) -> tuple[Path, ...]:
        """Return the folder of the sessions."""
        return (environment.pi,)

    def list_paths(self, environment: Environment, listing: Listing) -> Iterator[Path]:
        """Yield the paths named like a session."""
        folders = (environment.pi, *list_folder(environment.pi))
        return filter(self.is_named, (path for folder in folders for path in listing(folder)))

    def is_named(self, path: Path) -> bool:
        """Return True for `<time>_<id>.jsonl`."""
        return _NAME.fullmatch(path.name) is not None

    def session_id(self, path: Path) -> str:
        """Return the id in the file's name."""
        named = _NAME.fullmatch(path.name)
        return named[1] if named else transcript_stem(path)

    def resume_arguments(self, session_id: str) -> tuple[str, ...]:
        """Return the option; `--resume` opens a list."""
        return ("--session", session_id)

    def is_record(self, record: Mapping[str, Any]) -> bool:
        """Return True for the entry that begins a session."""
        return record_type(record) == "session" and "id" in record and bool({"version", "cwd"} & record.keys())

    def read(self, path: Path) -> Conversation | SkippedResult:
        """The session in a file; Skipped for one without messages."""
        from recall_tui.transcripts.pi.records import PiScan
        from recall_tui.transcripts.read_report import ReadReport
        from recall_tui.transcripts.record_log import read_log

        return read_log(self.agent, PiScan(path, ReadReport(), self.session_id(path)).run())
