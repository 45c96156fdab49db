"""The documents that a month is drawn from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path

from recall_tui.storage.documents.period_files import page_kind
from recall_tui.storage.documents.period_page import Period, iso_week, month_containing, month_of_week


def month_documents(days: Mapping[date, Iterable[Path]], weeks: Mapping[date, Path]) -> dict[Period, tuple[Path, ...]]:
    """Return the documents of each month that has a week, oldest first; `weeks` are pages by their Monday.

    A month has every one of its days: a week that lies in two months serves both, and a day whose week has no page
    serves itself.
    """
    found: dict[Period, dict[Path, date]] = {}
    logged: dict[date, set[date]] = {}
    for day in days:
        logged.setdefault(iso_week(day).first, set()).add(day)
    for monday, path in weeks.items():
        for month in {month_containing(day) for day in logged.get(monday, ())} or {month_of_week(monday)}:
            found.setdefault(month, {})[path] = monday
    for day, paths in days.items():
        month = month_containing(day)
        if month in found and iso_week(day).first not in weeks:
            found[month] |= dict.fromkeys(paths, day)
    return {month: tuple(sorted(paths, key=lambda path: (paths[path], path))) for month, paths in found.items()}


def count_weeks(paths: Iterable[Path | str]) -> int:
    """Return how many of a month's documents are pages of weeks."""
    return sum(page_kind(Path(path)) == "weekly" for path in paths)
