"""`workspace.yaml` beside a log of Copilot CLI: YAML of one level, in which values that need quotes may have none."""

from __future__ import annotations

import json
from pathlib import Path

from recall_tui import files

WORKSPACE_FILE = "workspace.yaml"
_FIELD = "name: "


def session_title(log: Path) -> str:
    """Return the name of the session in a log, its first prompt unless the person gave one; empty when none is told."""
    path = log.with_name(WORKSPACE_FILE)
    try:
        # Anything but a regular file, such as a pipe, might never end.
        text = files.read_file(path).decode("utf-8", "replace") if path.is_file() else ""
    except OSError:
        return ""
    lines = iter(text.splitlines())
    value = next((line.removeprefix(_FIELD).strip() for line in lines if line.startswith(_FIELD)), "")
    if value[:1] in ("|", ">"):
        inside = []
        for line in lines:
            if line.strip() and not line.startswith(" "):
                break
            inside.append(line.strip())
        return " ".join(inside).strip()
    return _unquoted(value)


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] == "'":
        return value[1:-1].replace("''", "'")
    if value.startswith('"'):
        try:
            found = json.loads(value)
        except ValueError:
            return value
        return found if isinstance(found, str) else value
    return value
