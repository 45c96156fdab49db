"""The time that may be trusted where something is removed for its age, though the clock of the computer was wrong once.

The days on which a memory was changed are noted in the order in which they were seen, each once in a row. A clock that
leaps is believed only after it has gone on from there for some days; until then time passes by one day for each seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from pathlib import Path

from recall_tui.storage.files import atomic

DAYS_FILE = "days-seen"
MAX_DAYS = 800
"""Days that are kept, the newest."""
CLOCK_TOLERANCE = timedelta(days=1)
"""A stamp that lies ahead of the clock by no more than this may be another machine's, or another zone's."""
_LEAP_DIVISOR = 3
"""A leap is more than this part of the age that is asked for."""
_MIN_DAYS = 7
_MAX_LEAP_DAYS = 30
"""Days for which a clock that leapt has to go on until it is believed: the part, but within these."""


def note_day(state: Path, now: datetime, before: Iterable[date] = ()) -> None:
    """Note the day of `now`; the first time with the days that are known from `before`, in their order."""
    days = read_days(state)
    today = now.date()
    if days and days[-1] == today:
        return
    known = days or _without_repeats(before)
    lines = "".join(f"{day.isoformat()}\n" for day in _without_repeats((*known, today))[-MAX_DAYS:])
    atomic.make_folder(state)
    atomic.write_file(state / DAYS_FILE, lines.encode())


def is_noted(state: Path) -> bool:
    """Whether any day was ever noted."""
    return (state / DAYS_FILE).is_file()


def read_days(state: Path) -> tuple[date, ...]:
    """The days that were seen, in their order; what makes no sense is passed over."""
    days = []
    with suppress(OSError):
        for line in (atomic.read_bytes(state / DAYS_FILE) or b"").decode("ascii", "replace").splitlines():
            with suppress(ValueError):
                days.append(date.fromisoformat(line))
    return tuple(days)


def trusted_time(state: Path, now: datetime, days: int) -> datetime:
    """The time from which something of so many days is old enough to go; `now`, unless the clock leapt lately."""
    seen = _without_repeats((*read_days(state), now.date()))
    step = timedelta(days=max(1, days // _LEAP_DIVISOR))
    wanted = min(_MAX_LEAP_DAYS, max(_MIN_DAYS, step.days))
    runs = _split_runs(seen, step)
    if len(runs) == 1 or len(runs[-1]) >= wanted:
        return now
    believed = max((place for place, run in enumerate(runs) if not place or len(run) >= wanted))
    passed = sum(map(len, runs[believed + 1 :]))
    midnight = datetime.combine(runs[believed][-1], now.timetz()) + timedelta(days=passed)
    return min(now, midnight)


def is_ahead(moment: datetime, now: datetime) -> bool:
    """Whether a stamp lies in the future."""
    return moment > now + CLOCK_TOLERANCE


def _without_repeats(days: Iterable[date]) -> list[date]:
    """The days without those that follow themselves."""
    found: list[date] = []
    for day in days:
        if not found or found[-1] != day:
            found.append(day)
    return found


def _split_runs(days: Sequence[date], step: timedelta) -> list[list[date]]:
    """The days in pieces between which the clock leapt, ahead or back."""
    runs: list[list[date]] = []
    for day in days:
        if runs and timedelta(0) < day - runs[-1][-1] <= step:
            runs[-1].append(day)
        else:
            runs.append([day])
    return runs
