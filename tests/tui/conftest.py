"""Apps on memories of their own, with a clock and a stopwatch that stand still."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.app import App
from textual.command import CommandInput

from recall_tui.environment import Environment
from recall_tui.storage.layout import LocatedMemory, make_layout
from recall_tui.tui.app import RecallApp
from recall_tui.tui.screens.first_run import demo
from recall_tui.workbench import Workbench
from tests.tui.piloting import AppMaker


@pytest.fixture(autouse=True)
def still_app(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing blinks, and no toast goes away by itself."""
    # An Input can be told not to blink, but the palette makes its own.
    monkeypatch.setattr(CommandInput, "_toggle_cursor", lambda self: None)
    monkeypatch.setattr(App, "NOTIFICATION_TIMEOUT", 600)


@pytest.fixture
def world(tmp_path: Path) -> Environment:
    """A home with nothing in it."""
    home = tmp_path / "home"
    (home / "agent").mkdir(parents=True)
    return Environment(home=home, cwd=home / "agent", env={"RECALL_STATE": str(home / "state"), "HOME": str(home)})


@pytest.fixture
def app_on() -> AppMaker:
    """An app on a memory, whose time stands still."""

    def make(bench: Workbench, **options: Any) -> RecallApp:
        options = {"stopwatch": lambda: 0.0, "follows": False, **options}
        return RecallApp(bench, bench.store.environment, **options)

    return make


@pytest.fixture
def sample(tmp_path: Path) -> Workbench:
    """The sample memory."""
    copy = demo.create_demo(tmp_path / "sample")
    return Workbench.open(copy.root, environment=copy.environment, now=demo.demo_now)


@pytest.fixture
def bare(world: Environment) -> Workbench:
    """A memory that was just made."""
    bench = Workbench.at(LocatedMemory(make_layout(world.cwd, "entity"), "made"), world, demo.demo_now)
    bench.initialise()
    return bench


@pytest.fixture
def demo_app(app_on: AppMaker, sample: Workbench) -> RecallApp:
    """The app on the sample memory."""
    return app_on(sample)
