"""Points in time read from text and written as text.

Reading never raises: what is no time is None. Every datetime that leaves this module carries an offset.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo

from recall_tui.text.lazy_pattern import lazy_pattern

_ISO = lazy_pattern(r"\d{4}-\d\d-\d\d(?:[T ]\d\d(?::?\d\d){0,2}(?:[.,]\d{1,12})?)?", re.ASCII | re.IGNORECASE)
_ZONE_NAME = lazy_pattern(r"\s?(?:utc|gmt|zulu)$", re.IGNORECASE)
_SPACED_OFFSET = lazy_pattern(r"\s+(?=[+-]\d\d(?::?\d\d)?$)", re.ASCII)
_DAY = lazy_pattern(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII)
_MONTH = lazy_pattern(r"(\d{4})-(\d\d)", re.ASCII)
_SPAN = lazy_pattern(r"(\d{1,6})\s?([mhdw])", re.ASCII | re.IGNORECASE)
_SPAN_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_WRITTEN_DATE = lazy_pattern(
    r"(?<![\w/.+:-])((?:19[7-9]|20\d|21\d)\d)-(\d\d)(?:-(\d\d)(?:T[\d:.]{1,20}Z?)?)?(?![\w/-]|\.\w)", re.ASCII
)
_MAX_TIME_CHARS = 64
_VALID_YEARS = range(1971, 2200)


def parse_time(text: str) -> datetime | None:
    """The moment that `text` names in ISO 8601, with `T` or a space; without an offset it is UTC."""
    moment = _parse_iso(text)
    if moment is None:
        return None
    return _to_utc(moment if moment.tzinfo else moment.replace(tzinfo=UTC))


def iso_time(moment: datetime) -> str:
    """The moment in UTC to the second, such as `2026-05-02T09:14:03Z`."""
    return _utc(moment).isoformat(timespec="seconds") + "Z"


def window_time(moment: datetime) -> str:
    """The moment as headings of the window write it, such as `2026-05-02 09:14:03 UTC`."""
    return _utc(moment).isoformat(" ", "seconds") + " UTC"


def iso_minute(moment: datetime | None) -> str:
    """The moment in UTC to the minute, such as `2026-05-02 09:14 UTC`; empty for none."""
    return f"{_utc(moment).isoformat(' ', 'minutes')} UTC" if moment else ""


def local_time(moment: datetime, zone: tzinfo | None) -> datetime:
    """The moment in the zone, None for this machine's; as it is where the calendar of the zone ends before it."""
    try:
        return moment.astimezone(zone)
    except (OverflowError, ValueError):
        return moment


def local_day(moment: datetime, zone: tzinfo | None) -> date:
    """The day of the moment in the zone; one that was told without a time, midnight in UTC, is the same everywhere."""
    told = local_time(moment, UTC)
    return told.date() if told.time() == time.min else local_time(moment, zone).date()


def valid_day(day: date) -> date | None:
    """The day, unless nothing can have happened on it: a clock that was never set, or a name that is no date."""
    return day if day.year in _VALID_YEARS else None


def zone_of(now: datetime) -> tzinfo | None:
    """The zone by which other days than this one are told; None for this machine's.

    A clock of this machine says its offset of now, which was another one before the clocks were changed.
    """
    zone = now.tzinfo
    is_offset_alone = isinstance(zone, timezone) and zone is not UTC
    return None if is_offset_alone and now.astimezone().utcoffset() == now.utcoffset() else zone


def duration_text(start: datetime | None, end: datetime | None) -> str:
    """How long it took in whole minutes: `< 1m`, `45m`, `1h`, `2h05m`, `24h`; `unknown` when an end is missing."""
    if start is None or end is None:
        return "unknown"
    minutes = int(abs(_utc(end).replace(microsecond=0) - _utc(start).replace(microsecond=0)).total_seconds()) // 60
    if minutes < 1:
        return "< 1m"
    hours, minutes = divmod(minutes, 60)
    if not hours:
        return f"{minutes}m"
    return f"{hours}h{minutes:02d}m" if minutes else f"{hours}h"


def relative_time(then: datetime | None, now: datetime) -> str:
    """How long before `now` it was, in one unit: `just now`, `5m ago`, `3h ago`, `2d ago`, `10 months ago`."""
    if then is None:
        return "unknown"
    seconds = (_utc(now) - _utc(then)).total_seconds()
    amount = _amount_text(abs(seconds))
    if not amount:
        return "just now"
    return f"{amount} ago" if seconds > 0 else f"in {amount}"


def _amount_text(seconds: float) -> str:
    minutes, hours, days = int(seconds // 60), int(seconds // 3600), int(seconds // 86_400)
    if minutes < 1:
        return ""
    if hours < 1:
        return f"{minutes}m"
    if days < 1:
        return f"{hours}h"
    if days < 14:
        return f"{days}d"
    if days < 60:
        return f"{days // 7}w"
    if days < 730:
        return f"{days * 12 // 365} months"
    return f"{days * 100 // 36_525} years"


def parse_since(text: str, now: datetime) -> datetime | None:
    """The first moment of what a person wrote: `12h`, `2d`, `1w`, `today`, `yesterday`, `2026-03`, `2026-03-06`, ISO.

    Days and months begin at midnight where `now` is; a time without an offset is meant there too.
    """
    return _bounds(text, now)[0]


def parse_until(text: str, now: datetime) -> datetime | None:
    """The first moment after what a person wrote, so that `2026-03` takes in all of March; words as for since."""
    return _bounds(text, now)[1]


def find_dates(text: str) -> list[date]:
    """The calendar dates written in `text` in order, `2026-03-06` or `2026-03`, which stands for the month's last day.

    Ports, status codes, paths, versions and dates that do not exist are none.
    """
    found: list[date] = []
    for match in _WRITTEN_DATE.finditer(text):
        year, month, day = match.groups()
        try:
            first = date(int(year), int(month), int(day or 1))
            found.append(first if day else _month_after(first) - timedelta(days=1))
        except (ValueError, OverflowError):
            continue
    return found


def _bounds(text: str, now: datetime) -> tuple[datetime | None, datetime | None]:
    word = text.strip().lower()
    now = now if now.tzinfo else now.replace(tzinfo=UTC)
    today = now.date()
    try:
        if word == "today":
            return _midnight(today, now), _midnight(today + timedelta(days=1), now)
        if word == "yesterday":
            return _midnight(today - timedelta(days=1), now), _midnight(today, now)
        if span := _SPAN.fullmatch(word):
            then = _to_utc(now - timedelta(**{_SPAN_UNITS[span[2]]: int(span[1])}))
            return then, then
        if day := _DAY.fullmatch(word):
            first = date(int(day[1]), int(day[2]), int(day[3]))
            return _midnight(first, now), _midnight(first + timedelta(days=1), now)
        if month := _MONTH.fullmatch(word):
            first = date(int(month[1]), int(month[2]), 1)
            return _midnight(first, now), _midnight(_month_after(first), now)
    except (ValueError, OverflowError):
        return None, None
    moment = _parse_iso(word)
    if moment is None:
        return None, None
    moment = _to_utc(moment if moment.tzinfo else moment.replace(tzinfo=now.tzinfo))
    return moment, moment


def _parse_iso(text: str) -> datetime | None:
    if len(text) > _MAX_TIME_CHARS:
        return None
    text = _SPACED_OFFSET.sub("", _ZONE_NAME.sub("Z", text.strip().upper()))
    if not _ISO.match(text):
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _midnight(day: date, now: datetime) -> datetime | None:
    return _to_utc(datetime.combine(day, time(), now.tzinfo))


def _month_after(first: date) -> date:
    return (first.replace(day=28) + timedelta(days=4)).replace(day=1)


def _to_utc(moment: datetime) -> datetime | None:
    """None for moments so near the ends of the calendar that UTC cannot express them."""
    try:
        moment.astimezone(UTC)
    except OverflowError:
        return None
    return moment


def _utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment
