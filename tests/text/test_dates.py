"""Times: read from text without ever raising, written in the forms that files use."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.text.dates import (
    duration_text,
    find_dates,
    iso_time,
    local_day,
    local_time,
    parse_since,
    parse_time,
    parse_until,
    relative_time,
    valid_day,
    window_time,
)

NOON = datetime(2026, 3, 6, 12, 0, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")


def at(text: str) -> datetime:
    moment = parse_time(text)
    assert moment is not None, text
    return moment


@pytest.mark.parametrize(
    "text",
    [
        "2026-05-02T09:14:03Z",
        "2026-05-02T09:14:03.000Z",
        "2026-05-02t09:14:03z",
        "2026-05-02 09:14:03 UTC",
        "2026-05-02 09:14:03 GMT",
        "2026-05-02T11:14:03+02:00",
        "2026-05-02T11:14:03+0200",
        "2026-05-02 11:14:03 +02:00",
        "2026-05-02T09:14:03",
        "  2026-05-02 09:14:03\n",
    ],
)
def test_the_same_moment_is_read_from_every_form(text: str) -> None:
    assert at(text) == datetime(2026, 5, 2, 9, 14, 3, tzinfo=UTC)


def test_fractions_of_a_second_are_kept() -> None:
    assert at("2026-05-02T09:14:03.123456789Z").microsecond == 123456
    assert at("2026-05-02T09:14:03,5Z").microsecond == 500_000


def test_a_date_alone_is_its_midnight_in_utc() -> None:
    assert at("2026-05-02") == datetime(2026, 5, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    "text", ["", "yesterday", "2026", "20260502", "2026-13-01", "2026-02-30", "0001-01-01T00:00:00+14:00", "9" * 9999]
)
def test_what_is_no_time_is_none(text: str) -> None:
    assert parse_time(text) is None


@given(st.text())
def test_reading_a_time_never_raises(text: str) -> None:
    for moment in (parse_time(text), parse_since(text, NOON), parse_until(text, NOON)):
        assert moment is None or moment.tzinfo is not None
    assert len(find_dates(text)) <= len(text)


@given(st.from_regex(r"\A[0-9]{4}-[0-9]{2}(-[0-9]{2}([T ][0-9:.,]{1,12}([+-][0-9:]{1,6}|Z| UTC)?)?)?\Z"))
def test_reading_what_looks_like_a_time_never_raises(text: str) -> None:
    if moment := parse_time(text):
        assert parse_time(iso_time(moment)) is not None
    parse_since(text, NOON)
    parse_until(text, NOON)


@given(st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 1, 1), timezones=st.just(UTC)))
def test_a_written_moment_is_read_as_itself(moment: datetime) -> None:
    assert parse_time(iso_time(moment)) == moment.replace(microsecond=0)
    assert parse_time(window_time(moment)) == moment.replace(microsecond=0)


def test_moments_are_written_in_utc() -> None:
    summer = datetime(2026, 5, 2, 11, 14, 3, 999_999, tzinfo=BERLIN)
    assert iso_time(summer) == "2026-05-02T09:14:03Z"
    assert window_time(summer) == "2026-05-02 09:14:03 UTC"


@pytest.mark.parametrize(
    ("start", "end", "text"),
    [
        ("2026-01-01T14:30:00Z", "2026-01-01T14:30:59Z", "< 1m"),
        ("2026-01-01T14:30:00Z", "2026-01-01T14:31:00Z", "1m"),
        ("2026-01-01T14:00:00Z", "2026-01-01T15:00:00Z", "1h"),
        ("2026-01-01T14:00:00.500Z", "2026-01-01T16:05:00Z", "2h05m"),
        ("2026-01-01T15:00:00Z", "2026-01-01T14:00:00Z", "1h"),
        ("2026-01-31T23:50:00Z", "2026-02-01T00:10:00Z", "20m"),
        ("2026-02-28T10:00:00Z", "2026-03-01T10:00:00Z", "24h"),
        ("2024-02-28T10:00:00Z", "2024-03-01T10:00:00Z", "48h"),
        ("2026-01-01T14:00:00+02:00", "2026-01-01T12:45:00Z", "45m"),
    ],
)
def test_durations_are_real_differences(start: str, end: str, text: str) -> None:
    assert duration_text(parse_time(start), parse_time(end)) == text


def test_a_duration_across_the_change_to_summer_time_counts_real_hours() -> None:
    assert duration_text(datetime(2026, 3, 29, 1, tzinfo=BERLIN), datetime(2026, 3, 29, 4, tzinfo=BERLIN)) == "2h"


def test_a_duration_without_an_end_is_unknown() -> None:
    assert (
        duration_text(None, NOON) == duration_text(NOON, None) == duration_text(parse_time("soon"), NOON) == "unknown"
    )


@pytest.mark.parametrize(
    ("before", "text"),
    [
        (timedelta(seconds=20), "just now"),
        (timedelta(minutes=5, seconds=59), "5m ago"),
        (timedelta(hours=3), "3h ago"),
        (timedelta(days=2), "2d ago"),
        (timedelta(days=13), "13d ago"),
        (timedelta(days=21), "3w ago"),
        (timedelta(days=310), "10 months ago"),
        (timedelta(days=800), "2 years ago"),
        (timedelta(hours=-2), "in 2h"),
        (timedelta(seconds=-30), "just now"),
    ],
)
def test_ago_speaks_in_one_unit(before: timedelta, text: str) -> None:
    assert relative_time(NOON - before, NOON) == text
    assert relative_time(None, NOON) == "unknown"


HERE = datetime(2026, 3, 6, 1, 30, tzinfo=timezone(timedelta(hours=2)))


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("12h", "2026-03-05T11:30:00Z", "2026-03-05T11:30:00Z"),
        ("90m", "2026-03-05T22:00:00Z", "2026-03-05T22:00:00Z"),
        ("2d", "2026-03-03T23:30:00Z", "2026-03-03T23:30:00Z"),
        ("1W", "2026-02-26T23:30:00Z", "2026-02-26T23:30:00Z"),
        ("today", "2026-03-05T22:00:00Z", "2026-03-06T22:00:00Z"),
        (" Yesterday ", "2026-03-04T22:00:00Z", "2026-03-05T22:00:00Z"),
        ("2026-03-06", "2026-03-05T22:00:00Z", "2026-03-06T22:00:00Z"),
        ("2026-02", "2026-01-31T22:00:00Z", "2026-02-28T22:00:00Z"),
        ("2025-12", "2025-11-30T22:00:00Z", "2025-12-31T22:00:00Z"),
        ("2026-03-06T10:00", "2026-03-06T08:00:00Z", "2026-03-06T08:00:00Z"),
        ("2026-03-06T10:00:00Z", "2026-03-06T10:00:00Z", "2026-03-06T10:00:00Z"),
    ],
)
def test_spans_and_days_are_meant_where_the_person_is(text: str, since: str, until: str) -> None:
    assert parse_since(text, HERE) == at(since)
    assert parse_until(text, HERE) == at(until)


def test_a_day_of_the_change_to_summer_time_has_23_hours() -> None:
    now = datetime(2026, 3, 29, 12, tzinfo=BERLIN)
    start, end = parse_since("today", now), parse_until("today", now)
    assert start is not None and end is not None
    assert end.astimezone(UTC) - start.astimezone(UTC) == timedelta(hours=23)


@pytest.mark.parametrize("text", ["", "soon", "12", "h", "-3d", "999999w", "2026-13", "2026-02-30", "9999-12", "٣d"])
def test_what_is_no_span_is_none(text: str) -> None:
    assert parse_until(text, NOON) is None


def test_dates_in_a_line_are_real_dates() -> None:
    assert find_dates("on 2026-01-12 (until 2026-02), seen 2025-12-31T10:00:00Z.") == [
        date(2026, 1, 12),
        date(2026, 2, 28),
        date(2025, 12, 31),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "HTTP 202 accepted",
        "port 2024-",
        "v2024-01.3",
        "id 2026-13-01",
        "days/2026-03-06.md",
        "12026-01-02",
        "2026-02-30",
    ],
)
def test_ports_codes_paths_and_versions_are_no_dates(line: str) -> None:
    assert find_dates(line) == []


@given(st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1), timezones=st.just(UTC)), st.timezones())
def test_a_moment_is_the_same_moment_in_every_zone(moment: datetime, zone: tzinfo) -> None:
    there = local_time(moment, zone)
    assert there.tzinfo is zone and there.astimezone(UTC) == moment


def test_a_moment_at_the_end_of_the_calendar_stays_as_it_is_where_it_has_no_other_form() -> None:
    last = datetime.max.replace(tzinfo=UTC)
    assert local_time(last, timezone(timedelta(hours=14))) is last
    assert local_time(last, timezone(timedelta(hours=-1))).hour == 22


@pytest.mark.parametrize(("text", "is_sound"), [("2026-03-06", True), ("1970-01-01", False), ("9999-12-31", False)])
def test_a_day_that_a_clock_never_showed_is_not_sound(text: str, is_sound: bool) -> None:
    day = date.fromisoformat(text)
    assert (valid_day(day) == day) is is_sound


@pytest.mark.parametrize("hours", [-11, -5, 0, 5, 13])
def test_a_day_that_was_told_without_a_time_is_that_day_everywhere(hours: int) -> None:
    day, zone = datetime(2026, 3, 6, tzinfo=UTC), timezone(timedelta(hours=hours))
    assert local_day(day, zone) == date(2026, 3, 6)
    assert local_day(NOON, zone) == NOON.astimezone(zone).date()
