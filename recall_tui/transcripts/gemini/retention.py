"""The time for which Gemini CLI keeps its chats: `general.sessionRetention` of the person's settings."""

from __future__ import annotations

import json
import re

from recall_tui import files
from recall_tui.environment import Environment

GEMINI_DEFAULT_DAYS = 30
"""What Gemini CLI does when `general.sessionRetention` is unset."""
_MAX_DAYS = 36_500
_AGE = re.compile(r"([0-9]{1,5})([hdwm])")
_DAYS_PER_UNIT = {"h": 1 / 24, "d": 1, "w": 7, "m": 30}


def gemini_retention(environment: Environment) -> tuple[int | None, bool]:
    """Return the days after which a chat is deleted, None for never, and whether that is the default."""
    default = (GEMINI_DEFAULT_DAYS, True)
    try:
        table = json.loads(files.read_file(environment.gemini / "settings.json", files.MAX_SETTINGS_BYTES))
    except (OSError, ValueError, RecursionError):
        return default
    for key in ("general", "sessionRetention"):
        table = table.get(key) if isinstance(table, dict) else None
    if not isinstance(table, dict):
        return default
    if table.get("enabled") is False:
        return None, False
    age = table.get("maxAge")
    found = _AGE.fullmatch(age) if isinstance(age, str) else None
    if found is None:
        return default
    return min(max(1, round(int(found[1]) * _DAYS_PER_UNIT[found[2]])), _MAX_DAYS), False
