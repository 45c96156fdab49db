"""The first look at a memory that came with a repository: whose it is, whom one trusts, and what can be done."""

from __future__ import annotations

import pytest
from textual.widgets import Static

from recall_tui.domain import LayoutName, SkippedResult
from recall_tui.environment import Environment
from recall_tui.features.documents.resume import find_resume_command
from recall_tui.storage.layout import LocatedMemory, make_layout
from recall_tui.tui.app import RecallApp
from recall_tui.tui.memory_view_model import load_view
from recall_tui.tui.screens.first_run import demo
from recall_tui.tui.screens.first_run.welcome_modal import WelcomeModal
from recall_tui.tui.screens.home.screen import Home
from recall_tui.tui.widgets.budget_gauge import BudgetGauge
from recall_tui.tui.widgets.row_list import RowList
from recall_tui.workbench import Workbench
from tests.makers import tree
from tests.repositories import git, repository, session, uncommitted, with_git
from tests.tui.piloting import AppMaker, pressed, settled


def said(app: RecallApp) -> str:
    return " ".join(str(app.screen.query_one("#said Static", Static).content).split())


def clone(world: Environment, layout: LayoutName) -> Workbench:
    """A memory that somebody else made and committed, as cloned, and a session of the person's own."""
    first = repository(world.home / "colleague" / "shop")
    theirs = world._replace(env={**world.env, "RECALL_STATE": str(world.home / "colleague" / "state")})
    Workbench.at(LocatedMemory(make_layout(first, layout), "made"), theirs, demo.demo_now).initialise()
    git(first, "add", "--all", "--force")
    git(first, "commit", "--quiet", "--message", "memory")
    copy = world.home / "shop"
    git(world.home, "clone", "--quiet", str(first), str(copy))
    session(world, "claude", 1, copy, "walrus", start=demo.DEMO_NOW)
    return Workbench.open(copy, environment=world, now=demo.demo_now)


@with_git
@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_a_cloned_team_memory_says_what_it_is(
    app_on: AppMaker, world: Environment, size: tuple[int, int]
) -> None:
    bench = clone(world, "project")
    app = app_on(bench)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        assert isinstance(app.screen, WelcomeModal)
        words = said(app)
        assert "came with the repository ~/shop: it is a team's memory" in words
        assert "Trust it as far as you trust those who write it" in words
        assert "1 session of yours is not in it." in words
        for key in (
            "/ search it",
            "+ add a lesson",
            "6 A add sessions of yours",
            "6 i connect",
            "recall-tui init ~/.claude",
        ):
            assert key in words
        await pressed(pilot, "enter")
        assert isinstance(app.screen, Home)
    assert uncommitted(bench.store.root) == set()


@with_git
@pytest.mark.parametrize("layout", ["entity", "hierarchical"])
async def test_a_cloned_memory_of_another_layout_says_that_others_may_have_written_it(
    app_on: AppMaker, world: Environment, layout: LayoutName
) -> None:
    app = app_on(clone(world, layout))
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert isinstance(app.screen, WelcomeModal)
        assert "others may have written what it says" in said(app) and "team" not in said(app)


@with_git
async def test_it_is_said_once(app_on: AppMaker, world: Environment) -> None:
    bench = clone(world, "project")
    for is_first in (True, False):
        app = app_on(Workbench.open(bench.store.root, environment=world, now=demo.demo_now))
        async with app.run_test(size=(80, 24)) as pilot:
            await settled(pilot)
            assert isinstance(app.screen, WelcomeModal) == is_first
            await pressed(pilot, *(["enter"] if is_first else []), "q")


async def test_a_memory_of_ones_own_has_no_welcome(app_on: AppMaker, bare: Workbench) -> None:
    app = app_on(bare)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert isinstance(app.screen, Home)


@with_git
@pytest.mark.parametrize(("size", "shown"), [((80, 24), "~/shop/_memory/MEMORY.md"), ((120, 36), "MEMORY.md")])
async def test_home_names_the_memory_at_every_size(
    app_on: AppMaker, world: Environment, size: tuple[int, int], shown: str
) -> None:
    app = app_on(clone(world, "project"))
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        await pressed(pilot, "enter")
        assert str(app.screen.query_one(BudgetGauge).border_title) == f"{shown} · shared with the team"


async def test_a_long_path_keeps_its_end(app_on: AppMaker, world: Environment) -> None:
    root = world.home / "/".join(["a-long-name"] * 9)
    root.mkdir(parents=True)
    bench = Workbench.at(LocatedMemory(make_layout(root, "entity"), "made"), world, demo.demo_now)
    bench.initialise()
    app = app_on(bench)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        title = str(app.screen.query_one(BudgetGauge).border_title)
        assert title.startswith("…") and title.endswith("/memory/MEMORY.md") and len(title) <= 72


@with_git
@pytest.mark.parametrize("layout", ["project", "entity"])
async def test_home_promises_what_the_layout_does(app_on: AppMaker, world: Environment, layout: LayoutName) -> None:
    root = repository(world.home / "shop")
    bench = Workbench.at(LocatedMemory(make_layout(root, layout), "made"), world, demo.demo_now)
    bench.initialise()
    before = tree(root)
    app = app_on(bench)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        for name in ("#window", "#archive"):
            words = str(app.screen.query_one(name, RowList).empty)
            assert ("when you add" in words) == (layout == "project"), words
        await pressed(pilot, "3")
        await settled(pilot)
        assert ("when you add" in str(app.screen.query_one("#tree", RowList).empty)) == (layout == "project")
    assert tree(root) == before


@with_git
async def test_a_session_of_a_team_has_one_title_and_a_colleagues_says_why_it_is_not_resumed(
    app_on: AppMaker, world: Environment
) -> None:
    first = repository(world.home / "colleague" / "shop")
    env = {**world.env, "RECALL_STATE": str(world.home / "colleague" / "state"), "PATH": str(world.home / "bin")}
    theirs = Environment(world.home / "colleague", first, env)
    bench = Workbench.at(LocatedMemory(make_layout(first, "project"), "made"), theirs, demo.demo_now)
    bench.initialise()
    bench.capture(session(theirs, "claude", 1, first, "walrus", start=demo.DEMO_NOW))
    own = load_view(bench)
    (entry,), (row,) = bench.window.entries, bench.rows
    assert own.recent[entry.session_id] == own.labels[row.number, row.session_id]
    git(first, "add", "--all")
    git(first, "commit", "--quiet", "--message", "memory")
    git(world.home, "clone", "--quiet", str(first), str(world.home / "shop"))
    (world.home / "bin").mkdir()
    (world.home / "bin" / "claude").write_text("#!/bin/sh\n", encoding="utf-8")
    (world.home / "bin" / "claude").chmod(0o755)
    mine = world._replace(env={**world.env, "PATH": str(world.home / "bin")})
    copy = Workbench.open(world.home / "shop", environment=mine, now=demo.demo_now)
    (page,) = (copy.layout.base / "conversations").glob("*.md")
    found = find_resume_command(copy.store, copy.document(page))
    assert isinstance(found, SkippedResult) and found.reason.endswith("it was held on another machine")
