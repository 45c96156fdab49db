"""The heap of the C library: one for all threads, where it would make one for each, and small blocks alone in it.

What glibc's heaps of threads freed, they keep; elsewhere nothing is done. Threads that have a heap already keep it, so
who wants one heap asks before its threads begin.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import cache

_M_ARENA_MAX = -8
"""mallopt(3): how many heaps the C library may make for threads."""
_M_MMAP_THRESHOLD = -3
"""mallopt(3): from how many bytes on a block is asked from the system, and goes back to it when it is freed."""
_LARGE = 128 * 1024
"""What glibc begins with. Left alone it goes up to the largest block that was ever freed, at most 32 MB."""


@cache
def share_one() -> None:
    """Keep threads that begin from now on from having a heap each, and large blocks out of it.

    Passages are made in one thread and freed in others, and glibc's heaps do not give back what was freed elsewhere: a
    history of 400 MB took 405 MB so, and takes 127 MB from one heap, in less time. An app whose threads each had one
    kept up to 100 MB in them. Large blocks leave holes that small ones settle in: 20 MB that were used lay scattered
    over a heap of 90 after some minutes, and lie in 21 where large ones stay out, for no time that could be measured.
    """
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            library = ctypes.CDLL(None)
            library.mallopt(_M_ARENA_MAX, 1)
            library.mallopt(_M_MMAP_THRESHOLD, _LARGE)
