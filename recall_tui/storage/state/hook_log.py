"""The hook log: decisions of hooks as JSON lines in the memory's state folder, newest last.

A line is appended in one write and without a lock; there are at most two files, both of bounded size.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from recall_tui import files
from recall_tui.domain.hook import HookDecision
from recall_tui.storage.files import atomic

if TYPE_CHECKING:
    from recall_tui.storage.memory_context import Store

LOG_FILE = "hooks.jsonl"
OLDER_LOG_FILE = "hooks.1.jsonl"
MAX_FILE_BYTES = 512 << 10
"""The size at which a log file is rotated."""
_MAX_LINE_CHARS = 4_000
_TAIL_BYTES = 64 << 10
"""Bytes at the end of the log to search for a failure."""
CAPTURE_EVENTS = ("compact", "end", "catch-up")
START_RESULTS = ("handed", "silent", "failed")


class HookLogEntry(NamedTuple):
    at: str
    """ISO time with offset."""
    event: str
    """The event's name; empty when it is unknown."""
    agent: str
    session_id: str
    ms: float
    """Milliseconds since our first own instruction."""
    decision: HookDecision


def append_entry(folder: Path, line: HookLogEntry) -> None:
    """Append a line to the log in the folder, which is created; OSError when that fails."""
    atomic.make_folder(folder)
    path = folder / LOG_FILE
    descriptor = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC, atomic.PRIVATE_FILE)
    try:
        if os.fstat(descriptor).st_size > MAX_FILE_BYTES:
            with suppress(FileNotFoundError):
                path.replace(folder / OLDER_LOG_FILE)
        os.write(descriptor, _render(line))
    finally:
        os.close(descriptor)


def _render(line: HookLogEntry) -> bytes:
    told: dict[str, object] = {
        "at": line.at,
        "event": line.event,
        "agent": line.agent[:40],
        "session": line.session_id[:100],
        "did": line.decision.did,
        "why": line.decision.why[:600],
        "ms": round(line.ms, 1),
    }
    text = json.dumps(told | dict(line.decision.facts), default=str)
    return (text if len(text) <= _MAX_LINE_CHARS else json.dumps(told)).encode() + b"\n"


def read_decisions(store: Store, limit: int) -> tuple[HookLogEntry, ...]:
    """Return the memory's last hook decisions, newest first, at most `limit`; skip invalid lines."""
    found: list[HookLogEntry] = []
    for name in (LOG_FILE, OLDER_LOG_FILE):
        for line in reversed((atomic.read_bytes(store.state / name) or b"").splitlines()):
            if len(found) == limit:
                return tuple(found)
            if one := _read(line):
                found.append(one)
    return tuple(found)


def find_failed_capture(state: Path) -> HookLogEntry | None:
    """Return the newest capture if it failed; None if it succeeded or the log's end contains none."""
    for line in _tail_lines(state / LOG_FILE):
        if not (b'"failed"' in line or b'"captured"' in line or b'"unchanged"' in line):
            continue
        one = _read(line)
        if one is not None and one.event in CAPTURE_EVENTS:
            return one if one.decision.did == "failed" else None
    return None


def recent_starts(state: Path, limit: int) -> tuple[HookLogEntry, ...]:
    """Return the last session starts that the hooks answered or failed at, newest first; the log's end is read."""
    lines = (_read(line) for line in _tail_lines(state / LOG_FILE) if b'"start"' in line)
    starts = (one for one in lines if one and one.event == "start" and one.decision.did in START_RESULTS)
    return tuple(islice(starts, limit))


def _tail_lines(path: Path) -> Iterator[bytes]:
    """Yield the last lines, newest first."""
    try:
        with files.open_file(path) as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _TAIL_BYTES))
            yield from reversed(file.read().splitlines())
    except OSError:
        return


def _read(line: bytes) -> HookLogEntry | None:
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(told, dict):
        return None
    facts = tuple((name, value) for name, value in told.items() if name not in _OWN_KEYS)
    decision = HookDecision(_text(told, "did"), _text(told, "why"), facts)
    ms = told.get("ms")
    return HookLogEntry(
        at=_text(told, "at"),
        event=_text(told, "event"),
        agent=_text(told, "agent"),
        session_id=_text(told, "session"),
        ms=float(ms) if isinstance(ms, int | float) else 0.0,
        decision=decision,
    )


_OWN_KEYS = frozenset({"at", "event", "agent", "session", "did", "why", "ms"})


def _text(told: dict[str, Any], name: str) -> str:
    value = told.get(name)
    return value if isinstance(value, str) else ""


def parse_timestamp(line: HookLogEntry) -> datetime | None:
    """Return the line's time; None when it has no valid one."""
    try:
        return datetime.fromisoformat(line.at)
    except ValueError:
        return None
