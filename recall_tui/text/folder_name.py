"""The name that a person calls a project's folder by, from its path alone."""

from __future__ import annotations

from collections.abc import Sequence

_WORKTREE_FOLDERS = ("worktrees", "worktree")
"""Folders that hold work trees of a repository, `.claude/worktrees` and `.worktrees` among them."""
_HOMES = ("home", "Users")
"""Folders of home folders."""


def folder_name(parts: Sequence[str], home: Sequence[str] = ()) -> str:
    """Return the name of the folder with these parts: of a work tree its repository, and never a bare number."""
    at = next((at for at, part in enumerate(parts) if part.lstrip(".").lower() in _WORKTREE_FOLDERS), 0)
    above = [part for part in parts[:at] if not part.startswith(".")]
    if at and above and tuple(above) != tuple(home):
        parts = above
    elif at and len(parts) > at + 2:
        parts = parts[: at + 2]
    return next((part for part in reversed(parts) if not part.isdecimal()), "").strip("/\\") or parts[-1]


def path_name(path: str) -> str:
    """Return the name of the folder at a path of any machine, of which it is not known whose home is where."""
    parts = path.rstrip("/\\").replace("\\", "/").split("/")
    return folder_name(parts, parts[:3] if parts[1:2] and parts[1] in _HOMES else ())
