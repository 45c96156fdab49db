"""Keys in sentences: those that the settings name, written as the last line of a screen writes them.

A word about a key that is not on a screen's last line is made here, so that it never names a key that does nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding
from textual.keys import format_key

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench

_KEY_LABELS = {
    "enter": "enter",
    "escape": "esc",
    "pagedown": "pgdn",
    "pageup": "pgup",
    "backspace": "bksp",
    "up": "↑",
    "down": "↓",
    "right": "→",
    "delete": "del",
}


def key_label(bench: Workbench, command: str, usual: str) -> str:
    """The first key of a command, by its name in the settings; `usual` is the one that it has by itself."""
    wished = bench.config.text(f"keys.{command}").partition(",")[0].strip()
    return display_key(wished or usual)


def busy_reason(key: str) -> str:
    """Why nothing else is begun while work goes on that the key stops."""
    return f"Another task is running: {key} stops it"


def display_key(key: str) -> str:
    """A key as it is printed on the keyboard, `^p` for ctrl+p."""
    if key in _KEY_LABELS:
        return _KEY_LABELS[key]
    modifiers, bare = Binding(key, "", "").parse_key()
    shown = format_key(bare)
    if "ctrl" in modifiers:
        modifiers.remove("ctrl")
        shown = f"^{shown}"
    return "+".join((*modifiers, shown))
