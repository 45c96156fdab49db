"""The order in which backups were made, which their days do not tell once a clock was wrong."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from datetime import date
from pathlib import Path

from recall_tui.storage.files import atomic

ORDER_FILE = "order"


def read_order(folder: Path) -> list[date]:
    """The days in the order in which they were backed up; those of earlier versions are not among them."""
    days: list[date] = []
    for line in (atomic.read_bytes(folder / ORDER_FILE) or b"").decode("ascii", "replace").splitlines():
        with suppress(ValueError):
            days.append(date.fromisoformat(line))
    return days


def write_order(folder: Path, days: Iterable[date]) -> None:
    """Write the days down, each where it was backed up last."""
    last = list(dict.fromkeys(reversed(list(days))))[::-1]
    atomic.write_file(folder / ORDER_FILE, "".join(f"{day.isoformat()}\n" for day in last).encode())
