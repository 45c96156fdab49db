"""How far a long build of the index is, for whoever asks meanwhile.

Transcripts are read newest first, so that what can be found already is the latest stretch of time.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.index.catalogue import BUILD_FACT

if TYPE_CHECKING:
    from recall_tui.index.catalogue import Catalogue

_HOUR = 3600
_UNITS = (("year", 365 * 24 * _HOUR), ("month", 30 * 24 * _HOUR), ("week", 7 * 24 * _HOUR), ("day", 24 * _HOUR))
_MIN_AMOUNT = 2
"""Fewer of a unit are counted in the next smaller one."""


class BuildProgress(NamedTuple):
    """How far a build was at its last commit."""

    done: int
    """Bytes of all sources that are in the index."""
    total: int
    reached: int
    """The time of the last transcript that was read whole, in seconds; 0 while there is none."""

    @property
    def percent(self) -> int:
        """The hundredths that are done; 100 only when all is."""
        return self.done * 100 // max(self.total, 1)

    def extent(self, now: datetime) -> str:
        """The time that can be searched, such as `newest 3 weeks searchable`; empty while there is none."""
        if not self.reached:
            return ""
        seconds = max(int(now.timestamp()) - self.reached, 0)
        for unit, size in _UNITS:
            if seconds >= _MIN_AMOUNT * size:
                return f"newest {seconds // size} {unit}s searchable"
        hours = seconds // _HOUR
        return f"newest {hours} hours searchable" if hours >= _MIN_AMOUNT else "newest hour searchable"

    def label(self, now: datetime) -> str:
        """Both in words, such as `12 % · newest 3 weeks searchable`."""
        return " · ".join(filter(None, (f"{self.percent} %", self.extent(now))))


def parse(value: str) -> BuildProgress | None:
    """The progress of a build that is at work or was stopped; None when the value is none."""
    try:
        return BuildProgress(*map(int, value.split()))
    except (ValueError, TypeError):
        return None


def note(catalogue: Catalogue, progress: BuildProgress) -> None:
    """Record how far the build is, with the sources that it brought."""
    catalogue.set_fact(BUILD_FACT, " ".join(map(str, progress)))
