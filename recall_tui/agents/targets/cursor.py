"""Cursor: a rule in a project, applied always, and the server; for a person the server alone.

Its rules for a person live in its settings' database, which is Cursor's alone. Its hooks are left out: no answer of
theirs reaches the model when a prompt is sent. A project's server wins over the person's of the same name.
"""

from __future__ import annotations

from recall_tui.agents.detection import is_present
from recall_tui.agents.instructions import InstructionStyle, render_protocol
from recall_tui.agents.pieces.own_file import OwnFile
from recall_tui.agents.pieces.server_entry import stdio_server
from recall_tui.agents.target import Piece, Scope, Site
from recall_tui.environment import Environment

FRONT_MATTER = """---
description: The memory of earlier sessions - where it is, and how it is searched
globs:
alwaysApply: true
---

"""
_STYLE = InstructionStyle(is_read=False)


class CursorTarget:
    """The Cursor editor."""

    name = "cursor"
    title = "Cursor"
    scopes: tuple[Scope, ...] = ("user", "project")
    has_hooks = False
    clients = ("cursor-vscode",)
    # Closed; listed by apify/mcp-client-capabilities, src/mcp_client_capabilities/mcp-clients.json.

    def is_found(self, environment: Environment) -> bool:
        """Its folder or its program is there."""
        return is_present(environment, [environment.home / ".cursor"], ["cursor", "cursor-agent"])

    def pieces(self, site: Site) -> tuple[Piece, ...]:
        """The server; in a project also the rule `.cursor/rules/recall-tui.mdc`."""
        if site.scope == "user":
            return (stdio_server(site.environment.home / ".cursor" / "mcp.json", site),)
        path = site.project / ".cursor" / "rules" / "recall-tui.mdc"
        return (
            OwnFile(path, "rules", FRONT_MATTER + render_protocol(site, _STYLE, path)),
            stdio_server(site.project / ".cursor" / "mcp.json", site),
        )
