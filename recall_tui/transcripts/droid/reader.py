"""Droid's transcripts: one JSON record a line, one file a session, those of its sub-agents beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recall_tui import files
from recall_tui.domain import Conversation, SkippedResult
from recall_tui.environment import Environment
from recall_tui.errors import RecallError
from recall_tui.transcripts.discovery import list_folder, transcript_stem
from recall_tui.transcripts.folder_reader import FolderReader, Listing
from recall_tui.transcripts.reader import record_type

if TYPE_CHECKING:
    from recall_tui.transcripts.droid.records import DroidScan
    from recall_tui.transcripts.read_report import ReadReport

_FOLDER = "sessions"
_NAME = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}\.jsonl")
_PEEK_BYTES = 4096
_SETTINGS = ".settings.json"
_USAGE = ("inputTokens", "outputTokens", "cacheCreationTokens", "cacheReadTokens")


class DroidReader(FolderReader):
    """The reader of Droid's sessions, `<droid>/sessions/*/*.jsonl`, in older versions without the inner folder."""

    agent = "droid"
    label = "Droid"

    def folders(self, environment: Environment) -> tuple[Path, ...]:
        """Return the folder of the sessions."""
        return (environment.droid / _FOLDER,)

    def list_paths(self, environment: Environment, listing: Listing) -> Iterator[Path]:
        """Yield the paths named like a session."""
        sessions = environment.droid / _FOLDER
        return filter(self.is_named, (path for one in (sessions, *list_folder(sessions)) for path in listing(one)))

    def is_named(self, path: Path) -> bool:
        """Return True for `<uuid>.jsonl` in the folder of the sessions or in one of a project."""
        is_placed = _FOLDER in (path.parent.name, path.parent.parent.name)
        return is_placed and _NAME.fullmatch(path.name) is not None

    def is_record(self, record: Mapping[str, Any]) -> bool:
        """Return True for the first record of a session."""
        return record_type(record) == "session_start" and "id" in record and "sessionId" not in record

    def read(self, path: Path) -> Conversation | SkippedResult:
        """The session in a file with its sub-agents; Skipped for a sub-agent's file and one without messages."""
        from recall_tui.transcripts.droid.records import DroidScan
        from recall_tui.transcripts.read_report import ReadReport
        from recall_tui.transcripts.record_log import read_log, scan_sides

        reading = ReadReport()
        own = DroidScan(path, reading, transcript_stem(path)).run()
        own.tokens = _used_tokens(path)
        return read_log(self.agent, own, scan_sides(list(_subagent_scans(own, reading)), reading))


def _used_tokens(path: Path) -> int:
    """The tokens that the file beside a session counts; 0 when there is none that can be read."""
    from recall_tui.transcripts.claude.records import parse_object, sum_counts

    settings = path.with_name(f"{transcript_stem(path)}{_SETTINGS}")
    try:
        # Anything but a regular file, such as a pipe, might never end.
        text = files.read_file(settings, files.MAX_SETTINGS_BYTES) if settings.is_file() else b""
    except OSError:
        return 0
    return sum_counts((parse_object(text)[0] or {}).get("tokenUsage"), *_USAGE)


def _subagent_scans(own: DroidScan, reading: ReadReport) -> Iterator[DroidScan]:
    """The sub-agents that a session called, and those that these called."""
    from recall_tui.transcripts.droid.records import DroidScan

    folder = own.path.parent
    try:
        modified = folder.stat().st_mtime_ns
    except OSError:
        return
    known, waiting = {own.path}, [own.session_id]
    while waiting:
        for session, path in _called_sessions(folder, modified).get(waiting.pop(0), ()):
            if path not in known:
                known.add(path)
                waiting.append(session)
                yield DroidScan(path, reading, session, is_side=True)


@lru_cache(maxsize=8)
def _called_sessions(folder: Path, modified: int) -> Mapping[str, tuple[tuple[str, Path], ...]]:
    """The sub-agents' sessions in a folder by the session that called them; read once per state of the folder."""
    from recall_tui.transcripts.claude.records import first_text, parse_object
    from recall_tui.transcripts.jsonl import read_head

    found: dict[str, tuple[tuple[str, Path], ...]] = {}
    for path in list_folder(folder):
        if not _NAME.fullmatch(path.name):
            continue
        try:
            record, _ = parse_object(read_head(path, _PEEK_BYTES).partition(b"\n")[0])
        except RecallError:
            continue
        if caller := first_text(record, "callingSessionId"):
            found[caller] = (*found.get(caller, ()), (transcript_stem(path), path))
    return found
