"""The hints each session was already shown, so that none is repeated.

This is state, not memory: one small file per session, readable only by its owner, holding digests and no names. A
damaged file counts as missing.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from recall_tui.storage.files import atomic
from recall_tui.storage.files.trusted_clock import trusted_time

if TYPE_CHECKING:
    from pathlib import Path

    from recall_tui.storage.memory_context import Store

HINTS_FOLDER = "hints"
MAX_HINTS = 500
"""The most hints to record per session; the newest stay."""
RETENTION_DAYS = 14
"""Days after its last hint when a session's file is deleted."""
_MAX_FILE_BYTES = 1 << 16
"""The most bytes to read; no valid file is as large."""
_DAY_SECONDS = 86_400
_TAG_DIGITS = 16


def has_hint(store: Store, session_id: str, name: str) -> bool:
    """Return whether the session was already shown this."""
    return bool(session_id) and _tag(name) in _read(_path(store, session_id))


def add_hints(store: Store, session_id: str, names: Iterable[str], now: datetime) -> None:
    """Record that the session was shown these; delete the files of long inactive sessions."""
    path = _path(store, session_id)
    known = list(dict.fromkeys((*_read(path), *map(_tag, names))))
    atomic.write_json(path, known[-MAX_HINTS:])
    _sweep(path.parent, now)


def _read(path: Path) -> tuple[str, ...]:
    tags = atomic.read_json(path, _MAX_FILE_BYTES)
    return tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else ()


def _sweep(folder: Path, now: datetime) -> None:
    oldest = trusted_time(folder.parent, now, RETENTION_DAYS).timestamp() - RETENTION_DAYS * _DAY_SECONDS
    with suppress(OSError):
        for path in folder.iterdir():
            if path.suffix == ".json" and path.stat().st_mtime < oldest:
                atomic.delete_file(path)


def _path(store: Store, session_id: str) -> Path:
    return store.state / HINTS_FOLDER / f"{_tag(session_id)}.json"


def _tag(name: str) -> str:
    return atomic.content_digest(name)[:_TAG_DIGITS]
