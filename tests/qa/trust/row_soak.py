"""The row of the soak: the app open for half an hour while everything around it changes, and what it holds at the end.

The half hour begins when the app is warm: after ten minutes every screen, dialog and size was seen so often that what
is remembered of them is remembered. `SOAK_MINUTES` makes all of it shorter, the warm-up and what is compared too.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from tests.qa.trust.churn import world
from tests.qa.trust.soaking import Soaked, soak, told
from tests.qa.trust.table import Row

MINUTES = 40
WARM_PART, SPAN_PART = 1 / 4, 1 / 8
"""Of the whole time: the warm-up, and the stretch after it and at the end of which the medians are compared."""
MOST_GROWTH = 0.10


def row() -> Row:
    """Use the app, and compare what it holds after the warm-up with what it holds at the end."""
    minutes = float(os.environ.get("SOAK_MINUTES", MINUTES))
    with tempfile.TemporaryDirectory() as folder:
        bench = world(Path(folder))
        soaked = soak(bench, Path(folder), minutes * 60, minutes * 60 * WARM_PART, "soak")
    print(told(soaked.looks))
    print(f"at rest before: {soaked.rested}\nat rest after:  {soaked.rested_after}")
    return judged(soaked, minutes)


def judged(soaked: Soaked, minutes: float) -> Row:
    """What the figures say."""
    before, after = soaked.rested, soaked.rested_after
    assert before is not None
    assert after is not None
    warm, span = minutes * 60 * WARM_PART, minutes * 60 * SPAN_PART
    grown = {name: soaked.growth(f"{name}_kb", warm, span) for name in ("rss", "pss", "own")}
    handles = {"descriptors": 0, "threads": 0, "children": 0, "watches": 0, "gone_maps": 0}
    handles = {name: getattr(after, name) - getattr(before, name) for name in handles}
    last = soaked.looks[-1].second
    figures: dict[str, int | float | str] = {
        "minutes": round(minutes, 1),
        "of them to get warm": round(minutes * WARM_PART, 1),
        "archives at the start": soaked.archives,
        "keys pressed": soaked.keys,
        "resizes": soaked.resizes,
        **soaked.done,
        "MB after warm-up": round(soaked.middle("rss_kb", warm, warm + span) / 1024, 1),
        "MB at the end": round(soaked.middle("rss_kb", last - span, last) / 1024, 1),
        **{f"growth of {name} %": round(part * 100, 1) for name, part in grown.items()},
        "open files at rest": f"{before.descriptors} → {after.descriptors}",
        "threads at rest": f"{before.threads} → {after.threads}",
        "watches at rest": f"{before.watches} → {after.watches}",
        "processes left": len(soaked.left),
    }
    is_ended = soaked.exit_code == 0 and not soaked.left
    return Row(
        promise="The app can stay open: its memory, handles and processes do not grow",
        tried="the real program in a terminal over real sessions: screens, dialogs, searches, undo and resizes without"
        " rest, while sessions start and grow, hooks write and files are saved",
        figures=figures,
        holds=is_ended and max(grown.values()) < MOST_GROWTH and not any(part > 0 for part in handles.values()),
    )
