"""Repairs of Textual and Rich, made once before the app begins.

An app that is open all day holds what it uses, and not the most that it ever used: what was drawn of a widget goes with
the widget, and caches hold no more than a screen asks for. A timer whose moment is over fires at once.
"""

from __future__ import annotations

import gc
import sys
from functools import lru_cache, wraps
from typing import Any

MAX_CACHED_CELLS, MAX_CACHED_REGIONS = 1024, 512
"""Answers of a cache, about what is drawn and about where it lies: more than the largest screen asks for."""
MAX_CACHED_QUERIES = 16
"""Of a node: more than are asked of one between two changes of what is in it."""
MIN_TIMER_SECONDS = 0.001
"""Seconds that a timer waits at least."""


def clear_render_caches() -> None:
    """Have Textual and Rich forget what they drew of widgets that are gone.

    Textual's `StylesCache.get_inner_outer` is cached by the instance, which holds every line that was drawn of a
    widget, where it means to be cached by the class: the last 1,024 widgets stayed, some 15 MB of lines with them.
    """
    from rich.segment import Segment
    from textual import dom
    from textual._styles_cache import StylesCache
    from textual.cache import LRUCache
    from textual.css.scalar import Scalar
    from textual.geometry import Region
    from textual.strip import Strip

    for owner, most in (
        (Segment, MAX_CACHED_CELLS),
        (Strip, MAX_CACHED_CELLS),
        (Region, MAX_CACHED_REGIONS),
        (Scalar, MAX_CACHED_REGIONS),
    ):
        _limit_caches(owner, most)
    # What `query_one` found is kept by how often the node's children had changed by then: 1,024 answers for each node,
    # of which those from before the last change are never asked for again.
    vars(dom)["LRUCache"] = lambda _: LRUCache(MAX_CACHED_QUERIES)
    name = "get_inner_outer"
    cached: Any = vars(StylesCache).get(name)
    if hasattr(cached, "cache_info"):
        setattr(StylesCache, name, classmethod(cached))


def _limit_caches(owner: type, most: int) -> None:
    """Have each method of a class remember so many answers at most, and not up to 16,384.

    What a style looks like and where its text is split are asked for by style, and a style holds where on its line a
    letter stands: no other line asks for it again. What lies within what is asked for by place and size, and a list
    that scrolls has another place with every line. Half an hour of use filled them all, with some 20 MB.
    """
    for name, method in list(vars(owner).items()):
        cached: Any = getattr(method, "__func__", method)
        if hasattr(cached, "cache_parameters") and cached.cache_parameters()["maxsize"] > most:
            fewer: Any = lru_cache(most)(cached.__wrapped__)
            setattr(owner, name, fewer if method is cached else type(method)(fewer))


def patch_past_timers() -> None:
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
        textuals(timer, target, max(interval, MIN_TIMER_SECONDS), **settings)

    setattr(Timer, "__init__", make)  # noqa: B010


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
