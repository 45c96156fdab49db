"""Letters that are typed right behind the key that leads to an input, faster than the app takes them."""

from __future__ import annotations

import pytest
from textual.events import Key
from textual.widgets import Input

from recall_tui.tui.app import RecallApp
from recall_tui.tui.screens.reader.screen import ReaderScreen
from tests.tui.piloting import settled

pytestmark = pytest.mark.long

WORDS = "token refresh/race"


def rushed(app: RecallApp, *keys: str) -> None:
    """Press keys as a terminal hands them over that has them all at once."""
    for key in keys:
        name = {" ": "space", "/": "slash"}.get(key, key)
        app.post_message(Key(name, key if len(key) == 1 else None))


@pytest.mark.parametrize(
    ("way", "key"),
    [((), "/"), (("7",), "/"), (("enter",), "/"), (("enter",), "f")],
    ids=["home", "settings", "reader", "f"],
)
async def test_they_come_to_it_in_their_order(demo_app: RecallApp, way: tuple[str, ...], key: str) -> None:
    async with demo_app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        await pilot.press(*way)
        await settled(pilot)
        rushed(demo_app, key, *WORDS)
        await settled(pilot)
        assert isinstance(demo_app.focused, Input)
        assert demo_app.focused.value == WORDS


@pytest.mark.parametrize("action", ["find", "copy", "chapter(1)", "find_next(1)", "close"])
async def test_a_key_that_is_faster_than_its_screen_breaks_nothing(demo_app: RecallApp, action: str) -> None:
    async with demo_app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        bench = demo_app.bench
        assert bench is not None
        reader = ReaderScreen(bench, bench.rows[-1], None)
        demo_app.push_screen(reader)
        assert not reader.is_mounted
        assert await demo_app.run_action(action, reader), "it is heard, so that nobody else takes it"
        await settled(pilot)
        assert demo_app.screen is reader
