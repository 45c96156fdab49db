"""An app that is open all day holds what it uses, and not the most that it ever used.

What was freed goes back to the system where its C library (glibc) would keep it; anywhere else nothing is done. What
was drawn of a widget goes with the widget.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import lru_cache
from typing import Any

ANSWERS = 2048
"""Of a cache: more than the largest screen asks for."""
QUERIES = 16
"""Of a node: more than are asked of one between two changes of what is in it."""


def give_back() -> None:
    """Return to the system what was freed; for a thread that nobody waits for."""
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


def let_drawn_go() -> None:
    """Have Textual and Rich forget what they drew of widgets that are gone.

    Textual's `StylesCache.get_inner_outer` is cached by the instance, which holds every line that was drawn of a
    widget, where it means to be cached by the class: the last 1,024 widgets stayed, some 15 MB of lines with them.
    """
    from rich.segment import Segment
    from textual import dom
    from textual._styles_cache import StylesCache
    from textual.cache import LRUCache
    from textual.strip import Strip

    _cap(Strip, "render_ansi")
    _cap(Segment, "_split_cells")
    # What `query_one` found is kept by how often the node's children had changed by then: 1,024 answers for each node,
    # of which those from before the last change are never asked for again.
    vars(dom)["LRUCache"] = lambda _: LRUCache(QUERIES)
    name = "get_inner_outer"
    cached: Any = vars(StylesCache).get(name)
    if hasattr(cached, "cache_info"):
        setattr(StylesCache, name, classmethod(cached))


def _cap(owner: type, name: str) -> None:
    """Cache fewer answers of a class method than the 16,384 that it comes with.

    They are asked for by style, and a style holds where on its line a letter stands: no other line asks for it again.
    Half an hour of use filled the two caches, with some 15 MB.
    """
    cached: Any = getattr(vars(owner).get(name), "__func__", None)
    if hasattr(cached, "cache_parameters") and cached.cache_parameters()["maxsize"] > ANSWERS:
        fewer: Any = lru_cache(ANSWERS)(cached.__wrapped__)
        setattr(owner, name, classmethod(fewer))
