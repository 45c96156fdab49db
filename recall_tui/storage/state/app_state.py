"""The app's last state: screen, panel, and the selected item of each list.

This is state, not memory: one small file readable only by its owner. A damaged file, or one of a newer version, counts
as missing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from recall_tui.storage.files import atomic
from recall_tui.text.clean_line import clean_line
from recall_tui.text.cut import one_line, strip_controls

if TYPE_CHECKING:
    from recall_tui.storage.memory_context import Store

STATE_FILE = "app.json"
STATE_VERSION = 1
_MAX_FILE_BYTES = 1 << 16
"""The most bytes to read; no valid file is as large."""
_MAX_KEY_CHARS = 500
"""The most characters to store of a selected item's key."""
_MAX_CURSORS = 100


@dataclass(frozen=True, slots=True)
class AppState:
    """State restored at the next start."""

    screen: str = ""
    panel: str = ""
    """The list that had the focus."""
    cursors: Mapping[str, str] = field(default_factory=dict)
    """The selected item's key, by `screen/list`."""


def has_state(store: Store) -> bool:
    """Return whether the app was opened with this memory before."""
    return (store.state / STATE_FILE).is_file()


def read_state(store: Store) -> AppState:
    """Read the app's state for a memory; empty when there is no valid file."""
    try:
        return _parse(atomic.read_json(store.state / STATE_FILE, _MAX_FILE_BYTES))
    except (ValueError, LookupError, TypeError):
        return AppState()


def _parse(table: Mapping[str, object]) -> AppState:
    if table["form"] != STATE_VERSION:
        return AppState()
    cursors = table["cursors"]
    if not isinstance(cursors, dict):
        raise TypeError("no table")
    kept = {_text(name): _text(key) for name, key in cursors.items()}
    return AppState(_text(table["screen"]), _text(table["panel"]), kept)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return one_line(strip_controls(value))


def write_state(store: Store, bookmark: AppState) -> None:
    """Write the state without secrets, unless it is unchanged."""
    path = store.state / STATE_FILE
    cursors = {name: clean_line(key, _MAX_KEY_CHARS) for name, key in list(bookmark.cursors.items())[-_MAX_CURSORS:]}
    table = {
        "form": STATE_VERSION,
        "screen": bookmark.screen,
        "panel": bookmark.panel,
        "cursors": cursors,
    }
    data = (json.dumps(table, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "replace")
    if data != atomic.read_bytes(path):
        atomic.write_file(path, data)
