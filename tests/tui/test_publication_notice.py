"""Where a team reads the memory, sessions are archived only after it was shown how many and who will read them."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Static

from recall_tui.domain import LayoutName
from recall_tui.environment import Environment
from recall_tui.storage.layout import LocatedMemory, make_layout
from recall_tui.tui.app import RecallApp
from recall_tui.tui.screens.first_run import demo
from recall_tui.tui.screens.first_run.steps import KeepSessions, find_waiting
from recall_tui.tui.screens.text_modal import PlanModal
from recall_tui.workbench import Workbench
from tests.makers import records, session_id_of, write_transcript
from tests.repositories import repository, with_git
from tests.tui.health_screens import opened
from tests.tui.piloting import AppMaker, pressed, search, settled

WIDE = (120, 36)
NOTICE = "everyone with the repository can read what it says about sessions"


def talk_of(number: int) -> list[tuple[str, str]]:
    animal = ("seals", "otters")[number - 1]
    return [("user", f"Why do {animal} outrun the walrus?"), ("assistant", f"A walrus is no match for {animal}.")]


def memory_in_repository(world: Environment, layout: LayoutName) -> Workbench:
    """A memory in a repository, with two sessions of its project that are not archived."""
    root = repository(world.home / "work" / "shop")
    for number in (1, 2):
        folder = world.claude / "projects" / "-".join(root.parts).replace("/", "")
        path = folder / f"{session_id_of(number)}.jsonl"
        write_transcript(path, records(session_id_of(number), talk_of(number), cwd=str(root), start=demo.DEMO_NOW))
    bench = Workbench.at(LocatedMemory(make_layout(root, layout), "made"), world, demo.demo_now)
    bench.initialise()
    bench.sync()
    return bench


def said(app: RecallApp) -> str:
    return str(app.screen.query_one("#said Static", Static).content)


def pages(bench: Workbench) -> list[Path]:
    return [path for path in bench.layout.root.rglob("conversations/*.md") if path.name != "README.md"]


async def is_shown_and_wanted(app: RecallApp, bench: Workbench, pilot, *keys: str) -> None:
    """Press keys that archive: esc writes nothing, enter writes."""
    await pressed(pilot, *keys)
    await settled(pilot)
    assert isinstance(app.screen, PlanModal) and "2 pages" in said(app) and NOTICE in said(app)
    assert said(app).count("outrun the walrus") == 2
    await pressed(pilot, "escape")
    await settled(pilot)
    assert pages(bench) == []
    await pressed(pilot, *keys)
    await settled(pilot)
    await pressed(pilot, "enter")
    await settled(pilot)
    assert len(pages(bench)) == 2


@with_git
async def test_health_shows_it_before_it_archives_all(app_on: AppMaker, world: Environment) -> None:
    bench = memory_in_repository(world, "project")
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await is_shown_and_wanted(app, bench, pilot, "A")


@with_git
async def test_home_shows_it_before_it_archives_what_is_marked(app_on: AppMaker, world: Environment) -> None:
    bench = memory_in_repository(world, "project")
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await search(pilot, "kind:transcript walrus")
        app.screen.set_focus(app.screen.archive)  # type: ignore[attr-defined]
        await pressed(pilot, "asterisk")
        await is_shown_and_wanted(app, bench, pilot, "a")


@with_git
async def test_the_step_that_keeps_sessions_says_it(app_on: AppMaker, world: Environment) -> None:
    bench = memory_in_repository(world, "project")
    app = app_on(bench)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(KeepSessions(bench, find_waiting(bench)))
        await settled(pilot)
        assert "2 pages" in said(app) and NOTICE in said(app)


@with_git
@pytest.mark.parametrize("layout", ["entity", "hierarchical"])
async def test_a_memory_of_its_own_asks_nothing(app_on: AppMaker, world: Environment, layout: LayoutName) -> None:
    bench = memory_in_repository(world, layout)
    assert find_waiting(bench).published == ()
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await pressed(pilot, "A")
        await settled(pilot)
        assert not isinstance(app.screen, PlanModal) and len(pages(bench)) >= 2
