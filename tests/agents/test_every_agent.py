"""Every agent's installation through the journal: real files come, stay the same the second time, and go."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.agents.agents_md import AgentsMd
from recall_tui.agents.aider import Aider
from recall_tui.agents.codex import Codex
from recall_tui.agents.cursor import Cursor
from recall_tui.agents.gemini import Gemini
from recall_tui.agents.install import plan_install, plan_uninstall
from recall_tui.agents.target import Site, Target
from recall_tui.agents.windsurf import Windsurf
from recall_tui.paths import Places
from recall_tui.workbench import Workbench
from tests.makers import bench_at, tree

TARGETS: tuple[Target, ...] = (Codex(), Gemini(), Cursor(), Windsurf(), Aider(), AgentsMd())
SCOPED = [(target, scope) for target in TARGETS for scope in target.scopes]
SHARED = {
    "AGENTS.md": b"# Mine\r\n\r\nRhymes only.",
    "GEMINI.md": b"# Mine\n\n\n",
    ".codex/hooks.json": b'{"hooks": {}, "mine": 1}',
    ".codex/AGENTS.md": b"# For Codex\n",
    ".gemini/settings.json": b'{\n\t"theme": "dark"\n}',
    ".gemini/GEMINI.md": b"# For Gemini",
    ".codeium/windsurf/memories/global_rules.md": b"Be brief.\n",
    ".aider.conf.yml": b"# mine\nread: style.md # one\nmodel: opus\n",
}


@pytest.fixture
def bench(places: Places) -> Workbench:
    """A memory in the working folder."""
    return bench_at(places, "entity")


def _site(bench: Workbench, scope: str) -> Site:
    places = bench.store.places
    return Site(scope, places.cwd, bench.layout, places, ("/opt/my tools/recall-tui",))  # type: ignore[arg-type]


def _name(value: object) -> str:
    return value if isinstance(value, str) else str(getattr(value, "name", ""))


def fill(folder: Path) -> None:
    """Give a person files of their own everywhere."""
    for name, data in SHARED.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


@pytest.mark.parametrize("is_filled", [False, True])
@pytest.mark.parametrize("is_touched", [False, True])
@pytest.mark.parametrize(("target", "scope"), SCOPED, ids=_name)
def test_it_comes_stays_and_goes(
    bench: Workbench, places: Places, target: Target, scope: str, is_filled: bool, is_touched: bool
) -> None:
    site = _site(bench, scope)
    if is_filled:
        fill(places.home)
        fill(places.cwd)
    at_home, at_work = tree(places.home), tree(places.cwd)
    assert bench.apply(plan_install, target, site, frozenset()) is not None
    there = (tree(places.home), tree(places.cwd))
    assert there != (at_home, at_work)
    assert (there[0] == at_home) == (scope == "project")
    assert bench.apply(plan_install, target, site, frozenset()) is None
    assert (tree(places.home), tree(places.cwd)) == there
    paths = sorted({piece.path for piece in target.pieces(site)})
    if is_touched:
        # A person's own words come into a shared file meanwhile, above what is ours.
        for path in paths:
            if path.name in ("AGENTS.md", "GEMINI.md", "global_rules.md"):
                path.write_bytes(b"First.\n" + path.read_bytes())
    bench.apply(plan_uninstall, target, site)
    if is_touched:
        for path in paths:
            if path.name in ("AGENTS.md", "GEMINI.md", "global_rules.md"):
                assert path.read_bytes().startswith(b"First.\n")
                rest = path.read_bytes().removeprefix(b"First.\n")
                _put_back(path, rest, is_kept=is_filled)
    assert (tree(places.home), tree(places.cwd)) == (at_home, at_work)


def _put_back(path: Path, data: bytes, *, is_kept: bool) -> None:
    if is_kept:
        path.write_bytes(data)
    else:
        assert data == b""
        path.unlink()


def test_in_any_order_two_targets_leave_agents_md_as_it_was(bench: Workbench, places: Places) -> None:
    site = _site(bench, "project")
    path = places.cwd / "AGENTS.md"
    path.write_bytes(b"# Mine")
    for first, second in ((Codex(), AgentsMd()), (AgentsMd(), Codex())):
        for out in ((first, second), (second, first)):
            for target in (first, second):
                bench.apply(plan_install, target, site, frozenset())
            bench.apply(plan_uninstall, out[0], site)
            assert path.read_text().count("## Memory across sessions") == 1
            assert f"for={out[1].name} " in path.read_text()
            bench.apply(plan_uninstall, out[1], site)
            assert path.read_bytes() == b"# Mine"
            assert not (places.cwd / ".codex").exists()
