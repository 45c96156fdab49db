"""The app on a memory that means no good: every screen is drawn, and nothing of the memory reaches the terminal raw."""

from __future__ import annotations

import pytest

from recall_tui.environment import Environment
from tests.makers import bench_at, session_id_of
from tests.qa.trust import hostile
from tests.qa.trust.calling import called
from tests.qa.trust.hostile_memory import ENDED, WORD, head, planted, put, settings
from tests.qa.trust.hostile_screens import SCREENS, SIZE, drawn
from tests.qa.trust.long_lines import line
from tests.tui.conftest import app_on, still_app  # noqa: F401
from tests.tui.piloting import AppMaker, pressed, search, settled, toasts

pytestmark = pytest.mark.long


@pytest.mark.parametrize(
    "text", [hostile.every_text(), pytest.param("\n\n".join(hostile.mixed("app", 80)), marks=pytest.mark.soak)],
    ids=["every", "mixed"],
)  # fmt: skip
async def test_no_screen_draws_what_a_terminal_obeys(environment: Environment, app_on: AppMaker, text: str) -> None:  # noqa: F811
    bench = planted(environment, text)
    called(environment, "--root", str(bench.layout.root), "sync")
    app = app_on(bench)
    found: list[str] = []
    async with app.run_test(size=SIZE) as pilot:
        for screen in SCREENS:
            for keys in ((screen,), ("down",), ("down",), ("enter",), ("escape",)):
                await pressed(pilot, *keys)
                found += [f"{screen} {keys[0]}: {one}" for one in hostile.escapes(drawn(app))]
        await pressed(pilot, "1")
        await search(pilot, WORD)
        for key in ("down", "enter", "end", "y", "escape", "escape", "question_mark", "escape", "ctrl+p", "escape"):
            await pressed(pilot, key)
            found += [f"{key}: {one}" for one in hostile.escapes(drawn(app))]
        await settled(pilot)
        found += [one for said in toasts(app) for one in hostile.escapes(said)]
        assert hostile.escapes(f"{app.title} {app.sub_title} {app.clipboard}") == []
    assert app._exception is None
    assert found == []


async def test_the_settings_screen_draws_no_setting_raw(environment: Environment, app_on: AppMaker) -> None:  # noqa: F811
    bench = bench_at(environment)
    settings(bench, hostile.flat())
    app = app_on(bench)
    found: list[str] = []
    async with app.run_test(size=SIZE) as pilot:
        await pressed(pilot, "7")
        for key in ("end", "up", "pageup", "enter", "escape", "home", "down", "enter", "escape"):
            await pressed(pilot, key)
            found += [f"{key}: {one}" for one in hostile.escapes(drawn(app))]
        found += [one for said in toasts(app) for one in hostile.escapes(said)]
    assert app._exception is None and found == []


@pytest.mark.parametrize("size", [200_000, pytest.param(1_000_000, marks=pytest.mark.soak)])
async def test_a_line_beyond_all_measure_is_drawn_a_screen_at_a_time(
    environment: Environment,
    app_on: AppMaker,  # noqa: F811
    size: int,
) -> None:
    bench = bench_at(environment)
    long = line(size)
    path = bench.layout.archives[0].folder / "conversation-001.md"
    put(path, head(log=1, date=ENDED, session_id=session_id_of(7), title="Long") + f"\n### User\n\n{long}\n")
    put(bench.layout.memory_file, f"# Memory\n\n## Notes\n\n- {long}\n")
    app = app_on(bench)
    most = 0
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        keys = (
            "enter",
            "end",
            "home",
            "pagedown",
            "slash",
            *"lock",
            "enter",
            "n",
            "escape",
            "escape",
            "2",
            "enter",
            "end",
        )
        for key in keys:
            await pressed(pilot, key)
            most = max(most, len(drawn(app)))
        await pressed(pilot, "escape", "1")
        await search(pilot, WORD)
        await pressed(pilot, "down", "enter", "end", "escape")
        most = max(most, len(drawn(app)))
    assert app._exception is None
    assert most <= (SIZE[0] + 1) * SIZE[1]
