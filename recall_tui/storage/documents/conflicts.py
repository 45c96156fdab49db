"""Conflicts that git left in documents: said where one is shown, and nothing is added until they are settled."""

from __future__ import annotations

from pathlib import Path

from recall_tui.errors import RecallError
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.memory_context import Store

_SPOKEN_KINDS = frozenset(("conversation", "transcript"))
"""Kinds of documents that hold what was said, conflicts of code too."""


def expect_settled(store: Store, path: Path, text: str | None = None) -> None:
    """Raise RecallError when git left a conflict in the file; `text` is its text when that was read already."""
    if found := _first_conflict(read_text(path) if text is None else text):
        raise RecallError(
            f"{store.relative(path)}:{found[0]} holds a conflict of git: nothing was added",
            hint="keep the right lines in the file and remove the three markers, then do it again",
        )


def conflict_note(kind: str, text: str, lines: tuple[int, int] | None = None) -> str:
    """Say that two versions stand in these lines of a document; empty when git left no conflict in them."""
    found = None if kind in _SPOKEN_KINDS else _first_conflict(text, lines)
    return (
        f"lines {found[0]}-{found[1]} hold two versions that git could not merge; settle it in the file"
        if found
        else ""
    )


def _first_conflict(text: str, lines: tuple[int, int] | None = None) -> tuple[int, int] | None:
    """The first and the last line of the first conflict that reaches into the lines."""
    from recall_tui.text.merge_conflicts import OPENING, find_conflicts

    if OPENING not in text:
        return None
    first, last = lines or (1, text.count("\n") + 1)
    return next(((start, end) for start, _, end in find_conflicts(text) if start <= last and end >= first), None)


def marked_text(kind: str, text: str) -> str:
    """The document's text with words in place of git's markers, and as many lines as before."""
    if kind in _SPOKEN_KINDS or "<<<<<<<" not in text:
        return text
    from recall_tui.text.merge_conflicts import mark_conflicts

    return mark_conflicts(text)
