"""Documents beside an archive whose place is taken: by a folder, a pipe, a link that leads out, or far too much text.

They are left out of the change and named, so that the archive is made all the same. Once the place is free, `doctor`
makes the rows and the window again; the line of a day is not made up for.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

from recall_tui.domain import Append, Create, Edit, Replace
from recall_tui.errors import RecallError
from recall_tui.files import OtherOwnerError, resolve_target
from recall_tui.storage.archives.index_file import MAX_ROWS_BYTES
from recall_tui.storage.files import symlinks
from recall_tui.storage.files.atomic import content_digest, decode, encode, read_bytes
from recall_tui.storage.memory_context import Store

_MAX_BYTES = 2 << 20
"""Of a window or the log of a day: more cannot be read and written while a session ends."""


def block_edits(store: Store, path: Path, edits: Callable[[], list[Edit]]) -> tuple[list[Edit], tuple[str, ...]]:
    """The edits of a document, or none and the sentence that says why, when no file can be at its path."""
    words = obstacle_reason(store, path)
    return ([], (f"{store.relative(path)} was left out: {words}",)) if words else (edits(), ())


def obstacle_reason(store: Store, path: Path) -> str:
    """Why no file of the memory can be at the path; empty when one is there or can be made."""
    try:
        symlinks.expect_own(store.layout, path)
    except RecallError as error:
        return error.message
    try:
        status = path.stat()
    except FileNotFoundError:
        return _obstacle_above(store, path)
    except OSError as error:
        return _obstacle_above(store, path) if error.errno == errno.ENOTDIR else error.strerror or str(error)
    if not stat.S_ISREG(status.st_mode):
        return "not a regular file: move it away"
    most = MAX_ROWS_BYTES if path == store.layout.rows else _MAX_BYTES
    if status.st_size > most:
        return f"it is too large: {status.st_size:,} bytes, where {most:,} are the most; take something out of it"
    try:
        resolve_target(path)
    except OtherOwnerError as error:
        return f"it {error.strerror}"
    return ""


def _obstacle_above(store: Store, path: Path) -> str:
    there = next(folder for folder in path.parents if os.path.lexists(folder))
    return "" if there.is_dir() else f"{store.relative(there)} is not a folder: move it away"


def extend_file(path: Path, new: str) -> list[Edit]:
    """The edit that gives a file its new text: an append where that is all it is."""
    old, made = read_bytes(path), encode(new)
    if old is None:
        return [Create(path, new)]
    if made == old:
        return []
    if made.startswith(old):
        return [Append(path, decode(made[len(old) :]))]
    return [Replace(path, content_digest(old), new)]
