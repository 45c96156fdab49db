"""Hashes of the lines that we wrote into files we regenerate, so that the user's own lines stay.

This is state, not memory: line digests by file. Without a record, a line counts as ours if it has our form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import pairwise
from pathlib import Path

from recall_tui.storage.files import atomic
from recall_tui.text import three_way

LINES_FILE = "lines.json"
MAX_LINES = 4_000
"""The most lines to record per file; the newest stay."""
_MAX_FILE_BYTES = 8 << 20
_DIGEST_DIGITS = 12
_IS_PREVIEW = ContextVar("is_preview", default=False)

IsOurs = Callable[[str], bool]
"""A predicate for lines that are ours."""


def merge_user_lines(state: Path, path: Path, new: str, there: str, has_form: IsOurs) -> str:
    """Return the new text of a file, or of a part of it, with the user's lines of the present text in their places."""
    is_ours = own_line_check(state, path, has_form)
    remember_lines(state, path, new.split("\n"))
    base = "".join(line for line in there.splitlines(keepends=True) if is_ours(line.rstrip("\r\n")))
    return _with_gaps(three_way.merge(base, new, there).text, there, is_ours)


def _with_gaps(text: str, there: str, is_ours: IsOurs) -> str:
    """Put a blank line above each line of the user that had one, so that it does not become a part of ours."""
    starts = {line for above, line in pairwise(there.splitlines()) if not above.strip() and not is_ours(line)}
    parts: list[str] = []
    for line in text.splitlines(keepends=True):
        bare = line.rstrip("\r\n")
        if bare in starts and parts and parts[-1].strip():
            parts.append(line[len(bare) :] or "\n")
        parts.append(line)
    return "".join(parts)


def own_line_check(state: Path, path: Path, has_form: IsOurs) -> IsOurs:
    """Return a predicate for our lines: those recorded for the file or, without a record, those that have our form."""
    known = _read(state).get(_name(path))
    if known is None:
        return lambda line: not line.strip() or has_form(line)
    digests = frozenset(known)
    return lambda line: not line.strip() or _digest(line) in digests


@contextmanager
def preview() -> Iterator[None]:
    """Record nothing during the block, whose plan is only shown."""
    token = _IS_PREVIEW.set(True)
    try:
        yield
    finally:
        _IS_PREVIEW.reset(token)


def remember_lines(state: Path, path: Path, lines: Iterable[str]) -> None:
    """Record lines that are about to be written into the file."""
    if _IS_PREVIEW.get():
        return
    every = _read(state)
    before = every.pop(_name(path), None) or []
    now = list(dict.fromkeys((*before, *(_digest(line) for line in lines if line.strip()))))
    every[_name(path)] = now[-MAX_LINES:]
    if now != before:
        atomic.write_json(state / LINES_FILE, every)


def _read(state: Path) -> dict[str, list[str]]:
    found = atomic.read_json(state / LINES_FILE, _MAX_FILE_BYTES)
    return found if isinstance(found, dict) else {}


def _name(path: Path) -> str:
    return _digest(str(path))


def _digest(line: str) -> str:
    return atomic.content_digest(line.rstrip())[:_DIGEST_DIGITS]
