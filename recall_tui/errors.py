"""Every error shown to the user, with a hint for the next step and the exit code.

RecallError            1   a failure
├── NotFoundError      1   no such memory, document or entry
├── BrokenFileError    1   an unreadable file: names the file and the line
├── UsageError         2   invalid arguments
├── ConfigError        2   a setting is unknown, of the wrong type or out of range
├── ConflictError      3   the files changed since the plan was made
│   └── LockedError    3   another process holds the memory's lock
└── ModelError         4   no language model is available
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar


class RecallError(Exception):
    """A failure with a message for the user, a next step (`hint`) and an exit code."""

    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class NotFoundError(RecallError):
    """No such memory, document or entry."""


class BrokenFileError(RecallError):
    """A file cannot be read; the message names the file and the line."""


class UsageError(RecallError):
    """The arguments are invalid."""

    exit_code = 2


class ConfigError(RecallError):
    """A setting is unknown, of the wrong type or out of range."""

    exit_code = 2


class ConflictError(RecallError):
    """The files changed since the plan was made; nothing was written."""

    exit_code = 3


class LockedError(ConflictError):
    """Another process holds the memory's lock."""


class ModelError(RecallError):
    """No language model is available."""

    exit_code = 4


@contextmanager
def name_path(path: object) -> Iterator[None]:
    """Add the path to an OSError raised in the block without one, as reads of an open file do."""
    try:
        yield
    except OSError as error:
        if error.errno is not None and error.filename is None:
            error.filename = str(path)
        raise


def reason_of(error: Exception) -> str:
    """Return the error's message for the user."""
    if isinstance(error, RecallError):
        return error.message
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}: {error.filename}" if error.filename else error.strerror
    return f"{type(error).__name__}: {error}"
