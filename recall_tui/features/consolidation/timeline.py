"""What happened when: the sessions of a memory by month, week and day, with the pages that were written of them.

Every session is in exactly one day, or among those of which no day is known; a week that two months share is in both,
each time with the days of that month alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from recall_tui.errors import RecallError
from recall_tui.features.consolidation.compact import Level, preview_compaction, propose_page
from recall_tui.features.consolidation.periods import is_worth_a_page
from recall_tui.features.documents.past_sessions import (
    PastSession,
    archived_sessions,
    fill_missing_day,
    row_sessions,
    transcript_sessions,
)
from recall_tui.search.time.mention import month_range, week_range
from recall_tui.storage.archives.folder import read_rows
from recall_tui.storage.documents import period_files
from recall_tui.storage.documents.month_documents import count_weeks, month_documents
from recall_tui.storage.documents.period_page import (
    MIN_CHILDREN,
    Period,
    PeriodKind,
    iso_week,
    month_containing,
    parse_period_page,
)
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import proposals
from recall_tui.storage.state.proposals import Proposal
from recall_tui.text.dates import zone_of

if TYPE_CHECKING:
    from recall_tui.index.opener import Index
    from recall_tui.index.sources.sessions import IndexedSession
    from recall_tui.storage.archives.folder import ArchiveFolder
    from recall_tui.storage.memory_context import Store

_MIN_TIME = datetime.min.replace(tzinfo=UTC)
PartT = TypeVar("PartT")


@dataclass(frozen=True, slots=True)
class TimelineDay:
    """A day of which something is known."""

    date: date
    sessions: tuple[PastSession, ...]
    """Those that ended on it, newest first."""
    logs: tuple[Path, ...]
    count: int
    """Sessions; the stretches of one are one."""
    messages: int

    @property
    def weight(self) -> int:
        """How much happened; never 0, for something is known."""
        return max(1, self.messages)


@dataclass(frozen=True, slots=True)
class TimelineWeek:
    """The days of one month in a week from Monday to Sunday, numbered as ISO 8601 does."""

    year: int
    number: int
    first: date
    last: date
    """The first and the last of them, whether something is known of them or not."""
    days: tuple[TimelineDay, ...]
    """Newest first."""
    page: Path | None
    count: int
    messages: int
    standing: PeriodStatus = ""
    """What is to be done about its page."""

    @property
    def key(self) -> str:
        """What it is called: `2026-W10`."""
        return f"{self.year}-W{self.number:02d}"


@dataclass(frozen=True, slots=True)
class TimelineMonth:
    """A month of which something is known."""

    first: date
    last: date
    weeks: tuple[TimelineWeek, ...]
    """Newest first."""
    page: Path | None
    count: int
    messages: int
    standing: PeriodStatus = ""
    """What is to be done about its page."""

    @property
    def key(self) -> str:
        """What it is called: `2026-03`."""
        return f"{self.first:%Y-%m}"

    @property
    def days(self) -> int:
        """How many days something is known of."""
        return sum(len(week.days) for week in self.weeks)


@dataclass(frozen=True)
class MemoryTimeline:
    """All of it."""

    months: tuple[TimelineMonth, ...]
    """Newest first."""
    undated: tuple[PastSession, ...]
    """Sessions of which no day is known."""
    troubles: tuple[str, ...]
    """What could not be read, and why; all else is there."""

    @cached_property
    def days(self) -> Mapping[date, TimelineDay]:
        """Every day of which something is known, newest first."""
        return {day.date: day for month in self.months for week in month.weeks for day in week.days}

    def standing(self, *which: PeriodStatus) -> int:
        """How many weeks and months stand so; a week that two months share is one."""
        spans: list[TimelineMonth | TimelineWeek] = [
            *self.months,
            *(week for month in self.months for week in month.weeks),
        ]
        return len({span.key for span in spans if span.standing in which})

    @cached_property
    def count(self) -> int:
        """How many sessions there are."""
        return sum(month.count for month in self.months) + len(self.undated)

    def within(self, first: date, last: date) -> list[TimelineDay]:
        """The days of a time of which something is known, newest first."""
        return [day for day in self.days.values() if first <= day.date <= last]

    def nearest(self, first: date, last: date) -> date | None:
        """The newest day of a time of which something is known, else the nearest to it; None when there is none."""

        def distance(day: date) -> tuple[int, int]:
            return max((first - day).days, (day - last).days, 0), -day.toordinal()

        return min(self.days, key=distance, default=None)


def load_timeline(store: Store, folder: ArchiveFolder, index: Index | None = None) -> MemoryTimeline:
    """What is known of every day, where the person is; `folder` remembers the heads of archives that it read."""
    troubles: list[str] = []
    stand = _try_read(troubles, lambda: period_statuses(store)) or {}
    return _with_status(store, tuple(_past_sessions(store, folder, index, troubles)), troubles, stand)


def recent_summary(store: Store) -> MemoryTimeline:
    """What the rows of ARCHIVE.md alone tell of every day, and how the pages are called: soon known, and less exact."""
    troubles: list[str] = []
    rows = _try_read(troubles, lambda: read_rows(store.layout.rows)) or ()
    return _with_status(store, tuple(row_sessions(rows, (), {}, zone_of(store.now()))), troubles, {})


def _with_status(
    store: Store, sessions: tuple[PastSession, ...], troubles: list[str], stand: Mapping[str, PeriodStatus]
) -> MemoryTimeline:
    layout = store.layout
    logs = _try_read(troubles, lambda: period_files.list_day_logs(layout)) or {}
    weekly = _try_read(troubles, lambda: period_files.list_weeklies(layout)) or {}
    monthly = _try_read(troubles, lambda: period_files.list_monthlies(layout)) or {}
    days = _build_days(sessions, logs)
    undated = tuple(one for one in sessions if one.day is None)
    months = tuple(_month_status(month, stand) for month in _build_months(days, weekly, monthly))
    return MemoryTimeline(months, undated, tuple(dict.fromkeys(troubles)))


def _month_status(month: TimelineMonth, stand: Mapping[str, PeriodStatus]) -> TimelineMonth:
    """The month and its weeks, with what is to be done about them."""
    weeks = tuple(replace(week, standing=stand.get(week.key, "")) for week in month.weeks)
    return replace(month, weeks=weeks, standing=stand.get(month.key, ""))


def _try_read(troubles: list[str], read: Callable[[], PartT]) -> PartT | None:
    try:
        return read()
    except RecallError as error:
        troubles.append(error.message)
    except OSError as error:
        troubles.append(f"{Path(str(error.filename)).name}: {error.strerror}" if error.filename else str(error))
    return None


def _past_sessions(
    store: Store, folder: ArchiveFolder, index: Index | None, troubles: list[str]
) -> Iterator[PastSession]:
    from recall_tui.index.sources.sessions import indexed_sessions

    zone = zone_of(store.now())
    archived = _try_read(troubles, lambda: list(archived_sessions(store, folder, zone))) or []
    rows = _try_read(troubles, lambda: read_rows(store.layout.rows)) or ()
    named = {one.session_id for _, one in archived}
    filed: list[IndexedSession] = []
    if index is not None:
        filed = _try_read(troubles, lambda: indexed_sessions(index, store, named)) or []
    by_id = {one.session_id: one for one in filed}
    by_number = {row.number: row for row in rows}
    told = [fill_missing_day(one, by_number, by_id, zone) for _, one in archived]
    told += row_sessions(rows, {number for number, _ in archived}, by_id, zone)
    yield from told
    known = {one.session_id for one in told}
    yield from transcript_sessions([one for one in filed if one.session_id not in known], zone)


def _build_days(sessions: Iterable[PastSession], logs: Mapping[date, tuple[Path, ...]]) -> list[TimelineDay]:
    """The days of which something is known, newest first."""
    held: dict[date, list[PastSession]] = {day: [] for day in logs}
    for one in sessions:
        if one.day is not None:
            held.setdefault(one.day, []).append(one)
    return [_build_day(day, held[day], logs.get(day, ())) for day in sorted(held, reverse=True)]


def _build_day(day: date, sessions: list[PastSession], logs: tuple[Path, ...]) -> TimelineDay:
    newest = sorted(sessions, key=lambda one: (one.ended_at or _MIN_TIME, one.number), reverse=True)
    count = len({one.identity for one in sessions})
    return TimelineDay(day, tuple(newest), logs, count, sum(one.messages for one in sessions))


def _build_months(
    days: Iterable[TimelineDay], weekly: Mapping[date, Path], monthly: Mapping[date, Path]
) -> Iterator[TimelineMonth]:
    """The months, newest first; one of which there is no more than a page is there as well."""
    held: dict[date, dict[date, list[TimelineDay]]] = {first: {} for first in monthly}
    for day in days:
        held.setdefault(day.date.replace(day=1), {}).setdefault(week_range(day.date)[0], []).append(day)
    for monday in weekly:
        if not any(monday in held.get(first, {}) for first in _week_months(monday)):
            # As a week belongs to the year of its Thursday.
            held.setdefault((monday + timedelta(days=3)).replace(day=1), {})[monday] = []
    for first in sorted(held, reverse=True):
        last = month_range(first.year, first.month)[1]
        weeks = tuple(
            _build_week(monday, held[first][monday], first, last, weekly) for monday in sorted(held[first])[::-1]
        )
        count, messages = _count_sessions(day for week in weeks for day in week.days)
        yield TimelineMonth(first, last, weeks, monthly.get(first), count, messages)


def _build_week(
    monday: date, days: list[TimelineDay], first: date, last: date, weekly: Mapping[date, Path]
) -> TimelineWeek:
    """The days of a week that lie in the month from `first` to `last`."""
    year, number, _ = monday.isocalendar()
    sunday = monday + timedelta(days=6)
    return TimelineWeek(
        year, number, max(monday, first), min(sunday, last), tuple(days), weekly.get(monday), *_count_sessions(days)
    )


def _count_sessions(days: Iterable[TimelineDay]) -> tuple[int, int]:
    """How many sessions and how many messages; a session's stretches of several days count on each."""
    some = list(days)
    return sum(day.count for day in some), sum(day.messages for day in some)


def _week_months(monday: date) -> tuple[date, date]:
    """The first days of the months in which a week begins and ends."""
    return monday.replace(day=1), (monday + timedelta(days=6)).replace(day=1)


PeriodStatus = Literal["", "due", "behind", "waits"]
"""`due`: it is over, has documents that tell enough, and no page; `behind`: a document changed since its page was
made; `waits`: a page of it waits in review; else nothing is to be done."""


def period_statuses(store: Store) -> dict[str, PeriodStatus]:
    """The weeks and months of which something is to be done, by what they are called: `2026-W10`, `2026-03`."""
    layout = store.layout
    weeks: dict[Period, list[Path]] = {}
    for day, paths in period_files.list_day_logs(layout).items():
        weeks.setdefault(iso_week(day), []).extend(paths)
    weeklies = period_files.list_weeklies(layout)
    months = month_documents(period_files.list_day_logs(layout), weeklies)
    found = dict(_span_statuses(store, weeks, {iso_week(monday): path for monday, path in weeklies.items()}))
    monthlies = {month_containing(first): path for first, path in period_files.list_monthlies(layout).items()}
    found |= dict(_span_statuses(store, months, monthlies))
    kinds: tuple[PeriodKind, ...] = ("weekly", "monthly")
    return found | {one.subject: "waits" for one in proposals.list_open(store) if one.kind in kinds}


def propose_period(store: Store, key: str) -> Proposal | None:
    """Put the page of a week or a month into review; None when there is nothing to do, or it was decided on before."""
    level: Level = "weekly" if "W" in key else "monthly"
    one = next((one for one in preview_compaction(store, level).behind if one.period.key == key), None)
    return propose_page(store, one) if one is not None else None


def _span_statuses(
    store: Store, documents: Mapping[Period, Sequence[Path]], pages: Mapping[Period, Path]
) -> Iterator[tuple[str, PeriodStatus]]:
    today = store.now().date()
    for period, paths in documents.items():
        if period.last >= today:
            continue
        if period not in pages:
            held = len(paths) if period.span == "weekly" else count_weeks(paths)
            texts = {store.relative(path): read_text(path) for path in paths}
            if held >= MIN_CHILDREN[period.span] and is_worth_a_page(store, period, texts):
                yield period.key, "due"
            continue
        page = parse_period_page(read_text(pages[period]), period)
        # Of a page that somebody else made nobody knows from which documents.
        if page.made_from and not page.is_of({store.relative(path): read_text(path) for path in paths}):
            yield period.key, "behind"
