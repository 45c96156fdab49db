"""What each session was shown already, so that nothing is repeated to it.

It is state and no memory: one small file a session, which only its owner reads. A damaged one is as if there were none.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from recall_tui.storage import atomic

if TYPE_CHECKING:
    from pathlib import Path

    from recall_tui.storage.store import Store

FOLDER = "hints"
MOST = 500
"""Things that are remembered for a session, the newest."""
KEPT_DAYS = 14
"""After which a session that was shown nothing more is forgotten."""
_LARGEST = 1 << 17
"""Bytes; no such file is as large."""
_DAY_SECONDS = 86_400
_TAG_DIGITS = 16


def read(store: Store, session_id: str) -> tuple[str, ...]:
    """What the session was shown, oldest first."""
    path = _path(store, session_id)
    try:
        if not path.is_file() or path.stat().st_size > _LARGEST:
            return ()
        names = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return ()
    return tuple(name for name in names if isinstance(name, str))[-MOST:] if isinstance(names, list) else ()


def add(store: Store, session_id: str, names: Iterable[str], now: datetime) -> None:
    """Remember that the session was shown these; what other sessions were shown long ago is forgotten."""
    path = _path(store, session_id)
    known = dict.fromkeys((*read(store, session_id), *names))
    atomic.write(path, json.dumps(list(known)[-MOST:]).encode())
    _sweep(path.parent, now)


def _sweep(folder: Path, now: datetime) -> None:
    oldest = now.timestamp() - KEPT_DAYS * _DAY_SECONDS
    with suppress(OSError):
        for path in folder.iterdir():
            if path.suffix == ".json" and path.stat().st_mtime < oldest:
                path.unlink(missing_ok=True)


def _path(store: Store, session_id: str) -> Path:
    """The session's file; its name says nothing and holds nothing of the id."""
    return store.state / FOLDER / f"{atomic.digest(session_id)[:_TAG_DIGITS]}.json"
