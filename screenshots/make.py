"""Makes the pictures and the film of the README from the sample memory; the same sample gives the same ones."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from rich.console import Console  # noqa: E402
from textual.events import Paste  # noqa: E402
from textual.pilot import Pilot  # noqa: E402
from textual.widgets import Input  # noqa: E402

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
    Picture("timeline", (120, 36), ("3",)),
    Picture("health", (120, 36), ("6",)),
    Picture("settings", (120, 36), ("7",)),
    Picture("reader", (120, 36), ("slash", QUESTION, "enter")),
    Picture("keys", (120, 36), ("question_mark",)),
    Picture("palette", (120, 36), ("ctrl+p",)),
)
FILM = (100, 30)
"""Columns and rows of the film."""
TOUR = (
    *("", "slash", *("why ", "why did we ", "why did we pick jwt ", QUESTION), "down", "enter", "right_square_bracket"),
    *("t", "escape", "escape", "escape", "2", "e", "u", "3", "6", "7", "1"),
)
"""What is done in the film, a step at a time."""
STEP_SECONDS, TYPING_SECONDS = 2.0, 0.4


async def at_rest(pilot: Pilot[int]) -> None:
    """Wait until nothing is at work; the background gets a few turns to begin."""
    for _ in range(8):
        await pilot.pause(0.05)
        await pilot.app.workers.wait_for_complete()


async def do(pilot: Pilot[int], step: str) -> None:
    """Press or type, and wait for all that comes of it."""
    if " " in step:
        pilot.app.screen.query_one(Input).value = ""
        pilot.app.screen.post_message(Paste(step))
    elif step:
        await pilot.press(step)
    await at_rest(pilot)


@asynccontextmanager
async def sample(folder: Path, size: tuple[int, int]) -> AsyncIterator[Pilot[int]]:
    """The app on a sample memory of its own, whose time stands still."""
    made = demo.make(folder)
    bench = Workbench.open(made.root, places=made.places, now=demo.now)
    ticks = itertools.count()
    app = RecallApp(bench, made.places, stopwatch=lambda: next(ticks) * SEARCH_SECONDS, follows=False)
    async with app.run_test(size=size) as pilot:
        await at_rest(pilot)
        yield pilot


async def take(picture: Picture, folder: Path) -> str:
    """The picture as SVG."""
    async with sample(folder / picture.name, picture.size) as pilot:
        for step in picture.steps:
            await do(pilot, step)
        svg = pilot.app.export_screenshot(title="recall-tui", simplify=True)
    return re.sub(r"terminal-\d+-", f"terminal-{picture.name}-", svg)


async def film(folder: Path) -> str:
    """The tour as a cast that asciinema plays: a header, then one whole screen for each step."""
    columns, rows = FILM
    head = {"version": 2, "width": columns, "height": rows, "title": "recall-tui", "env": {"TERM": "xterm-256color"}}
    lines, at = [json.dumps(head)], 0.0
    async with sample(folder / "film", FILM) as pilot:
        console = Console(force_terminal=True, color_system="truecolor", width=columns)
        for step in TOUR:
            await do(pilot, step)
            strips = pilot.app.screen._compositor.render_strips()
            frame = "\r\n".join(strip.render(console) for strip in strips)
            lines.append(json.dumps([round(at, 2), "o", f"\x1b[?25l\x1b[H{frame}"], ensure_ascii=False))
            at += TYPING_SECONDS if " " in step else STEP_SECONDS
    return "\n".join([*lines, json.dumps([round(at, 2), "o", "\x1b[?25h"])]) + "\n"


def main() -> None:
    """Write every picture, and the film, beside this file."""
    with tempfile.TemporaryDirectory() as folder:
        for picture in PICTURES:
            svg = asyncio.run(take(picture, Path(folder)))
            (HERE / f"{picture.name}.svg").write_text(svg, encoding="utf-8")
        (HERE / "tour.cast").write_text(asyncio.run(film(Path(folder))), encoding="utf-8")


if __name__ == "__main__":
    main()
