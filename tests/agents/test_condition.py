"""How an agent stands is said as it is, and its hooks are really started."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from recall_tui.agents.install import plan_install
from recall_tui.agents.status import agent_status, command_error
from recall_tui.agents.target import Site, State
from recall_tui.agents.targets.claude import ClaudeTarget
from recall_tui.environment import Environment
from recall_tui.workbench import Workbench
from tests.makers import bench_at
from tests.qa.trust.calling import called

CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """A program that reads its event, says nothing and ends well."""
    path = tmp_path / "my tools" / "recall-tui"
    path.parent.mkdir()
    path.write_text(f"#!{sys.executable}\nimport json, sys\nassert json.load(sys.stdin) == {{}}\n")
    path.chmod(0o755)
    return path


def test_an_installed_agent_whose_hooks_run_has_no_trouble(environment: Environment, script: Path) -> None:
    bench = bench_at(environment, "user")
    site = Site("user", environment.cwd, bench.layout, environment, (str(script),))
    assert agent_status(ClaudeTarget(), site).state is State.ABSENT
    bench.apply(plan_install, ClaudeTarget(), site)
    found = agent_status(ClaudeTarget(), site)
    assert (found.words, found.trouble, found.is_found) == ("installed", "", True)
    script.unlink()
    found = agent_status(ClaudeTarget(), site)
    assert found.words == "installed" and "the hook ends with 127" in found.trouble


def test_the_hook_that_is_installed_is_one_that_runs(environment: Environment) -> None:
    own = Environment(environment.home, environment.cwd, {**environment.env, "PYTHONPATH": str(CHECKOUT)})
    bench = bench_at(own, "user")
    bench.agents.install("claude")
    (found,) = [one for one in bench.agents.statuses() if one.target.name == "claude" and one.scope == "user"]
    assert (found.words, found.trouble) == ("installed", "")
    assert bench.agents.uninstall("claude") is not None and bench.agents.uninstall("claude") is None


def test_hooks_that_are_turned_off_are_a_trouble(environment: Environment, script: Path) -> None:
    bench = bench_at(environment, "user")
    site = Site("user", environment.cwd, bench.layout, environment, (str(script),))
    settings = environment.claude / "settings.json"
    settings.write_text('{"disableAllHooks": true}')
    assert agent_status(ClaudeTarget(), site).trouble == ""
    bench.apply(plan_install, ClaudeTarget(), site)
    assert "disableAllHooks" in agent_status(ClaudeTarget(), site).trouble
    settings.write_text(settings.read_text().replace("true", "false", 1))
    assert agent_status(ClaudeTarget(), site).trouble == ""


def test_a_part_that_is_missing_makes_it_out_of_date(environment: Environment, script: Path) -> None:
    bench = bench_at(environment, "user")
    site = Site("user", environment.cwd, bench.layout, environment, (str(script),))
    bench.apply(plan_install, ClaudeTarget(), site)
    (environment.claude / "rules" / "recall-echo.md").unlink()
    assert agent_status(ClaudeTarget(), site).state is State.OUTDATED


def test_for_another_memory_it_says_for_which(environment: Environment, script: Path) -> None:
    bench = bench_at(environment, "user")
    site = Site("user", environment.cwd, bench.layout, environment, (str(script),))
    bench.apply(plan_install, ClaudeTarget(), site)
    other = bench_at(environment, "entity", environment.home / "other")
    found = agent_status(ClaudeTarget(), site._replace(layout=other.layout))
    assert (found.state, found.words, found.other) == (State.OUTDATED, "for another memory", environment.claude)


def test_what_is_no_file_is_a_trouble(environment: Environment, script: Path) -> None:
    bench = bench_at(environment, "user")
    settings = environment.claude / "settings.json"
    settings.mkdir()
    found = agent_status(ClaudeTarget(), Site("user", environment.cwd, bench.layout, environment, (str(script),)))
    assert found.words == "broken" and str(settings) in found.trouble


@pytest.mark.long
@pytest.mark.parametrize("agent", ["claude", "codex", "gemini"])
@pytest.mark.parametrize(
    "line",
    [
        "touch {sprung}; recall-tui hook --root {root}",
        "{trap} recall-tui hook --root {root}",
        "{trap}/../recall-tui hook --root {root}",
        "env X=$(touch {sprung}) recall-tui hook --root {root}",
        "{folder}/recall-tui hook --root {root}",
    ],
)
def test_a_hook_that_came_with_the_project_is_not_started(environment: Environment, agent: str, line: str) -> None:
    sprung, root = environment.home / "sprung", environment.cwd
    trap = root / "recall-tui"
    trap.write_text(f"#!/bin/sh\ntouch {sprung}\n")
    trap.chmod(0o755)
    command = line.format(sprung=sprung, root=root, trap=trap, folder=root)
    group = [{"hooks": [{"type": "command", "command": command}]}]
    for name in (".claude/settings.local.json", ".codex/hooks.json", ".gemini/settings.json"):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(json.dumps({"hooks": {"SessionStart": group}}))
    (root / "_memory").mkdir()
    (root / "_memory" / ".recall-echo.toml").write_text('layout = "project"\n')
    found = [
        one
        for one in Workbench.open(environment=environment).agents.statuses()
        if one.target.name == agent and one.scope == "project"
    ]
    for words in (("agents",), ("status",), ("doctor",)):
        called(environment, *words)
    assert not sprung.exists()
    assert [one.state for one in found] == [State.OUTDATED]


def test_a_hook_that_does_not_end_is_ended(environment: Environment) -> None:
    assert "did not end" in command_error("sleep 60", environment, patience=0.2)


def test_what_a_hook_complains_of_is_said(environment: Environment) -> None:
    said = command_error("sh -c 'echo no such thing >&2; exit 3'", environment)
    assert "ends with 3 (no such thing)" in said
    assert command_error("cat", environment) == ""
