"""An app that is open all day holds what it uses, and not the most that it ever used.

What was freed goes back to the system where its C library (glibc) would keep it; anywhere else nothing is done.
"""

from __future__ import annotations

import sys
from contextlib import suppress


def give_back() -> None:
    """Return to the system what was freed; for a thread that nobody waits for."""
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
