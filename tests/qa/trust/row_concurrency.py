"""The row of concurrency: sixteen writers of mixed verbs, two editors and an app on one memory, for a minute.

`CROWD_WRITERS` and `CROWD_SECONDS` make it smaller.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from tests.qa.trust.crowding import Crowd, crowded, memory, told
from tests.qa.trust.table import Row

WRITERS = 16
SECONDS = 60.0


def row() -> Row:
    """Let them at it, and count."""
    writers = int(os.environ.get("CROWD_WRITERS", WRITERS))
    seconds = float(os.environ.get("CROWD_SECONDS", SECONDS))
    with tempfile.TemporaryDirectory() as folder:
        crowd = crowded(memory(Path(folder)), writers, seconds)
    print(told(crowd))
    return judged(crowd, writers, seconds)


def judged(crowd: Crowd, writers: int, seconds: float) -> Row:
    """What the figures say."""
    figures: dict[str, int | float | str] = {
        "writers": len(crowd.writers),
        "seconds": seconds,
        "verbs run": crowd.verbs.total(),
        "by kind": ", ".join(f"{name} {number}" for name, number in sorted(crowd.verbs.items())),
        "processes started": crowd.total("starts"),
        "killed holding the lock": crowd.total("kills"),
        "longest verb s": round(max((one["slowest"] for one in crowd.writers), default=0.0), 1),
        "keys pressed in the app": crowd.keys,
        "sessions": sum(len(one["given"]) + len(one["tried"]) for one in crowd.writers),
        "sessions lost or doubled": len(crowd.lost_sessions) + len(crowd.doubled),
        "edits saved": crowd.saved,
        "taken out knowingly, in the journal": crowd.moved_edits,
        "edits lost": len(crowd.lost_edits),
        "told lines": sum(len(one["told"]) for one in crowd.writers),
        "of them lost": len(crowd.lost_words),
        "deadlocks": crowd.deadlocked,
        "waited in vain": crowd.total("held_out"),
        "locks, processes and files left": len(crowd.locked) + crowd.orphans + len(crowd.temporary),
    }
    was_tried = len(crowd.writers) == writers and len(crowd.editors) == 2 and crowd.saved > 0 and crowd.keys > 0
    return Row(
        promise="Many processes can use one memory at once: no session or edit is lost, and no lock outlives its"
        " process",
        tried="processes that archive, capture, remember, undo, distill, compact, repair, sync and set, some killed"
        " while they hold the lock, with an open app and two editors that save by renaming",
        figures=figures,
        holds=was_tried and crowd.is_whole,
    )
