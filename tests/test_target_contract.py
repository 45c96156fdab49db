"""The contract of agents to install into, held by every built-in one, and broken by one that leaves traces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest

from recall_tui.agents.pieces.own_file import OwnFile
from recall_tui.agents.registry import get_target, load_registry
from recall_tui.agents.target import Scope, Site, State
from recall_tui.environment import Environment
from recall_tui.testing import check_target
from recall_tui.workbench import Workbench
from tests.makers import bench_at

TEXTS = ("# Mine\n", "Mine", "a: 1\r\n", '{"a": 1}', "{\n}\n", "[a]\nb = 1", "read: a.md # mine\n")


def site_of(bench: Workbench, scope: Scope) -> Site:
    environment = bench.store.environment
    return Site(scope, environment.cwd, bench.layout, environment, ("/opt/my tools/recall-tui",))


@pytest.mark.long
def test_every_agent_holds_it(environment: Environment) -> None:
    bench = bench_at(environment)
    for target in load_registry(environment).targets:
        for scope in target.scopes:
            check_target(target, site_of(bench, scope), TEXTS)


@pytest.mark.parametrize("name", ["claude", "continue", "opencode"])
def test_agents_of_each_form_hold_it(environment: Environment, name: str) -> None:
    check_target(get_target(name, environment), site_of(bench_at(environment), "user"), TEXTS)


def test_the_target_of_a_package_of_others_holds_it(environment: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent / "fixtures" / "plugin"))
    import toy_recall  # type: ignore[import-not-found]

    check_target(toy_recall.ToyTarget(), site_of(bench_at(environment), "user"), TEXTS)


class Toy:
    """A target with one piece that breaks the contract by what it writes beside the plan."""

    name = title = "toy"
    scopes = ("user",)
    has_hooks = False

    def __init__(self, spoil: Callable[[Path], object]) -> None:
        self._spoil = spoil

    def pieces(self, site: Site) -> tuple[OwnFile, ...]:
        path = site.environment.home / ".toy" / "rules.md"
        if path.parent.exists():
            self._spoil(path)
        return (OwnFile(path, "rules", "Ask.\n"),)


def is_read_only(path: Path) -> bool:
    return path.is_file() and not path.stat().st_mode & 0o200


def replace_link(path: Path) -> None:
    if path.is_symlink():
        text = path.read_text()
        path.unlink()
        path.write_text(text)


@pytest.mark.parametrize(
    ("spoil", "wrong"),
    [
        (lambda path: (path.parent / "more").mkdir(exist_ok=True), "into a new file and out again"),
        (replace_link, "into a link and out again"),
        (lambda path: is_read_only(path) and (path.chmod(0o600), path.write_text("x")), "writes a read-only file"),
    ],
)
def test_one_that_writes_beside_its_plan_breaks_it(
    environment: Environment, spoil: Callable[[Path], object], wrong: str
) -> None:
    with pytest.raises(AssertionError, match=wrong):
        check_target(cast("Any", Toy(spoil)), site_of(bench_at(environment), "user"), ["# Mine\n"])


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
