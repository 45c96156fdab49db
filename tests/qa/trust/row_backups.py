"""The row of backups: what was damaged and came back, where taking one was killed, and what went out and in whole.

`RECALL_TRUST_DAYS` makes it smaller, to try it out.
"""

from __future__ import annotations

import os
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.qa.trust import ring_life
from tests.qa.trust.ring_life import Life
from tests.qa.trust.table import Row

DAYS = 20
ONE_BY_ONE = 6
"""Files that are harmed one by one, beside all of them at once."""


def led(folder: Path, name: str, days: int, one_by_one: int) -> Life:
    """A memory of the layout led through everything."""
    home, cwd = folder / "home", folder / "work"
    home.mkdir(parents=True)
    cwd.mkdir()
    environment = Environment(home, cwd, {"RECALL_STATE": str(folder / "state"), "HOME": str(home)})
    life = ring_life.lived(environment, name, days)
    ring_life.is_as_it_was(life)
    ring_life.harmed(life, one_by_one)
    ring_life.is_as_it_was(life)
    ring_life.out_and_in(life, folder)
    ring_life.forgotten(life)
    ring_life.killed_while_taking(life)
    return life


@dataclass(frozen=True, slots=True)
class Count:
    """What came of a life."""

    harmed: int
    kills: int
    refused: int
    compared: int
    bytes: int
    losses: tuple[str, ...]


def counted(name: str, days: int) -> Count:
    """The layout led through everything, in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        life = led(Path(folder), name, days, ONE_BY_ONE)
    print(f"{name:16} {life.harmed} harmed, {life.kills} kills, {life.losses[:3]}", flush=True)
    return Count(life.harmed, life.kills, life.refused, life.compared, life.bytes, tuple(life.losses))


def row() -> Row:
    """A memory of each layout, for weeks."""
    days = int(os.environ.get("RECALL_TRUST_DAYS", DAYS))
    with ProcessPoolExecutor(len(LAYOUT_NAMES)) as pool:
        lives = list(pool.map(counted, LAYOUT_NAMES, [days] * len(LAYOUT_NAMES)))
    losses = [loss for life in lives for loss in life.losses]
    figures: dict[str, int | float | str] = {
        "layouts": len(lives),
        "days": days,
        "backups compared": sum(life.compared for life in lives),
        "files damaged and restored": sum(life.harmed for life in lives),
        "kills": sum(life.kills for life in lives),
        "harmed exports refused": sum(life.refused for life in lives),
        "bytes verified": sum(life.bytes for life in lives),
        "losses": len(losses),
    }
    return Row(
        "Daily backups restore files damaged by other programs, byte for byte",
        "files of every layout deleted, emptied, cut, garbled and removed with their folders; taking and scrubbing "
        "backups killed before every change of a file; whole memories exported and imported",
        figures,
        not losses,
    )
