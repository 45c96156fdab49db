"""Work of which several pieces wait for a model at one time, each told of as soon as it is done.

No more than so many are ever begun at once; when it is stopped nothing new begins, and what runs ends by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from recall_tui.llm.model import never

Piece = TypeVar("Piece")
Result = TypeVar("Result")


def together(
    do: Callable[[Piece], Result], pieces: Iterable[Piece], most: int, is_stopped: Callable[[], bool] = never
) -> Iterator[tuple[Piece, Result]]:
    """Each piece with what came of it, in the order in which they are done; an exception of one is raised here."""
    from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

    waiting = iter(pieces)
    running: dict[Future[Result], Piece] = {}
    with ThreadPoolExecutor(max(1, most), "asking") as pool:
        while True:
            while len(running) < max(1, most) and not is_stopped() and (piece := next(waiting, None)) is not None:
                running[pool.submit(do, piece)] = piece
            if not running:
                return
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(done), done.result()
