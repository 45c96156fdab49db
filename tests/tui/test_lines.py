"""Rows of values at the ends of the calendar, whatever the zone of whoever looks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from recall_tui.domain import Hit, WindowEntry
from recall_tui.storage.window_file import UNKNOWN_TIME
from recall_tui.tui.lines import hit_line, window_line
from tests.conftest import NOON


@pytest.mark.parametrize("at", [UNKNOWN_TIME, datetime.max.replace(tzinfo=UTC)])
@pytest.mark.parametrize("hours", [-12, 14])
def test_a_row_of_any_time_can_be_drawn_in_any_zone(at: datetime, hours: int) -> None:
    zone = timezone(timedelta(hours=hours))
    entry = WindowEntry("s1", at, "25m", 3, "conversation-001.md", "token refresh race")
    assert "token refresh race" in window_line(entry, NOON.astimezone(zone), 80, leaves_next=False).plain
    hit = Hit("a.1", "memory/MEMORY.md", "memory", "raw", "Memory", 1.0, "token refresh race", (1, 2), date=at)
    assert "token refresh race" in hit_line(hit, None, zone, 80).plain
