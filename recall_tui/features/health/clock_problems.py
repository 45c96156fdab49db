"""What doctor says of a clock that was wrong: stamps that lie ahead, and one that leapt lately.

Nothing is wrong with such a memory: what lies ahead counts as no younger than what came after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from recall_tui.domain import Problem
from recall_tui.storage.archives.folder import ArchiveFolder
from recall_tui.storage.files import trusted_clock
from recall_tui.storage.files.trusted_clock import CLOCK_TOLERANCE, is_ahead
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.journal.folder import RETENTION_DAYS
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state.backup_ring import BackupRing

KIND = "clock"


def find_problems(store: Store, journal: Journal) -> Iterator[Problem]:
    """What there is to say of the clock; all of it are notes."""
    now = store.now()
    stamps = [entry.stamp.date() for entry in journal.each() if entry.stamp is not None]
    days = [day for day in BackupRing(store.state).days() if day > (now + CLOCK_TOLERANCE).date()]
    dates = [entry.date for entry in ArchiveFolder(store.layout).each() if entry.date is not None]
    ahead = [moment.date() for moment in dates if is_ahead(moment, now)]
    counted = (_label_days(stamps, "change"), _label_days(days, "backup"), _label_days(ahead, "archive"))
    if found := [words for words in counted if words]:
        words = f"{', '.join(found)} dated in the future: the clock was ahead, or is behind now"
        yield Problem(KIND, f"{words}; they count as no younger than what came after them", is_note=True)
    if (believed := trusted_clock.trusted_time(store.state, now, RETENTION_DAYS)) < now - CLOCK_TOLERANCE:
        words = f"a long pause before {now.date()}, or the clock leapt"
        hint = f"until it was used on some more days, age is judged as on {believed.date()}, so that nothing goes early"
        yield Problem(KIND, f"{words}; {hint}", is_note=True)


def _label_days(days: Sequence[date], what: str) -> str:
    found = sorted(days)
    if not found:
        return ""
    return f"{len(found)} {what}{'s' * (len(found) != 1)} ({found[-1]})"
