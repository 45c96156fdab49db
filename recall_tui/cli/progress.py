"""Progress of a long task as text: one updated line on a terminal, a few lines in a log.

Short tasks print nothing, and a line is never updated faster than it can be read.
"""

from __future__ import annotations

from collections.abc import Callable

DELAY_SECONDS = 0.5
INTERVAL_SECONDS = 0.1
_BYTE_UNITS = ("B", "KB", "MB", "GB")
_UNIT_STEP = 1024
_MIN_WHOLE_AMOUNT = 10
"""Larger amounts have no decimal."""


class ProgressLine:
    """A progress callback: takes the done and total bytes or items, and prints when it is time."""

    def __init__(
        self,
        verb: str,
        clock: Callable[[], float],
        tell: Callable[[str], None],
        *,
        in_tenths: bool = False,
        of: str = "",
    ) -> None:
        """`clock` returns seconds; with `in_tenths` only each tenth of the work is printed.

        `of` is the counted unit, such as `weeks`; empty for bytes.
        """
        self._verb, self._clock, self._tell, self._in_tenths, self._of = verb, clock, tell, in_tenths, of
        self._start = clock()
        self._next = DELAY_SECONDS
        self._tenth = 0
        self.has_told = False
        """Something was printed."""

    def __call__(self, done: int, total: int) -> None:
        """Update the progress."""
        seconds = self._clock() - self._start
        if seconds < DELAY_SECONDS:
            return
        tenth = 10 * done // total if total else 0
        is_next = tenth > self._tenth if self._in_tenths else seconds >= self._next
        is_last = self.has_told and done >= total and not self._in_tenths
        if is_next or is_last:
            self._next, self._tenth = seconds + INTERVAL_SECONDS, tenth
            self.has_told = True
            self._tell(progress_label(self._verb, done, total, seconds, self._of))


def progress_label(verb: str, done: int, total: int, seconds: float, of: str = "") -> str:
    """Render e.g. `indexing 41 % · 172 of 420 MB · 9.8 MB/s · 25 s left`; `seconds` is the time taken so far.

    With `of` items are counted: `compacting 40 % · 21 of 52 weeks · 25 s left`.
    """
    percent = min(100, 100 * done // total) if total else 100
    told = [f"{verb} {percent} %", f"{done} of {total} {of}" if of else amount_label(done, total)]
    if done >= total:
        return " · ".join([*told, "finishing"])
    rate = done / seconds if seconds > 0 else 0
    if rate > 0:
        told += [] if of else [f"{_format_amount(rate, _unit_index(rate))}/s"]
        told.append(f"{_format_duration((total - done) / rate)} left")
    return " · ".join(told)


def amount_label(done: int, total: int) -> str:
    """Render the done and total bytes in the unit of the total."""
    unit = _unit_index(total)
    whole = _format_amount(total, unit)
    return f"{_format_amount(done, unit).split()[0]} of {whole}"


def _unit_index(count: float) -> int:
    unit = 0
    while count >= _UNIT_STEP and unit + 1 < len(_BYTE_UNITS):
        count /= _UNIT_STEP
        unit += 1
    return unit


def _format_amount(count: float, unit: int) -> str:
    value = count / _UNIT_STEP**unit
    return (
        f"{value:.0f} {_BYTE_UNITS[unit]}"
        if value >= _MIN_WHOLE_AMOUNT or not unit
        else f"{value:.1f} {_BYTE_UNITS[unit]}"
    )


def _format_duration(seconds: float) -> str:
    """Format a duration, rounded up."""
    whole = int(seconds) + 1
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60 + 1} min"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
