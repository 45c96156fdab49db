"""Parse and render points in time.

Parsing never raises: invalid input is None. Every datetime returned has an offset.
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
_DAYS_AGO = lazy_pattern(r"(\d{1,5})(?:d|-days?-ago)", re.ASCII)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SPAN_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_WRITTEN_DATE = lazy_pattern(
    r"(?<![\w/.+:-])((?:19[7-9]|20\d|21\d)\d)-(\d\d)(?:-(\d\d)(?:T[\d:.]{1,20}Z?)?)?(?![\w/-]|\.\w)", re.ASCII
)
_MAX_TIME_CHARS = 64
_VALID_YEARS = range(1971, 2200)


def parse_time(text: str) -> datetime | None:
    """Parse an ISO 8601 time, with `T` or a space; UTC without an offset."""
    moment = _parse_iso(text)
    if moment is None:
        return None
    return _to_utc(moment if moment.tzinfo else moment.replace(tzinfo=UTC))


def iso_time(moment: datetime) -> str:
    """Render the time in UTC to the second, such as `2026-05-02T09:14:03Z`."""
    return _utc(moment).isoformat(timespec="seconds") + "Z"


def window_time(moment: datetime) -> str:
    """Render the time as in headings of the window, such as `2026-05-02 09:14:03 UTC`."""
    return _utc(moment).isoformat(" ", "seconds") + " UTC"


def iso_minute(moment: datetime | None) -> str:
    """Render the time in UTC to the minute, such as `2026-05-02 09:14 UTC`; empty for None."""
    return f"{_utc(moment).isoformat(' ', 'minutes')} UTC" if moment else ""


def local_time(moment: datetime, zone: tzinfo | None) -> datetime:
    """Convert the time to the zone (None: the system's); unchanged where the zone's calendar range is exceeded."""
    try:
        return moment.astimezone(zone)
    except (OverflowError, ValueError):
        return moment


def local_day(moment: datetime, zone: tzinfo | None) -> date:
    """Return the day of the time in the zone; exact midnight UTC is a date without a time and is never shifted."""
    told = local_time(moment, UTC)
    return told.date() if told.time() == time.min else local_time(moment, zone).date()


def valid_day(day: date) -> date | None:
    """Return the day, or None outside 1971–2199: an unset clock, or a name that is not a date."""
    return day if day.year in _VALID_YEARS else None


def zone_of(now: datetime) -> tzinfo | None:
    """Return the zone for days other than `now`'s; None for the system's zone.

    A system clock has only the current offset, which differs across a daylight-saving change.
    """
    zone = now.tzinfo
    is_offset_alone = isinstance(zone, timezone) and zone is not UTC
    return None if is_offset_alone and now.astimezone().utcoffset() == now.utcoffset() else zone


def duration_text(start: datetime | None, end: datetime | None) -> str:
    """Return the duration in whole minutes: `< 1m`, `45m`, `1h`, `2h05m`, `24h`; `unknown` when
    either end is missing.
    """
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
    """Return the time before `now` in a single unit: `just now`, `5m ago`, `3h ago`, `2d ago`, `10 months ago`."""
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
    """Return the start of a user's time expression: `12h`, `2d`, `1w`, `today`, `yesterday`, `monday`, `2026-03`,
    `2026-03-06`, ISO. A weekday is the last one that began, today included.

    Days and months start at midnight in the zone of `now`; so does a time without an offset.
    """
    return _bounds(text, now)[0]


def parse_until(text: str, now: datetime) -> datetime | None:
    """Return the exclusive end of a time expression, so that `2026-03` includes all of March;
    syntax of `parse_since`.
    """
    return _bounds(text, now)[1]


def parse_day_word(text: str, now: datetime) -> date | None:
    """Return the day of `today`, `yesterday`, `3d` or `3-days-ago` in the zone of `now`; None for any other text."""
    word = text.strip().lower()
    found = _DAYS_AGO.fullmatch(word)
    back = int(found[1]) if found else {"today": 0, "yesterday": 1}.get(word)
    try:
        return valid_day(now.date() - timedelta(days=back)) if back is not None else None
    except OverflowError:
        return None


def find_dates(text: str) -> list[date]:
    """Return the calendar dates in `text` in order: `2026-03-06`, or `2026-03` for the month's last day.

    Ports, status codes, paths, versions and invalid dates are skipped.
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
        if word in _WEEKDAYS:
            day_of_week = today - timedelta(days=(today.weekday() - _WEEKDAYS.index(word)) % 7)
            return _midnight(day_of_week, now), _midnight(day_of_week + timedelta(days=1), now)
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
    """Return None for times so near the calendar's limits that UTC cannot express them."""
    try:
        moment.astimezone(UTC)
    except OverflowError:
        return None
    return moment


def _utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment
