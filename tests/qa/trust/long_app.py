"""The app on documents that are one line beyond all measure, and what each thing that a person does takes it.

Every run is a process of its own, so that its time and its memory are its own: `python -m tests.qa.trust.long_app SIZE
FOLDER` makes a memory in the folder, walks through it and tells the steps as JSON.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from recall_tui.environment import Environment
from recall_tui.tui.app import RecallApp
from recall_tui.tui.document_pointer import DocumentPointer
from recall_tui.tui.screens.reader.screen import ReaderScreen
from recall_tui.workbench import Workbench
from tests.makers import bench_at, session_id_of, transcript
from tests.processes import CHECKOUT
from tests.qa.bench.measure import run
from tests.qa.trust.hostile_memory import ENDED, WORD, head, put
from tests.qa.trust.long_lines import line
from tests.tui.piloting import settled

LAST = "quagga"
"""The word that every one of the lines ends with."""
KINDS = ("session", "archive", "topic", "wiki page", "MEMORY.md")
"""The documents that hold such a line."""
READ: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("page on", ("pagedown", "pagedown", "pageup")),
    ("to the end", ("end", "home")),
    ("unfold", ("t", "enter", "t")),
    ("find", ("f", *LAST, "enter")),
    ("next", ("n", "N")),
)
"""What one does in the reader, by what it is."""
ROUND: tuple[tuple[str, ...], ...] = (
    ("2", "down", "enter", "end", "tab", "end", "escape"),
    ("3", "down", "enter", "end", "escape", "escape"),
    ("4", "down", "enter", "end", "pageup", "right", "escape", "escape"),
    ("5", "down", "end", "escape"),
    ("6", "down", "end", "escape"),
    ("7", "1", "down", "down", "y"),
)
"""What one does on the screens."""
IN_TERMINAL: tuple[tuple[str, ...], ...] = (
    ("1", "/", *WORD[:5], "Down", "Enter", "NPage", "End"), ("f", *WORD[:5], "Enter", "n"), ("Escape", "Escape"),
    ("2", "Down", "End"), ("3", "Down"), ("4", "Down", "Enter", "End"), ("6",), ("1",),
)  # fmt: skip
"""The same in short, by the names that a terminal has for keys."""
_NOISE = 2.0
_MEASURABLE = 2.0
"""Seconds below which nothing is said of a step."""
_SMALLEST = 1_000
"""Characters of a line from which on the logarithm is counted."""
_PATIENCE = 600.0
"""Seconds that one step may take on a busy machine."""
_LOOK_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was done."""

    name: str
    seconds: float
    """Of the processor."""
    megabytes: float
    """The most that the process held of its own meanwhile."""


@dataclass(slots=True)
class Walk:
    """What was done, and what was not as it should be."""

    steps: list[Step] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        """Of the processor, in all."""
        return sum(step.seconds for step in self.steps)

    @property
    def megabytes(self) -> float:
        """The most at one time."""
        return max(step.megabytes for step in self.steps)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Note what the block takes."""
        most = [_own_megabytes()]
        over = threading.Event()

        def look() -> None:
            while not over.wait(_LOOK_SECONDS):
                most.append(max(most.pop(), _own_megabytes()))

        watch = threading.Thread(target=look)
        watch.start()
        begun = time.process_time()
        try:
            yield
        finally:
            took = time.process_time() - begun
            over.set()
            watch.join()
            self.steps.append(Step(name, round(took, 2), round(max(most[0], _own_megabytes()), 1)))


def _own_megabytes() -> float:
    for row in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if row.startswith("RssAnon:"):
            return int(row.split()[1]) / 1024
    return 0.0


def made(environment: Environment, size: int) -> tuple[Workbench, dict[str, str]]:
    """A memory with such a line in each kind of document, and by what the workbench finds each of them."""
    bench, long = bench_at(environment), f"{line(size)} {LAST}"
    session = transcript(
        environment, 1, [("user", f"Fix it {long}"), ("assistant", f"We decided {long}"), ("Read", long)]
    )
    archive = bench.layout.archives[0].folder / "conversation-001.md"
    body = f"\n### User\n\n{long}\n\n<details>\n<summary>Read</summary>\n\n{long}\n\n</details>\n"
    put(archive, head(log=1, date=ENDED, session_id=session_id_of(7), title="Long") + body)
    put(bench.layout.topics / "long.md", f"# Long\n\n{long}\n")
    put(bench.layout.wiki / "long.md", head(name="Long", category="concept", slug="long") + f"\n# Long\n\n{long}\n")
    put(bench.layout.memory_file, f"# Memory\n\n## Notes\n\n- {long}\n")
    put(bench.layout.window, f"## Session x — 2026-03-05 09:14:03 UTC\n**Summary**: {long}\n\n{long}\n")
    wiki, topic = bench.layout.wiki / "long.md", bench.layout.topics / "long.md"
    found = map(str, (session, 1, topic, wiki, bench.layout.memory_file))
    return bench, dict(zip(KINDS, found, strict=True))


def walked(size: int, folder: Path) -> Walk:
    """Walk through the app on a memory with lines of such a size."""
    home, cwd = folder / "home", folder / "work"
    for one in (home, cwd):
        one.mkdir(parents=True)
    environment = Environment(home=home, cwd=cwd, env={"RECALL_STATE": str(folder / "state"), "HOME": str(home)})
    bench, named = made(environment, size)
    walk = Walk()
    with walk.step("sync"):
        bench.sync()
    before = {path: path.stat().st_size for path in bench.layout.root.rglob("*.md")}
    asyncio.run(_walk(RecallApp(bench, environment, follows=False), named, walk, size))
    changed = [str(path) for path, was in before.items() if path.stat().st_size != was]
    walk.wrong += [f"{path} is not what it was" for path in changed]
    return walk


async def _walk(app: RecallApp, named: dict[str, str], walk: Walk, size: int) -> None:
    async with app.run_test(size=(120, 36)) as pilot:
        with walk.step("open the app"):
            await _rested(pilot)
        for name, reference in named.items():
            await _read(pilot, app, walk, name, reference, size)
        for keys in ROUND:
            with walk.step(f"screen {keys[0]}"):
                await _pressed(pilot, *keys)
        with walk.step("search"):
            await _pressed(pilot, "slash", *WORD[:5], "down")
        with walk.step("open a hit"):
            await _pressed(pilot, "enter", "end", "y", "escape", "escape", "escape")
        if app._exception is not None:
            walk.wrong.append(repr(app._exception)[:500])


async def _read(pilot: Pilot[Any], app: RecallApp, walk: Walk, name: str, reference: str, size: int) -> None:
    assert app.bench is not None
    reader = ReaderScreen(app.bench, DocumentPointer(reference, name), None)
    with walk.step(f"{name}: open"):
        app.push_screen(reader)
        await _rested(pilot)
    if not len(reader.page.document):
        walk.wrong.append(f"{name}: is not shown: {reader.page.words.plain}")
    for what, keys in READ:
        with walk.step(f"{name}: {what}"):
            await _pressed(pilot, *keys)
        if what == "find" and LAST not in reader.page.document.source[reader.page.cursor]:
            walk.wrong.append(f"{name}: {LAST} is not found")
    with walk.step(f"{name}: copy"):
        await _pressed(pilot, "y")
    if len(app.clipboard) < size or LAST not in app.clipboard:
        walk.wrong.append(f"{name}: of {size} characters {len(app.clipboard)} were copied")
    with walk.step(f"{name}: select all"):
        app.screen.text_select_all()
        await _pressed(pilot, "ctrl+c")
        app.screen.clear_selection()
    with walk.step(f"{name}: back"):
        await _pressed(pilot, "escape")


async def _pressed(pilot: Pilot[Any], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await _rested(pilot)


async def _rested(pilot: Pilot[Any]) -> None:
    """Wait until the app is at rest, however long what it does takes."""
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            await settled(pilot)
            return
        except AssertionError:
            if time.monotonic() > end:
                raise


def outrageous(small: Walk, large: Walk, factor: float) -> list[str]:
    """What grew faster than n log n from one walk to the other, on lines so many times as long, and what went wrong.

    A machine at work on other things doubles a time; what grows with the square would be many times as long.
    """
    most = _NOISE * factor * (1 + math.log(factor) / math.log(_SMALLEST))
    before = {step.name: step for step in small.steps}
    found = [*small.wrong, *large.wrong]
    for step in large.steps if not found else ():
        was = before[step.name]
        if step.seconds > max(_MEASURABLE, most * was.seconds) or step.megabytes > most * was.megabytes:
            found.append(
                f"{step.name}: {was.seconds} s, {was.megabytes} MB, then {step.seconds} s, {step.megabytes} MB"
            )
    return found


def shown_in_terminal(folder: Path) -> list[str]:
    """Walk through a memory that was walked through before in a real terminal; what was wrong."""
    from tests.qa.trust.hostile_terminal import walk

    home, cwd = folder / "home", folder / "work"
    environment = Environment(home=home, cwd=cwd, env={"RECALL_STATE": str(folder / "state"), "HOME": str(home)})
    sent, wrong = walk(folder / "terminal", environment, IN_TERMINAL, "--root", str(cwd))
    return wrong if WORD.encode() in sent else [*wrong, "nothing was shown"]


def measured(size: int, folder: Path) -> Walk:
    """Walk through the app in a process of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    env = {**os.environ, "PYTHONPATH": str(CHECKOUT), "HOME": str(folder)}
    ran = run([sys.executable, "-m", "tests.qa.trust.long_app", str(size), str(folder)], env, folder)
    if ran.code:
        return Walk([Step("all", round(ran.cpu, 2), ran.own_mb)], [f"ended with {ran.code}: {ran.err[-2000:]}"])
    told = json.loads(ran.out)
    return Walk([Step(**step) for step in told["steps"]], told["wrong"])


if __name__ == "__main__":
    print(json.dumps(asdict(walked(int(sys.argv[1]), Path(sys.argv[2])))))
