"""The folder that a session was begun in, from the first lines of its transcript: much cheaper than reading it."""

from __future__ import annotations

import json
from pathlib import Path

from recall_tui.environment import Environment, claude_project_name
from recall_tui.files import MAX_TRANSCRIPT_BYTES, open_file
from recall_tui.transcripts.discovery import agent_by_name, project_root
from recall_tui.transcripts.registry import discover_all

_MAX_FILES = 1_000
_EDGE_BYTES = 1 << 18
"""Within which the first record with a folder is looked for."""


def has_sessions_in(folder: Path, environment: Environment) -> bool:
    """Whether sessions of any agent were begun in this very folder; of the other agents' the newest are looked at."""
    name = claude_project_name(str(folder))
    files = list(reversed(discover_all(environment)))
    if any(file.agent == "claude" and file.path.parent.name == name for file in files):
        return True
    others = [file for file in files if file.agent != "claude"][:_MAX_FILES]
    return any(session_folder(file.path) == str(folder) for file in others)


def session_folder(path: Path) -> str:
    """The folder; empty when the beginning does not tell, as that of a compressed transcript."""
    agent = agent_by_name(path)
    if agent == "gemini":
        return project_root(path.parent.parent)
    try:
        with open_file(path, MAX_TRANSCRIPT_BYTES) as file:
            lines = file.read(_EDGE_BYTES).split(b"\n")[:-1]
    except OSError:
        return ""
    for line in lines:
        if b'"cwd"' not in line:
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if agent == "codex" and isinstance(record, dict):
            record = record.get("payload")
        cwd = record.get("cwd") if isinstance(record, dict) else None
        if isinstance(cwd, str) and cwd:
            return cwd
    return ""
