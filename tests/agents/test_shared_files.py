"""In files that a person and several targets share, each one's words come and go by themselves."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from recall_tui.agents.install import plan_install, plan_uninstall
from recall_tui.agents.target import Site, Target
from recall_tui.agents.targets.agents_md import AgentsMdTarget
from recall_tui.agents.targets.codex import CodexTarget
from recall_tui.agents.targets.gemini import GeminiTarget
from recall_tui.agents.targets.windsurf import WindsurfTarget
from recall_tui.environment import Environment
from recall_tui.workbench import Workbench
from tests.agents.installing import name_of
from tests.makers import bench_at

BLOCKS = [
    (CodexTarget(), "user"),
    (CodexTarget(), "project"),
    (GeminiTarget(), "user"),
    (WindsurfTarget(), "user"),
    (AgentsMdTarget(), "project"),
]


@pytest.fixture
def bench(environment: Environment) -> Workbench:
    """A memory in the working folder."""
    return bench_at(environment, "entity")


def _site(bench: Workbench, scope: str) -> Site:
    environment = bench.store.environment
    return Site(scope, environment.cwd, bench.layout, environment, ("/opt/my tools/recall-tui",))  # type: ignore[arg-type]


@pytest.mark.long
@pytest.mark.parametrize("before", [None, b"", b"# Mine", b"# Mine\r\n\r\nRhymes.\r\n"])
@pytest.mark.parametrize(("target", "scope"), BLOCKS, ids=name_of)
def test_what_a_person_writes_meanwhile_stays(
    bench: Workbench, target: Target, scope: str, before: bytes | None
) -> None:
    site = _site(bench, scope)
    path = next(piece.path for piece in target.pieces(site) if piece.path.suffix == ".md")
    if before is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(before)
    bench.apply(plan_install, target, site)
    path.write_bytes(b"First.\n" + path.read_bytes() + b"\nLast.\n")
    bench.apply(plan_uninstall, target, site)
    left = path.read_bytes()
    assert re.fullmatch(re.escape(b"First.\n" + (before or b"")) + rb"(\r?\n){0,2}\r?\nLast\.\n", left)
    assert b"recall-tui" not in left


def test_of_two_targets_the_last_takes_the_block_out(bench: Workbench, environment: Environment) -> None:
    site = _site(bench, "project")
    path: Path = environment.cwd / "AGENTS.md"
    path.write_bytes(b"# Mine")
    for first, second in ((CodexTarget(), AgentsMdTarget()), (AgentsMdTarget(), CodexTarget())):
        for out in ((first, second), (second, first)):
            for target in (first, second):
                bench.apply(plan_install, target, site)
            bench.apply(plan_uninstall, out[0], site)
            assert path.read_text().count("## Memory across sessions") == 1
            assert f"for={out[1].name} " in path.read_text()
            bench.apply(plan_uninstall, out[1], site)
            assert path.read_bytes() == b"# Mine"
            assert not (environment.cwd / ".codex").exists()
