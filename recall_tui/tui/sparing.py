"""An app that is open all day holds what it uses, and not what it once used.

What was freed goes back to the system where its C library (glibc) would keep it; anywhere else nothing is done.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache

POOLS = 2
"""Of memory, which threads share. By default each of many has its own, and each keeps the most it ever needed."""
_ARENA_MAX = -8
"""M_ARENA_MAX of mallopt."""


@cache
def share_pools() -> None:
    """Have the threads that are still to come share their pools of memory."""
    with suppress(OSError, AttributeError):
        import ctypes

        ctypes.CDLL(None).mallopt(_ARENA_MAX, POOLS)


def give_back() -> None:
    """Return to the system what was freed; for a thread that nobody waits for."""
    with suppress(OSError, AttributeError):
        import ctypes

        ctypes.CDLL(None).malloc_trim(0)
