"""A clock for deleting by age that survives wrong system times.

The days on which a memory was changed are recorded in the order seen, without repeats in a row. A clock that leaps is
trusted only after it has run on from there for several days; until then, time passes by one day per day seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from pathlib import Path

from recall_tui.storage.files import atomic

DAYS_FILE = "days-seen"
MAX_DAYS = 800
"""The most days to record; the newest stay."""
CLOCK_TOLERANCE = timedelta(days=1)
"""A timestamp at most this far ahead of the clock may come from another machine or time zone."""
_LEAP_DIVISOR = 3
"""A step between recorded days that exceeds the age limit divided by this is a leap."""
_MIN_DAYS = 7
_MAX_LEAP_DAYS = 30
"""Bounds of the number of days that a leapt clock must run on before it is trusted: the step, within these."""


def note_day(state: Path, now: datetime, before: Iterable[date] = ()) -> None:
    """Record the day of `now`; on first use also record the days in `before`, in their order."""
    days = read_days(state)
    today = now.date()
    if days and days[-1] == today:
        return
    known = days or _without_repeats(before)
    lines = "".join(f"{day.isoformat()}\n" for day in _without_repeats((*known, today))[-MAX_DAYS:])
    atomic.make_folder(state)
    atomic.write_file(state / DAYS_FILE, lines.encode())


def is_noted(state: Path) -> bool:
    """Return whether any day was ever recorded."""
    return (state / DAYS_FILE).is_file()


def read_days(state: Path) -> tuple[date, ...]:
    """Read the recorded days in order; skip invalid lines."""
    days = []
    with suppress(OSError):
        for line in (atomic.read_bytes(state / DAYS_FILE) or b"").decode("ascii", "replace").splitlines():
            with suppress(ValueError):
                days.append(date.fromisoformat(line))
    return tuple(days)


def trusted_time(state: Path, now: datetime, days: int) -> datetime:
    """Return the time against which to measure an age of `days`: `now`, or earlier if the clock leapt recently."""
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
    """Return whether a timestamp lies in the future, beyond `CLOCK_TOLERANCE`."""
    return moment > now + CLOCK_TOLERANCE


def _without_repeats(days: Iterable[date]) -> list[date]:
    found: list[date] = []
    for day in days:
        if not found or found[-1] != day:
            found.append(day)
    return found


def _split_runs(days: Sequence[date], step: timedelta) -> list[list[date]]:
    """Split the days where the clock leapt, ahead or back."""
    runs: list[list[date]] = []
    for day in days:
        if runs and timedelta(0) < day - runs[-1][-1] <= step:
            runs[-1].append(day)
        else:
            runs.append([day])
    return runs
