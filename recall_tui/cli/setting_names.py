"""Refuse unknown names of themes, commands and keys before `config set` writes them.

The app knows these names; it is found by its module's name and loaded only for its own settings.
"""

from __future__ import annotations

import importlib

_APP_NAMES = "recall_tui.tui.keys.setting_names"
_APP_SETTINGS = ("theme", "keys.")
"""Beginnings of the settings whose values are names of the app."""


def check_app_names(key: str, value: str) -> None:
    """Raise ConfigError, with the nearest valid names, if an app setting has an unknown name."""
    if key.startswith(_APP_SETTINGS):
        importlib.import_module(_APP_NAMES).check_name(key, value)
