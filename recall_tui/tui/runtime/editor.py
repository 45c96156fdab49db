"""Opening a file in the person's editor.

The command is a list of words, never a line for a shell.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path, PurePath

from recall_tui.environment import Environment
from recall_tui.errors import NotFoundError

_LINE_EDITORS = ("vi", "vim", "nvim", "view", "nano", "emacs", "emacsclient", "micro", "kak", "joe", "ne", "mg")
"""Editors that understand `+LINE FILE`."""
_USUAL_EDITORS = ("nano", "vim", "vi")
"""Editors that nearly every system has, the easiest to leave first."""


def editor_command(
    env: Mapping[str, str], path: Path, line: int = 1, *, find: Callable[[str], str | None] = lambda _: None
) -> list[str]:
    """The words that open `path` at `line` in `$VISUAL` or `$EDITOR`, else in the first usual editor that `find` finds.

    NotFoundError when there is none.
    """
    words = shlex.split(env.get("VISUAL") or env.get("EDITOR") or "")
    if not words:
        words = list(filter(find, _USUAL_EDITORS))[:1]
    if not words:
        raise NotFoundError("no editor is set, and none is on PATH", hint="set EDITOR, such as: export EDITOR=nano")
    place = [f"+{line}"] if line > 1 and PurePath(words[0]).name in _LINE_EDITORS else []
    return [*words, *place, str(path)]


def resolve_command(environment: Environment, words: list[str]) -> list[str]:
    """The words with the program in full, unless it is a path already; NotFoundError when `PATH` does not have it."""
    if "/" in words[0]:
        return words
    search = environment.env.get("PATH") or os.defpath
    program = environment._replace(env={**environment.env, "PATH": search}).program(words[0])
    if program is None:
        raise NotFoundError(f"the editor {words[0]} is not found", hint="set EDITOR, such as: export EDITOR=nano")
    return [program, *words[1:]]
