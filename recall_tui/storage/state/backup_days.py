"""The days on which a memory was backed up, by their records' names and order."""

from __future__ import annotations

from contextlib import suppress
from datetime import date
from pathlib import Path

from recall_tui.storage.files import atomic

RING_FOLDER = "daily"
"""Folder in a memory's state folder; `backups` holds copies of agents' files."""
RECORD_SUFFIX = ".backup"
ORDER_FILE = "order"
"""The days in the order in which they were backed up, which their dates do not give once a clock was wrong."""


def read_order(folder: Path) -> list[date]:
    """Read the days in backup order; those backed up by earlier versions are missing."""
    days: list[date] = []
    for line in (atomic.read_bytes(folder / ORDER_FILE) or b"").decode("ascii", "replace").splitlines():
        with suppress(ValueError):
            days.append(date.fromisoformat(line))
    return days


def is_last(state: Path, day: date) -> bool:
    """Return True if the newest backup is that of the day; False may also mean that its record does not tell."""
    folder = state / RING_FOLDER
    return (folder / f"{day.isoformat()}{RECORD_SUFFIX}").exists() and read_order(folder)[-1:] == [day]
