"""Transcripts that held nothing new; none is read again while it is unchanged.

This is state, not memory: digests of paths with sizes and times. Without it, transcripts are only read once more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path

from recall_tui.storage.files import atomic

READ_FILE = "read.json"
MAX_TRANSCRIPTS = 20_000
"""The most transcripts to record; the newest stay."""
_MAX_FILE_BYTES = 4 << 20
_TAG_DIGITS = 16


StateOf = Callable[[Path], tuple[int, int]]
"""Tells the size of a transcript and the time of its last write, in nanoseconds; an OSError when it is not there."""


def file_state(path: Path) -> tuple[int, int]:
    """Return the size and the time of the last write of a file; an OSError when it is not there."""
    status = path.stat()
    return status.st_size, status.st_mtime_ns


def was_read(state: Path, path: Path, state_of: StateOf = file_state) -> bool:
    """Return whether the transcript is unchanged since it was read."""
    return (now := _state_of(path, state_of)) is not None and _read(state).get(_tag(path)) == now


def add_transcript(state: Path, path: Path, state_of: StateOf = file_state) -> None:
    """Record the transcript's current state."""
    known = dict(_read(state))
    known.pop(_tag(path), None)
    if (now := _state_of(path, state_of)) is not None:
        known[_tag(path)] = now
    kept = dict(list(known.items())[-MAX_TRANSCRIPTS:])
    atomic.write_json(state / READ_FILE, kept)


def drop_transcript(state: Path, path: Path) -> None:
    """Forget the transcript, if it is remembered."""
    known = dict(_read(state))
    if known.pop(_tag(path), None) is not None:
        atomic.write_json(state / READ_FILE, known)


def _read(state: Path) -> Mapping[str, list[int]]:
    path = state / READ_FILE
    return _read_as_of(path, tuple(_state_of(path, file_state) or ()))


@lru_cache(maxsize=2)
def _read_as_of(path: Path, _state: tuple[int, ...]) -> Mapping[str, list[int]]:
    """Read the file once for each state that it is in: many transcripts are looked up."""
    found = atomic.read_json(path, _MAX_FILE_BYTES)
    return found if isinstance(found, dict) else {}


def _state_of(path: Path, state_of: StateOf) -> list[int] | None:
    try:
        return list(state_of(path))
    except OSError:
        return None


def _tag(path: Path) -> str:
    return atomic.content_digest(str(path))[:_TAG_DIGITS]
