"""What hooks decided: JSON lines in the memory's state folder, the newest last.

A line is appended in one write and nobody waits for another; two files of bounded size are all there ever is.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from recall_tui import files
from recall_tui.domain.hook import Decision
from recall_tui.storage.files import atomic

if TYPE_CHECKING:
    from recall_tui.storage.memory_context import Store

FILE = "hooks.jsonl"
OLDER = "hooks.1.jsonl"
MOST_BYTES = 512 << 10
"""Of one of the two files."""
_LONGEST_LINE = 4_000
_TAIL_BYTES = 64 << 10
"""Of the newest lines, among which a failure is looked for."""
CAPTURES = ("compact", "end", "catch-up")
"""The events in which something is captured."""
CAPTURED = ("captured", "unchanged")


class Logged(NamedTuple):
    """One line of the log."""

    at: str
    """ISO time with offset."""
    event: str
    """The event's name; empty when it was not understood."""
    agent: str
    session_id: str
    ms: float
    """What it took, from the first of our own instructions on."""
    decision: Decision


def append(folder: Path, line: Logged) -> None:
    """Add a line to the log in the folder, which is made; an OSError when it cannot be."""
    atomic.make_folder(folder)
    path = folder / FILE
    descriptor = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC, atomic.PRIVATE_FILE)
    try:
        if os.fstat(descriptor).st_size > MOST_BYTES:
            with suppress(FileNotFoundError):
                path.replace(folder / OLDER)
        os.write(descriptor, _rendered(line))
    finally:
        os.close(descriptor)


def _rendered(line: Logged) -> bytes:
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
    return (text if len(text) <= _LONGEST_LINE else json.dumps(told)).encode() + b"\n"


def decisions(store: Store, limit: int) -> tuple[Logged, ...]:
    """What the memory's hooks decided, newest first, `limit` lines at most; what makes no sense is passed over."""
    found: list[Logged] = []
    for name in (FILE, OLDER):
        for line in reversed((atomic.read_bytes(store.state / name) or b"").splitlines()):
            if len(found) == limit:
                return tuple(found)
            if one := _read(line):
                found.append(one)
    return tuple(found)


def failed_capture(state: Path) -> Logged | None:
    """The newest capture, when it failed; None when it went well or the newest lines tell of none."""
    for line in _tail(state / FILE):
        if not (b'"failed"' in line or b'"captured"' in line or b'"unchanged"' in line):
            continue
        one = _read(line)
        if one is not None and one.event in CAPTURES:
            return one if one.decision.did == "failed" else None
    return None


def _tail(path: Path) -> Iterator[bytes]:
    """The last whole lines, newest first."""
    try:
        with files.opened(path) as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _TAIL_BYTES))
            yield from reversed(file.read().splitlines())
    except OSError:
        return


def _read(line: bytes) -> Logged | None:
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(told, dict):
        return None
    facts = tuple((name, value) for name, value in told.items() if name not in _OWN)
    decision = Decision(_text(told, "did"), _text(told, "why"), facts)
    ms = told.get("ms")
    return Logged(
        at=_text(told, "at"),
        event=_text(told, "event"),
        agent=_text(told, "agent"),
        session_id=_text(told, "session"),
        ms=float(ms) if isinstance(ms, int | float) else 0.0,
        decision=decision,
    )


_OWN = frozenset({"at", "event", "agent", "session", "did", "why", "ms"})


def _text(told: dict[str, Any], name: str) -> str:
    value = told.get(name)
    return value if isinstance(value, str) else ""


def moment(line: Logged) -> datetime | None:
    """When it was; None when the line does not say."""
    try:
        return datetime.fromisoformat(line.at)
    except ValueError:
        return None
