"""The folder that a session was begun in, from the first lines of its transcript: much cheaper than reading it."""

from __future__ import annotations

from pathlib import Path

from recall_tui.environment import Environment, claude_project_name
from recall_tui.transcripts.registry import discover_all, reader_by_name

_MAX_FILES = 1_000


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
