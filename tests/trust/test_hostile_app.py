"""The app on a memory that means no good: every screen is drawn, and nothing of the memory reaches the terminal raw."""

from __future__ import annotations

import pytest

from recall_tui.paths import Places
from recall_tui.tui.app import RecallApp
from tests.trust import hostile
from tests.trust.calling import called
from tests.trust.hostile_memory import WORD, planted
from tests.tui.conftest import app_on, still_app  # noqa: F401
from tests.tui.piloting import AppMaker, pressed, search, settled, toasts

SCREENS = tuple("1234567")
SIZE = (120, 36)


def drawn(app: RecallApp) -> str:
    """What the screen puts on the terminal, without the styles that are its own."""
    return "\n".join("".join(segment.text for segment in strip) for strip in app.screen._compositor.render_strips())


@pytest.mark.parametrize(
    "text", [hostile.every_text(), pytest.param("\n\n".join(hostile.mixed("app", 80)), marks=pytest.mark.soak)],
    ids=["every", "mixed"],
)  # fmt: skip
async def test_no_screen_draws_what_a_terminal_obeys(places: Places, app_on: AppMaker, text: str) -> None:  # noqa: F811
    bench = planted(places, text)
    called(places, "--root", str(bench.layout.root), "sync")
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
