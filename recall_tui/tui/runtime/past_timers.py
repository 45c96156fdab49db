"""Timers whose moment is over before they begin."""

from __future__ import annotations

from functools import wraps
from typing import Any

LEAST = 0.001
"""Seconds that a timer waits at least."""


def let_none_spin() -> None:
    """Have a timer whose moment is over fire at once, where Textual's would turn for ever and the app stand still.

    `Timer._run` passes over the moments that are gone by, and with a negative interval it finds none that is not. A
    toast asks for one when its time is over between `Notification.has_expired` and `Toast.__init__`: when a page opens
    in the very moment in which a toast is to go.
    """
    from textual.timer import Timer

    textuals: Any = Timer.__init__
    if hasattr(textuals, "__wrapped__"):
        return

    @wraps(textuals)
    def make(timer: Timer, target: Any, interval: float, **settings: Any) -> None:
        textuals(timer, target, max(interval, LEAST), **settings)

    setattr(Timer, "__init__", make)  # noqa: B010
