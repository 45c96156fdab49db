"""`mcp`: a server for agents, on stdin and stdout."""

from __future__ import annotations

from recall_tui.cli.agent_server import serve_agent
from recall_tui.cli.click_ext import CommandContext, command


@command()
def mcp(run: CommandContext) -> int | None:
    """Serve the memory to an agent by the Model Context Protocol.

    Agents start it themselves.
    """
    return serve_agent(run)
