"""The lines that we wrote into files that are written anew: by them a person's lines are known, and stay.

It is state and no memory: digests of lines by file. Without it lines count as ours when they have the form of ours.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path

from recall_tui import files
from recall_tui.storage.files import atomic
from recall_tui.text import three_way

LINES_FILE = "lines.json"
MAX_LINES = 4_000
"""Lines that are remembered of a file, the newest."""
_MAX_FILE_BYTES = 8 << 20
_DIGEST_DIGITS = 12

IsOurs = Callable[[str], bool]
"""Whether a line is one of ours."""


def merge_user_lines(state: Path, path: Path, new: str, there: str, has_form: IsOurs) -> str:
    """The new text of a file, or of a part of it, with a person's lines of what stands there where they were put."""
    is_ours = own_line_check(state, path, has_form)
    remember_lines(state, path, new.split("\n"))
    base = "".join(line for line in there.splitlines(keepends=True) if is_ours(line.rstrip("\r\n")))
    return three_way.merge(base, new, there).text


def own_line_check(state: Path, path: Path, has_form: IsOurs) -> IsOurs:
    """Whether a line of the file is ours: it was written by us, or as long as nobody knows has the form of ours."""
    known = _read(state).get(_name(path))
    if known is None:
        return lambda line: not line.strip() or has_form(line)
    digests = frozenset(known)
    return lambda line: not line.strip() or _digest(line) in digests


def has_record(state: Path, path: Path) -> bool:
    """Whether lines of the file are remembered."""
    return _name(path) in _read(state)


def remember_lines(state: Path, path: Path, lines: Iterable[str]) -> None:
    """Remember lines that are about to be written into the file."""
    every = _read(state)
    before = every.pop(_name(path), None) or []
    now = list(dict.fromkeys((*before, *(_digest(line) for line in lines if line.strip()))))
    every[_name(path)] = now[-MAX_LINES:]
    if now != before:
        atomic.write_file(state / LINES_FILE, json.dumps(every).encode())


def _read(state: Path) -> dict[str, list[str]]:
    try:
        found = json.loads(files.read_file(state / LINES_FILE, _MAX_FILE_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _name(path: Path) -> str:
    return _digest(str(path))


def _digest(line: str) -> str:
    return atomic.content_digest(line.rstrip())[:_DIGEST_DIGITS]
