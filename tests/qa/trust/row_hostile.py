"""Texts and names that mean no good, in every place of a memory and of agents' logs, and what comes out of them."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from recall_tui.environment import Environment
from tests.qa.trust import hostile, hostile_terminal, hostile_walks, long_app, long_lines
from tests.qa.trust.hostile_links import PLACES, attacked
from tests.qa.trust.hostile_memory import planted
from tests.qa.trust.hostile_paths import NAMED, outside, run
from tests.qa.trust.hostile_text import READING, Page, harmful, pages
from tests.qa.trust.table import Row

LONG = int(os.environ.get("RECALL_TRUST_LINE", 10 << 20))
"""Characters of a line beyond all measure."""
SHORTER = LONG // 10
"""And of one that the app is measured on beside it."""
WORKERS = 3
"""Processes that attack at one time."""
MEMORIES = int(os.environ.get("RECALL_TRUST_MEMORIES", 3))
"""Of mixed texts, beside the one that holds each kind of text by itself."""


def row() -> Row:
    """Plant, read with every command, export, give names to whoever takes one, lay links, lengthen lines."""
    texts = [hostile.every_text(), *("\n\n".join(hostile.mixed(f"row {one}", 60)) for one in range(MEMORIES))]
    names = [name for _, name in hostile.names("/outside") if "\0" not in name]
    with ProcessPoolExecutor(WORKERS) as pool:
        in_app = pool.submit(_long_app, LONG)
        lengthened = pool.submit(_long, LONG)
        shown = [pool.submit(one) for one in (_called_in_terminal, _settings_in_terminal, _walked_in_terminal)]
        looked = list(pool.map(_looked, texts))
        touched = sum(pool.map(_touched, names))
        leaks = [one for found in pool.map(_leaks, PLACES) for one in found]
        took, (small, large, wrong) = lengthened.result(), in_app.result()
        sent, steered = zip(*(one.result() for one in shown), strict=True)
        obeyed = [one for several in steered for one in several]
    looked_at, found = sum(count for count, _ in looked), [one for _, several in looked for one in several]
    slow = [why for one in took if (why := long_lines.outrageous(one, LONG))]
    slow += [*long_app.outrageous(small, large, LONG / SHORTER), *wrong]
    for trouble in (*found, *leaks, *slow, *obeyed):
        print(trouble[:500], file=sys.stderr)
    lengths = f"at {SHORTER >> 20} MB and at {LONG >> 20} MB"
    return Row(
        promise="Text from disk is treated as data, and names cannot point outside",
        tried="escapes, marks of direction, markup and scripts in every place of a memory and of three agents' logs,"
        " read by every command and exported; names that point outside given to every command that takes one;"
        f" links in a cloned memory to a person's files; lines of {LONG >> 20} MB in a transcript, in MEMORY.md and in"
        " hook input; the commands and the app in a real terminal, every byte of which was looked at, with its"
        f" title, its clipboard and its modes; sessions, archives, topics, pages and MEMORY.md of one line of"
        f" {LONG >> 20} MB read, searched and copied in the app",
        figures={
            "kinds of text": len(hostile.TEXTS),
            "outputs looked at": looked_at,
            "escapes found": len(found),
            "names tried": len(names) * len(NAMED),
            "files touched outside": touched,
            "kinds of sequence in a terminal": len(hostile_terminal.PLANTED),
            "MB that the terminal was sent": round(sum(map(len, sent)) / 1e6, 1),
            "sequences that reached it": len(obeyed),
            "links laid": len(PLACES),
            "links followed": len(leaks),
            "commands on long lines": len(took),
            "most seconds of the processor": max(one.seconds for one in took),
            "most MB": max(one.megabytes for one in took),
            f"seconds of the app {lengths}": f"{small.seconds:.1f} and {large.seconds:.1f}",
            f"MB of the app {lengths}": f"{small.megabytes:.0f} and {large.megabytes:.0f}",
            "beyond their measure": len(slow),
        },
        holds=not found and not touched and not leaks and not slow and not obeyed,
    )


def _looked(text: str) -> tuple[int, list[str]]:
    """How much came out of a memory with the text in it, and what of that would steer somebody."""
    with _folder() as (folder, environment):
        bench = planted(environment, text)
        found = [one for words in READING for one in harmful(bench, words)]
        shown = list(pages(bench, folder, "html"))
        found += [one for page in shown for one in (*Page(page).harm, *hostile.escapes(page))]
        return 2 * len(READING) + len(shown), found


def _touched(name: str) -> bool:
    """Whether a name that commands were given changed something outside of the memory."""
    with _folder() as (around, environment):
        bench = planted(environment, "the lock in the cache")
        before = outside(around, bench)
        for words in NAMED:
            run(bench, *(name if word == "{}" else word for word in words))
        return outside(around, bench) != before


def _leaks(kind: str) -> list[str]:
    """What a link in that place brought in, or let out."""
    with _folder() as (around, environment):
        return attacked(environment, around, kind)


def _long(size: int) -> list[long_lines.Took]:
    with _folder() as (_, environment):
        return list(long_lines.at_work(environment, size))


def _long_app(size: int) -> tuple[long_app.Walk, long_app.Walk, list[str]]:
    """The walks through the app on the shorter lines and on those, and what was wrong in a real terminal."""
    with tempfile.TemporaryDirectory() as name:
        small, large = (long_app.measured(one, Path(name) / str(one)) for one in (SHORTER, size))
        return small, large, long_app.shown_in_terminal(Path(name) / str(size))


def _called_in_terminal() -> tuple[bytes, list[str]]:
    with _folder() as (folder, environment):
        return hostile_terminal.calls(folder / "terminal", hostile_terminal.memory(environment), hostile_walks.CALLED)


def _settings_in_terminal() -> tuple[bytes, list[str]]:
    with _folder() as (folder, environment):
        bench = hostile_terminal.with_settings(environment)
        sent, wrong = hostile_terminal.calls(folder / "calls", bench, hostile_walks.SAID)
        screens = hostile_walks.OF_SETTINGS
        more, further = hostile_terminal.walk(folder / "app", environment, screens, "--root", str(bench.layout.root))
        return sent + more, wrong + further


def _walked_in_terminal() -> tuple[bytes, list[str]]:
    with _folder() as (folder, environment):
        bench = hostile_terminal.memory(environment)
        bench.sync()
        root = str(bench.layout.root)
        return hostile_terminal.walk(folder / "terminal", environment, hostile_walks.WALKED, "--root", root)


@contextmanager
def _folder() -> Iterator[tuple[Path, Environment]]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name), _places(Path(name))


def _places(folder: Path) -> Environment:
    home, cwd = folder / "home", folder / "work"
    home.mkdir()
    cwd.mkdir()
    return Environment(home=home, cwd=cwd, env={"RECALL_STATE": str(folder / "state"), "HOME": str(home)})
