"""What a month draws from the pages of its weeks: the lines of its own days, and as many as its page has room for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from recall_tui.features.grounding.extractive_summary import MAX_PAGE_CHARS, MIN_PAGE_CHARS, page_budget
from recall_tui.storage.documents import period_files
from recall_tui.storage.documents.month_documents import count_weeks
from recall_tui.storage.documents.period_page import Period, iso_week
from recall_tui.storage.markdown import frontmatter
from recall_tui.text.dates import parse_time

_CITED_DAY = re.compile(r"(?<!\d)(\d{4}-\d{2}-\d{2})(?:[-_][^\s/]*)?\.md", re.ASCII)
_LAST_LINES_CHARS = 1_500
"""Characters that a full page has left, since no further line fits."""
_HEAD_CHARS, _HEAD_CHARS_PER_DOCUMENT = 240, 40
"""Characters of a page's head and headings, and of what its head says of each document beside three times its path."""


def clip_to_month(path: str, text: str, month: Period) -> str:
    """A document without its lines of other months' days; lines keep their numbers.

    Lines of a week that cite no day are of the month of its Thursday.
    """
    thursday = period_files.midpoint(Path(path))
    if thursday is None or _is_within(iso_week(thursday), month):
        return text
    body = frontmatter.split_frontmatter(text)[1].count("\n")
    lines = text.split("\n")
    first = len(lines) - 1 - body
    is_own = _is_own(path, month)
    return "\n".join((*lines[:first], *(line if _is_of(line, month, is_own) else "" for line in lines[first:])))


def month_room(children: Mapping[str, str], logs: Mapping[str, str], month: Period, share: float) -> float:
    """Characters that a month's lines may take, so that its page is no larger than that share of its weeks.

    Its weeks are here those whose Thursday it has. The page as a whole and its text alone both keep to the share, but
    for weeks so short that it would hold next to nothing. A week that is shorter than the `logs` of its days let it be
    counts as if it were not: its days had more to choose from. So do days whose week has no page.
    """
    weeks = {path: text for path, text in children.items() if count_weeks([path])}
    own = [text for path, text in weeks.items() if _is_own(path, month)] or list(weeks.values())
    heads = _HEAD_CHARS + sum(_HEAD_CHARS_PER_DOCUMENT + 3 * len(path) for path in children)
    bodies = sum(len(frontmatter.split_frontmatter(text)[1]) for text in own)
    loose = sum(len(text) for path, text in children.items() if path not in weeks)
    spare = loose * share + sum(_spare_chars(path, text, logs, share) for path, text in weeks.items() if text in own)
    room = min(min(sum(map(len, own)) * share - heads, bodies * share) + spare * share, MAX_PAGE_CHARS)
    return max(room, min(MIN_PAGE_CHARS, bodies + loose))


def _spare_chars(path: str, page: str, logs: Mapping[str, str], share: float) -> float:
    """Characters of the share of a week's days that its page did not take; none of a page that is nearly full.

    A busy week is cut to what a page may hold; its month is not.
    """
    week = iso_week(thursday) if (thursday := period_files.midpoint(Path(path))) else None
    days = {log: text for log, text in logs.items() if week and _is_day_of(log, week)}
    is_full = page_budget(days, share) - len(page) <= _LAST_LINES_CHARS
    return sum(map(len, days.values())) * share - len(page) if days and not is_full else 0.0


def _is_day_of(log: str, week: Period) -> bool:
    found = _CITED_DAY.search(log)
    moment = parse_time(found[1]) if found else None
    return moment is not None and week.first <= moment.date() <= week.last


def _is_own(path: str, month: Period) -> bool:
    """Whether a month has the Thursday of a week's page."""
    thursday = period_files.midpoint(Path(path))
    return thursday is not None and month.first <= thursday <= month.last


def _is_within(week: Period, month: Period) -> bool:
    return month.first <= week.first and week.last <= month.last


def _is_of(line: str, month: Period, is_own: bool) -> bool:
    days = [moment.date() for found in _CITED_DAY.findall(line) if (moment := parse_time(found))]
    if line.startswith("#") or not line.strip():
        return True
    return any(month.first <= day <= month.last for day in days) if days else is_own
