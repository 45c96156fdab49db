"""Serve the memory to an agent from the project's folder, as the agent names it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.cli.context import CommandContext

if TYPE_CHECKING:
    from recall_tui.environment import Environment
    from recall_tui.workbench import Workbench


def serve_agent(run: CommandContext) -> int:
    """Serve the client on stdin and stdout until it is gone, and return the exit code."""
    from recall_tui.mcp.process import serve

    environment = _in_project(run.environment)
    root, layout, now = run.folder(), run.layout, run.now

    def open_memory() -> Workbench:
        from recall_tui.workbench import Workbench

        return Workbench.open(root, layout=layout, environment=environment, now=now)

    serve(open_memory, is_debugging=bool(environment.env.get("RECALL_MCP_DEBUG")))
    return 0


def _in_project(environment: Environment) -> Environment:
    named = environment.env.get("CLAUDE_PROJECT_DIR", "")
    return environment._replace(cwd=Path(named)) if named and Path(named).is_dir() else environment
