"""The health screen as a test opens and reads it."""

from __future__ import annotations

from recall_tui.tui.app import RecallApp
from recall_tui.tui.screens.health.screen import HealthScreen
from tests.tui.piloting import settled


def screen_of(app: RecallApp) -> HealthScreen:
    """The health screen."""
    assert isinstance(app.screen, HealthScreen)
    return app.screen


def rows_of(app: RecallApp, part: str) -> list[str]:
    """The rows of a panel as they are drawn."""
    panel = screen_of(app).list_of(part)  # type: ignore[arg-type]
    return [panel.draw(row, 200).plain for row in panel.items]


def border_of(app: RecallApp, part: str) -> str:
    """What stands in a panel's border."""
    return str(screen_of(app).list_of(part).border_subtitle)  # type: ignore[arg-type]


async def opened(pilot) -> None:
    """Open the screen and wait until everything was looked at."""
    await settled(pilot)
    await pilot.press("6")
    await settled(pilot)
