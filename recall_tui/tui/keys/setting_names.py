"""The names that the app's settings may have: themes, commands with a key, and keys.

`config set` finds this module by its name, so that the command line never depends on the app.
"""

from __future__ import annotations

from recall_tui.tui import themes
from recall_tui.tui.keys.keymap import command_bindings, is_key

__all__ = ["command_names", "is_key", "theme_names"]


def theme_names() -> tuple[str, ...]:
    """Return the app's own themes, then Textual's."""
    from textual.theme import BUILTIN_THEMES

    own = tuple(theme.name for theme in themes.OWN_THEMES)
    return (*own, *sorted(BUILTIN_THEMES))


def command_names() -> tuple[str, ...]:
    """Return the names by which `keys.NAME` gives a command another key."""
    return tuple(sorted({binding.id for _, binding in command_bindings() if binding.id}))
