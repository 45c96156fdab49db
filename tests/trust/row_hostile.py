"""Texts and names that mean no good, in every place of a memory and of agents' logs, and what comes out of them."""

from __future__ import annotations

import tempfile
from pathlib import Path

from recall_tui.paths import Places
from tests.trust import hostile
from tests.trust.hostile_memory import planted
from tests.trust.table import Row
from tests.trust.test_hostile_paths import NAMED, outside, run
from tests.trust.test_hostile_text import READING, Page, harmful, pages

MEMORIES = 3
"""Of mixed texts, beside the one that holds each kind of text by itself."""


def row() -> Row:
    """Plant, read with every command, export, and give every kind of name to whoever takes one."""
    texts = [hostile.every_text(), *("\n\n".join(hostile.mixed(f"row {one}", 60)) for one in range(MEMORIES))]
    looked_at, found, touched = 0, list[str](), 0
    for text in texts:
        with tempfile.TemporaryDirectory() as folder:
            bench = planted(_places(Path(folder)), text)
            for words in READING:
                found += harmful(bench, words)
                looked_at += 2
            for page in pages(bench, Path(folder), "html"):
                found += [*Page(page).harm, *hostile.escapes(page)]
                looked_at += 1
    names = [(kind, name) for kind, name in hostile.names("/outside") if "\0" not in name]
    for _, name in names:
        with tempfile.TemporaryDirectory() as folder:
            around = Path(folder)
            bench = planted(_places(around), "the lock in the cache")
            before = outside(around, bench)
            for words in NAMED:
                run(bench, *(name if word == "{}" else word for word in words))
            touched += outside(around, bench) != before
    return Row(
        promise="Text from disk is data, and names lead nowhere",
        tried="escapes, marks of direction, markup and scripts in every place of a memory and of three agents' logs,"
        " read by every command and exported; names that lead out given to every command that takes one",
        figures={
            "kinds of text": len(hostile.TEXTS),
            "outputs looked at": looked_at,
            "escapes found": len(found),
            "names tried": len(names) * len(NAMED),
            "files touched outside": touched,
        },
        holds=not found and not touched,
    )


def _places(folder: Path) -> Places:
    home, cwd = folder / "home", folder / "work"
    home.mkdir()
    cwd.mkdir()
    return Places(home=home, cwd=cwd, env={"RECALL_STATE": str(folder / "state"), "HOME": str(home)})
