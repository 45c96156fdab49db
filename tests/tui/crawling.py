"""Somebody who presses whatever there is: keys that work here, keys that do not, clicks, pastes, another size.

What is done follows from the seed and from what the screen offers, so that a failure can be walked again.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from textual.app import App
from textual.events import Key, Paste
from textual.keys import _character_to_key
from textual.pilot import Pilot

from tests.tui.hostile import NASTY
from tests.tui.piloting import accident, settled

LEAVES = frozenset(("q", "ctrl+q", "ctrl+c", "ctrl+z"))
"""Keys that end the app or put it to sleep."""
MOVES = (
    *("up", "down", "left", "right", "pageup", "pagedown", "home", "end", "tab", "shift+tab", "enter", "escape"),
    *("space", "backspace", "delete", "ctrl+a", "ctrl+e", "ctrl+w", "ctrl+u", "f1", "f5"),
)
LETTERS = 'abcdefghijklmnoprstuvwxyzABCDEFGHIJKLMNOPRSTUVWXYZ0123456789/?:"-_.,;()[]{}<>|'
TEXTS = (
    NASTY,
    "kind:",
    "since:yesterday parser",
    '"half a phrase',
    "last tuesday",
    "2026-03",
    "日本語 résumé",
    "x" * 3_000,
)
SIZES = ((80, 24), (120, 36), (200, 60), (40, 12), (79, 23), (20, 6))
REST_EVERY = 25
"""Events after which the app comes to rest, so that what takes time is crawled over as well as through."""


async def no_quitting() -> None:
    """In place of leaving the app, for the palette offers that too."""


class Crawler:
    """Presses and clicks, and keeps what was done."""

    def __init__(self, pilot: Pilot[Any], seed: str, disturb: Callable[[random.Random], None]) -> None:
        self.pilot = pilot
        self.chance = random.Random(seed)
        self.disturb = disturb
        """Changes a file of the memory, as an agent or an editor does."""
        self.done: list[str] = []
        self._does = {
            self._press_live: 44,
            self._press_move: 24,
            self._press_letters: 8,
            self._paste: 4,
            self._click: 14,
            self._hover: 2,
            self._resize: 2,
            self._change: 2,
        }

    @property
    def app(self) -> App[Any]:
        return self.pilot.app

    async def crawl(self, events: int) -> None:
        """Do so many things; what goes wrong names the last of them."""
        for number in range(1, events + 1):
            (does,) = self.chance.choices(list(self._does), list(self._does.values()))
            try:
                await does()
                if not number % REST_EVERY:
                    await settled(self.pilot)
            except BaseException as error:
                error.add_note(f"event {number}, after: {' · '.join(self.done[-30:])}")
                raise
            if (error := accident(self.app)) is not None:
                error.add_note(f"event {number}, after: {' · '.join(self.done[-30:])}")
                return

    async def _press(self, *keys: str) -> None:
        """Press keys as fast as a person who holds one down."""
        self.done += keys
        for key in keys:
            name = _character_to_key(key) if len(key) == 1 and not key.isalnum() else key
            self.app.post_message(Key(name, key if len(key) == 1 else None))
        await self.pilot.pause(0)

    async def _press_live(self) -> None:
        keys = sorted(set(self.app.screen.active_bindings) - LEAVES)
        await self._press(self.chance.choice(keys or ["escape"]))

    async def _press_move(self) -> None:
        await self._press(*self.chance.choices(MOVES, k=self.chance.randint(1, 4)))

    async def _press_letters(self) -> None:
        await self._press(*(letter for letter in self.chance.choices(LETTERS, k=self.chance.randint(1, 5))))

    async def _paste(self) -> None:
        text = self.chance.choice(TEXTS)
        self.done.append(f"paste {text[:20]!r}")
        self.app.screen.post_message(Paste(text))
        await self.pilot.pause()

    def _somewhere(self) -> tuple[int, int]:
        width, height = self.app.size
        return self.chance.randrange(width), self.chance.randrange(height)

    async def _click(self) -> None:
        at, times = self._somewhere(), self.chance.choice((1, 1, 1, 2))
        self.done.append(f"click {at} ×{times}")
        await self.pilot.click(offset=at, times=times)

    async def _hover(self) -> None:
        at = self._somewhere()
        self.done.append(f"hover {at}")
        await self.pilot.hover(offset=at)

    async def _resize(self) -> None:
        size = self.chance.choice(SIZES)
        self.done.append(f"size {size}")
        await self.pilot.resize_terminal(*size)

    async def _change(self) -> None:
        self.done.append("another program writes")
        self.disturb(self.chance)
        self.app.memory_changed.publish(None)  # type: ignore[attr-defined]
        await self.pilot.pause()
