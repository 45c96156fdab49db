"""The contract of agents to install into, held by every built-in one, and broken by one that leaves traces."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest

from recall_tui.agents.registry import load_registry
from recall_tui.agents.target import Scope, Site, State
from recall_tui.environment import Environment
from recall_tui.testing import check_target
from recall_tui.workbench import Workbench
from tests.makers import bench_at

TEXTS = ("# Mine\n", "Mine", "a: 1\r\n", '{"a": 1}', "{\n}\n", "[a]\nb = 1", "read: a.md # mine\n")


def site_of(bench: Workbench, scope: Scope) -> Site:
    environment = bench.store.environment
    return Site(scope, environment.cwd, bench.layout, environment, ("/opt/my tools/recall-tui",))


def test_every_agent_holds_it(environment: Environment) -> None:
    bench = bench_at(environment)
    for target in load_registry(environment).targets:
        for scope in target.scopes:
            check_target(target, site_of(bench, scope), TEXTS)


@dataclass
class Line:
    """A piece that adds its line, and takes out more than it put in."""

    path: Path
    what = "rules"

    def state(self, text: str | None) -> State:
        return State.CURRENT if text and "ours\n" in text else State.ABSENT

    def installed(self, text: str | None) -> str:
        return text if text and "ours\n" in text else f"{text or ''}ours\n"

    def removed(self, text: str) -> str | None:
        return text.replace("ours\n", "").strip() or None


def test_one_that_leaves_other_bytes_breaks_it(environment: Environment) -> None:
    class Toy:
        name = "toy"

        def pieces(self, site: Any) -> tuple[Line, ...]:
            return (Line(environment.home / "toy.md"),)

    with pytest.raises(AssertionError, match="toy, rules: taken out of"):
        check_target(cast("Any", Toy()), site_of(bench_at(environment), "user"), ["# Mine\n"])
