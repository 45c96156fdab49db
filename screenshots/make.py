"""Makes the pictures of the README from the sample memory; the same sample gives the same pictures."""

from __future__ import annotations

import asyncio
import itertools
import re
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from textual.events import Paste  # noqa: E402
from textual.pilot import Pilot  # noqa: E402

from recall_tui.tui import demo  # noqa: E402
from recall_tui.tui.app import RecallApp  # noqa: E402
from recall_tui.workbench import Workbench  # noqa: E402

QUESTION = "why did we pick jwt over sessions"
SEARCH_SECONDS = 0.008
"""What the stopwatch shows for a search; a real one would make each picture another."""


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture: how large the terminal is, and what was pressed and typed before."""

    name: str
    size: tuple[int, int]
    steps: Sequence[str]
    """Keys; what is longer than a key's name and holds a space is typed."""


PICTURES = (
    Picture("home", (120, 36), ("slash", QUESTION)),
    Picture("home-80", (80, 24), ()),
    Picture("distill", (120, 36), ("2",)),
    Picture("reader", (120, 36), ("slash", QUESTION, "enter")),
)


async def at_rest(pilot: Pilot[int]) -> None:
    """Wait until nothing is at work; the background gets a few turns to begin."""
    for _ in range(8):
        await pilot.pause(0.05)
        await pilot.app.workers.wait_for_complete()


async def take(picture: Picture, folder: Path) -> str:
    """The picture as SVG."""
    sample = demo.make(folder / picture.name)
    bench = Workbench.open(sample.root, places=sample.places, now=demo.now)
    ticks = itertools.count()
    app = RecallApp(bench, sample.places, stopwatch=lambda: next(ticks) * SEARCH_SECONDS, follows=False)
    async with app.run_test(size=picture.size) as pilot:
        await at_rest(pilot)
        for step in picture.steps:
            if " " in step:
                app.screen.post_message(Paste(step))
            else:
                await pilot.press(step)
            await at_rest(pilot)
        svg = app.export_screenshot(title="recall-tui", simplify=True)
    return re.sub(r"terminal-\d+-", f"terminal-{picture.name}-", svg)


def main() -> None:
    """Write every picture beside this file."""
    with tempfile.TemporaryDirectory() as folder:
        for picture in PICTURES:
            svg = asyncio.run(take(picture, Path(folder)))
            (HERE / f"{picture.name}.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
