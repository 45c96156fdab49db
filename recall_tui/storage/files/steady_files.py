"""Whether the files that a change rests on are whole: none that another program is writing just now.

An empty file, or one that changed a moment ago, is not whole while somebody has it open for writing. One that is open
and rests is: what is written into it later is brought in by `storage.files.replaced_files`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from recall_tui.domain import Create, Plan
from recall_tui.errors import LockedError
from recall_tui.storage.files import leases

STEADY_TIMEOUT_SECONDS = 10.0
"""For a program that writes a file in place, before a change is given up."""
REST_SECONDS = 2.0
"""Without a word after which a file that stays open counts as it is."""
_FRESH_SECONDS = 60.0
"""Since its last change, in which a file that was read may be half of itself."""
_PAUSE_SECONDS = 0.01


def find_unsteady(paths: Iterable[Path]) -> Path | None:
    """The first of the files that is being written."""
    return next((path for path in paths if _is_unsteady(path)), None)


def wait_until_steady(path: Path, until: float) -> None:
    """Wait until the file is whole; LockedError after `until`, by the steady clock."""
    while _is_unsteady(path):
        if time.monotonic() >= until:
            message = f"{path} is being written by another program"
            raise LockedError(message, hint="try again when it is done")
        time.sleep(_PAUSE_SECONDS)


def plan_inputs(plan: Plan, read: Collection[Path], base: Path | None) -> Iterator[Path]:
    """The files that the plan changes, and the memory's documents that it was made of, if they changed just now."""
    yield from (edit.path for edit in plan.edits if not isinstance(edit, Create))
    yield from recently_changed(read, base)


def recently_changed(read: Collection[Path], base: Path | None) -> Iterator[Path]:
    """Of the files that were read the memory's documents that changed just now."""
    now = time.time()
    if base is None:
        return
    for path in read:
        if path.suffix == ".md" and (path.is_relative_to(base) or path.parent == base.parent):
            status = _status(path)
            if status is not None and abs(now - status.st_mtime) < _FRESH_SECONDS:
                yield path


def _is_unsteady(path: Path) -> bool:
    status = _status(path)
    if status is None or not (status.st_size == 0 or abs(time.time() - status.st_mtime) < REST_SECONDS):
        return False
    real = Path(os.path.realpath(path))
    is_written = leases.is_open_for_writing(real)
    # Where the system cannot tell, only a file that was emptied just now is waited for.
    return bool(is_written) or (
        is_written is None and status.st_size == 0 and abs(time.time() - status.st_mtime) < REST_SECONDS
    )


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None
