"""Every error that a person may see, with what to do next and the exit code it ends a command with.

RecallError            1   something failed
├── NotFoundError      1   there is no such memory, document or entry
├── BrokenFileError    1   a file cannot be read: it names the file and the line
├── UsageError         2   the command's words are off
├── ConfigError        2   a setting is unknown, of the wrong type or out of range
├── ConflictError      3   the files changed since the plan was made
│   └── LockedError    3   another process holds the memory
└── ModelError         4   no language model answers
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar


class RecallError(Exception):
    """A failure with a message for a person, a next step (`hint`) and an exit code."""

    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class NotFoundError(RecallError):
    """There is no such memory, document or entry."""


class BrokenFileError(RecallError):
    """A file cannot be read; the message names the file and the line."""


class UsageError(RecallError):
    """The command's words are off."""

    exit_code = 2


class ConfigError(RecallError):
    """A setting is unknown, of the wrong type or out of range."""

    exit_code = 2


class ConflictError(RecallError):
    """The files changed since the plan was made; nothing was written."""

    exit_code = 3


class LockedError(ConflictError):
    """Another process holds the memory."""


class ModelError(RecallError):
    """No language model answers."""

    exit_code = 4


@contextmanager
def name_path(path: object) -> Iterator[None]:
    """Let an OSError of the block say which file it is about; one of a file that is open does not."""
    try:
        yield
    except OSError as error:
        if error.errno is not None and error.filename is None:
            error.filename = str(path)
        raise


def reason_of(error: Exception) -> str:
    """What went wrong, for a person."""
    if isinstance(error, RecallError):
        return error.message
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}: {error.filename}" if error.filename else error.strerror
    return f"{type(error).__name__}: {error}"
