"""Only what is installed for the memory can be wrong with it."""

from __future__ import annotations

from pathlib import Path

from recall_tui.agents.install import plan_install
from recall_tui.agents.problems import agent_problems, installed_agents
from recall_tui.agents.status import AgentStatus, agent_status
from recall_tui.agents.target import Site
from recall_tui.agents.targets.claude import ClaudeTarget
from recall_tui.environment import Environment
from recall_tui.workbench import Workbench
from tests.makers import bench_at


def site_of(bench: Workbench, program: str = "") -> Site:
    """The person's site, with a program that runs and says nothing."""
    environment = bench.store.environment
    script = environment.home / "recall-tui"
    if not script.exists():
        script.write_text("#!/bin/sh\n")
        script.chmod(0o755)
    return Site("user", environment.cwd, bench.layout, environment, (program or str(script),))


def of_claude(bench: Workbench, program: str = "") -> AgentStatus:
    """How Claude Code stands."""
    return agent_status(ClaudeTarget(), site_of(bench, program))


def put_in(bench: Workbench) -> None:
    """Install into Claude Code."""
    bench.apply(plan_install, ClaudeTarget(), site_of(bench))


def test_where_nothing_is_installed_nothing_is_wrong(environment: Environment) -> None:
    bench = bench_at(environment, "entity")
    rules = environment.claude / "rules" / "recall-echo.md"
    rules.parent.mkdir(parents=True)
    rules.write_text("Mine.\n")
    (environment.claude / "settings.json").write_text("{ // mine\n}")
    found = of_claude(bench)
    assert found.words == "broken"
    assert list(installed_agents([found])) == list(agent_problems([found])) == []


def test_a_memory_whose_name_no_agent_could_read_is_installed_nowhere(environment: Environment, tmp_path: Path) -> None:
    found = of_claude(bench_at(environment, "entity", tmp_path / "a\nb"))
    assert "control character" in found.trouble and found.pieces == ()
    assert list(agent_problems([found])) == []


def test_settings_that_broke_after_the_installation_are_a_problem(environment: Environment) -> None:
    bench = bench_at(environment, "user")
    put_in(bench)
    assert list(agent_problems([of_claude(bench)])) == []
    settings = environment.claude / "settings.json"
    settings.write_text(f"// mine\n{settings.read_text()}")
    (problem,) = agent_problems([of_claude(bench)])
    assert problem.kind == "agents" and "settings.json, line 1" in problem.message


def test_what_is_out_of_date_is_a_problem_with_a_way_out(environment: Environment) -> None:
    bench = bench_at(environment, "user")
    put_in(bench)
    (problem,) = agent_problems([of_claude(bench, "/other/recall-tui")])
    assert "recall-tui install claude --scope user" in problem.message


def test_what_is_for_another_memory_is_none_of_ours(environment: Environment) -> None:
    put_in(bench_at(environment, "user"))
    assert list(agent_problems([of_claude(bench_at(environment, "entity"))])) == []
