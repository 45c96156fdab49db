"""Explain operating system errors: the file and the next step."""

from __future__ import annotations

import errno
from pathlib import Path

from recall_tui.files import OutsideRootError

_NOT_A_FILE = "not a readable file: move it away, then run the command again"
_LINK_HINT = "remove the link, or, if it is your own: recall-tui config set memory.follow_links true"
_HINTS = {
    errno.ENOSPC: "free space on that disk and run it again; the earlier content is intact",
    errno.EDQUOT: "free space within your quota and run it again; the earlier content is intact",
    errno.EROFS: "that disk can only be read; run it again when it can be written",
    errno.EACCES: "see who may read and write it, and run it again",
    errno.EPERM: "see who may read and write it, and run it again",
    errno.EIO: "the disk may be failing: back it up, then run: recall-tui doctor --fix",
    errno.EMFILE: "too many files are open; end other programs and run it again",
    errno.ENFILE: "too many files are open; end other programs and run it again",
    errno.ELOOP: _NOT_A_FILE,
    errno.EISDIR: _NOT_A_FILE,
    errno.ENXIO: _NOT_A_FILE,
    errno.ENOTDIR: _NOT_A_FILE,
    errno.EFBIG: "split it into several, or move it away",
    errno.ENAMETOOLONG: "give it a shorter name",
}


def error_message(error: OSError) -> tuple[str, str]:
    """Return the message and the next step; empty where the error itself says everything."""
    if error.strerror is None:
        return "", ""
    place = error.filename2 or error.filename
    message = f"{error.strerror}: {place}" if place else error.strerror
    if isinstance(error, OutsideRootError):
        return message, _LINK_HINT
    return message, _HINTS.get(error.errno or 0, "")


def error_reason(error: OSError, path: Path) -> str:
    """Return the error as one line to follow the name of `path`, which it does not repeat."""
    message, hint = error_message(error)
    if str(path) == str(error.filename2 or error.filename):
        message = error.strerror or ""
    return "; ".join(filter(None, (message or str(error), hint)))
