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

from recall_tui.environment import Environment
from recall_tui.transcripts.discovery import prefer_uncompressed, sort_by_time
from recall_tui.transcripts.folder_reader import FolderReader
from recall_tui.transcripts.reader import TranscriptFile
from recall_tui.transcripts.registry import own_readers, reader_by_name

MAX_FOLDERS = 50_000
"""Folders that are entered, those nearest to the named ones first."""

Identity = tuple[int, int]
"""Device and inode."""


def find_transcripts(
    folders: Iterable[Path], environment: Environment, own: Iterable[TranscriptFile]
) -> list[TranscriptFile]:
    """Every transcript below the folders that is none of those of the agents' `own` folders, oldest first."""
    named: dict[FolderReader, list[Path]] = {}
    for paths in islice(_walk(folders, environment), MAX_FOLDERS):
        for path in prefer_uncompressed(paths):
            if (reader := reader_by_name(path)) and not reader.is_own_call(path, environment):
                named.setdefault(reader, []).append(path)
    if not named:
        return []
    known = {_identity(file.path) for file in own}
    found = (file for reader, paths in named.items() for file in reader.list_files(paths))
    return sort_by_time(file for file in found if _identity(file.path) not in known)


def exceeds_folder_limit(folders: Iterable[Path], environment: Environment) -> bool:
    """Whether there are more folders below these than are entered."""
    return next(islice(_walk(folders, environment), MAX_FOLDERS, None), None) is not None


def _walk(folders: Iterable[Path], environment: Environment) -> Iterator[list[Path]]:
    """The files of each folder, by name; what this program keeps in its state folder is none of them."""
    entered = {_identity(environment.state)}
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
        waiting.extend(path for path in inner if not any(reader.is_subagent_folder(path) for reader in own_readers()))
        yield files


def _identity(path: Path) -> Identity | None:
    """What a file or a folder is the same by; None when it is not there."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino
