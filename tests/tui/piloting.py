"""What a test does with an app: wait until it is at rest, type, look at its toasts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode
from textual.events import Paste
from textual.pilot import Pilot

from recall_tui.tui.app import RecallApp
from recall_tui.tui.screens.reader.screen import ReaderScreen
from recall_tui.tui.widgets.footer import KeyFooter

AppMaker = Callable[..., RecallApp]
STEPS = 2_000
"""Turns of the event loop after which an app counts as restless."""


async def settled(pilot: Pilot[Any]) -> None:
    """Wait until no worker runs, nothing waits its moment and everything is painted."""
    app = pilot.app
    for _ in range(STEPS):
        await pilot.pause()
        if not any(worker.is_running or not worker.is_finished for worker in app.workers) and not _waits(app):
            await pilot.pause()
            if not list(app.workers) and not _waits(app):
                return
        await asyncio.sleep(0.005)
    raise AssertionError(f"still at work: {list(app.workers)}")


def _waits(app: App[Any]) -> bool:
    owners = [app, *app.screen.walk_children()]
    return any(not owner.delays.are_over for owner in owners if hasattr(owner, "delays"))


async def until(pilot: Pilot[Any], is_so: Callable[[], bool]) -> None:
    """Wait until something is so, while work may still be going on."""
    for _ in range(STEPS):
        await pilot.pause(0.005)
        if is_so():
            return
    raise AssertionError("it never came to be so")


async def typed(pilot: Pilot[Any], text: str) -> None:
    """Type a text in one go, as a paste does."""
    pilot.app.screen.post_message(Paste(text))
    await pilot.pause()


async def search(pilot: Pilot[Any], words: str) -> None:
    """Ask a question and wait for all that comes of it."""
    await settled(pilot)
    await pilot.press("slash")
    await typed(pilot, words)
    await settled(pilot)


async def pressed(pilot: Pilot[Any], *keys: str) -> None:
    """Press the keys, each time waiting until the app is at rest."""
    await settled(pilot)
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


def accident(app: App[Any]) -> BaseException | None:
    """The exception that ends the app, while it still runs its test."""
    # Textual raises it only when the test is over, without what the test knows of it.
    return app._exception


def tooltip_of(owner: type[DOMNode], id: str) -> str:
    """What the help says of a key."""
    return next(binding.tooltip for binding in Binding.make_bindings(owner.BINDINGS) if binding.id == id)


def footer_of(app: App[Any]) -> list[str]:
    """What the footer says, from left to right."""
    return [key.description for key in app.screen.query_one(KeyFooter).keys]


def toasts(app: App[Any]) -> list[str]:
    """What the app said."""
    # Textual shows toasts and lists them nowhere else.
    return [str(toast.message) for toast in app._notifications]


def shown(reader: ReaderScreen) -> list[str]:
    """The rows on the screen."""
    return [reader.page.render_line(y).text.rstrip() for y in range(reader.page.size.height)]
