"""`install`, `uninstall`, `agents`, and what `init` installs, as a person calls them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from recall_tui.domain import HookDecision
from recall_tui.environment import Environment
from recall_tui.storage.state import hook_log
from tests.cli.conftest import Recall
from tests.makers import bench_at, tree


@pytest.fixture
def settings(environment: Environment) -> Path:
    """The settings of a person who has Claude Code and a memory in its folder."""
    bench_at(environment, "user")
    path = environment.claude / "settings.json"
    path.write_text('{\n  "model": "opus"\n}\n')
    return path


def test_a_plan_is_shown_and_made_after_a_yes(recall: Recall, settings: Path) -> None:
    said = recall("install", "claude", stdin="y\n")
    assert said.code == 0
    assert '+  "hooks": {' in said.out and "+# Memory across sessions" in said.out
    assert "Install this into Claude Code? [y/N]" in said.err
    assert said.out.rstrip().endswith("Installed into Claude Code for you")
    hooks = json.loads(settings.read_text())["hooks"]
    assert set(hooks) == {"SessionStart", "UserPromptSubmit", "PreCompact", "PostCompact", "Stop", "SessionEnd"}


@pytest.mark.parametrize("answer", ["", "n\n", "\n", "maybe\n"])
def test_without_a_yes_nothing_is_written(
    recall: Recall, settings: Path, environment: Environment, answer: str
) -> None:
    before = tree(environment.claude)
    said = recall("install", "claude", stdin=answer)
    assert said.code == 1 and "nothing was done" in said.err
    assert tree(environment.claude) == before


def test_a_dry_run_shows_and_does_nothing(recall: Recall, settings: Path, environment: Environment) -> None:
    before = tree(environment.claude)
    said = recall("install", "--dry-run")
    assert said.code == 0 and "hook --root" in said.out and "not done: --dry-run" in said.err
    assert tree(environment.claude) == before


def test_a_second_installation_has_nothing_to_do(recall: Recall, settings: Path, environment: Environment) -> None:
    recall("install", "--yes")
    there = tree(environment.claude)
    said = recall("install", "--yes")
    assert said.code == 0 and "has it already" in said.err and said.out == ""
    assert tree(environment.claude) == there


def test_undo_and_uninstall_leave_no_trace(recall: Recall, settings: Path, environment: Environment) -> None:
    before = tree(environment.claude)
    for last in (("undo",), ("uninstall", "--yes")):
        assert recall("install", "--yes").code == 0
        assert tree(environment.claude) != before
        assert recall(*last).code == 0
        assert tree(environment.claude) == before
    said = recall("uninstall", "--yes")
    assert said.code == 0 and "nothing of it is installed" in said.err
    said = recall("uninstall", "claude", "--yes")
    assert said.code == 0 and "nothing of it is in Claude Code" in said.err


def test_a_changed_rules_file_is_asked_about_by_itself(
    recall: Recall, settings: Path, environment: Environment
) -> None:
    rules = environment.claude / "rules" / "recall-echo.md"
    rules.parent.mkdir()
    rules.write_text("Mine.\n")
    said = recall("install", "claude", stdin="\ny\n")
    assert said.code == 0 and "Replace it?" in said.err and "-Mine." in said.out
    assert rules.read_text() == "Mine.\n" and "hooks" in settings.read_text()
    assert recall("install", "claude", "--yes").code == 0
    assert rules.read_text() == "Mine.\n"
    assert recall("install", "claude", stdin="y\ny\n").code == 0
    assert "Mine." not in rules.read_text()


def test_a_file_that_makes_no_sense_is_said_with_its_line(
    recall: Recall, settings: Path, environment: Environment
) -> None:
    settings.write_text('{\n  "model": "opus", // the best\n}\n')
    before = tree(environment.claude)
    said = recall("install", "claude", "--yes")
    assert said.code == 1
    assert f"{settings}, line 2: a comment, which JSON does not have" in said.err and "fix the file" in said.err
    assert tree(environment.claude) == before
    agents = recall("agents", "--json")
    assert agents.code == 1
    (row,) = [one for one in agents.json["agents"] if one["name"] == "claude" and one["scope"] == "user"]
    assert row["state"] == "broken" and "line 2" in row["trouble"]


def test_json_says_what_was_done_and_never_asks(recall: Recall, settings: Path) -> None:
    asked = recall("install", "claude", "--json")
    assert asked.code == 2 and "--yes" in asked.err
    dry = recall("install", "claude", "--json", "--dry-run").json["agents"][0]
    assert dry["change"] is None and "hook --root" in dry["diff"]
    assert [piece["did"] for piece in dry["pieces"]] == ["added"] * 7
    done = recall("install", "claude", "--json", "--yes").json["agents"][0]
    assert done["agent"] == "claude" and done["scope"] == "user" and done["change"]["title"].startswith("Installed")
    again = recall("install", "claude", "--json", "--yes").json["agents"][0]
    assert again["change"] is None and [piece["did"] for piece in again["pieces"]] == ["kept"] * 7
    out = recall("uninstall", "claude", "--json", "--yes").json["agents"][0]
    assert [piece["did"] for piece in out["pieces"]] == ["removed"] * 7


def test_an_agent_that_does_not_exist_is_a_usage_error(recall: Recall, settings: Path) -> None:
    said = recall("install", "atlas")
    assert said.code == 2 and "unknown agent: atlas" in said.err and "claude" in said.err


def test_where_no_agent_is_nothing_is_guessed(recall: Recall, environment: Environment) -> None:
    bench_at(environment, "entity")
    said = recall("install", "--yes")
    assert said.code == 1 and "no agent is found" in said.err


def test_a_projects_memory_goes_into_the_project(recall: Recall, environment: Environment) -> None:
    environment.claude.mkdir()
    bench_at(environment, "project")
    assert recall("install", "claude", "--yes").code == 0
    text = (environment.cwd / ".claude" / "settings.local.json").read_text()
    assert f"hook --root {environment.cwd}" in text
    assert tree(environment.claude) == {}
    assert recall("install", "claude", "--scope", "user", "--yes").code == 0
    assert "settings.json" in tree(environment.claude)


def test_the_home_folder_is_no_project(recall: Recall, environment: Environment) -> None:
    bench_at(environment, "entity", environment.home / "memo")
    bench_at(environment, "project", environment.home)
    said = recall("--root", environment.home, "install", "claude", "--yes")
    assert said.code == 2 and "--scope user" in said.err


def test_agents_says_what_is_installed_and_in_which_state(
    recall: Recall, settings: Path, environment: Environment
) -> None:
    def state() -> str:
        rows = recall("agents", "--json").json["agents"]
        return str(next(one["state"] for one in rows if one["name"] == "claude" and one["scope"] == "user"))

    assert state() == "not installed"
    assert "not found: codex, gemini, cursor, windsurf, aider, agents-md" in recall("agents").err
    recall("install", "--yes")
    assert state() == "installed"
    text = settings.read_text()
    settings.write_text(text.replace(sys.executable, "/gone/python"))
    assert state() == "out of date"
    settings.write_text(text)
    rules = environment.claude / "rules" / "recall-echo.md"
    rules.write_text(rules.read_text() + "\nAnd this.\n")
    assert state() == "changed by others"


def test_agents_starts_the_hook_and_says_when_it_does_not_run(recall: Recall, settings: Path) -> None:
    recall("install", "--yes")
    settings.write_text(settings.read_text().replace(sys.executable, "/gone/python"))
    said = recall("agents")
    assert said.code == 1
    assert "the hook ends with 127" in said.err and "/gone/python" in said.err
    assert "out of date" in said.out
    assert recall("install", "--yes").code == 0
    assert "/gone/python" not in settings.read_text()


def test_status_and_doctor_say_how_installations_are(recall: Recall, settings: Path) -> None:
    assert recall("status", "--json").json["agents"] == []
    assert "agents" not in recall("status").out
    recall("install", "--yes")
    (row,) = recall("status", "--json").json["agents"]
    assert (row["name"], row["scope"], row["state"]) == ("claude", "user", "installed")
    settings.write_text(settings.read_text().replace(sys.executable, "/gone/python"))
    said = recall("status")
    assert "claude (user) out of date" in said.out and "the hook ends with 127" in said.out
    problems = recall("doctor", "--json").json["problems"]
    assert [one for one in problems if one["kind"] == "agents" and "/gone/python" in one["message"]]


def test_what_hooks_decided_is_shown_newest_first(recall: Recall, environment: Environment) -> None:
    store = bench_at(environment, "user").store
    assert recall("agents", "--log").err.strip() == "no hook of this memory was called yet"
    for number, why in enumerate(["nothing fits", "it \x1b[31mwas kept\n"]):
        at = f"2026-03-06T10:00:0{number}+00:00"
        decision = HookDecision("silent" if number == 0 else "captured", why, (("shown", ["a"]),))
        hook_log.append_entry(store.state, hook_log.HookLogEntry(at, "end", "claude", f"s{number}", 12.34, decision))
    said = recall("agents", "--log")
    first, second = said.out.splitlines()[1:]
    assert "captured" in first and "was kept" in first and "\x1b" not in said.out
    assert "silent" in second and "nothing fits" in second
    newest, _ = recall("agents", "--log", "--json").json["decisions"]
    assert (newest["did"], newest["session_id"], newest["shown"], newest["ms"]) == ("captured", "s1", ["a"], 12.3)
    assert len(recall("agents", "--log", "--limit", "1", "--json").json["decisions"]) == 1


def test_init_of_a_persons_memory_installs_after_a_yes(recall: Recall, environment: Environment) -> None:
    environment.claude.mkdir()
    said = recall("init", stdin="y\n")
    assert said.code == 0 and "Install this into Claude Code?" in said.err
    assert "hook --root" in (environment.claude / "settings.json").read_text()
    titles = [row["title"] for row in recall("undo", "--list", "--json").json["changes"]]
    assert titles[0].startswith("Installed into Claude Code") and titles[1].startswith("Set up a memory")
    assert recall("undo").code == 0
    assert (
        not (environment.claude / "settings.json").exists() and (environment.claude / "memory" / "MEMORY.md").exists()
    )


def test_init_makes_the_memory_where_nobody_says_yes(recall: Recall, environment: Environment) -> None:
    environment.claude.mkdir()
    said = recall("init")
    assert said.code == 0 and "recall-tui install claude" in said.err
    assert (environment.claude / "memory" / "MEMORY.md").exists()
    assert not (environment.claude / "settings.json").exists()


def test_init_installs_where_it_is_told_to(recall: Recall, environment: Environment) -> None:
    environment.claude.mkdir()
    assert recall("init", "--no-install", "--yes").code == 0
    assert not (environment.claude / "settings.json").exists()
    root = environment.cwd / "agent"
    assert recall("init", root, "--target", "claude", "--yes").code == 0
    assert f"--root {root}" in (environment.claude / "settings.json").read_text()
    assert recall("init", root, "--target", "claude", "--no-install").code == 2


def test_init_shows_the_installation_on_a_dry_run(recall: Recall, environment: Environment) -> None:
    environment.claude.mkdir()
    said = recall("init", "--dry-run")
    assert said.code == 0 and "hook --root" in said.out
    assert tree(environment.claude) == {}


def test_init_in_json_installs_only_with_a_yes(recall: Recall, environment: Environment) -> None:
    environment.claude.mkdir()
    (row,) = recall("init", "--json").json["agents"]
    assert row["change"] is None and row["agent"] == "claude"
    (row,) = recall("init", "--json", "--yes").json["agents"]
    assert row["change"]["title"].startswith("Installed")


def test_agents_and_doctor_tell_of_it(recall: Recall, environment: Environment) -> None:
    (environment.home / ".config" / "zed").mkdir(parents=True)
    bench_at(environment, "user")
    assert recall("install", "zed", "--scope", "user", "--yes").code == 0
    said = recall("agents", "--json").json["agents"]
    (zed,) = (one for one in said if one["name"] == "zed" and one["scope"] == "user")
    assert zed["server"]["is_registered"] and zed["server"]["tokens"] > 500 and zed["trouble"] is None
    entry = json.loads((environment.home / ".config/zed/settings.json").read_text())["context_servers"]["recall"]
    assert entry["args"][-3:] == ["--root", str(environment.claude), "mcp"] and Path(entry["command"]).is_absolute()


def test_the_server_alone_and_all_but_the_server(recall: Recall, environment: Environment) -> None:
    bench_at(environment, "user")
    servers, settings = environment.home / ".claude.json", environment.claude / "settings.json"
    assert recall("install", "claude", "--mcp", "--yes").code == 0
    assert servers.exists() and not settings.exists()
    assert recall("install", "claude", "--no-mcp", "--dry-run").out.count("mcpServers") == 0
    assert recall("uninstall", "claude", "--mcp", "--yes").code == 0 and not servers.exists()
    assert recall("install", "claude", "--no-mcp", "--yes").code == 0
    assert settings.exists() and not servers.exists()
    assert "out of date" not in recall("agents").out
    refused = recall("install", "aider", "--mcp", "--yes")
    assert refused.code == 2 and "Aider takes no MCP server" in refused.err


HOMES = {
    "opencode": (
        ".config/opencode/opencode.jsonc",
        '// mine\n{{"mcp": {{"{name}": {{"command": {words}}}, "b": {{}}}},}}\n',
    ),
    "claude": (".claude.json", '{{"mcpServers": {{"{name}": {{"command": "{first}", "args": {rest}}}}}, "n": 1.0}}'),
    "codex": (".codex/config.toml", '# mine\n[mcp_servers.{name}]\ncommand = "{first}"\nargs = {rest}\n\n[z]\na = 1'),
    "continue": (
        ".continue/config.yaml",
        "mcpServers: # mine\n  - name: {name}\n    command: {first}\n    args: {rest}\n",
    ),
    "goose": (".config/goose/config.yaml", "extensions:\r\n  {name}:\r\n    cmd: {first}\r\n    args: {rest}\r\nz: 1"),
}


@pytest.fixture(params=HOMES)
def agent(request: pytest.FixtureRequest, environment: Environment) -> tuple[str, Path, str]:
    """An agent, its settings file and the file's text with places for a server."""
    bench_at(environment, "user")
    name, text = HOMES[request.param]
    path = environment.home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    return request.param, path, text


def with_server(text: str, name: str, *words: str) -> bytes:
    filled = text.format(name=name, words=json.dumps(words), first=words[0], rest=json.dumps(words[1:]))
    return filled.encode()


def test_our_server_under_another_name_is_replaced_and_comes_back(recall: Recall, agent: tuple[str, Path, str]) -> None:
    name, path, text = agent
    before = with_server(text, "memory", "uvx", "recall-tui", "mcp")
    path.write_bytes(before)
    assert "a server memory that is recall-tui's, too" in recall("doctor").out
    said = recall("install", name, "--mcp", "--scope", "user", "--yes")
    assert said.code == 0 and "a server memory that is recall-tui's, too, is replaced; a copy is kept" in said.err
    made = path.read_bytes()
    assert b"memory:" not in made and b"uvx" not in made and b"recall" in made
    assert "has it already" in recall("install", name, "--mcp", "--scope", "user", "--yes").err
    assert path.read_bytes() == made
    assert recall("uninstall", name, "--mcp", "--scope", "user", "--yes").code == 0
    assert path.read_bytes() == before


@pytest.mark.parametrize("more", [("--yes",), ()])
def test_a_server_of_another_that_bears_our_name_is_refused(
    recall: Recall, agent: tuple[str, Path, str], more: tuple[str, ...]
) -> None:
    name, path, text = agent
    before = with_server(text, "recall", "npx", "-y", "some-recall")
    path.write_bytes(before)
    said = recall("install", name, "--mcp", "--scope", "user", *more, stdin="y\ny\n")
    assert said.code == 1 and f"{path}, line " in said.err and "--no-mcp" in said.err
    recall("install", name, "--scope", "user", *more, stdin="y\ny\n")
    recall("uninstall", name, "--scope", "user", "--yes")
    assert path.read_bytes() == before


def test_the_rest_is_installed_beside_a_server_of_that_name(recall: Recall, settings: Path) -> None:
    servers = settings.parent.parent / ".claude.json"
    servers.write_text('{\n  "mcpServers": {\n    "recall": {"command": "npx"}\n  }\n}\n')
    said = recall("install", "claude", "--yes")
    assert said.code == 0 and f"{servers}, line 3: a server called recall is there that is not recall-tui's" in said.err
    assert "hook --root" in settings.read_text() and "~ left     server" in said.out
