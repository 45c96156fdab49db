"""A screen that is left once, however fast the keys come: what it was left with is heard once too."""

from __future__ import annotations

from textual.await_complete import AwaitComplete
from textual.screen import Screen, ScreenResultType


class Leaving(Screen[ScreenResultType]):
    """A screen that lies over another one."""

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Leave the screen with a result; one that was left already stays so."""
        return super().dismiss(result) if self.is_active else AwaitComplete()
