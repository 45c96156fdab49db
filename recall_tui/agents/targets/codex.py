"""Codex: hooks, and a block in AGENTS.md, for the person or for one project.

It knows no imports and loads no MEMORY.md, so the hook at a start hands that over. A session's end starts no hook: what
ended is archived when the next session starts. New hooks run after the person looked at them with `/hooks`.
"""

from __future__ import annotations

from pathlib import Path

from recall_tui.agents.detection import is_present
from recall_tui.agents.hook_command import build_command, server_argv
from recall_tui.agents.instructions import InstructionStyle, render_protocol
from recall_tui.agents.pieces.hook_settings import Hook, HookSettings
from recall_tui.agents.pieces.marked_block import MarkedBlock
from recall_tui.agents.pieces.server_table import ServerTable
from recall_tui.agents.target import Piece, Scope, Site
from recall_tui.agents.targets.agents_md import FILE_NAME, shared_block
from recall_tui.domain import EventName
from recall_tui.environment import Environment

HOOKS = (
    Hook("SessionStart", {"timeout": 10, "statusMessage": "Remembering earlier sessions"}),
    Hook("UserPromptSubmit", {"timeout": 5, "statusMessage": "Searching memory"}),
    Hook("PreCompact", {"timeout": 30, "statusMessage": "Keeping the session so far"}),
    Hook("PostCompact", {"timeout": 10, "statusMessage": "Keeping the summary"}),
    Hook("Stop", {"timeout": 5}),
)
"""Seconds, each far above what a hook takes."""
MAX_INSTRUCTION_BYTES = 32 * 1024
"""Of all its instructions together; what is over it is cut without a word."""
_EVENTS: frozenset[EventName] = frozenset(["start", "prompt", "compact", "compacted", "stop"])
_STYLE = InstructionStyle(hooks=_EVENTS, level=2)


class CodexTarget:
    """Codex CLI."""

    name = "codex"
    title = "Codex"
    scopes: tuple[Scope, ...] = ("user", "project")
    has_hooks = True
    clients = ("codex-mcp-client",)
    # openai/codex, codex-rs/codex-mcp; seen from 0.169 (npm @openai/codex).

    def is_found(self, environment: Environment) -> bool:
        """Its folder or its program is there."""
        return is_present(environment, [environment.codex], ["codex"])

    def pieces(self, site: Site) -> tuple[Piece, ...]:
        """A block and hooks in `~/.codex`, or the project's AGENTS.md and `.codex/hooks.json`."""
        command = build_command(site, self.name, hands_memory=True)
        if site.scope == "project":
            hooks = HookSettings(site.project / ".codex" / "hooks.json", command, HOOKS)
            return (shared_block(site, self.name), hooks, _server(site.project / ".codex", site))
        folder = site.environment.codex
        path = folder / FILE_NAME
        rules = MarkedBlock(path, "rules", render_protocol(site, _STYLE, path), self.name, MAX_INSTRUCTION_BYTES)
        return (rules, HookSettings(folder / "hooks.json", command, HOOKS), _server(folder, site))


def _server(folder: Path, site: Site) -> ServerTable:
    command, *args = server_argv(site)
    entry = {"command": command, "args": args, "startup_timeout_sec": 10, "tool_timeout_sec": 30}
    return ServerTable(folder / "config.toml", "mcp_servers", entry)
