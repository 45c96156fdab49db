"""`mcp`: a server for agents, on stdin and stdout."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from recall_tui.cli.click_ext import CommandContext, command
from recall_tui.environment import Environment


@command()
def mcp(run: CommandContext) -> None:
    """Serve the memory to an agent by the Model Context Protocol.

    Agents start it themselves; `recall-tui install` registers it.
    """
    from recall_tui.mcp.process import serve
    from recall_tui.workbench import Workbench

    environment = _in_project(run.environment)
    root, layout, now = run.folder(), run.layout, run.now
    serve(
        lambda: Workbench.open(root, layout=layout, environment=environment, now=now),
        is_debugging=bool(environment.env.get("RECALL_MCP_DEBUG")),
    )


def _in_project(environment: Environment) -> Environment:
    """Return the environment in the project's folder, where the agent says it."""
    named = environment.env.get("CLAUDE_PROJECT_DIR", "")
    return replace(environment, cwd=Path(named)) if named and Path(named).is_dir() else environment
