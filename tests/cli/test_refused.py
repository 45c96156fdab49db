"""What the system refuses is told with the file and a next step."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from recall_tui.cli.os_errors import error_message, error_reason


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EIO, errno.EDQUOT, errno.EMFILE])
def test_a_refusal_names_the_file_and_what_to_do(code: int) -> None:
    message, hint = error_message(OSError(code, os.strerror(code), "/memory/MEMORY.md"))
    assert message == f"{os.strerror(code)}: /memory/MEMORY.md"
    assert "run" in hint and "verbose" not in hint


def test_a_refusal_of_two_files_names_the_one_that_was_to_be_made() -> None:
    assert error_message(OSError(errno.EEXIST, "File exists", "a", None, "b")) == ("File exists: b", "")


def test_an_error_without_words_of_the_system_is_none_of_these() -> None:
    assert error_message(OSError("it went wrong")) == ("", "")


def test_a_refusal_below_a_name_says_another_files_name_and_not_the_same_again() -> None:
    error = OSError(errno.EROFS, "Read-only", "/memory/ARCHIVE.md")
    hint = "that disk can only be read; run it again when it can be written"
    assert error_reason(error, Path("/home/a.jsonl")) == f"Read-only: /memory/ARCHIVE.md; {hint}"
    assert error_reason(error, Path("/memory/ARCHIVE.md")) == f"Read-only; {hint}"
    assert error_reason(OSError("it went wrong"), Path("a")) == "it went wrong"
