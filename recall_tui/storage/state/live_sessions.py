"""Live-session markers: a small file for each session that hooks have seen and that is not fully captured.

A marker is replaced in one step without a lock; an unreadable one is skipped.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple

from recall_tui.storage.files import atomic

SESSIONS_FOLDER = "sessions"
_DIGEST_DIGITS = 16
_SHELLS = frozenset(["sh", "bash", "dash", "zsh", "ksh", "fish", "env", "timeout", "nice"])
"""Programs that may run between an agent and its hook."""
_MAX_STEPS = 6

SessionPhase = Literal["live", "ended", "checkpoint"]
"""Still running; ended and to be archived; to be archived up to its current point."""


class LiveSession(NamedTuple):
    """A session that is not fully captured."""

    session_id: str
    state: SessionPhase = "live"
    agent: str = ""
    transcript: Path | None = None
    cwd: Path | None = None
    pid: int = 0
    """The agent's process id; 0 when unknown."""
    tries: int = 0
    """Number of failed captures."""
    touched: float = 0.0
    """Time of the last hook event, in seconds since 1970; the mtime of the marker file."""


def save(state: Path, mark: LiveSession) -> None:
    """Write the marker, replacing the session's older one."""
    folder = state / SESSIONS_FOLDER
    atomic.make_folder(folder)
    told = {
        "session": mark.session_id,
        "state": mark.state,
        "agent": mark.agent,
        "transcript": None if mark.transcript is None else str(mark.transcript),
        "cwd": None if mark.cwd is None else str(mark.cwd),
        "pid": mark.pid,
        "tries": mark.tries,
    }
    temporary = atomic.temp_path(folder)
    try:
        descriptor = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, atomic.PRIVATE_FILE)
        try:
            os.write(descriptor, json.dumps(told).encode())
        finally:
            os.close(descriptor)
        temporary.replace(_path(state, mark.session_id))
    finally:
        temporary.unlink(missing_ok=True)


def note_activity(state: Path, session_id: str) -> bool:
    """Update the session's activity time; False when it has no marker."""
    try:
        os.utime(_path(state, session_id))
    except FileNotFoundError:
        return False
    return True


def find_session(state: Path, session_id: str) -> LiveSession | None:
    """Return the session's marker; None when there is none or it is unreadable."""
    return _read(_path(state, session_id))


def delete(state: Path, session_id: str) -> None:
    """Delete the session's marker."""
    _path(state, session_id).unlink(missing_ok=True)


def list_all(state: Path) -> tuple[LiveSession, ...]:
    """Return every marker of a memory, least recently active first."""
    found = (mark for path in _files(state) if (mark := _read(path)))
    return tuple(sorted(found, key=lambda mark: mark.touched))


def agent_process() -> int:
    """Return the id of the agent process that called this one; 0 when unknown.

    Shells between them are skipped, and so is the process of the same command that supervises this one.
    """
    pid = os.getppid()
    for _ in range(_MAX_STEPS):
        try:
            # `<pid> (<name>) <state> <parent> …`, and a name may hold brackets and spaces.
            name, _, rest = Path(f"/proc/{pid}/stat").read_text(errors="replace").partition(" (")[2].rpartition(") ")
            if name not in _SHELLS and not _is_our_command(pid):
                return pid if pid > 1 else 0
            pid = int(rest.split()[1])
        except (OSError, ValueError, IndexError):
            return 0
    return 0


def _is_our_command(pid: int) -> bool:
    """Return whether a process has the same command line as this one, as the supervisor of a hook has."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes() == Path("/proc/self/cmdline").read_bytes()
    except OSError:
        return False


def is_running(pid: int) -> bool:
    """Return whether a process with this id exists."""
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True


def _path(state: Path, session_id: str) -> Path:
    return state / SESSIONS_FOLDER / f"{atomic.content_digest(session_id)[:_DIGEST_DIGITS]}.json"


def _files(state: Path) -> Iterator[Path]:
    with suppress(FileNotFoundError, NotADirectoryError):
        for entry in os.scandir(state / SESSIONS_FOLDER):
            if entry.name.endswith(".json"):
                yield Path(entry.path)


def _read(path: Path) -> LiveSession | None:
    told = atomic.read_json(path)
    try:
        touched = path.stat().st_mtime
    except OSError:
        return None
    if not isinstance(told, dict) or not isinstance(told.get("session"), str):
        return None
    state: SessionPhase = "ended" if told.get("state") == "ended" else "live"
    if told.get("state") == "checkpoint":
        state = "checkpoint"
    return LiveSession(
        session_id=told["session"],
        state=state,
        agent=str(told.get("agent") or ""),
        transcript=_parse_path(told, "transcript"),
        cwd=_parse_path(told, "cwd"),
        pid=_integer(told, "pid"),
        tries=_integer(told, "tries"),
        touched=touched,
    )


def _parse_path(told: dict[str, Any], name: str) -> Path | None:
    value = told.get(name)
    return Path(value) if isinstance(value, str) and value else None


def _integer(told: dict[str, Any], name: str) -> int:
    value = told.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0
