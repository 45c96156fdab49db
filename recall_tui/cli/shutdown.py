"""When a command that goes on by itself has to end: a signal, its terminal closed, whoever started it gone.

The first signal ends it in good order, the second at once; outside of the block signals mean what they meant before.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_WHY = {
    signal.SIGINT: "Ctrl-C",
    signal.SIGTERM: "it was told to",
    signal.SIGHUP: "its terminal was closed",
}


class Ending:
    """Whether it is to end, and why."""

    def __init__(self) -> None:
        self.event = threading.Event()
        """Set as soon as it is."""
        self.why = ""
        self._parent = os.getppid()

    def is_here(self) -> bool:
        """Look whether it is to end."""
        if os.getppid() != self._parent:
            self.begin("what started it is gone")
        return self.event.is_set()

    def begin(self, why: str) -> None:
        """Have it end."""
        self.why = self.why or why
        self.event.set()

    def by_signal(self, number: int, _frame: object) -> None:
        """Take a signal; the next of its kind ends the process, whatever it is at."""
        self.begin(_WHY[signal.Signals(number)])
        signal.signal(number, signal.SIG_DFL)


@contextmanager
def ending() -> Iterator[Ending]:
    """Yield what tells when to end."""
    one = Ending()
    before = {number: signal.signal(number, one.by_signal) for number in _WHY}
    try:
        yield one
    finally:
        for number, handler in before.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)
