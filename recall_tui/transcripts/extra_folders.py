"""Further folders of transcripts, which a person names: whatever lies below them is found by its name.

Links in them are not followed, no folder is entered twice, and only names and sizes are looked at, as in the agents'
own folders.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from recall_tui.environment import Places
from recall_tui.transcripts.discovery import CHATS, agent_of, files_among, is_of_own_calls, oldest_first, plain_first
from recall_tui.transcripts.reader import TranscriptFile

MOST_FOLDERS = 50_000
"""Folders that are entered, those nearest to the named ones first."""
_ASIDE = "subagents"
"""The folder of a session's sub-agents, which are read with their session."""
_NO_SESSIONS = ("history.jsonl", "session_index.jsonl")
"""Lists that Claude Code and Codex keep beside their transcripts, named like one."""

Identity = tuple[int, int]
"""Device and inode."""


def found_below(folders: Iterable[Path], places: Places, own: Iterable[TranscriptFile]) -> list[TranscriptFile]:
    """Every transcript below the folders that is none of those of the agents' `own` folders, oldest first."""
    named: dict[str, list[Path]] = {}
    for paths in islice(_walk(folders, places), MOST_FOLDERS):
        for path in plain_first(paths):
            if path.name not in _NO_SESSIONS and (agent := agent_of(path)):
                named.setdefault(agent, []).append(path)
    if not named:
        return []
    known = {_identity(file.path) for file in own}
    found = (file for agent, paths in named.items() for file in files_among(agent, paths))
    return oldest_first(file for file in found if _identity(file.path) not in known)


def are_too_many(folders: Iterable[Path], places: Places) -> bool:
    """Whether there are more folders below these than are entered."""
    return next(islice(_walk(folders, places), MOST_FOLDERS, None), None) is not None


def _walk(folders: Iterable[Path], places: Places) -> Iterator[list[Path]]:
    """The files of each folder, by name; what this program keeps in its state folder is none of them."""
    entered = {_identity(places.state)}
    waiting = deque(folders)
    while waiting:
        folder = waiting.popleft()
        identity = _identity(folder)
        if identity is None or identity in entered:
            continue
        entered.add(identity)
        try:
            with os.scandir(folder) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
            files = [Path(entry.path) for entry in found if entry.is_file(follow_symlinks=False)]
            inner = [Path(entry.path) for entry in found if entry.is_dir(follow_symlinks=False)]
        except OSError:
            continue
        if folder.name == CHATS and any(agent_of(path) == "gemini" for path in files):
            # The folders in it bear the ids of sessions and hold the chats of their sub-agents.
            inner = []
            if is_of_own_calls(folder.parent, places):
                continue
        waiting.extend(path for path in inner if path.name != _ASIDE)
        yield files


def _identity(path: Path) -> Identity | None:
    """What a file or a folder is the same by; None when it is not there."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino
