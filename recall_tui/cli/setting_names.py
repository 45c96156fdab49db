"""Refuse unknown names of themes, commands and keys before `config set` writes them.

The app knows these names; it is found by its module's name and loaded only for its own settings.
"""

from __future__ import annotations

import importlib

from recall_tui.cli.output import one_line
from recall_tui.errors import ConfigError
from recall_tui.text.nearest import suggestion

_APP_NAMES = "recall_tui.tui.keys.setting_names"
_KEYS_TABLE = "keys."
_HINT = "see docs/keys.md, or press ? in the app"


def check_app_names(key: str, value: str) -> None:
    """Raise ConfigError, with the nearest valid names, if an app setting has an unknown name.

    The value of an unknown command is not repeated: it may be a secret, such as the key of a model.
    """
    if key != "theme" and not key.startswith(_KEYS_TABLE):
        return
    app = importlib.import_module(_APP_NAMES)
    if key == "theme":
        names = app.theme_names()
        if value.strip() not in names:
            raise ConfigError(
                f"there is no theme {one_line(value)!r}", hint=suggestion(value, names) or ", ".join(names)
            )
        return
    name, names = key.removeprefix(_KEYS_TABLE), app.command_names()
    if name not in names:
        raise ConfigError(
            f"{one_line(key)}: the app has no command {one_line(name)!r}", suggestion(name, names) or _HINT
        )
    for pressed in filter(None, (part.strip() for part in value.split(","))):
        if not app.is_key(pressed):
            raise ConfigError(f"{key} = {one_line(pressed)}: there is no such key", hint="such as f2, ctrl+s or g")
