"""Makes the pictures and the film of the README from the sample memory; the same sample gives the same ones.

With names, such as `first-run health`, only those; the film is called `tour`.
"""

from __future__ import annotations

import asyncio
import io
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
from rich.text import Text  # noqa: E402
from textual.events import Paste  # noqa: E402
from textual.pilot import Pilot  # noqa: E402
from textual.widgets import Input  # noqa: E402

from recall_tui.environment import Environment  # noqa: E402
from recall_tui.mcp.search_answer import search_answer  # noqa: E402
from recall_tui.mcp.tools import Arguments  # noqa: E402
from recall_tui.tui.app import RecallApp  # noqa: E402
from recall_tui.tui.screens.first_run import demo  # noqa: E402
from recall_tui.tui.screens.first_run.app import FirstRunApp  # noqa: E402
from recall_tui.workbench import Workbench  # noqa: E402
from screenshots import machine  # noqa: E402

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
    Picture("wiki", (120, 36), ("4", "down", "down", "enter", "right", "right")),
    Picture("review", (120, 36), ("5",)),
    Picture("health", (120, 36), ("6",)),
    Picture("first-run", (100, 30), ("down",)),
    Picture("agents", (100, 40), ()),
    Picture("settings", (120, 36), ("7",)),
    Picture("reader", (120, 36), ("slash", QUESTION, "enter")),
    Picture("keys", (120, 36), ("question_mark",)),
    Picture("palette", (120, 36), ("ctrl+p",)),
)
FILM = (100, 30)
"""Columns and rows of the film."""
TOUR = (
    *("", "slash", *("why ", "why did we ", "why did we pick jwt ", QUESTION), "down", "enter", "right_square_bracket"),
    *("t", "escape", "escape", "escape", "2", "e", "u", "3", "5", "6", "7", "1"),
)
"""What is done in the film, a step at a time."""
SERVER_COLUMNS = 110
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
async def first_run(folder: Path, size: tuple[int, int], *, has_every_agent: bool) -> AsyncIterator[Pilot[int]]:
    """The app on a machine without a memory, where Claude Code, or every agent, has been at work."""
    home = folder / "home"
    (home / "api").mkdir(parents=True)
    environment = Environment(home=home, cwd=home / "api", env={"RECALL_STATE": str(home / "state"), "HOME": str(home)})
    leave = machine.leave_every_agent if has_every_agent else machine.leave_sessions
    leave(environment, demo.DEMO_NOW)
    app = FirstRunApp(environment, now=demo.demo_now, stopwatch=lambda: SEARCH_SECONDS, follows=False)
    async with app.run_test(size=size) as pilot:
        await at_rest(pilot)
        yield pilot


@asynccontextmanager
async def sample(folder: Path, size: tuple[int, int], *, has_agents: bool = False) -> AsyncIterator[Pilot[int]]:
    """The app on a sample memory of its own, whose time stands still."""
    made = demo.create_demo(folder)
    if has_agents:
        machine.leave_sessions(made.environment, demo.DEMO_NOW)
        made.environment.codex.mkdir()
    bench = Workbench.open(made.root, environment=made.environment, now=demo.demo_now)
    ticks = itertools.count()
    app = RecallApp(bench, made.environment, stopwatch=lambda: next(ticks) * SEARCH_SECONDS, follows=False)
    async with app.run_test(size=size) as pilot:
        await at_rest(pilot)
        yield pilot


async def take(picture: Picture, folder: Path) -> str:
    """The picture as SVG."""
    at = folder / picture.name
    is_health = picture.name == "health"
    is_first = picture.name in ("first-run", "agents")
    app = (
        first_run(at, picture.size, has_every_agent=picture.name == "agents")
        if is_first
        else sample(at, picture.size, has_agents=is_health)
    )
    async with app as pilot:
        for step in picture.steps:
            await do(pilot, step)
        svg = pilot.app.export_screenshot(title="recall-tui", simplify=True)
    return re.sub(r"terminal-\d+-", f"terminal-{picture.name}-", svg)


def server_answer(folder: Path) -> str:
    """What an agent asks the MCP server about the sample memory, and is answered, as SVG."""
    made = demo.create_demo(folder)
    bench = Workbench.open(made.root, environment=made.environment, now=demo.demo_now)
    asked = {"query": QUESTION, "limit": 3}
    console = Console(record=True, width=SERVER_COLUMNS, file=io.StringIO(), legacy_windows=False)
    console.print(Text(f"⏺ recall - search(query={QUESTION!r}, limit=3)", style="bold cyan"))
    for line in search_answer(bench, Arguments("search", asked)).splitlines():
        console.print(Text(line, style="" if line.startswith(">") else "dim"))
    return console.export_svg(title="an agent asks the memory", unique_id="server")


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
    """Write the pictures, and the film, beside this file."""
    wanted = set(sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        for picture in PICTURES:
            if not wanted or picture.name in wanted:
                svg = asyncio.run(take(picture, Path(folder)))
                (HERE / f"{picture.name}.svg").write_text(svg, encoding="utf-8")
        if not wanted or "server" in wanted:
            (HERE / "server.svg").write_text(server_answer(Path(folder) / "server"), encoding="utf-8")
        if not wanted or "tour" in wanted:
            (HERE / "tour.cast").write_text(asyncio.run(film(Path(folder))), encoding="utf-8")


if __name__ == "__main__":
    main()
