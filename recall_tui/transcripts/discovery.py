"""Where Claude Code's transcripts are.

Only names and sizes are looked at; sub-agents' files are never taken for sessions, and what cannot be entered is passed
over.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from recall_tui.errors import RecallError, UsageError
from recall_tui.paths import Places
from recall_tui.transcripts.reader import TranscriptFile

MIN_PREFIX = 4
"""Characters of a session's id that must be given at least."""


def claude_transcripts(places: Places) -> Iterator[TranscriptFile]:
    """Yield every main transcript `<claude>/projects/*/*.jsonl`, oldest first, those of one moment by name."""
    found: dict[tuple[int, int], TranscriptFile] = {}
    for key, file in _found(places.claude / "projects"):
        found.setdefault(key, file)
    yield from sorted(found.values(), key=lambda file: (file.modified, str(file.path)))


def find_session(places: Places, session_id: str) -> Path | None:
    """The transcript of a session by its id or the start of it; the newest when several folders have the session.

    Raises UsageError when the start is too short and RecallError, naming them, when several sessions share it.
    """
    wanted = session_id.strip().lower()
    files = {file.session_id.lower(): file for file in claude_transcripts(places)}
    if wanted in files:
        return files[wanted].path
    if len(wanted) < MIN_PREFIX:
        raise UsageError(f"{session_id!r} is too short for a session", hint=f"give at least {MIN_PREFIX} characters")
    matches = [file for id, file in files.items() if id.startswith(wanted)]
    if len(matches) > 1:
        names = ", ".join(file.session_id for file in matches)
        raise RecallError(f"{session_id} is the start of several sessions: {names}", hint="give more characters")
    return matches[0].path if matches else None


def _found(projects: Path) -> Iterator[tuple[tuple[int, int], TranscriptFile]]:
    """Files by device and inode, so that one that is reached by two links counts once."""
    for folder in _entries(projects):
        for path in _entries(folder):
            if path.suffix != ".jsonl" or path.name.startswith("agent-"):
                continue
            try:
                status = path.stat()
            except OSError:
                continue
            if stat.S_ISREG(status.st_mode):
                modified = datetime.fromtimestamp(status.st_mtime, UTC)
                file = TranscriptFile(path, path.stem, "claude", modified, status.st_size)
                yield (status.st_dev, status.st_ino), file


def _entries(folder: Path) -> list[Path]:
    """What a folder holds, links last, so that a file is known by its own place first."""
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: (entry.is_symlink(), entry.name))
    except OSError:
        return []
    return [Path(entry.path) for entry in found]
