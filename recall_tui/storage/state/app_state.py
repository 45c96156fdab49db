"""Where the app was left: its screen and panel, what was searched, and what the cursors stood on.

It is state and no memory: one small file that only its owner reads. One that is damaged, or of a newer form, is as if
there were none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from recall_tui import files
from recall_tui.storage.files import atomic
from recall_tui.storage.state.saved_searches import LONGEST_QUESTION
from recall_tui.text.cut import cut, one_line, plain

if TYPE_CHECKING:
    from recall_tui.storage.memory_context import Store

FILE = "app.json"
FORM = 1
"""The form of the file; a higher one is of a newer version."""
_LARGEST = 1 << 16
"""Bytes; no bookmark is as large."""
_LONGEST_KEY = 500
"""Characters of what a cursor stood on that are kept."""
_MOST_CURSORS = 100


@dataclass(frozen=True, slots=True)
class Bookmark:
    """What is taken up again at the next start."""

    screen: str = ""
    panel: str = ""
    """The list that had the focus."""
    question: str = ""
    cursors: Mapping[str, str] = field(default_factory=dict)
    """What each list's cursor stood on, by `screen/list`."""


def read(store: Store) -> Bookmark:
    """The bookmark of a memory; an empty one when there is none that can be used."""
    path = store.state / FILE
    try:
        if not path.is_file() or path.stat().st_size > _LARGEST:
            return Bookmark()
        return _parsed(json.loads(files.read(path)))
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return Bookmark()


def _parsed(table: Mapping[str, object]) -> Bookmark:
    if table["form"] != FORM:
        return Bookmark()
    cursors = table["cursors"]
    if not isinstance(cursors, dict):
        raise TypeError("no table")
    kept = {_text(name): _text(key) for name, key in cursors.items()}
    return Bookmark(_text(table["screen"]), _text(table["panel"]), _text(table["question"]), kept)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return one_line(plain(value))


def write(store: Store, bookmark: Bookmark) -> None:
    """Keep the bookmark, without secrets; the same one is not written again."""
    path = store.state / FILE
    cursors = {name: _kept(key, _LONGEST_KEY) for name, key in list(bookmark.cursors.items())[-_MOST_CURSORS:]}
    question = _kept(bookmark.question, LONGEST_QUESTION)
    table = {
        "form": FORM,
        "screen": bookmark.screen,
        "panel": bookmark.panel,
        "question": question,
        "cursors": cursors,
    }
    data = (json.dumps(table, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "replace")
    if data != atomic.read_bytes(path):
        atomic.write(path, data)


def _kept(text: str, longest: int) -> str:
    from recall_tui.text.secrets.redact import redact

    return cut(one_line(plain(redact(text))), longest)
