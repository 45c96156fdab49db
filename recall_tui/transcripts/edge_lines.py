"""Where a session was begun and when it was last spoken in, from the first and last lines of its transcript."""

from __future__ import annotations

import os
import re
from datetime import datetime
from pathlib import Path

from recall_tui import files
from recall_tui.environment import Environment, claude_project_name
from recall_tui.text.dates import parse_time
from recall_tui.transcripts.registry import discover_all, reader_by_name

_MAX_FILES = 1_000
_MAX_TAIL_BYTES = 65_536
"""Bytes at the end of a transcript that are looked into."""
_TIME = re.compile(rb'"timestamp"\s*:\s*"([0-9T:.Z+ -]{10,40})"')


def has_sessions_in(folder: Path, environment: Environment) -> bool:
    """Whether sessions of any agent were begun in this very folder; of the other agents' the newest are looked at."""
    name = claude_project_name(str(folder))
    files = list(reversed(discover_all(environment)))
    if any(file.agent == "claude" and file.path.parent.name == name for file in files):
        return True
    others = [file for file in files if file.agent != "claude"][:_MAX_FILES]
    return any(session_folder(file.path) == str(folder) for file in others)


def session_folder(path: Path) -> str:
    """Return the folder; empty when the beginning does not tell, as that of a compressed transcript."""
    reader = reader_by_name(path)
    return reader.read_folder(path) if reader else ""


def find_last_time(path: Path) -> datetime | None:
    """Return the newest time in the last lines; None when they tell none, as those of a compressed transcript.

    The time of a file says less: a copy or a restored folder is new, whatever is in it.
    """
    try:
        with files.open_file(path, files.MAX_TRANSCRIPT_BYTES) as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _MAX_TAIL_BYTES))
            tail = file.read(_MAX_TAIL_BYTES)
    except OSError:
        return None
    times = (parse_time(found.decode("ascii")) for found in _TIME.findall(tail))
    return max((time for time in times if time is not None and time.tzinfo is not None), default=None)
