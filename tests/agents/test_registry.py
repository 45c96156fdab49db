"""Agents are known by name: ours, and those that other packages bring."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from recall_tui.agents.registry import get_target, load_registry
from recall_tui.agents.target import SERVER_PIECE, Site
from recall_tui.environment import Environment
from recall_tui.errors import UsageError
from recall_tui.storage.layout import make_layout

CHECKOUT = Path(__file__).resolve().parents[2]
PACKAGE = """
class Atlas:
    name = "atlas"
    title = "Atlas"
    scopes = ("user",)
    has_hooks = False

    def is_found(self, environment):
        return True

    def pieces(self, site):
        return ()
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of others that is installed, and brings an agent."""
    folder = tmp_path / "site"
    info = folder / "atlas_recall-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: atlas-recall\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[recall_tui.targets]\natlas = atlas_recall:Atlas\n")
    (folder / "atlas_recall.py").write_text(PACKAGE)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "atlas_recall", raising=False)
    return folder


def test_every_agent_has_a_name_and_what_it_takes_to_install_into_it(environment: Environment) -> None:
    names = [target.name for target in load_registry(environment).targets]
    assert names[0] == "claude" and len(set(names)) == len(names)
    for target in load_registry(environment).targets:
        assert target.title and target.scopes and get_target(target.name, environment).title == target.title


def test_an_agent_is_found_by_its_folder(environment: Environment) -> None:
    assert "claude" not in [target.name for target in load_registry(environment).found(environment)]
    environment.claude.mkdir()
    assert "claude" in [target.name for target in load_registry(environment).found(environment)]


def test_an_unknown_name_is_answered_with_the_known_ones(environment: Environment) -> None:
    with pytest.raises(UsageError) as caught:
        get_target("nobody", environment)
    assert "claude" in caught.value.hint


def test_another_package_brings_an_agent(environment: Environment, package: Path) -> None:
    assert load_registry(environment).targets[-1].name == "atlas"
    assert get_target("atlas", environment).title == "Atlas"


def test_a_package_that_cannot_be_loaded_costs_itself_alone(environment: Environment, package: Path) -> None:
    (package / "atlas_recall.py").write_text("1 / 0\n")
    every = load_registry(environment)
    assert every.targets[0].name == "claude"
    (problem,) = every.problems
    assert "atlas cannot be loaded" in problem.message and "atlas_recall:Atlas" in problem.hint
    with pytest.raises(UsageError) as caught:
        get_target("atlas", environment)
    assert "atlas cannot be loaded" in caught.value.hint


def test_a_person_describes_an_agent(environment: Environment) -> None:
    environment.targets.mkdir(parents=True)
    (environment.targets / "zed.toml").write_text('name = "zed"\nform = "block"\n[project]\nfile = ".rules"\n')
    (environment.targets / "bad.toml").write_text('name = "claude"\nform = "block"\n[project]\nfile = ".rules"\n')
    every = load_registry(environment)
    assert every.targets[-1].name == "zed" and get_target("zed", environment).scopes == ("project",)
    assert "bad.toml" in every.problems[0].message


def test_one_agent_loads_no_other_and_no_packages() -> None:
    code = (
        "import sys; from pathlib import Path; from recall_tui.environment import Environment\n"
        "from recall_tui.agents.registry import get_target\n"
        "get_target('claude', Environment(Path('/'), Path('/'), {}))\n"
        "print([name for name in ('importlib.metadata', 'yaml', 'tomlkit', 'rich') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=CHECKOUT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_readme_counts_the_agents_that_take_the_server(environment: Environment) -> None:
    """Each in one of its scopes at least."""
    layout = make_layout(environment.cwd, "entity")
    takers = {
        target.name
        for target in load_registry(environment).targets
        for scope in target.scopes
        for piece in target.pieces(Site(scope, environment.cwd, layout, environment, ("recall-tui",)))
        if piece.what == SERVER_PIECE
    }
    readme = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    assert f"{len(takers)} agents can ask for more through an MCP server" in readme
