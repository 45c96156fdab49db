"""Letters that are typed right behind the key that leads to an input, faster than the app takes them."""

from __future__ import annotations

import pytest
from textual.events import Key
from textual.widgets import Input

from recall_tui.tui.app import RecallApp
from tests.tui.piloting import settled

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
