"""The row of crashes: every file operation of every verb, and each fault that it can meet.

CRASH_EVERY takes one point of so many, for trying out; CRASH_AT_ONCE says how many verbs are tried beside each other;
CRASH_KEEP names a folder for what came of each: a run that was stopped goes on from there.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

from tests.qa.trust.crash_run import tried
from tests.qa.trust.faults import FAULTS
from tests.qa.trust.table import Row


def row() -> Row:
    """Try every point and count."""
    every, at_once = (
        int(os.environ.get(name, unset)) for name, unset in (("CRASH_EVERY", "1"), ("CRASH_AT_ONCE", "0"))
    )
    keep = os.environ.get("CRASH_KEEP")
    found = tried(every=every, at_once=at_once, keep=Path(keep) if keep else None)
    if found is None:
        return Row("what is begun is finished or taken back", "not tried: there is no C compiler", {}, holds=False)
    by_fault: Counter[str] = sum((one.by_fault for one in found), Counter())
    points = by_fault.total()
    figures: dict[str, int | float | str] = {
        "verbs": len(found),
        "operations": sum(one.operations for one in found),
        "points tried": points,
        **{fault.name: by_fault[fault.name] for fault in FAULTS},
        **{f"of {one.name}": one.tried for one in found},
        "survived": sum(one.survived for one in found),
        "units accounted for": sum(one.units for one in found),
        "violations": sum(len(one.wrong) for one in found),
    }
    return Row(
        "Whatever stops a change, `doctor --fix` leaves a whole memory, without losing any of its content",
        "Each operation on a file or a database of each verb is met by each fault that it can meet; after it: doctor,"
        " every line and message counted, the verb again, undo",
        figures,
        bool(points) and not any(one.wrong for one in found),
    )
