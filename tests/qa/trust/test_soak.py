"""An app that is used for long holds no more than one that was just opened."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.screen import Screen

from recall_tui.tui.app import RecallApp
from recall_tui.tui.screens.first_run import demo
from recall_tui.workbench import Workbench
from tests import tmux
from tests.qa.trust.churn import world
from tests.qa.trust.holding import Held, heaps, held
from tests.qa.trust.row_soak import WARM_PART, judged
from tests.qa.trust.soaking import KEY_SECONDS, opened, process_of, soak, stands, told
from tests.tui.piloting import settled

pytestmark = pytest.mark.long

WAYS = (
    *((str(number),) for number in range(1, 8)),
    ("1", "enter", "f", "escape", "escape"),
    ("1", "slash", *"refresh", "down", "enter", "escape", "escape", "escape"),
    ("question_mark", "escape"),
    ("ctrl+p", "escape"),
    ("ctrl+o", "escape"),
    ("1", "ctrl+r", "escape"),
    ("2", "E", "escape"),
    ("3", "g", "escape"),
    ("4", "n", "escape"),
    ("7", "down", "enter", "escape"),
)
SOAK_MINUTES = 4.0
FEW = 8
"""Sessions of a memory that need not be large."""
MANY_THREADS = 4


def process() -> Held:
    """What this process holds."""
    gc.collect()
    return held()


async def walked(pilot: Pilot[int], seen: list[weakref.ref[Screen[object]]]) -> None:
    """Open and close everything once, and note the screens that were shown."""
    for keys in WAYS:
        for key in keys:
            await pilot.press(key)
            seen.append(weakref.ref(pilot.app.screen))
        await settled(pilot)


def threads() -> list[str]:
    """Those that run, but for the pool of the event loop, which fills up once and stays."""
    return sorted(thread.name for thread in threading.enumerate() if not thread.name.startswith("asyncio_"))


async def test_screens_that_were_closed_are_gone_and_hold_nothing(tmp_path: Path) -> None:
    copy = demo.create_demo(tmp_path / "sample")
    bench = Workbench.open(copy.root, environment=copy.environment, now=demo.demo_now)
    app = RecallApp(bench, bench.store.environment, follows=True)
    seen: list[weakref.ref[Screen[object]]] = []
    later: list[weakref.ref[Screen[object]]] = []
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        await walked(pilot, seen)
        before, running = process(), threads()
        await walked(pilot, later)
        after = process()
        open_now = {id(screen) for stack in app._screen_stacks.values() for screen in stack}
        assert len({id(one) for one in seen}) > len(open_now)
        assert not [screen for one in seen if (screen := one()) is not None and id(screen) not in open_now]
        assert after.files == before.files
        assert after.watches == before.watches
        assert after.children == before.children
        assert threads() == running


@pytest.mark.skipif(not tmux.is_installed(), reason="tmux is not installed")
def test_the_threads_of_the_app_do_not_have_a_heap_each(tmp_path: Path) -> None:
    terminal = opened(world(tmp_path, FEW), tmp_path)
    try:
        for key in ("2", "3", "4", "5", "6", "7", "1", "/", *"token"):
            terminal.press(key)
            time.sleep(KEY_SECONDS)
        process = process_of(terminal)
        assert held(process).threads > MANY_THREADS
        assert heaps(process) == 0
    finally:
        terminal.close()


@pytest.mark.skipif(not tmux.is_installed(), reason="tmux is not installed")
def test_an_app_that_answers_nothing_says_where_it_stands(tmp_path: Path) -> None:
    terminal = opened(world(tmp_path, FEW), tmp_path)
    try:
        told = stands(terminal)
    finally:
        terminal.close()
    assert "run_input_thread" in told
    tasks = told.partition("\ntask ")[2]
    assert "process_messages" in tasks and "of RecallApp" in tasks


@pytest.mark.soak
@pytest.mark.skipif(not tmux.is_installed(), reason="tmux is not installed")
def test_the_app_under_churn_does_not_grow(tmp_path: Path) -> None:
    soaked = soak(world(tmp_path, 60), tmp_path, SOAK_MINUTES * 60, SOAK_MINUTES * 60 * WARM_PART, "short")
    assert judged(soaked, SOAK_MINUTES).holds, told(soaked.looks)
