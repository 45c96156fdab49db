"""The start of the app without pauses, and its threads in short turns.

Garbage is not collected before the first paint; what was made until then lives as long as the app does, so it is not
looked through afterwards either.
"""

from __future__ import annotations

import gc
import sys

SWITCH_INTERVAL_SECONDS = 0.0005
"""Seconds that a thread keeps the interpreter while others wait. A search gives it up at every call of the index, and
with Python's 5 ms would wait as long each time for what is being painted."""


def begin_startup() -> None:
    """Let threads take short turns, and collect no garbage until `end_startup`."""
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
    gc.disable()


def end_startup() -> None:
    """Collect garbage again, of what is made from now on; without `begin` nothing changes."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
