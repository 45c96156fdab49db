"""What a parser under attack is, and the folder and the memory that those work in that read files."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from recall_tui.environment import Environment
from recall_tui.memory import Memory
from recall_tui.storage.files import atomic
from recall_tui.storage.layout import make_layout
from recall_tui.storage.memory_context import Store
from tests.qa.trust.round_trips import NOON


class Parser(NamedTuple):
    """One parser under attack."""

    name: str
    read: Callable[[str], object]
    """Parses a text and looks at what comes out, its round trip where there is one."""
    seeds: tuple[str, ...]
    """Whole texts of its kind."""
    patterns: tuple[str, ...] = ()
    """Pieces whose repetition its own rules make hard, beside those that are repeated for every parser."""
    around: tuple[tuple[str, str], ...] = ()
    """What stands before and after many pieces so that they come into the parser's hard parts."""
    is_slow: bool = False
    """It opens databases or writes files, so that fewer examples fit into a second."""


@cache
def folder() -> Path:
    """A folder of this process, gone when it ends."""
    _KEPT.append(tempfile.TemporaryDirectory(prefix="recall-fuzz-"))
    return Path(_KEPT[-1].name)


_KEPT: list[tempfile.TemporaryDirectory[str]] = []


@cache
def store() -> Store:
    """A memory of this process, in its own folder."""
    root = folder() / "agent"
    (root / "memory").mkdir(parents=True)
    environment = Environment(home=folder(), cwd=folder(), env={"RECALL_STATE": str(folder() / "state")})
    return Memory(make_layout(root, "entity"), environment, lambda: NOON)


def written(text: str, path: Path) -> Path:
    """A file that holds the text."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(atomic.encode(text))
    return path


def in_state(name: str, read: Callable[[Store], object]) -> Callable[[str], object]:
    """Reads what a file of the memory's state folder holds."""

    def run(text: str) -> object:
        written(text, store().state / name)
        return read(store())

    return run
