"""The program, started so that it can be asked where it stands: `python -m tests.qa.trust.standing FILE WORDS...`.

A signal has it write to FILE where its threads stand, and what each task of its event loop waits for. That a thread
stands in C for ever keeps it from answering: faulthandler, which needs no Python, is asked then.
"""

from __future__ import annotations

import asyncio
import signal
import sys
import traceback
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

SIGNAL = signal.SIGUSR1
NAMED = ("message", "event", "widget", "node", "screen", "action", "await_remove")
"""Of what a coroutine has at hand: what says whom it waits for."""


def main() -> None:
    """Listen, and run the program with the words."""
    path = Path(sys.argv[1])
    signal.signal(SIGNAL, lambda _, frame: _write(path, frame))
    sys.argv[:2] = ["recall-tui"]
    from recall_tui.__main__ import main

    main()


def _write(path: Path, frame: FrameType | None) -> None:
    lines = [*_threads(frame), *_tasks()]
    part = path.with_suffix(".part")
    part.write_text("\n".join(lines), encoding="utf-8", errors="replace")
    part.rename(path)


def _threads(main: FrameType | None) -> Iterator[str]:
    for ident, frame in sys._current_frames().items():
        yield f"thread {ident:#x}"
        yield "".join(traceback.format_stack(frame))
    yield "main"
    yield "".join(traceback.format_stack(main))


def _tasks() -> Iterator[str]:
    with suppress(RuntimeError):  # there is no event loop yet, or no longer
        for task in asyncio.all_tasks():
            yield f"task {task.get_name()}"
            yield from _waits(task.get_coro())


def _waits(coroutine: Any) -> Iterator[str]:
    """Where a coroutine stands, and those that it waits for."""
    while coroutine is not None:
        frame = getattr(coroutine, "cr_frame", None) or getattr(coroutine, "gi_frame", None)
        if frame is not None:
            own = frame.f_locals.get("self")
            yield f"  {frame.f_code.co_filename}:{frame.f_lineno} {frame.f_code.co_name} of {type(own).__name__}"
            known = {name: value for name, value in frame.f_locals.items() if name in NAMED}
            yield from (f"    {name}: {value!r:.200}" for name, value in known.items())
        elif not hasattr(coroutine, "cr_await"):
            yield f"  waits for {coroutine!r:.300}"
        coroutine = getattr(coroutine, "cr_await", None) or getattr(coroutine, "gi_yieldfrom", None)


if __name__ == "__main__":
    main()
