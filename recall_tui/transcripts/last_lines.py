"""When a session was last spoken in, from the last lines of its transcript: much cheaper than reading it.

The time of a file says less: a copy or a restored folder is new, whatever is in it.
"""

from __future__ import annotations

import os
import re
from datetime import datetime
from pathlib import Path

from recall_tui import files
from recall_tui.text.dates import parse_time

_MAX_TAIL_BYTES = 65_536
"""Bytes at the end of a transcript that are looked into."""
_TIME = re.compile(rb'"timestamp"\s*:\s*"([0-9T:.Z+ -]{10,40})"')


def find_last_time(path: Path) -> datetime | None:
    """Return the newest time in the last lines; None when they tell none, as those of a compressed transcript."""
    try:
        with files.open_file(path, files.MAX_TRANSCRIPT_BYTES) as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _MAX_TAIL_BYTES))
            tail = file.read(_MAX_TAIL_BYTES)
    except OSError:
        return None
    times = (parse_time(found.decode("ascii")) for found in _TIME.findall(tail))
    return max((time for time in times if time is not None and time.tzinfo is not None), default=None)
