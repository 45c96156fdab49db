"""Nothing that is pressed, clicked, pasted or changed from outside brings the app down, whatever the memory holds."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from recall_tui.memory import Memory
from recall_tui.tui.screens.first_run import demo
from recall_tui.workbench import Workbench
from tests.tui.crawling import Crawler, no_quitting
from tests.tui.hostile import NASTY, hostile_memory
from tests.tui.piloting import AppMaker, accident, settled
from tests.tui.wikis import hostile_wiki

pytestmark = pytest.mark.long

SEEDS = (1, 2, 3)
"""Each memory has one of its own every day, and all of them when there is time."""
EVENTS = 500
MANY = 5_000
SIZES = ((80, 24), (120, 36))
MEMORIES = ("empty", "demo", "hostile")


@pytest.fixture
def memory(tmp_path: Path, bare: Workbench) -> Callable[[str], Workbench]:
    """The memory of a name, where an editor is a program that does nothing."""

    def make(name: str) -> Workbench:
        if name == "demo":
            copy = demo.create_demo(tmp_path / "sample")
            bench = Workbench.open(copy.root, environment=copy.environment, now=demo.demo_now)
        else:
            bench = bare if name == "empty" else hostile_wiki(hostile_memory(tmp_path / "hostile"))
        environment = bench.store.environment._replace(env={**bench.store.environment.env, "EDITOR": "true"})
        return Workbench(Memory(bench.layout, environment, demo.demo_now), bench.why)

    return make


def disturber(bench: Workbench) -> Callable[[random.Random], None]:
    """Writes, empties and removes files of the memory."""

    def disturb(chance: random.Random) -> None:
        layout = bench.layout
        files = [path for path in layout.base.rglob("*.md") if path.is_file()]
        path = chance.choice([*files, layout.memory_file, layout.topics / "news.md"])
        match chance.choice(("append", "append", "nasty", "empty", "remove")):
            case "append":
                path.write_bytes((path.read_bytes() if path.is_file() else b"") + b"\n## News\n\nThe build is green.\n")
            case "nasty":
                path.write_bytes(NASTY.encode("utf-8", "replace") + b"\xff\n")
            case "empty":
                path.write_bytes(b"")
            case _:
                path.unlink(missing_ok=True)

    return disturb


async def crawl(app_on: AppMaker, bench: Workbench, seed: str, events: int, size: tuple[int, int] = SIZES[1]) -> None:
    app = app_on(bench)
    app.action_quit = no_quitting  # type: ignore[method-assign]
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        await Crawler(pilot, seed, disturber(bench)).crawl(events)
        if accident(app) is None:
            await pilot.resize_terminal(*size)
            await pilot.press(*["escape"] * 8)
            await settled(pilot)
            await pilot.press("1")
            assert app.current_mode == "home"


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        pytest.param(name, seed, marks=[] if place == at else [pytest.mark.soak])
        for place, name in enumerate(MEMORIES)
        for at, seed in enumerate(SEEDS)
    ],
)
@pytest.mark.parametrize("size", SIZES, ids=["80x24", "120x36"])
async def test_a_crawl_ends_where_it_can_go_on(
    app_on: AppMaker, memory: Callable[[str], Workbench], name: str, seed: int, size: tuple[int, int]
) -> None:
    await crawl(app_on, memory(name), f"{name} {seed}", EVENTS, size)


@pytest.mark.soak
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", MEMORIES)
async def test_a_long_crawl_ends_where_it_can_go_on(
    app_on: AppMaker, memory: Callable[[str], Workbench], name: str, seed: int
) -> None:
    await crawl(app_on, memory(name), f"long {name} {seed}", MANY)
