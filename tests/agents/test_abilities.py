"""The table of what works with each agent says what an installation does, and what resumes its sessions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from recall_tui.agents.install import plan_install
from recall_tui.agents.registry import load_registry
from recall_tui.agents.target import Site, Target
from recall_tui.environment import Environment
from recall_tui.transcripts.registry import own_readers
from tests.makers import bench_at, tree

KNOWN = load_registry(Environment(Path("/home/u"), Path("/home/u/api"), {})).targets
DOCUMENTED = Path(__file__).resolve().parents[2] / "docs" / "agents.md"
SIGNS = {
    "hooks": re.compile(rb" hook --root"),
    "MCP": re.compile(rb"[\"'\s-]mcp[\"'\s]"),
    "rules": re.compile(rb"recall"),
}
"""What is in a file that each puts there."""


def documented() -> dict[str, dict[str, str]]:
    """The cells of the table by the agent's title and the head of the column."""
    block = DOCUMENTED.read_text(encoding="utf-8").partition("<!-- begin: abilities -->")[2].partition("<!-- end")[0]
    heads, _, *rows = ([cell.strip() for cell in row.split("|")[1:-1]] for row in block.strip().splitlines())
    return {row[0]: dict(zip(heads[1:], row[1:], strict=True)) for row in rows}


def put_in(environment: Environment, target: Target) -> Iterator[str]:
    """What an installation in every scope puts into files, by what is in them."""
    bench = bench_at(environment, "project")
    for scope in target.scopes:
        site = Site(scope, environment.cwd, bench.layout, environment, ("/opt/my tools/recall-tui",))
        before = tree(environment.home) | tree(environment.cwd)
        bench.apply(plan_install, target, site)
        for name, data in (tree(environment.home) | tree(environment.cwd)).items():
            if before.get(name) == data or "skills" in name or "agents/" in name or "commands/" in name:
                continue
            is_text = name.endswith((".md", ".mdc"))
            yield from (what for what, sign in SIGNS.items() if sign.search(data) and (what == "rules") is is_text)


@pytest.mark.parametrize("name", [target.name for target in KNOWN])
def test_what_an_installation_puts_there_is_in_the_table(environment: Environment, name: str) -> None:
    target = next(one for one in load_registry(environment).targets if one.name == name)
    row = documented()[target.title]
    assert set(put_in(environment, target)) == {what for what in SIGNS if row[what]}


def test_each_agent_whose_sessions_are_read_has_its_row_and_its_command() -> None:
    titles = {target.name: target.title for target in KNOWN}
    rows, readers = documented(), own_readers()
    read = {titles.get(one.agent, one.label): one for one in readers}
    assert {title for title, row in rows.items() if row["history"]} == read.keys()
    for title, one in read.items():
        words = one.resume_arguments("ID")
        assert rows[title]["resume"] == (f"`{' '.join((one.program or one.agent, *words))}`" if words else "")
