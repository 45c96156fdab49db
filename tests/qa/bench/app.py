"""How fast the app paints, opens a long conversation and changes screens, beside an empty app in the same run.

Everything runs in processes of its own, on a terminal that is not there. Nothing is asserted unless --check is given: a
machine's speed is no property of the code.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tests.qa.bench.bench_site import Site
from tests.qa.bench.measure import Ran, fail, percentile, process_env, run

ARCHIVES = (0, 1_000, 10_000)
MESSAGES = 100_000
SIZE = (120, 36)
BUDGETS = {
    "first paint, 10,000 archives": 1.5,
    "reader, first page": 150.0,
    "screen switch": 100.0,
    "key to ranked rows, p95": 30.0,
}
"""Multiples of the empty app's first paint, and milliseconds."""
TIMED = frozenset(("reader, first page", "screen switch", "key to ranked rows, p95"))
QUESTIONS = ("latency of the retry", "parser error", "session token cache", "deploy", "merge the branch and test it")
_PATIENCE = 60.0
"""Seconds."""
_HEAD = "---\nlog: {number}\n---\n\n# Conversation {number:03d}\n\n"
_TURN = """---

### User

Message {number}: the carrier worker retries a request that it should not; what is wrong with it, and **why** now?

---

### Assistant

The budget in `retry.py` is counted twice, so a {number} that is slow is tried again long after it was answered.

> **Read** `src/retry.py`

<details><summary>Result</summary>

```
def budget(seconds): return seconds * {number}
```

</details>

<details><summary>Thought</summary>

It counts the first attempt as a retry.

</details>

"""
"""Five messages."""


def make(root: Path, archives: int, messages: int = 0) -> None:
    """A memory with so many archives, the newest with so many messages."""
    memory = root / "memory"
    folder = memory / "conversations"
    folder.mkdir(parents=True)
    (memory / ".recall-echo.toml").write_text('layout = "entity"\n', encoding="utf-8")
    (memory / "MEMORY.md").write_text("# Memory\n\n## Carriers\n\nThey retry.\n", encoding="utf-8")
    rows = [
        "# Conversation Archive",
        "",
        "| # | Date | Session | Topics | Messages | Duration |",
        "|---|---|---|---|---|---|",
    ]
    for number in range(1, archives + 1):
        rows.append(f"| {number:03d} | 2026-03-05 | s{number:08d} | carriers, retries | 12 | 25m |")
        text = _HEAD.format(number=number) + _TURN.format(number=number)
        (folder / f"conversation-{number:03d}.md").write_text(text, encoding="utf-8")
    (memory / "ARCHIVE.md").write_text("\n".join(rows) + "\n", encoding="utf-8")
    if messages:
        with (folder / f"conversation-{archives:03d}.md").open("w", encoding="utf-8") as file:
            file.write(_HEAD.format(number=archives))
            file.writelines(_TURN.format(number=number) for number in range(messages // 5))


async def until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so; TimeoutError when it never is."""
    end = time.perf_counter() + _PATIENCE
    while not is_so():
        if time.perf_counter() > end:
            raise TimeoutError
        await asyncio.sleep(0.001)


def app_on(root: Path) -> Any:
    """The app on the memory below `root`, started as the program starts it."""
    from recall_tui.tui.runtime import textual_repairs

    textual_repairs.begin_startup()
    from recall_tui.tui.app import RecallApp
    from recall_tui.workbench import Workbench, current_environment

    bench = Workbench.open(root, environment=current_environment())
    return RecallApp(bench, bench.store.environment, follows=False)


def run_app(app: Any, then: Callable[[Any], Awaitable[dict[str, float]]]) -> dict[str, float]:
    """Run an app and do something with it from its first paint on; milliseconds to that since the process began."""
    told: dict[str, float] = {}

    async def painted(pilot: object) -> None:
        await _painted(app)
        told["first paint"] = _since_start() * 1000
        told.update(await then(app))
        app.exit()

    app.run(headless=True, size=SIZE, auto_pilot=painted)
    return told


def _since_start() -> float:
    """Seconds since this process was started."""
    return time.time() - float(sys.argv[-1])


async def nothing(app: Any) -> dict[str, float]:
    """Only the first paint is of interest."""
    return {}


def of_empty(root: Path) -> dict[str, float]:
    """The first paint of an app that shows one line and a footer."""
    from textual.app import App, ComposeResult
    from textual.widgets import Footer, Static

    class Empty(App[None]):
        def compose(self) -> ComposeResult:
            yield Static("nothing")
            yield Footer()

    return run_app(Empty(), nothing)


def of_first_paint(root: Path) -> dict[str, float]:
    """The first paint of the app."""
    return run_app(app_on(root), nothing)


def of_usable(root: Path) -> dict[str, float]:
    """The first paint, and until nothing is being worked at any more."""

    async def settled(app: Any) -> dict[str, float]:
        await until(lambda: not list(app.workers))
        return {"usable": _since_start() * 1000}

    return run_app(app_on(root), settled)


def of_reader(root: Path) -> dict[str, float]:
    """Opening the newest archive whole: its first page, the rest of it, a page down, the way to its end."""

    async def read(app: Any) -> dict[str, float]:
        from recall_tui.domain import IndexRow
        from recall_tui.tui.document_pointer import read_document
        from recall_tui.tui.screens.reader.screen import ReaderScreen

        bench = app.bench
        await until(lambda: not list(app.workers))
        number = bench.rows[-1].number
        item = IndexRow(number, "2026-03-05")
        start = time.perf_counter()
        text = bench.document(str(number)).text
        told = {"text read": _ms(start), "lines": float(text.count("\n"))}
        start = time.perf_counter()
        read_document(bench, 0, item)
        told["beginning prepared"] = _ms(start) - told["text read"]
        start = time.perf_counter()
        reader = ReaderScreen(bench, item, None)
        app.push_screen(reader)
        await until(lambda: reader.is_mounted and reader._is_shown and reader.page.virtual_size.height > 0)
        await _painted(reader)
        told["reader, opened"] = _ms(start)
        told["reader, first page"] = max(0.0, _ms(start) - told["text read"])
        return told | await _scrolled(reader, start)

    app = app_on(root)
    app.bench.sync()
    return run_app(app, read)


async def _scrolled(reader: Any, start: float) -> dict[str, float]:
    """How long pages take while the rest of the document is being prepared, and then at its end."""
    pages = []
    for _ in range(40):
        began = time.perf_counter()
        reader.page.action_page_down()
        await _painted(reader)
        pages.append(_ms(began))
    await until(lambda: reader.page.document.is_whole)
    told = {"reader, whole": _ms(start), "page down, p95": percentile(pages, 0.95)}
    for what, action in (("to the end", lambda: reader.page.action_edge(1)), ("unfold all", reader.page.turn_all)):
        began = time.perf_counter()
        action()
        await _painted(reader)
        told[what] = _ms(began)
    return told


def of_switch(root: Path) -> dict[str, float]:
    """Changing from one screen of the table to another and back."""

    async def switch(app: Any) -> dict[str, float]:
        from recall_tui.tui.screen_table import SCREENS

        await until(lambda: not list(app.workers))
        first, *others = [entry.name for entry in SCREENS]
        times = []
        for turn in range(10):
            for name in [*others, first] if others else ["keys", first]:
                began = time.perf_counter()
                if name == "keys":
                    app.action_keys()
                elif others:
                    app.action_go(name)
                else:
                    app.pop_screen()
                await asyncio.sleep(0)
                await _painted(app.screen)
                times += [_ms(began)] if turn else []
        return {"screen switch": statistics.median(times)}

    app = app_on(root)
    app.bench.sync()
    return run_app(app, switch)


def of_typing(root: Path) -> dict[str, float]:
    """From a key in the search to its ranked rows, off the event loop, and until they are painted, on a large index."""

    async def type_words(app: Any) -> dict[str, float]:
        await until(lambda: not list(app.workers))
        box, ranked, painted = app.screen.search_box, [], []
        began = done = 0.0

        def stopwatch() -> float:
            nonlocal done
            done = time.perf_counter()
            return done

        box._stopwatch = stopwatch  # The search looks at it when it begins and, last, when the rows are ranked.
        box.focus()
        for question in QUESTIONS:
            box.value = ""
            await until(lambda: not list(app.workers) and box.delays.are_over)
            for end in range(3, len(question) + 1):
                began = time.perf_counter()
                box.value = question[:end]
                await until(lambda: box.question == box.value.strip() and box._answered == box._question.number)
                await _painted(app.screen)
                painted.append(_ms(began))
                ranked.append((done - began) * 1000)
        return {
            f"key to {what} rows, {name}": value
            for what, times in (("ranked", ranked), ("painted", painted))
            for name, value in (("p50", statistics.median(times)), ("p95", percentile(times, 0.95)))
        }

    return run_app(app_on(root), type_words)


async def _painted(screen: Any) -> None:
    """Wait until everything that was asked for is on the screen."""
    done = asyncio.Event()
    screen.call_after_refresh(done.set)
    await asyncio.wait_for(done.wait(), _PATIENCE)


def _ms(start: float) -> float:
    return (time.perf_counter() - start) * 1000


MEASURED = {
    "empty": of_empty,
    "paint": of_first_paint,
    "usable": of_usable,
    "reader": of_reader,
    "switch": of_switch,
    "typing": of_typing,
}


def process(what: str, root: Path, home: Path, folder: Path) -> tuple[dict[str, float], Ran]:
    """Measure one thing in a process of its own."""
    line = [sys.executable, str(Path(__file__)), "--part", what, str(root), str(time.time())]
    done = run(line, process_env(home, folder), folder)
    fail(what, done)
    return json.loads(done.out.splitlines()[-1]), done


def paint(report: Site, folder: Path, runs: int) -> None:
    """First paints, taking turns, so that a busy moment hits all of them."""
    times: dict[str, list[float]] = {}
    peaks: dict[str, float] = {}
    for archives in ARCHIVES:
        make(folder / f"of-{archives}", archives)
    for turn in range(runs + 1):
        for archives in (None, *ARCHIVES):
            name = "empty app" if archives is None else f"first paint, {archives:,} archives"
            part = "empty" if archives is None else "paint"
            told, done = process(part, folder / f"of-{archives or 0}", folder / "home", folder)
            if turn:
                times.setdefault(name, []).append(told["first paint"])
            peaks[name] = done.peak_mb
    empty = statistics.median(times["empty app"])
    for name, values in times.items():
        value = statistics.median(values)
        report.note(name, value / empty, f"{value:.0f} ms = {value / empty:.2f} × the empty app, {peaks[name]:.0f} MB")


def main() -> int:
    """Print the table; with --check return 1 when something is over its budget."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5, help="runs of each first paint (5)")
    parser.add_argument("--messages", type=int, default=MESSAGES, help="messages of the long conversation (100,000)")
    parser.add_argument("--index", type=Path, metavar="DIR", help="type in the history that scale.py --keep DIR made")
    parser.add_argument("--check", action="store_true", help="fail when a budget is exceeded")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        report = Site(folder, 1, BUDGETS, timed=TIMED)
        (folder / "home").mkdir()
        make(folder / "long", 1, options.messages)
        paint(report, folder, max(1, options.runs))
        for part in ("reader", "switch"):
            root = folder / ("long" if part == "reader" else "of-1000")
            report.pace()
            told, done = process(part, root, folder / "home", folder)
            for what, value in told.items():
                if what != "first paint":
                    report.note(what, value, f"{value:,.0f}" if what == "lines" else f"{value:.1f} ms")
            report.note(f"memory, {part}", 0, f"{done.peak_mb:.0f} MB")
        if options.index:
            kept = options.index.resolve()
            report.pace()
            told, _ = process("typing", kept / "agent", kept / "home", kept)
            for what, value in told.items():
                if what.startswith("key to"):
                    report.note(what, value, f"{value:.1f} ms")
        report.print(f"an app of {SIZE[0]} × {SIZE[1]} cells")
    return 1 if report.is_over and options.check else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--part"]:
        print(json.dumps(MEASURED[sys.argv[2]](Path(sys.argv[3]))))
    else:
        sys.exit(main())
