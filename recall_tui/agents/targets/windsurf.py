"""Windsurf: a rule in a project, or a block in the person's global rules.

It has no hooks that hand anything over, and a rule of more than 12,000 characters is cut.
"""

from __future__ import annotations

from recall_tui.agents.detection import is_present
from recall_tui.agents.instructions import InstructionStyle, render_protocol
from recall_tui.agents.pieces.marked_block import MarkedBlock
from recall_tui.agents.pieces.own_file import OwnFile, add_checksum
from recall_tui.agents.pieces.server_entry import stdio_server
from recall_tui.agents.target import Piece, Scope, Site
from recall_tui.environment import Environment

FRONT_MATTER = """---
trigger: always_on
description: The memory of earlier sessions - where it is, and how it is searched
---

"""
MAX_RULE_CHARS = 12_000
"""Characters of one rule, front matter and mark included."""
MAX_GLOBAL_CHARS = 6_000
"""Characters of the global rules, the person's own included."""
_FRAME_CHARS = len(add_checksum(FRONT_MATTER, ".md"))
_STYLE = InstructionStyle(is_read=False, limit=MAX_RULE_CHARS - _FRAME_CHARS)
_GLOBAL_STYLE = InstructionStyle(is_read=False, is_short=True, level=2, limit=MAX_GLOBAL_CHARS - _FRAME_CHARS)


class WindsurfTarget:
    """The Windsurf editor."""

    name = "windsurf"
    title = "Windsurf"
    scopes: tuple[Scope, ...] = ("project", "user")
    has_hooks = False
    clients = ("windsurf-client", "Windsurf")
    # Closed; listed by apify/mcp-client-capabilities, src/mcp_client_capabilities/mcp-clients.json.

    def is_found(self, environment: Environment) -> bool:
        """Its folder or its program is there."""
        return is_present(environment, [environment.home / ".codeium" / "windsurf"], ["windsurf"])

    def pieces(self, site: Site) -> tuple[Piece, ...]:
        """The rule `.windsurf/rules/recall-tui.md`, or a block in `global_rules.md`."""
        if site.scope == "user":
            path = site.environment.home / ".codeium" / "windsurf" / "memories" / "global_rules.md"
            return (
                MarkedBlock(path, "rules", render_protocol(site, _GLOBAL_STYLE, path), self.name, MAX_GLOBAL_CHARS),
                stdio_server(site.environment.home / ".codeium" / "windsurf" / "mcp_config.json", site),
            )
        path = site.project / ".windsurf" / "rules" / "recall-tui.md"
        return (OwnFile(path, "rules", FRONT_MATTER + render_protocol(site, _STYLE, path)),)
