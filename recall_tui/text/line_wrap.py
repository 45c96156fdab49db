"""Breaks narration for a terminal between words, and never inside a command that a person may copy."""

from __future__ import annotations

import re
import textwrap

_COMMAND = re.compile(r"recall-tui [^;,()]*")
_UNBROKEN_SPACE = "\0"
"""Stands for a space that no line ends at; narration contains no control characters."""


def wrap_line(line: str, width: int, before: int = 0) -> str:
    """Return a line as lines of at most `width` cells, where its words allow it.

    Further lines are indented as the first is. `before` counts the cells that something else takes in front of it.
    """
    unbroken = _COMMAND.sub(lambda command: command[0].replace(" ", _UNBROKEN_SPACE), line)
    indent = " " * (before + len(line) - len(line.lstrip(" ")))
    filled = textwrap.fill(
        unbroken.lstrip(" "),
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return filled[before:].replace(_UNBROKEN_SPACE, " ")
