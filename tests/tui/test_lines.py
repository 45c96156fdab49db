"""Rows of values at the ends of the calendar, whatever the zone of whoever looks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from recall_tui.domain import Hit, WindowEntry
from recall_tui.storage.documents.window_blocks import UNKNOWN_TIME
from recall_tui.tui.widgets.row_list import hit_line, window_line
from tests.conftest import NOON


@pytest.mark.parametrize("at", [UNKNOWN_TIME, datetime.max.replace(tzinfo=UTC)])
@pytest.mark.parametrize("hours", [-12, 14])
def test_a_row_of_any_time_can_be_drawn_in_any_zone(at: datetime, hours: int) -> None:
    zone = timezone(timedelta(hours=hours))
    entry = WindowEntry("s1", at, "25m", 3, "conversation-001.md", "token refresh race")
    assert "token refresh race" in window_line(entry, NOON.astimezone(zone), 80, leaves_next=False).plain
    hit = Hit("a.1", "memory/MEMORY.md", "memory", "raw", "Memory", 1.0, "token refresh race", (1, 2), date=at)
    assert "token refresh race" in hit_line(hit, None, zone, 80).plain


@pytest.mark.parametrize(
    ("validity", "mark"),
    [
        ({"until": "2026-03-12", "by": "memory/2026-03-12.md:4"}, "  held until 03-12 "),
        ({"since": "2026-03-20"}, "  since 03-20 "),
        ({"until": ""}, "  held before "),
    ],
)
def test_a_row_says_at_its_end_until_when_it_held(validity: dict[str, str], mark: str) -> None:
    hit = Hit(
        "a.1", "memory/MEMORY.md", "memory", "raw", "Memory", 1.0, "the rate limit is a hundred", (1, 2), date=NOON
    )
    row = hit_line(hit._replace(why={"validity": validity}), None, UTC, 80)
    plain = hit_line(hit, None, UTC, 80).plain
    assert row.plain == plain[:-1].ljust(80 - len(mark)) + mark
    assert row.cell_length == 80 and not plain.rstrip().endswith(mark.strip())
    assert hit_line(hit._replace(why={"validity": validity}), None, UTC, 40).plain == hit_line(hit, None, UTC, 40).plain
