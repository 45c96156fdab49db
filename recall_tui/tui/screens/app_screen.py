"""A screen that knows it belongs to this app."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual.screen import Screen

if TYPE_CHECKING:
    from recall_tui.tui.app import RecallApp


class AppScreen(Screen[None]):
    """A full screen of the app."""

    @property
    def host(self) -> RecallApp:
        """The app, with what it offers to its screens."""
        return cast("RecallApp", self.app)
