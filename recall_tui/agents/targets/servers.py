"""The forms in which agents register an MCP server."""

from __future__ import annotations

from pathlib import Path

from recall_tui.agents.hook_command import server_argv
from recall_tui.agents.pieces.server_entry import ServerEntry
from recall_tui.agents.target import Site

SERVERS_KEY = "mcpServers"
"""The key of most agents."""


def stdio_server(path: Path, site: Site, *, is_typed: bool = False, **more: object) -> ServerEntry:
    """Return the piece of the common form, with the fields in `more`; `is_typed` says that it speaks over stdio."""
    command, *args = server_argv(site)
    kind = {"type": "stdio"} if is_typed else {}
    return ServerEntry(path, SERVERS_KEY, {**kind, "command": command, "args": args, **more})
