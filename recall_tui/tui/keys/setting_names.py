"""The names that the app's settings may have: themes, commands with a key, and keys.

`config set` finds this module by its name, so that the command line never depends on the app.
"""

from __future__ import annotations

from recall_tui.errors import ConfigError
from recall_tui.text.cut import one_line, strip_controls
from recall_tui.text.nearest import suggestion
from recall_tui.tui import themes
from recall_tui.tui.keys.keymap import command_bindings, is_key

_KEYS_TABLE = "keys."
_HINT = "see docs/keys.md, or press ? in the app"


def check_name(key: str, value: str) -> None:
    """Raise ConfigError, with the nearest valid names, if a setting of the app has an unknown name.

    The value of an unknown command is not repeated: it may be a secret, such as the key of a model.
    """
    if key == "theme":
        _check_theme(value)
    elif key.startswith(_KEYS_TABLE):
        _check_keys(key, value)


def _check_theme(value: str) -> None:
    names = theme_names()
    if value.strip() not in names:
        raise ConfigError(f"there is no theme {_clean(value)!r}", suggestion(value, names) or ", ".join(names))


def _check_keys(key: str, value: str) -> None:
    name, names = key.removeprefix(_KEYS_TABLE), command_names()
    if name not in names:
        raise ConfigError(f"{_clean(key)}: the app has no command {_clean(name)!r}", suggestion(name, names) or _HINT)
    for pressed in filter(None, (part.strip() for part in value.split(","))):
        if not is_key(pressed):
            raise ConfigError(f"{key} = {_clean(pressed)}: there is no such key", "such as f2, ctrl+s or g")


def theme_names() -> tuple[str, ...]:
    """Return the app's own themes, then Textual's."""
    from textual.theme import BUILTIN_THEMES

    own = tuple(theme.name for theme in themes.OWN_THEMES)
    return (*own, *sorted(BUILTIN_THEMES))


def command_names() -> tuple[str, ...]:
    """Return the names by which `keys.NAME` gives a command another key."""
    return tuple(sorted({binding.id for _, binding in command_bindings() if binding.id}))


def _clean(text: str) -> str:
    return one_line(strip_controls(text))
