"""The common form in which agents register an MCP server."""

from __future__ import annotations

from pathlib import Path

from recall_tui.agents.hook_command import server_argv
from recall_tui.agents.pieces.server_entry import ServerEntry
from recall_tui.agents.target import Site


def stdio_server(
    path: Path, site: Site, *, key: str = "mcpServers", kind: str = "", has_comments: bool = False, **more: object
) -> ServerEntry:
    """Return the piece with command and arguments apart.

    `key` holds the servers by name, `kind` is the entry's `type` when the agent wants one, `more` are further fields.
    """
    command, *args = server_argv(site)
    typed = {"type": kind} if kind else {}
    return ServerEntry(path, key, {**typed, "command": command, "args": args, **more}, has_comments)
