"""Ctrl-C while a long work goes on: once to stop it in good order, twice to end the process at once.

Outside of the block Ctrl-C means what it meant before.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def catch_interrupt() -> Iterator[Callable[[], bool]]:
    """Yield what tells whether Ctrl-C was pressed in the block; the work there looks at it and stops by itself.

    Who ignores Ctrl-C, or has a way of its own with it, is left alone.
    """
    is_ours = threading.current_thread() is threading.main_thread()
    if not is_ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield lambda: False
        return
    pressed = False

    def note(_number: int, _frame: object) -> None:
        nonlocal pressed
        pressed = True
        # The next one ends the process, whatever it is at.
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    signal.signal(signal.SIGINT, note)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
