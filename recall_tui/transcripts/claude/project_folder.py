"""The folder that Claude Code's name of a project stands for.

The name has a `-` for everything that is no letter or digit, so that several folders share one; only the disk can tell
them apart, and what is no longer there is guessed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from recall_tui import files
from recall_tui.environment import Environment, claude_project_name

_MAX_CACHED_NAMES = 4096
"""Names whose folder is remembered in a process."""


@lru_cache(maxsize=_MAX_CACHED_NAMES)
def find_project_folder(name: str) -> str:
    """The folder that is on disk under a name such as `-home-u-my-api`; `/home/u/my/api` when none is."""
    if not name.startswith("-"):
        return name
    return next(_folders("/", name[1:]), name.replace("-", "/"))


@lru_cache(maxsize=_MAX_CACHED_NAMES)
def only_project_folder(name: str) -> str:
    """Return the folder on disk that a name such as `home-u-my-api` stands for; empty for none and for several."""
    found = list(islice(_folders("/", name), 2))
    return found[0] if len(found) == 1 else ""


def _folders(parent: str, name: str) -> Iterator[str]:
    """The folders in `parent`, however deep, that the name may stand for."""
    try:
        with os.scandir(parent) as entries:
            found = sorted((entry.name, entry.path) for entry in entries if _is_folder(entry))
    except OSError:
        return
    for own, path in found:
        written = claude_project_name(own)
        if written == name:
            yield path
        elif name.startswith(f"{written}-"):
            yield from _folders(path, name[len(written) + 1 :])


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


DEFAULT_RETENTION_DAYS = 30
"""What Claude Code does when `cleanupPeriodDays` is unset."""
MAX_RETENTION_DAYS = 36_500
"""More than a lifetime, so that no date is beyond the calendar."""
RETENTION_KEY = "cleanupPeriodDays"


def retention_days(environment: Environment) -> int:
    """Days from the last write of a transcript until Claude Code deletes it, as the person's settings say."""
    days = _configured_retention(environment)
    return DEFAULT_RETENTION_DAYS if days is None else days


def has_own_retention(environment: Environment) -> bool:
    """Return whether the person's settings say how long Claude Code keeps a transcript."""
    return _configured_retention(environment) is not None


def _configured_retention(environment: Environment) -> int | None:
    try:
        table = json.loads(files.read_file(environment.claude / "settings.json", files.MAX_SETTINGS_BYTES))
    except (OSError, ValueError, RecursionError):
        return None
    days = table.get(RETENTION_KEY) if isinstance(table, dict) else None
    if isinstance(days, bool) or not isinstance(days, int) or days < 0:
        return None
    return min(days, MAX_RETENTION_DAYS)
