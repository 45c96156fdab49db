"""Cursor: a rule in a project, applied always.

Its rules for a person live in its settings' database, which is Cursor's alone: there is no scope of the person. Its
hooks are left out: no answer of theirs reaches the model when a prompt is sent.
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
    scopes: tuple[Scope, ...] = ("project",)
    has_hooks = False
    clients = ("cursor-vscode",)
    # Closed; listed by apify/mcp-client-capabilities, src/mcp_client_capabilities/mcp-clients.json.

    def is_found(self, environment: Environment) -> bool:
        """Its folder or its program is there."""
        return is_present(environment, [environment.home / ".cursor"], ["cursor", "cursor-agent"])

    def pieces(self, site: Site) -> tuple[Piece, ...]:
        """The rule `.cursor/rules/recall-tui.mdc` of a project, and the server."""
        path = site.project / ".cursor" / "rules" / "recall-tui.mdc"
        return (
            OwnFile(path, "rules", FRONT_MATTER + render_protocol(site, _STYLE, path)),
            stdio_server(site.project / ".cursor" / "mcp.json", site),
        )
