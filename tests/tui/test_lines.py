"""Rows of values at the ends of the calendar, whatever the zone of whoever looks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from recall_tui.domain import Hit, WindowEntry
from recall_tui.storage.documents.window_blocks import UNKNOWN_TIME
from recall_tui.text.session_line import fit_columns, label_entry
from recall_tui.tui.widgets.session_row import hit_row, session_row
from tests.conftest import NOON


@pytest.mark.parametrize("at", [UNKNOWN_TIME, datetime.max.replace(tzinfo=UTC)])
@pytest.mark.parametrize("hours", [-12, 14])
def test_a_row_of_any_time_can_be_drawn_in_any_zone(at: datetime, hours: int) -> None:
    zone = timezone(timedelta(hours=hours))
    entry = WindowEntry("s1", at, "25m", 3, "conversation-001.md", "token refresh race")
    columns, now = fit_columns(78, has_years=True), NOON.astimezone(zone)
    assert "token refresh race" in session_row(label_entry(entry), columns, now).plain
    hit = Hit("a.1", "memory/MEMORY.md", "memory", "raw", "Token rules", 1.0, "", (1, 2), date=at)
    assert "Token rules" in hit_row(hit, columns, now, None).plain


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
    columns = fit_columns(78)
    row = hit_row(hit._replace(why={"validity": validity}), columns, NOON, None).plain
    assert row[1 : 1 + columns.title].endswith(mark.rstrip())
    assert len(row) == 80 and mark.strip() not in hit_row(hit, columns, NOON, None).plain
    narrow = fit_columns(24)._replace(title=20)
    assert mark.strip() not in hit_row(hit._replace(why={"validity": validity}), narrow, NOON, None).plain
