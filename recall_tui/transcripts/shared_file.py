"""Files that hold many sessions, such as an agent's database: each session in one is a transcript of its own.

It is named `<file>#<session id>`. Whoever opens it under that name gets the session's own lines, made from what the
agent's reader takes out of the file, and nothing else of the file.
"""

from __future__ import annotations

import importlib
import io
import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

from recall_tui import files
from recall_tui.errors import RecallError
from recall_tui.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from recall_tui.domain import SkippedResult

PROJECT_FILE = ".aider.chat.history.md"
"""The one transcript that lies in a project, which others may have written: a link that leads out is not followed."""
_MARK = "#"
_NANOSECONDS = 1_000_000_000
_PACKAGE = "recall_tui.transcripts"
_OPENCODE, _GOOSE = f"{_PACKAGE}.opencode.database", f"{_PACKAGE}.goose.sessions"
_CURSOR, _AIDER = f"{_PACKAGE}.cursor.chats", f"{_PACKAGE}.aider.history"
_READERS = {
    lazy_pattern(r"ses_\w+"): _OPENCODE,
    lazy_pattern(r"aider-\d{8}-\d{6}-\w+"): _AIDER,
    lazy_pattern(r"\d{8}_\d+"): _GOOSE,
    lazy_pattern(r"cursor-[\w-]+"): _CURSOR,
    lazy_pattern(r"vscode-[\w-]+"): f"{_PACKAGE}.vscode.chats",
    lazy_pattern(r"(?:cline-editor|roo|kilo-editor)-[\w-]+"): f"{_PACKAGE}.editor_tasks.tasks",
}
"""The module of each form of a session's id: it offers `list_sessions` and `session_lines`."""


_WHOLE_FILES = (
    (rb"SQLite format 3\0", (_OPENCODE, _GOOSE, _CURSOR), "a database of {} session{}"),
    (rb"\s*# aider chat started at ", (_AIDER,), "a history of {} run{}"),
)
"""How files with many sessions begin, the modules that list these, and what such a file is called."""


class ListedSession(NamedTuple):
    """A session of a file, as the file lists it."""

    id: str
    size: int
    """Bytes, or about as many; another number when more of the session is there."""
    mtime_ns: int
    """When it was last written to."""
    folder: str = ""
    """The folder that it was begun in."""
    tokens: int = 0
    """Tokens that the model read and wrote, those of sub-agents not counted."""


def session_path(file: Path, session_id: str) -> Path:
    """Return the name of a session in a file."""
    return file.with_name(f"{file.name}{_MARK}{session_id}")


def is_session_id(text: str) -> bool:
    """Return True for what can be the id of a session in such a file: it leads nowhere else in a path."""
    return _find_module(text) is not None


def split_session_path(path: Path) -> tuple[Path, str] | None:
    """Return the file and the id of a session that is named so; None for the name of anything else."""
    name, _, session_id = path.name.rpartition(_MARK)
    if not name or not is_session_id(session_id) or os.path.lexists(path):
        return None
    return path.with_name(name), session_id


def open_session(path: Path) -> BinaryIO | None:
    """Open the lines of a session; None when the path names none, NotFoundError when the file holds it no more."""
    if (found := split_session_path(path)) is None:
        return None
    file, session_id = found
    module = importlib.import_module(_find_module(session_id) or "")
    lines: Iterator[bytes] = module.session_lines(file, session_id)
    return cast(BinaryIO, io.BufferedReader(_LineStream(lines), files.STREAM_BYTES))


def find_listed_session(path: Path) -> ListedSession | None:
    """Return what the file says of the session with this name; None when there is none, or it cannot be read."""
    if (found := split_session_path(path)) is None:
        return None
    file, session_id = found
    module = importlib.import_module(_find_module(session_id) or "")
    try:
        sessions: dict[str, ListedSession] = module.list_sessions(file)
    except RecallError:
        return None
    return sessions.get(session_id)


def skip_shared_file(path: Path, head: bytes) -> SkippedResult | None:
    """Return why a file with many sessions is no transcript itself, by its first bytes; None for any other file.

    One that cannot be read is a fault.
    """
    from recall_tui.domain import ReadError, SkippedResult

    for beginning, modules, name in _WHOLE_FILES:
        if not re.match(beginning, head):
            continue
        reasons = []
        for module in modules:
            try:
                count = len(importlib.import_module(module).list_sessions(path))
            except RecallError as error:
                reasons.append(error.message)
                continue
            called = name.format(count, "s" * (count != 1))
            return SkippedResult(f"{called}: name one, as {session_path(path, 'ID').name}")
        return SkippedResult(reasons[0], (ReadError(0, reasons[0]),))
    return None


def transcript_state(path: Path) -> tuple[int, int]:
    """Return the size of a transcript and when it was written last, in nanoseconds; FileNotFoundError for none."""
    if _MARK in path.name and split_session_path(path):
        if listed := find_listed_session(path):
            return listed.size, listed.mtime_ns
        raise FileNotFoundError(f"there is no session {path}")
    status = path.stat()
    return status.st_size, status.st_mtime_ns


def last_written(path: Path) -> datetime:
    """Return when a transcript was written last: the end of a session whose records bear no times."""
    return datetime.fromtimestamp(transcript_state(path)[1] / _NANOSECONDS, UTC)


def is_transcript(path: Path) -> bool:
    """Return True for a regular file, and for a session that its file lists."""
    return path.is_file() or (_MARK in path.name and find_listed_session(path) is not None)


def _find_module(session_id: str) -> str | None:
    return next((module for pattern, module in _READERS.items() if pattern.fullmatch(session_id)), None)


class _LineStream(io.RawIOBase):
    """Lines as a file."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self._lines = lines
        self._left = b""

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: object) -> int:
        """Fill the buffer with what comes next, as the interface of files demands."""
        view = memoryview(cast(bytearray, buffer))
        while not self._left:
            line = next(self._lines, None)
            if line is None:
                return 0
            self._left = line
        count = min(len(view), len(self._left))
        view[:count] = self._left[:count]
        self._left = self._left[count:]
        return count

    def close(self) -> None:
        """Let go of the file that the lines are of."""
        close = getattr(self._lines, "close", None)
        if close is not None:
            close()
        super().close()
