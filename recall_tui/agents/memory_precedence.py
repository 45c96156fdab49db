"""Which of two memories speaks, where a person's hooks and a project's are both installed: the project's.

Each still captures into its own. Only the settings of folders from the session's own upward are looked at, and none of
another account.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recall_tui import files
from recall_tui.storage.trust import is_of_another

if TYPE_CHECKING:
    from recall_tui.domain.hook import HookEvent
    from recall_tui.environment import Environment

_SETTINGS_FILES: Mapping[str, tuple[str, ...]] = {
    "claude": (".claude/settings.local.json", ".claude/settings.json"),
    "codex": (".codex/hooks.json",),
    "gemini": (".gemini/settings.json",),
}
_HOOK_SIGNS = (b"--root", b" hook ")
"""What settings with a hook of ours hold."""


def is_overridden(event: HookEvent, root: Path, environment: Environment) -> bool:
    """Whether the session's project has hooks of ours for another memory than the one at `root`."""
    if event.cwd is None or event.agent not in _SETTINGS_FILES:
        return False
    persons = {environment.claude, environment.codex, environment.gemini}
    for folder in (event.cwd, *event.cwd.parents):
        for name in _SETTINGS_FILES[event.agent]:
            path = folder / name
            if path.parent in persons or is_of_another(path, environment.env):
                continue
            found = set(_hook_roots(path, folder))
            if found:
                return root not in found
    return False


def _hook_roots(path: Path, project: Path) -> Iterator[Path]:
    """The memories that hooks of ours in the settings are for."""
    try:
        data = files.read_file(path, files.MAX_SETTINGS_BYTES, beneath=project)
        if not all(word in data for word in _HOOK_SIGNS):
            return
        hooks = json.loads(data).get("hooks")
    except (OSError, ValueError, AttributeError, RecursionError):
        return
    from recall_tui.agents.hook_command import is_own_hook, split_command

    for handler in _iter_handlers(hooks):
        words = split_command(handler.get("command"), handler.get("args"))
        if is_own_hook(words):
            named = [after for word, after in pairwise(words) if word == "--root"]
            named += [word.removeprefix("--root=") for word in words if word.startswith("--root=")]
            yield from map(Path, named)


def _iter_handlers(hooks: Any) -> Iterator[dict[str, Any]]:
    for groups in hooks.values() if isinstance(hooks, dict) else ():
        for group in groups if isinstance(groups, list) else ():
            inner = group.get("hooks") if isinstance(group, dict) else None
            yield from (one for one in (inner if isinstance(inner, list) else ()) if isinstance(one, dict))
