"""An app that is open all day holds what it uses, and not the most that it ever used.

What was freed goes back to the system where its C library (glibc) would keep it; anywhere else nothing is done. What
was drawn of a widget goes with the widget.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Any


def give_back() -> None:
    """Return to the system what was freed; for a thread that nobody waits for."""
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


def let_drawn_go() -> None:
    """Have Textual forget what it drew of widgets that are gone.

    Its `StylesCache.get_inner_outer` is cached by the instance, which holds every line that was drawn of a widget,
    where it means to be cached by the class: the last 1,024 widgets stayed, some 15 MB of lines with them.
    """
    from textual._styles_cache import StylesCache

    name = "get_inner_outer"
    cached: Any = vars(StylesCache).get(name)
    if hasattr(cached, "cache_info"):
        setattr(StylesCache, name, classmethod(cached))
