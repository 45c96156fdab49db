"""Files being made, in the state folder: each bears a mark of its session, so that it can be found when that must go.

A file that nobody took over is of no use; a later capture removes it.
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
    """A name in the folder that no other file has, for something that is made of a session; the folder is made."""
    atomic.make_folder(spool)
    return spool / f"{_tag(session_id)}-{os.urandom(8).hex()}{ending}"


@contextmanager
def staged_file(spool: Path, session_id: str, ending: str, lines: Iterable[str], modified: datetime) -> Iterator[Path]:
    """A file of these lines, last changed at `modified`, as long as the block runs."""
    path = new_path(spool, session_id, ending)
    try:
        with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, atomic.PRIVATE_FILE), "wb") as file:
            file.writelines(atomic.encode(line) + b"\n" for line in lines)
        os.utime(path, (modified.timestamp(), modified.timestamp()))
        yield path
    finally:
        path.unlink(missing_ok=True)


def remove_sessions(spool: Path, sessions: Iterable[str]) -> int:
    """Remove what was made of the sessions and not taken over; how many files that were."""
    found = [path for session in sessions for path in spool.glob(f"{_tag(session)}-*")]
    for path in found:
        atomic.delete_file(path)
    return len(found)


def discard(plan: Plan) -> None:
    """Remove what was made for a plan that was only looked at."""
    for edit in plan.edits:
        if isinstance(edit, Create | Replace) and edit.body is not None:
            edit.body.unlink(missing_ok=True)


def _tag(session_id: str) -> str:
    return atomic.content_digest(session_id)[:_TAG_DIGITS]
