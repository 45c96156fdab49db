"""Agents that reach the memory by its MCP server: OpenCode, Kilo, Copilot CLI, Qwen Code, Droid, Cline and others.

In a project most of them read AGENTS.md, too. None of them runs hooks of ours.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.agents.detection import is_present
from recall_tui.agents.hook_command import server_argv
from recall_tui.agents.pieces.server_entry import SERVER_NAME, ServerEntry, stdio_server
from recall_tui.agents.target import Piece, Scope, Site
from recall_tui.agents.targets.agents_md import shared_block
from recall_tui.environment import Environment

if TYPE_CHECKING:
    from recall_tui.agents.pieces.yaml_server import YamlServer

_EDITORS_HOME = "Library/Application Support" if sys.platform == "darwin" else ".config"
"""The folder of VS Code's settings, from the home folder on."""

_CONTINUE_HEAD = f"name: {SERVER_NAME}\nversion: 0.0.1\nschema: v1\n"
"""The lines without which Continue reads no file."""


@dataclass(frozen=True, slots=True)
class ServerAgent:
    """An agent that takes the server, in one file for the person and one for a project."""

    name: str
    title: str
    build_entry: Callable[[Path, Site], ServerEntry | YamlServer]
    """The piece in its form, of a file."""
    detect: tuple[str, ...]
    """Folders in the home folder, of which one shows that the agent is there; then programs, without a slash."""
    user: tuple[str, ...] = ()
    """Its settings files in the home folder, of which the first that exists is taken, or else the last."""
    project: tuple[str, ...] = ()
    """Those in a project."""
    reads_agents_md: bool = True
    clients: tuple[str, ...] = ()
    """The names that it gives itself as a client of the server."""

    has_hooks = False

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """Those that it has settings in."""
        return (*(("user",) if self.user else ()), *(("project",) if self.project else ()))

    def is_found(self, environment: Environment) -> bool:
        """Return True if one of its folders or programs is there."""
        folders = [environment.home / name for name in self.detect if "/" in name]
        return is_present(environment, folders, [name for name in self.detect if "/" not in name])

    def pieces(self, site: Site) -> tuple[Piece, ...]:
        """Return the server; in a project also a block in AGENTS.md, when the agent reads that."""
        folder, names = (site.environment.home, self.user) if site.scope == "user" else (site.project, self.project)
        path = next((folder / name for name in names if (folder / name).exists()), folder / names[-1])
        entry = self.build_entry(path, site)
        has_rules = site.scope == "project" and self.reads_agents_md
        return (shared_block(site, self.name), entry) if has_rules else (entry,)


def _opencode(path: Path, site: Site) -> ServerEntry:
    return ServerEntry(path, "mcp", {"type": "local", "command": list(server_argv(site))}, has_comments=True)


def _copilot(path: Path, site: Site) -> ServerEntry:
    return stdio_server(path, site, kind="local", tools=["*"])


def _cline(path: Path, site: Site) -> ServerEntry:
    command, *args = server_argv(site)
    return ServerEntry(path, "mcpServers", {"transport": {"type": "stdio", "command": command, "args": args}})


def _continue(path: Path, site: Site) -> YamlServer:
    from recall_tui.agents.pieces.yaml_server import YamlServer

    command, *args = server_argv(site)
    entry = {"name": SERVER_NAME, "command": command, "args": args}
    return YamlServer(path, "mcpServers", entry, is_list=True, head=_CONTINUE_HEAD)


def _goose(path: Path, site: Site) -> YamlServer:
    from recall_tui.agents.pieces.yaml_server import YamlServer

    command, *args = server_argv(site)
    entry = {"type": "stdio", "name": SERVER_NAME, "cmd": command, "args": args, "enabled": True, "timeout": 30}
    return YamlServer(path, "extensions", entry)


def _vscode(path: Path, site: Site) -> ServerEntry:
    return stdio_server(path, site, key="servers", kind="stdio", has_comments=True)


def _zed(path: Path, site: Site) -> ServerEntry:
    return stdio_server(path, site, key="context_servers", has_comments=True, env={})


SERVER_AGENTS = (
    ServerAgent(
        "opencode",
        "OpenCode",
        _opencode,
        (".config/opencode/", ".local/share/opencode/", "opencode"),
        (".config/opencode/opencode.jsonc", ".config/opencode/opencode.json"),
        ("opencode.jsonc", "opencode.json"),
        clients=("opencode",),  # seen from 1.18 (npm opencode-ai)
    ),
    ServerAgent(
        "kilo",
        "Kilo",
        _opencode,
        (".config/kilo/", ".local/share/kilo/", "kilo"),
        (".config/kilo/kilo.jsonc", ".config/kilo/kilo.json"),
    ),
    ServerAgent(
        "copilot",
        "Copilot CLI",
        _copilot,
        (".copilot/", "copilot"),
        (".copilot/mcp-config.json",),
        (".github/mcp.json",),
        clients=("github-copilot-developer",),  # apify/mcp-client-capabilities; not seen by us
    ),
    ServerAgent(
        "qwen",
        "Qwen Code",
        lambda path, site: stdio_server(path, site, timeout=30_000),
        (".qwen/", "qwen"),
        (".qwen/settings.json",),
        (".qwen/settings.json",),
        clients=("qwen-cli-mcp-client-recall",),  # in npm @qwen-code/qwen-code; ends with the server's name
    ),
    ServerAgent(
        "droid",
        "Droid",
        lambda path, site: stdio_server(path, site, kind="stdio"),
        (".factory/", "droid"),
        (".factory/mcp.json",),
        (".factory/mcp.json",),
        clients=("factory-cli",),  # seen from 0.215 (npm droid)
    ),
    ServerAgent("cline", "Cline", _cline, (".cline/", "cline"), (".cline/data/settings/cline_mcp_settings.json",)),
    ServerAgent(
        "kimi",
        "Kimi Code",
        stdio_server,
        (".kimi-code/", "kimi"),
        (".kimi-code/mcp.json",),
        (".kimi-code/mcp.json",),
    ),
    # Where the person has no config.yaml none is made: Continue would read it in place of an older config.json. What
    # was made instead stays the place, also when there is one later.
    ServerAgent(
        "continue",
        "Continue",
        _continue,
        (".continue/", "cn"),
        (".continue/mcpServers/recall.yaml", ".continue/config.yaml", ".continue/mcpServers/recall.yaml"),
        (".continue/mcpServers/recall.yaml",),
        reads_agents_md=False,
        # continuedev/continue, core/context/mcp/MCPConnection.ts; extensions/cli/src/services/MCPService.ts
        clients=("continue-client", "continue-cli-client"),
    ),
    ServerAgent(
        "goose",
        "Goose",
        _goose,
        (".config/goose/", "goose"),
        (".config/goose/config.yaml",),
        # block/goose, crates/goose/src/agents/agent.rs: GoosePlatform; mcp_client.rs of older releases
        clients=("goose-cli", "goose-desktop", "goose"),
    ),
    ServerAgent(
        "vscode",
        "VS Code",
        _vscode,
        (f"{_EDITORS_HOME}/Code/", "code"),
        (f"{_EDITORS_HOME}/Code/User/mcp.json",),
        (".vscode/mcp.json",),
        clients=("Visual Studio Code",),  # microsoft/vscode, mcpServerRequestHandler.ts: product.nameLong
    ),
    ServerAgent(
        "zed",
        "Zed",
        _zed,
        (".config/zed/", "zed"),
        (".config/zed/settings.json",),
        (".zed/settings.json",),
        clients=("Zed",),  # zed-industries/zed, crates/context_server/src/context_server.rs
    ),
)
"""The agents, those with the most users first."""
