"""Claude Code: rules, hooks, a skill, slash commands and a sub-agent, for the person or for one project.

CLAUDE.md is nobody's but the person's; for the person's scope nothing outside the agent's own folder is touched but the
MCP servers in the state file beside it.
"""

from __future__ import annotations

import re
from pathlib import Path

from recall_tui.agents import instructions
from recall_tui.agents.detection import is_present
from recall_tui.agents.hook_command import build_command
from recall_tui.agents.pieces.hook_settings import Hook, HookSettings, are_hooks_off
from recall_tui.agents.pieces.own_file import OwnFile
from recall_tui.agents.pieces.server_entry import stdio_server
from recall_tui.agents.target import Piece, Scope, Site
from recall_tui.domain import EventName
from recall_tui.environment import Environment

HOOKS = (
    Hook("SessionStart", {"timeout": 10, "statusMessage": "Remembering earlier sessions"}),
    Hook("UserPromptSubmit", {"timeout": 5, "statusMessage": "Searching memory"}),
    Hook("PreCompact", {"timeout": 30, "statusMessage": "Keeping the session so far"}),
    Hook("PostCompact", {"timeout": 10, "statusMessage": "Keeping the summary"}),
    Hook("Stop", {"timeout": 5}),
    # Without a timeout of its own a hook at the end shares 1.5 s with all the others.
    Hook("SessionEnd", {"timeout": 20, "statusMessage": "Keeping the session"}),
)
"""Seconds, each far above what a hook takes."""
SLASH_COMMANDS = ("summarize", "synthesize")
"""The slash commands that are files of their own."""
_SETTINGS_FILES = ("settings.json", "settings.local.json")
_EVENTS: frozenset[EventName] = frozenset(["start", "prompt", "compact", "compacted", "stop", "end"])
_RECALL_ECHO_WORDS = re.compile(r"@~/\.claude/EPHEMERAL\.md|\brecall-echo\b|archive-log-", re.IGNORECASE)
_MEMORY_OFF_VARIABLE = "CLAUDE_CODE_DISABLE_AUTO_MEMORY"


class ClaudeTarget:
    """Claude Code."""

    name = "claude"
    title = "Claude Code"
    scopes: tuple[Scope, ...] = ("user", "project")
    has_hooks = True
    clients = ("claude-code",)
    # Seen from 2.1.197 (npm @anthropic-ai/claude-code).

    def is_found(self, environment: Environment) -> bool:
        """Its folder or its program is there."""
        return is_present(environment, [environment.claude], ["claude"])

    def settings(self, site: Site) -> tuple[Path, ...]:
        """Every file in which hooks may stand at a site."""
        folder = site.environment.claude if site.scope == "user" else site.project / ".claude"
        return tuple(folder / name for name in _SETTINGS_FILES)

    def pieces(self, site: Site) -> tuple[Piece, ...]:
        """Rules, hooks, a skill, commands and a sub-agent in `~/.claude`, or in the project's `.claude`.

        `/recall` is the skill, which comes before a command of its name. A hook's command belongs to a machine, so a
        project's hooks go into the settings that are not shared.
        """
        folder = site.environment.claude if site.scope == "user" else site.project / ".claude"
        settings = "settings.json" if site.scope == "user" else "settings.local.json"
        rules_file, form = folder / "rules" / "recall-echo.md", _instruction_style(site)
        command = build_command(site, hands_memory=instructions.needs_memory_hook(site, form, rules_file))
        return (
            OwnFile(rules_file, "rules", instructions.render_protocol(site, form, rules_file), _rules_predecessor),
            HookSettings(folder / settings, command, HOOKS),
            OwnFile(_skill_piece(folder), "skill", instructions.render_skill(site)),
            *(
                OwnFile(folder / "commands" / f"{name}.md", f"/{name}", instructions.render_slash_command(site, name))
                for name in SLASH_COMMANDS
            ),
            OwnFile(folder / "agents" / "summarize-agent.md", "sub-agent", instructions.render_summarizer(site)),
            stdio_server(_servers_file(site), site, kind="stdio", env={}),
        )


def _instruction_style(site: Site) -> instructions.InstructionStyle:
    """What it does by itself: the MEMORY.md of its own project folder it loads, every other one has to be imported."""
    has_own = site.layout.design.is_of_claude_project and not site.environment.env.get(_MEMORY_OFF_VARIABLE)
    events = frozenset[EventName]() if _are_hooks_off(site) else _EVENTS
    return instructions.InstructionStyle(hooks=events, imports="@", loads_memory=has_own)


def _are_hooks_off(site: Site) -> bool:
    """Whether settings say that no hook runs: what hooks would hand over the rules import then."""
    folders = dict.fromkeys((site.environment.claude, *([site.project / ".claude"] if site.scope == "project" else [])))
    return any(are_hooks_off(folder / name) for folder in folders for name in _SETTINGS_FILES)


def _rules_predecessor(text: str) -> str:
    """`recall-echo` for rules that it wrote: the layers of its memory, its window's import or its commands."""
    is_ours = "recall-tui" in text
    is_its = "EPHEMERAL.md" in text and "MEMORY.md" in text and _RECALL_ECHO_WORDS.search(text)
    return "recall-echo" if is_its and not is_ours else ""


def _servers_file(site: Site) -> Path:
    """Its MCP servers: among its state beside the person's folder, or the project's, which it asks about once."""
    if site.scope == "project":
        return site.project / ".mcp.json"
    named = site.environment.env.get("CLAUDE_CONFIG_DIR")
    return (site.environment.claude if named else site.environment.home) / ".claude.json"


def _skill_piece(folder: Path) -> Path:
    return folder / "skills" / "recall" / "SKILL.md"
