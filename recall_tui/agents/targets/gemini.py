"""Gemini CLI: hooks among its settings, and a block in GEMINI.md, for the person or for one project.

It imports a file only from below GEMINI.md; the MEMORY.md that is elsewhere is handed over by the hook at a start.
"""

from __future__ import annotations

from recall_tui.agents.detection import is_present
from recall_tui.agents.hook_command import build_command
from recall_tui.agents.instructions import InstructionStyle, needs_memory_hook, render_protocol
from recall_tui.agents.pieces.hook_settings import Hook, HookSettings
from recall_tui.agents.pieces.marked_block import MarkedBlock
from recall_tui.agents.pieces.server_entry import stdio_server
from recall_tui.agents.target import Piece, Scope, Site
from recall_tui.domain import EventName
from recall_tui.environment import Environment

HOOKS = (
    Hook("SessionStart", {"name": "recall-tui", "timeout": 10_000, "description": "Remembers earlier sessions"}),
    Hook("BeforeAgent", {"name": "recall-tui", "timeout": 5_000, "description": "Searches memory"}),
    Hook("PreCompress", {"name": "recall-tui", "timeout": 30_000, "description": "Keeps the session so far"}),
    Hook("SessionEnd", {"name": "recall-tui", "timeout": 20_000, "description": "Keeps the session"}),
)
"""Milliseconds, each far above what a hook takes."""
_EVENTS: frozenset[EventName] = frozenset(["start", "prompt", "compact", "end"])
_STYLE = InstructionStyle(hooks=_EVENTS, imports="@", imports_below=True, level=2)


class GeminiTarget:
    """Gemini CLI."""

    name = "gemini"
    title = "Gemini CLI"
    scopes: tuple[Scope, ...] = ("user", "project")
    has_hooks = True
    clients = ("gemini-cli-mcp-client", "gemini-cli-mcp-client-recall")
    # google-gemini/gemini-cli, packages/core/src/tools/mcp-client.ts; older releases append the server's name.

    def is_found(self, environment: Environment) -> bool:
        """Its folder or its program is there."""
        return is_present(environment, [environment.gemini], ["gemini"])

    def pieces(self, site: Site) -> tuple[Piece, ...]:
        """A block and hooks in `~/.gemini`, or the project's GEMINI.md and `.gemini/settings.json`."""
        own = site.environment.gemini if site.scope == "user" else site.project / ".gemini"
        path = (own if site.scope == "user" else site.project) / "GEMINI.md"
        rules = MarkedBlock(path, "rules", render_protocol(site, _STYLE, path), self.name)
        command = build_command(site, self.name, hands_memory=needs_memory_hook(site, _STYLE, path))
        settings = own / "settings.json"
        return (rules, HookSettings(settings, command, HOOKS), stdio_server(settings, site, timeout=30_000))
