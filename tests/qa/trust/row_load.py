"""The row of load: what a history of years costs, step by step, and how that grew from a tenth of it.

Judged is what the processors worked, and of the smaller size the middle of before and after the larger: what others
on the machine do to it comes and goes. A step may grow as n log n does, with a tenth on top for what cannot be measured
better. Memory is flat when it grows by no more than a third or, where a process holds little, by no more than a few
facts of each session; mapped pages of the index are the system's to take back and do not count. LOAD_SOURCES and
LOAD_MESSAGES make it smaller; LOAD_KEEP names a folder in which the history and each step's figures are kept: a run
that was stopped goes on from there.
"""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from tests.qa.trust.load_site import STEPS_IN_ORDER, Load, Measured, between, sizes
from tests.qa.trust.table import Row

SOURCES = 20_000
MESSAGES = 3_500_000
TIMES = 10
TOLERANCE = 1.1
MOST_MEMORY = 4 / 3
BYTES_OF_SESSION = 4_000
"""What a process may hold of each session: where its transcript and its archive lie, ids, titles and times, a fiftieth
of what it takes on the disk, but nothing that was said in it."""
AGAIN = ", again"
IN_MS = ("search",)
"""Steps of which the milliseconds of one are told."""


def row() -> Row:
    """Make both sizes, measure every step on each, and hold one against the other."""
    sources = int(os.environ.get("LOAD_SOURCES", SOURCES))
    messages = int(os.environ.get("LOAD_MESSAGES", MESSAGES * sources // SOURCES))
    with ExitStack() as stack:
        kept = os.environ.get("LOAD_KEEP")
        folder = Path(kept) if kept else Path(stack.enter_context(tempfile.TemporaryDirectory()))
        few, all_of_it = measured(*sizes(folder, sources, messages, TIMES))
    passages = _fact(all_of_it["sync"], "passages")
    limit = most(passages)
    grown = {name: growth(few[name], one) for name, one in all_of_it.items()}
    more = sources - sources // TIMES
    swollen = [name for name, one in all_of_it.items() if not is_flat(few[name], one, more)]
    figures: dict[str, int | float | str] = {
        "passages": passages,
        "archives": _fact(all_of_it["archive"], "archives"),
        "GB": round(_fact(all_of_it["archive"], "bytes") / 1e9, 2),
        "growth allowed": round(limit, 1),
        **{name: _told(name, few[name], one) for name, one in all_of_it.items()},
    }
    is_all = passages >= messages and _fact(all_of_it["archive"], "archives") == sources
    holds = is_all and not swollen and all(value <= limit for value in grown.values())
    return Row(
        "Time grows no faster than n log n, and memory stays flat",
        "generated sessions archived, indexed, searched, checked and shown, compared with a tenth of them: "
        "CPU seconds, growth, and memory for a tenth and the whole",
        figures,
        holds,
    )


def measured(few: Load, whole: Load) -> tuple[dict[str, Measured], dict[str, Measured]]:
    """Every step at both sizes, at the smaller one before and after the larger."""
    for load in (few, whole):
        load.make()
    of_few, of_whole = {}, {}
    for name in STEPS_IN_ORDER:
        before = few.measured(name)
        of_whole[name] = whole.measured(name)
        of_few[name] = between(before, few.measured(name, AGAIN))
    return of_few, of_whole


def most(passages: int) -> float:
    """How often as much a step may cost at the whole size as at a tenth: n log n, and a tenth more."""
    return TIMES * math.log(passages) / math.log(max(2.0, passages / TIMES)) * TOLERANCE


def growth(few: Measured, whole: Measured) -> float:
    """How often as much the step costs at the whole size."""
    return whole.cpu / max(few.cpu, 1e-3)


def is_flat(few: Measured, whole: Measured, more: int) -> bool:
    """Whether the step holds hardly more memory at the whole size, which has so many sessions more."""
    return whole.own_mb <= max(few.own_mb * MOST_MEMORY, few.own_mb + more * BYTES_OF_SESSION / 1e6)


def _told(name: str, few: Measured, whole: Measured) -> str:
    took = f"{whole.cpu:.1f} ms" if name in IN_MS else f"{whole.cpu:.1f} s"
    memory = f", {few.own_mb:.0f} → {whole.own_mb:.0f} MB" if whole.own_mb else ""
    return f"{took} (× {growth(few, whole):.1f}{memory}{_details(whole.facts or {})})"


def _details(facts: Mapping[str, float | int | str]) -> str:
    """What a person waits for, where the step told it."""
    shown = {name: value for name, value in facts.items() if name.startswith(("p50", "key", "first", "usable"))}
    return "".join(f"; {name} {value:.0f} ms" for name, value in shown.items() if isinstance(value, float))


def _fact(measured: Measured, name: str) -> int:
    return int((measured.facts or {})[name])
