"""Settings that came with a repository wait for a confirmation: they are not called invalid, and are seen to wait."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Static

from recall_tui.environment import Environment
from recall_tui.storage import trust
from recall_tui.tui.screens.first_run import demo
from recall_tui.tui.screens.settings.screen import Settings
from recall_tui.tui.screens.settings.setting_list import setting_line
from recall_tui.workbench import Workbench
from tests.repositories import git, repository, with_git
from tests.tui.piloting import AppMaker, settled

WRITTEN = 'layout = "project"\n\n[inject]\ntokens = 5000\n\n[llm]\nprovider = "command"\ncommand = "touch /tmp/never"\n'
CAME = "its file came with the repository"


def cloned(world: Environment, *, is_committed: bool = True) -> Workbench:
    """A team's memory as another member of the team committed it."""
    root = repository(world.home / "work" / "shop")
    (root / "_memory").mkdir()
    (root / "_memory" / "MEMORY.md").write_text("# Memory\n")
    (root / "_memory" / ".recall-echo.toml").write_text(WRITTEN)
    if is_committed:
        git(root, "add", "-f", ".")
        git(root, "commit", "-qm", "memory")
    return Workbench.open(root, environment=world, now=demo.demo_now)


def line_of(screen: Settings, key: str) -> str:
    row = next(row for row in screen.settings.items if getattr(row, "key", "") == key)
    return setting_line(row, 120).plain  # type: ignore[arg-type]


@with_git
@pytest.mark.parametrize("is_committed", [True, False])
async def test_the_screen_says_that_they_wait_and_where_they_came_from(
    app_on: AppMaker, world: Environment, is_committed: bool
) -> None:
    bench = cloned(world, is_committed=is_committed)
    app = app_on(bench)
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        await pilot.press("enter", "7")
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, Settings)
        assert str(screen.query_one("#wrong").border_title) == "▲ Not confirmed"
        words = str(screen.query_one("#warnings", Static).content)
        for key, line in (("llm.command", 8), ("inject.tokens", 4)):
            assert line_of(screen, key).startswith(" ▲ ") and "unconfirmed" in line_of(screen, key)
            assert f"line {line}: {key} " in words
        assert (CAME in words) == is_committed
    trust.confirm(bench.store)
    app = app_on(Workbench.open(bench.store.root, environment=world, now=demo.demo_now))
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        await pilot.press("enter", "7")
        await settled(pilot)
        assert isinstance(app.screen, Settings) and not app.screen.query_one("#wrong").display
        assert line_of(app.screen, "llm.command").startswith(" ● ")


@with_git
async def test_an_invalid_value_keeps_its_name(app_on: AppMaker, world: Environment) -> None:
    bench = cloned(world)
    path: Path = bench.layout.config
    path.write_text(f"{WRITTEN}\n[ephemeral]\nmax_entries = 900\n")
    app = app_on(Workbench.open(bench.store.root, environment=world, now=demo.demo_now))
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        await pilot.press("enter", "7")
        await settled(pilot)
        assert isinstance(app.screen, Settings)
        assert str(app.screen.query_one("#wrong").border_title) == "▲ Invalid · Not confirmed"
        assert "refused" in line_of(app.screen, "ephemeral.max_entries")
