"""How long Claude Code keeps transcripts before it deletes them.

Its own settings say so; where they say nothing that can be used, its default holds.
"""

from __future__ import annotations

import json

from recall_tui import files
from recall_tui.environment import Places

DEFAULT_RETENTION_DAYS = 30
"""What Claude Code does when `cleanupPeriodDays` is unset."""
MAX_RETENTION_DAYS = 36_500
"""More than a lifetime, so that no date is beyond the calendar."""
_KEY = "cleanupPeriodDays"


def retention_days(places: Places) -> int:
    """Days from the last write of a transcript until Claude Code deletes it, as the person's settings say."""
    try:
        table = json.loads(files.read_file(places.claude / "settings.json", files.MAX_SETTINGS_BYTES))
    except (OSError, ValueError, RecursionError):
        return DEFAULT_RETENTION_DAYS
    days = table.get(_KEY) if isinstance(table, dict) else None
    if isinstance(days, bool) or not isinstance(days, int) or days < 0:
        return DEFAULT_RETENTION_DAYS
    return min(days, MAX_RETENTION_DAYS)
