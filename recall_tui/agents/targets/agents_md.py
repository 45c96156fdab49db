"""AGENTS.md of a project: one block for every agent that reads it, with hooks or without.

All targets that write into it write this block, so that it says one thing; it goes with the last of them.
"""

from __future__ import annotations

from recall_tui.agents.instructions import Form, protocol
from recall_tui.agents.pieces.marked_block import MarkedBlock
from recall_tui.agents.target import Piece, Scope, Site
from recall_tui.environment import Places

FILE = "AGENTS.md"


def shared_block(site: Site, owner: str) -> MarkedBlock:
    """The block in the project's AGENTS.md, there for the target `owner`."""
    path = site.project / FILE
    form = Form(is_shared=True, level=2)
    return MarkedBlock(path, "rules", protocol(site, form, path), owner)


class AgentsMd:
    """Any agent that reads AGENTS.md: Codex, Cursor, Windsurf, Copilot and others."""

    name = "agents-md"
    title = "AGENTS.md"
    scopes: tuple[Scope, ...] = ("project",)
    has_hooks = False

    def is_found(self, places: Places) -> bool:
        """The folder where one stands has the file."""
        return (places.cwd / FILE).is_file()

    def pieces(self, site: Site) -> tuple[Piece, ...]:
        """A block in the project's AGENTS.md."""
        return (shared_block(site, self.name),)
