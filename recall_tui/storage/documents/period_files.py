"""Find the pages of days, weeks and months, by date.

They are recognized by name alone, in every folder where a design keeps them; none is opened.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from pathlib import Path

from recall_tui.storage.files.symlinks import list_documents
from recall_tui.storage.layout import Layout
from recall_tui.text.dates import valid_day
from recall_tui.text.lazy_pattern import lazy_pattern

_DAY_LOG = lazy_pattern(r"(\d{4}-\d{2}-\d{2})(?:[-_].*)?\.md", re.ASCII)
_WEEKLY = lazy_pattern(r"(\d{4})-W(\d{2})\.md", re.ASCII)
_WEEK_BY_MONDAY = lazy_pattern(r"week-(\d{4}-\d{2}-\d{2})\.md", re.ASCII)
"""Session recall names its weeks by their Monday."""
_MONTHLY = lazy_pattern(r"(\d{4})-(\d{2})\.md", re.ASCII)


def day_folders(layout: Layout) -> tuple[Path, ...]:
    """Return the folders of day logs: the layout's own, and `sessions/`, where session recall wrote them."""
    return tuple(dict.fromkeys((layout.days, layout.base / "sessions")))


def page_kind(path: Path) -> str:
    """Return `daily` or `weekly` for a page in a folder of day logs; empty for another file."""
    if _DAY_LOG.fullmatch(path.name):
        return "daily"
    return "weekly" if _WEEK_BY_MONDAY.fullmatch(path.name) or _WEEKLY.fullmatch(path.name) else ""


def is_day_log(name: str) -> bool:
    """Return whether a file of that name is the log of a day, such as `2026-03-06.md` or `2026-03-06-laptop.md`."""
    return (found := _DAY_LOG.fullmatch(name)) is not None and _day(found[1]) is not None


def list_day_logs(layout: Layout) -> dict[date, tuple[Path, ...]]:
    """Return the logs of each day, the one that is called by the day alone first in its folder."""
    return _by_day(_day_logs(layout))


def logs_called(layout: Layout, name: str) -> tuple[Path, ...]:
    """Return all logs of the day that the name is, such as `2026-03-06`; none for any other name."""
    day = _day(name.removesuffix(".md"))
    return list_day_logs(layout).get(day, ()) if day else ()


def list_weeklies(layout: Layout) -> dict[date, Path]:
    """Return the page of each week, by its Monday."""
    return {monday: paths[0] for monday, paths in _by_day(_weeklies(layout)).items()}


def list_monthlies(layout: Layout) -> dict[date, Path]:
    """Return the page of each month, by its first day."""
    return {first: paths[0] for first, paths in _by_day(_monthlies(layout)).items()}


def parse_page_name(layout: Layout, name: str) -> Path | None:
    """Return the page of a day, week or month by name, such as `2026-03-06`, `2026-W10`, `2026-03`; else None.

    A week may be named by its Monday too, as session recall does: `week-2026-03-02`.
    """
    name = name.strip()
    name = f"{name[:-3] if name.lower().endswith('.md') else name}.md"
    if (found := _DAY_LOG.fullmatch(name)) and (day := _day(found[1])):
        logs = list_day_logs(layout).get(day, ())
        named = [path for path in logs if path.name.casefold() == name.casefold()]
        return next(iter(named or (logs if name == f"{day}.md" else ())), None)
    if (found := _WEEKLY.fullmatch(name)) and (monday := _monday(int(found[1]), int(found[2]))):
        return list_weeklies(layout).get(monday)
    if _WEEK_BY_MONDAY.fullmatch(name.lower()) and (monday := _monday_of(name.lower())):
        return list_weeklies(layout).get(monday)
    if (found := _MONTHLY.fullmatch(name)) and (first := _day(f"{found[1]}-{found[2]}-01")):
        return list_monthlies(layout).get(first)
    return None


def midpoint(path: Path) -> date | None:
    """Return the day that represents a weekly or monthly page: its Thursday, or the 15th; None for any other page."""
    if monday := _monday_of(path.name):
        return monday + timedelta(days=3)
    name = _MONTHLY.fullmatch(path.name)
    return _day(f"{name[1]}-{name[2]}-15") if name else None


def _by_day(found: Iterable[tuple[date, Path]]) -> dict[date, tuple[Path, ...]]:
    pages: dict[date, tuple[Path, ...]] = {}
    for day, path in sorted(found, key=lambda one: (one[0], one[1].parent, one[1].stem)):
        pages[day] = (*pages.get(day, ()), path)
    return pages


def _day_logs(layout: Layout) -> Iterator[tuple[date, Path]]:
    for folder in day_folders(layout):
        for path in list_documents(layout, folder):
            if (name := _DAY_LOG.fullmatch(path.name)) and (day := _day(name[1])):
                yield day, path


def _weeklies(layout: Layout) -> Iterator[tuple[date, Path]]:
    for folder in dict.fromkeys((layout.weekly, *day_folders(layout))):
        for path in list_documents(layout, folder):
            if monday := _monday_of(path.name):
                yield monday, path


def _monthlies(layout: Layout) -> Iterator[tuple[date, Path]]:
    for path in list_documents(layout, layout.monthly):
        if (name := _MONTHLY.fullmatch(path.name)) and (first := _day(f"{name[1]}-{name[2]}-01")):
            yield first, path


def _day(text: str) -> date | None:
    try:
        return valid_day(date.fromisoformat(text))
    except ValueError:
        return None


def _monday_of(name: str) -> date | None:
    """Return the Monday of the week in a weekly page's name; None for any other name."""
    if found := _WEEKLY.fullmatch(name):
        return _monday(int(found[1]), int(found[2]))
    found = _WEEK_BY_MONDAY.fullmatch(name)
    day = _day(found[1]) if found else None
    return day - timedelta(days=day.weekday()) if day else None


def _monday(year: int, week: int) -> date | None:
    try:
        return valid_day(date.fromisocalendar(year, week, 1))
    except ValueError:
        return None
