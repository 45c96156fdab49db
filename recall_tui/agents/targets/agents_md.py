"""AGENTS.md of a project: one block for every agent that reads it, with hooks or without.

All targets that write into it write this block, so that it says one thing; it goes with the last of them.
"""

from __future__ import annotations

from recall_tui.agents.instructions import InstructionStyle, render_protocol
from recall_tui.agents.pieces.marked_block import MarkedBlock
from recall_tui.agents.target import Piece, Scope, Site
from recall_tui.environment import Environment

FILE_NAME = "AGENTS.md"


def shared_block(site: Site, owner: str) -> MarkedBlock:
    """The block in the project's AGENTS.md, there for the target `owner`."""
    path = site.project / FILE_NAME
    form = InstructionStyle(is_shared=True, level=2)
    return MarkedBlock(path, "rules", render_protocol(site, form, path), owner)


class AgentsMdTarget:
    """Any agent that reads AGENTS.md: Codex, Cursor, Windsurf, Copilot and others."""

    name = "agents-md"
    title = "AGENTS.md"
    scopes: tuple[Scope, ...] = ("project",)
    has_hooks = False

    def is_found(self, environment: Environment) -> bool:
        """The folder where one stands has the file."""
        return (environment.cwd / FILE_NAME).is_file()

    def pieces(self, site: Site) -> tuple[Piece, ...]:
        """A block in the project's AGENTS.md."""
        return (shared_block(site, self.name),)
