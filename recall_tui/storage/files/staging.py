"""Staged files in the state folder, named by a hash of their session so that forgetting it can find them.

A staged file that no change consumed is useless; a later capture deletes it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from recall_tui.domain import Create, Plan, Replace
from recall_tui.storage.files import atomic

_TAG_DIGITS = 16


def new_path(spool: Path, session_id: str, ending: str) -> Path:
    """Return an unused path in the folder for a staged file of the session; create the folder."""
    atomic.make_folder(spool)
    return spool / f"{_tag(session_id)}-{os.urandom(8).hex()}{ending}"


@contextmanager
def staged_file(spool: Path, session_id: str, ending: str, lines: Iterable[str], modified: datetime) -> Iterator[Path]:
    """Write the lines to a staged file with mtime `modified`; delete it after the block."""
    path = new_path(spool, session_id, ending)
    try:
        with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, atomic.PRIVATE_FILE), "wb") as file:
            file.writelines(atomic.encode(line) + b"\n" for line in lines)
        os.utime(path, (modified.timestamp(), modified.timestamp()))
        yield path
    finally:
        path.unlink(missing_ok=True)


def remove_sessions(spool: Path, sessions: Iterable[str]) -> int:
    """Delete the staged files of the sessions; return how many."""
    found = [path for session in sessions for path in spool.glob(f"{_tag(session)}-*")]
    for path in found:
        atomic.delete_file(path)
    return len(found)


def discard(plan: Plan) -> None:
    """Delete the staged files of a plan that was only previewed."""
    for edit in plan.edits:
        if isinstance(edit, Create | Replace) and edit.body is not None:
            edit.body.unlink(missing_ok=True)


def _tag(session_id: str) -> str:
    return atomic.content_digest(session_id)[:_TAG_DIGITS]
