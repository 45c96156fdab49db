"""Texts and names that mean no good, in every place of a memory and of agents' logs, and what comes out of them."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from recall_tui.paths import Places
from tests.trust import hostile, long_lines
from tests.trust.hostile_memory import planted
from tests.trust.table import Row
from tests.trust.test_hostile_links import PLACES, attacked
from tests.trust.test_hostile_paths import NAMED, outside, run
from tests.trust.test_hostile_text import READING, Page, harmful, pages

LONG = int(os.environ.get("RECALL_TRUST_LINE", 10 << 20))
"""Characters of a line beyond all measure."""
WORKERS = 3
"""Processes that attack at one time."""
MEMORIES = int(os.environ.get("RECALL_TRUST_MEMORIES", 3))
"""Of mixed texts, beside the one that holds each kind of text by itself."""


def row() -> Row:
    """Plant, read with every command, export, give names to whoever takes one, lay links, lengthen lines."""
    texts = [hostile.every_text(), *("\n\n".join(hostile.mixed(f"row {one}", 60)) for one in range(MEMORIES))]
    names = [name for _, name in hostile.names("/outside") if "\0" not in name]
    with ProcessPoolExecutor(WORKERS) as pool:
        lengthened = pool.submit(_long, LONG)
        looked = list(pool.map(_looked, texts))
        touched = sum(pool.map(_touched, names))
        leaks = [one for found in pool.map(_leaks, PLACES) for one in found]
        took = lengthened.result()
    looked_at, found = sum(count for count, _ in looked), [one for _, several in looked for one in several]
    slow = [why for one in took if (why := long_lines.outrageous(one, LONG))]
    for trouble in (*found, *leaks, *slow):
        print(trouble[:500], file=sys.stderr)
    return Row(
        promise="Text from disk is data, and names lead nowhere",
        tried="escapes, marks of direction, markup and scripts in every place of a memory and of three agents' logs,"
        " read by every command and exported; names that lead out given to every command that takes one;"
        f" links in a cloned memory to a person's files; lines of {LONG >> 20} MB in a transcript, in MEMORY.md and in"
        " what hooks are told",
        figures={
            "kinds of text": len(hostile.TEXTS),
            "outputs looked at": looked_at,
            "escapes found": len(found),
            "names tried": len(names) * len(NAMED),
            "files touched outside": touched,
            "links laid": len(PLACES),
            "links followed": len(leaks),
            "commands on long lines": len(took),
            "most seconds of the processor": max(one.seconds for one in took),
            "most MB": max(one.megabytes for one in took),
            "beyond their measure": len(slow),
        },
        holds=not found and not touched and not leaks and not slow,
    )


def _looked(text: str) -> tuple[int, list[str]]:
    """How much came out of a memory with the text in it, and what of that would steer somebody."""
    with _folder() as (folder, places):
        bench = planted(places, text)
        found = [one for words in READING for one in harmful(bench, words)]
        shown = list(pages(bench, folder, "html"))
        found += [one for page in shown for one in (*Page(page).harm, *hostile.escapes(page))]
        return 2 * len(READING) + len(shown), found


def _touched(name: str) -> bool:
    """Whether a name that commands were given changed something outside of the memory."""
    with _folder() as (around, places):
        bench = planted(places, "the lock in the cache")
        before = outside(around, bench)
        for words in NAMED:
            run(bench, *(name if word == "{}" else word for word in words))
        return outside(around, bench) != before


def _leaks(kind: str) -> list[str]:
    """What a link in that place brought in, or let out."""
    with _folder() as (around, places):
        return attacked(places, around, kind)


def _long(size: int) -> list[long_lines.Took]:
    with _folder() as (_, places):
        return list(long_lines.at_work(places, size))


@contextmanager
def _folder() -> Iterator[tuple[Path, Places]]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name), _places(Path(name))


def _places(folder: Path) -> Places:
    home, cwd = folder / "home", folder / "work"
    home.mkdir()
    cwd.mkdir()
    return Places(home=home, cwd=cwd, env={"RECALL_STATE": str(folder / "state"), "HOME": str(home)})
