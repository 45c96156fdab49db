"""What doctor says of a clock that was wrong: stamps that lie ahead, and one that leapt lately.

Nothing is wrong with such a memory: what lies ahead counts as no younger than what came after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from recall_tui.domain import Problem
from recall_tui.storage.archives.folder import ArchiveFolder
from recall_tui.storage.files import steady_clock
from recall_tui.storage.files.steady_clock import SLACK, is_ahead
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.journal.folder import KEEP_DAYS
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state.backup_ring import Ring

KIND = "clock"


def problems(store: Store, journal: Journal) -> Iterator[Problem]:
    """What there is to say of the clock; all of it are notes."""
    now = store.now()
    stamps = [entry.stamp.date() for entry in journal.each() if entry.stamp is not None]
    days = [day for day in Ring(store.state).days() if day > (now + SLACK).date()]
    dates = [entry.date for entry in ArchiveFolder(store.layout).each() if entry.date is not None]
    ahead = [moment.date() for moment in dates if is_ahead(moment, now)]
    counted = (_counted(stamps, "change"), _counted(days, "backup"), _counted(ahead, "archive"))
    if found := [words for words in counted if words]:
        words = f"{', '.join(found)} dated in the future: the clock was ahead, or is behind now"
        yield Problem(KIND, f"{words}; they count as no younger than what came after them", is_note=True)
    if (believed := steady_clock.trusted(store.state, now, KEEP_DAYS)) < now - SLACK:
        words = f"a long pause before {now.date()}, or the clock leapt"
        hint = f"until it was used on some more days, age is judged as on {believed.date()}, so that nothing goes early"
        yield Problem(KIND, f"{words}; {hint}", is_note=True)


def _counted(days: Sequence[date], what: str) -> str:
    found = sorted(days)
    if not found:
        return ""
    return f"{len(found)} {what}{'s' * (len(found) != 1)} ({found[-1]})"
