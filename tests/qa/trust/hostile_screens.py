"""The screens of the app, and all that they put on a terminal."""

from __future__ import annotations

from recall_tui.tui.app import RecallApp

SCREENS = tuple("1234567")
SIZE = (120, 36)


def drawn(app: RecallApp) -> str:
    """What the screen puts on the terminal, without the styles that are its own."""
    return "\n".join("".join(segment.text for segment in strip) for strip in app.screen._compositor.render_strips())
