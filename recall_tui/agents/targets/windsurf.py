"""Windsurf: a rule in a project, or a block in the person's global rules.

It has no hooks that hand anything over, and a rule of more than 12,000 characters is cut.
"""

from __future__ import annotations

from recall_tui.agents.detection import is_present
from recall_tui.agents.instructions import Form, protocol
from recall_tui.agents.pieces.marked_block import MarkedBlock
from recall_tui.agents.pieces.own_file import OwnFile, marked
from recall_tui.agents.target import Piece, Scope, Site
from recall_tui.environment import Places

HEAD = """---
trigger: always_on
description: The memory of earlier sessions - where it is, and how it is searched
---

"""
LIMIT = 12_000
"""Characters of one rule, front matter and mark included."""
GLOBAL_LIMIT = 6_000
"""Characters of the global rules, the person's own included."""
_FRAME = len(marked(HEAD, ".md"))
_FORM = Form(is_read=False, limit=LIMIT - _FRAME)
_GLOBAL_FORM = Form(is_read=False, is_short=True, level=2, limit=GLOBAL_LIMIT - _FRAME)


class Windsurf:
    """The Windsurf editor."""

    name = "windsurf"
    title = "Windsurf"
    scopes: tuple[Scope, ...] = ("project", "user")
    has_hooks = False

    def is_found(self, places: Places) -> bool:
        """Its folder or its program is there."""
        return is_present(places, [places.home / ".codeium" / "windsurf"], ["windsurf"])

    def pieces(self, site: Site) -> tuple[Piece, ...]:
        """The rule `.windsurf/rules/recall-tui.md`, or a block in `global_rules.md`."""
        if site.scope == "user":
            path = site.places.home / ".codeium" / "windsurf" / "memories" / "global_rules.md"
            return (MarkedBlock(path, "rules", protocol(site, _GLOBAL_FORM, path), self.name, GLOBAL_LIMIT),)
        path = site.project / ".windsurf" / "rules" / "recall-tui.md"
        return (OwnFile(path, "rules", HEAD + protocol(site, _FORM, path)),)
