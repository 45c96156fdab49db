"""The app, open on a memory that others write to: it looks at every screen, searches and edits until its time is up.

What it did is told as JSON on stdout: `python -m tests.qa.trust.crowd_app HOME STATE ROOT SECONDS`.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from itertools import cycle
from pathlib import Path

from recall_tui.environment import Environment
from recall_tui.tui.app import RecallApp
from recall_tui.workbench import Workbench
from tests.qa.trust.starting import begin

ROUNDS = (
    ("1", "down", "down", "enter", "end", "escape"),
    ("1", "slash", *"matter", "down", "enter", "escape", "escape", "escape"),
    ("2", "down", "e", "A"),
    ("3", "down", "enter", "down", "escape"),
    ("4", "down", "enter", "escape", "l", "l"),
    ("5", "down", "6", "r", "7", "down"),
)


async def use(bench: Workbench, seconds: float) -> int:
    """Press keys until the time is up; how many."""
    app = RecallApp(bench, bench.store.environment)
    keys = 0
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.press("2", "1")
        await asyncio.to_thread(begin)
        until = time.monotonic() + seconds
        for keys_of_round in cycle(ROUNDS):
            if time.monotonic() >= until and keys:
                break
            for key in keys_of_round:
                await pilot.press(key)
                keys += 1
                await asyncio.sleep(0.05)
    return keys


def main(home: str, state: str, root: str, seconds: str) -> None:
    """Use the app, and tell how much."""
    environment = Environment(Path(home), Path(root), {"RECALL_STATE": state, "HOME": home})
    keys = asyncio.run(use(Workbench.open(Path(root), environment=environment), float(seconds)))
    print(json.dumps({"keys": keys}))


if __name__ == "__main__":
    main(*sys.argv[1:])
