"""The heap of the C library: one for all threads, small blocks alone in it, and given back where it is free.

What glibc's heaps freed, they keep; with other C libraries nothing is done.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import cache

_M_ARENA_MAX = -8
"""mallopt(3): how many heaps the C library may make for threads."""
_M_MMAP_THRESHOLD = -3
"""mallopt(3): from how many bytes on a block is asked from the system, and goes back to it when it is freed."""
_MMAP_THRESHOLD_BYTES = 128 * 1024
"""What glibc begins with. Left alone it goes up to the largest block that was ever freed, at most 32 MB."""


@cache
def use_single_arena() -> None:
    """Keep threads that begin from now on from having a heap each, and large blocks out of it.

    Threads that have a heap already keep it, so who wants one heap asks before its threads begin.

    Passages are made in one thread and freed in others, and glibc's heaps do not give back what was freed elsewhere: a
    history of 400 MB took 405 MB so, and takes 127 MB from one heap, in less time. An app whose threads each had one
    kept up to 100 MB in them. Large blocks leave holes that small ones settle in: 20 MB that were used lay scattered
    over a heap of 90 after some minutes, and lie in 21 where large ones stay out, for no time that could be measured.
    """
    _call_libc("mallopt", _M_ARENA_MAX, 1)
    _call_libc("mallopt", _M_MMAP_THRESHOLD, _MMAP_THRESHOLD_BYTES)


def trim_heap() -> None:
    """Return to the system every page that is free, wherever in the heap it lies; it takes milliseconds.

    By itself a heap shrinks at its end alone: while a history of 4 GB was indexed, 50 MB of 70 lay free below it.
    """
    _call_libc("malloc_trim", 0)


def _call_libc(function: str, *values: int) -> None:
    """Call a function of the C library, if it has one of that name."""
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            getattr(ctypes.CDLL(None), function)(*values)
