"""The first run: no memory yet."""

from __future__ import annotations

import pytest
from textual.widgets import Static

from recall_tui.errors import NotFoundError
from recall_tui.paths import Places
from recall_tui.tui import demo
from recall_tui.tui.first_run_app import FirstRunApp
from recall_tui.tui.screens.first_run import FirstRun, Offers
from recall_tui.tui.screens.home import Home
from recall_tui.workbench import Workbench
from tests.tui.piloting import settled


@pytest.fixture
def app(world: Places) -> FirstRunApp:
    """An app that found no memory."""
    with pytest.raises(NotFoundError):
        Workbench.open(places=world)
    return FirstRunApp(world, now=demo.now, stopwatch=lambda: 0.0, follows=False)


async def test_it_says_where_it_looked(app: FirstRunApp, world: Places) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert isinstance(app.screen, FirstRun)
        words = str(app.screen.query_one("#looked", Static).content)
        assert "No memory found" in words and ".claude" in words


async def test_setting_up_shows_its_plan_before_it_writes(app: FirstRunApp, world: Places) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("enter")
        await pilot.pause()
        assert "memory/MEMORY.md" in str(app.screen.query_one("#plan", Static).content)
        assert not (world.cwd / "memory").exists()
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, Home)
        assert (world.cwd / "memory" / "MEMORY.md").is_file()


async def test_escape_takes_the_choice_back(app: FirstRunApp, world: Places) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("enter", "escape")
        await pilot.pause()
        assert "memory/MEMORY.md" not in str(app.screen.query_one("#plan", Static).content)
        assert isinstance(app.screen, FirstRun)


async def test_all_projects_may_share_one_memory(app: FirstRunApp, world: Places) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("down", "enter", "enter")
        await settled(pilot)
        assert (world.claude / "memory" / "MEMORY.md").is_file()
        assert app.bench is not None and app.bench.layout.name == "user"


async def test_sample_data_is_looked_at_in_a_copy_that_goes_away(app: FirstRunApp, world: Places) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("end", "enter")
        await settled(pilot)
        assert isinstance(app.screen, Home)
        assert app.bench is not None
        root = app.bench.store.root
        assert root.is_dir() and not (world.cwd / "memory").exists()
    assert not root.exists()


async def test_the_offers_fit_their_list(app: FirstRunApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        offers = app.screen.query_one(Offers)
        assert len(offers.items) == offers.size.height == 3
