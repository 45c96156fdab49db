"""Every agent is installed into and left as it was, alone and beside all the others."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from recall_tui.agents.install import plan_install, plan_uninstall
from recall_tui.agents.registry import load_registry
from recall_tui.agents.status import agent_status
from recall_tui.agents.target import Scope, Site, State
from recall_tui.domain import LayoutName
from recall_tui.environment import Environment
from recall_tui.workbench import Workbench
from tests.makers import bench_at, tree

NAMES = [
    *("claude", "codex", "gemini", "cursor", "windsurf", "aider", "agents-md"),
    *("opencode", "kilo", "copilot", "qwen", "droid", "cline", "kimi", "continue", "goose", "vscode", "zed"),
]
NO_SCOPES = [("user", "agents-md"), ("project", "kilo"), ("project", "cline"), ("project", "goose")]
SCOPES: list[Scope] = ["user", "project"]
LAYOUTS: list[LayoutName] = ["entity", "user", "project", "hierarchical", "claude-project"]
THERE = {
    ".claude/settings.json": '{\n\t"model": "opus",\n\t"hooks": {\n\t\t"Stop": [ ]\n\t}\n}',
    ".claude/settings.local.json": '{"permissions":{"allow":[]}}\n',
    ".claude/CLAUDE.md": "Mine.\n",
    ".claude.json": '{\n  "numStartups": 7,\n  "mcpServers": {},\n  "projects": {}\n}',
    ".mcp.json": '{"mcpServers":{"web":{"command":"npx"}}}\n',
    ".codex/config.toml": 'model = "x"\n\n[mcp_servers.web]\ncommand = "npx" # mine',
    ".cursor/mcp.json": "",
    ".codeium/windsurf/mcp_config.json": "{}",
    ".config/opencode/opencode.jsonc": '// mine\n{\n  "model": "x", // this one\n}\n',
    "opencode.json": '{"$schema": "https://opencode.ai/config.json"}',
    ".continue/config.yaml": "name: mine\nschema: v1\nmcpServers:\n  - name: web # theirs\n    command: npx\n",
    ".config/goose/config.yaml": "GOOSE_MODEL: x\r\nextensions:\r\n  developer:\r\n    type: builtin",
    ".copilot/mcp-config.json": '{\n  "mcpServers": {\n  }\n}\n',
    ".qwen/settings.json": '{"mcpServers":{}}',
    ".zed/settings.json": "// nothing yet\n{}\n",
    ".config/zed/settings.json": '{\n  "theme": "x",\n  "context_servers": { },\n}\n',
    ".codex/AGENTS.md": "# Mine\r\n\r\n- a\r\n",
    ".codex/hooks.json": '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}',
    ".gemini/settings.json": '{\n    "ui": {"theme": "x"}\n}\n',
    ".gemini/GEMINI.md": "Mine",
    ".codeium/windsurf/memories/global_rules.md": "Mine\n\n\n",
    ".aider.conf.yml": "read: CONVENTIONS.md # mine\nmodel: x\n",
    ".cursor/rules/mine.mdc": "---\n---\n",
    ".windsurf/rules/mine.md": "Mine.\n",
    "AGENTS.md": "# Mine\n",
    "GEMINI.md": "",
    "CLAUDE.md": "Mine.\n",
}


def site_of(bench: Workbench, scope: Scope) -> Site:
    """A site of the memory, in the project where one stands."""
    environment = bench.store.environment
    return Site(scope, environment.cwd, bench.layout, environment, ("/opt/my tools/recall-tui",))


def write(root: Path) -> None:
    """The files of a person who has every agent."""
    for name, text in THERE.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def everything(environment: Environment) -> tuple[dict[str, bytes], set[str]]:
    """Every file and folder of the person and of the project."""
    roots = (environment.home, environment.cwd)
    folders = {str(path) for root in roots for path in root.rglob("*") if path.is_dir()}
    return {f"{root}/{name}": data for root in roots for name, data in tree(root).items()}, folders


@pytest.mark.long
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("has_files", [True, False])
@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("name", NAMES)
def test_an_agent_is_as_it_was(
    environment: Environment, name: str, scope: Scope, has_files: bool, layout: LayoutName
) -> None:
    target = next(one for one in load_registry(environment).targets if one.name == name)
    if scope not in target.scopes:
        assert (scope, name) in NO_SCOPES
        return
    if has_files:
        write(environment.home)
        write(environment.cwd)
    bench = bench_at(environment, layout)
    site = site_of(bench, scope)
    before = everything(environment)
    assert bench.apply(plan_install, target, site)
    there = everything(environment)
    assert agent_status(target, site, runs_hooks=False).state is State.CURRENT
    assert bench.apply(plan_install, target, site) is None
    assert everything(environment) == there
    assert bench.apply(plan_uninstall, target, site)
    assert everything(environment) == before
    bench.undo()
    assert everything(environment) == there
    bench.undo(bench.journal.entries()[2].id)
    assert everything(environment)[0] == before[0]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_all_of_them_leave_no_trace_in_whatever_order(environment: Environment, seed: int) -> None:
    write(environment.home)
    write(environment.cwd)
    bench = bench_at(environment, "project")
    before = everything(environment)
    wanted = [(target, scope) for target in load_registry(environment).targets for scope in target.scopes]
    shuffle = random.Random(seed).shuffle
    shuffle(wanted)
    for target, scope in wanted:
        bench.apply(plan_install, target, site_of(bench, scope))
    for target, scope in wanted:
        assert agent_status(target, site_of(bench, scope), runs_hooks=False).state is State.CURRENT
    shuffle(wanted)
    for target, scope in wanted:
        bench.apply(plan_uninstall, target, site_of(bench, scope))
    assert everything(environment) == before


@pytest.mark.parametrize("name", NAMES)
def test_claude_md_is_never_touched_and_the_persons_scope_stays_in_the_agents_folder(
    environment: Environment, name: str
) -> None:
    target = next(one for one in load_registry(environment).targets if one.name == name)
    bench = bench_at(environment, "entity")
    for scope in target.scopes:
        paths = [edit.path for edit in bench.preview(plan_install, target, site_of(bench, scope)).edits]
        assert all(path.name != "CLAUDE.md" for path in paths)
        if scope == "user":
            homes = (
                *(".claude", ".codex", ".gemini", ".codeium/windsurf", ".aider", ".aider.conf.yml", ".claude.json"),
                *(".cursor", ".config/opencode", ".config/kilo", ".copilot", ".qwen", ".factory", ".cline"),
                *(
                    ".kimi-code",
                    ".continue",
                    ".config/goose",
                    ".config/zed",
                    ".config/Code",
                    "Library/Application Support/Code",
                ),
            )
            assert all(any(path.is_relative_to(environment.home / one) for one in homes) for path in paths)
