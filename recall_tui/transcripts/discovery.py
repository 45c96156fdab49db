"""Find transcripts by their names, sizes and times; a folder that cannot be entered is passed over."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path

from recall_tui.errors import RecallError, UsageError
from recall_tui.transcripts.reader import TranscriptFile

MIN_PREFIX_CHARS = 4
"""Characters of a session's id that must be given at least."""


def is_unreadable(path: Path) -> bool:
    """Return True for a folder or a broken link in the place of a file."""
    try:
        return path.is_dir() or (path.is_symlink() and not path.exists())
    except OSError:
        return True


def transcript_stem(path: Path) -> str:
    """Return the name of a transcript without `.jsonl`, `.json` or `.jsonl.zst`."""
    return path.name.removesuffix(".zst").removesuffix(".jsonl").removesuffix(".json")


def prefer_uncompressed(paths: Iterable[Path]) -> list[Path]:
    """Return the paths without those of compressed files that lie there uncompressed, too."""
    found = dict.fromkeys(paths)
    return [path for path in found if path.suffix != ".zst" or path.with_suffix("") not in found]


def newest_session_files(session_id: str, files: Iterable[TranscriptFile]) -> Path | None:
    """Return the newest file of a session by its id or the start of it; the files are given oldest first."""
    known = {file.session_id: file for file in files}
    found = match_session_id(session_id, known)
    return known[found].path if found else None


def match_session_id(session_id: str, ids: Iterable[str]) -> str | None:
    """Return the one of `ids` that is the session's or starts so; None when there is none.

    Raises UsageError when the start is too short and RecallError, naming them, when several sessions share it.
    """
    wanted = session_id.strip().lower()
    known = {id.lower(): id for id in ids}
    if wanted in known:
        return known[wanted]
    if len(wanted) < MIN_PREFIX_CHARS:
        raise UsageError(
            f"{session_id!r} is too short for a session", hint=f"give at least {MIN_PREFIX_CHARS} characters"
        )
    matches = [id for lowered, id in known.items() if lowered.startswith(wanted)]
    if len(matches) > 1:
        raise RecallError(
            f"{session_id} is the start of several sessions: {', '.join(matches)}", hint="give more characters"
        )
    return matches[0] if matches else None


def find_files(paths: Iterable[Path], agent: str, session_id: Callable[[Path], str]) -> list[TranscriptFile]:
    """Return the regular files among the paths, oldest first; one that is reached by two links counts once.

    Files are told apart by their device and inode.
    """
    found: dict[tuple[int, int], TranscriptFile] = {}
    for path in paths:
        try:
            status = path.stat()
        except OSError:
            continue
        key = (status.st_dev, status.st_ino)
        if stat.S_ISREG(status.st_mode) and key not in found:
            modified = datetime.fromtimestamp(status.st_mtime, UTC)
            found[key] = TranscriptFile(path, session_id(path), agent, modified, status.st_size, status.st_mtime_ns)
    return sort_by_time(found.values())


def sort_by_time(files: Iterable[TranscriptFile]) -> list[TranscriptFile]:
    """Return the files by their time, those of one moment by path."""
    return sorted(files, key=lambda file: (file.modified, str(file.path)))


def list_folder(folder: Path) -> list[Path]:
    """Return the entries of a folder, links last, so that a file is known by its own place first."""
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: (entry.is_symlink(), entry.name))
    except OSError:
        return []
    return [Path(entry.path) for entry in found]


def list_non_files(folder: Path) -> list[Path]:
    """Return the entries of a folder that are not regular files, without a look at each of thousands."""
    try:
        with os.scandir(folder) as entries:
            return sorted(Path(entry.path) for entry in entries if not entry.is_file(follow_symlinks=False))
    except OSError:
        return []
