"""What a person reads by its name: a day, a week, a month, a page of any wiki, wisdom, dreams, identity, any file.

What is not there is said with what makes it; a page that became another is read as that other one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.errors import NotFoundError
from recall_tui.features.documents.excerpt import Excerpt, get_excerpt, whole_document
from recall_tui.features.documents.lookup import Document
from recall_tui.features.documents.past_sessions import PastSession, day_called, sessions_on_day
from recall_tui.storage.documents import period_files
from recall_tui.storage.documents.month_documents import count_weeks, month_documents
from recall_tui.storage.documents.period_page import MIN_CHILDREN, Period, iso_week, month_containing
from recall_tui.storage.documents.shared_wikis import (
    PRIVATE_WIKI,
    WikiLocation,
    expect_readable,
    find_wiki,
    list_wikis,
    read_wiki,
)
from recall_tui.storage.documents.wiki_page import INDEX_SLUG, OWN_WIKI_NAMES
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.memory_context import Store

if TYPE_CHECKING:
    from recall_tui.index.opener import Index

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_WEEK = re.compile(r"(\d{4})-W(\d{1,2})", re.ASCII | re.IGNORECASE)
_MONTH = re.compile(r"\d{4}-\d{2}", re.ASCII)
_COMMANDS = {
    "wisdom": ("WISDOM.md", "recall-tui compact wisdom"),
    "dreams": ("DREAMS.md", "recall-tui dream"),
    "identity": ("IDENTITY.md", "write there who the agent is: a title with its name, and below it what it does"),
    "master": ("master.md", "recall-tui synthesize"),
}


MAX_NAMED_SESSIONS = 5
"""Sessions of a day that are named where its log is not all of it."""


class ReadResult(NamedTuple):
    """What was found."""

    excerpt: Excerpt
    note: str = ""
    """What a person should know, such as that the page is now another."""


def read_by_name(store: Store, index: Callable[[], Index], reference: str) -> ReadResult:
    """The document of that name, or a page of a named wiki by `team:slug`.

    NotFoundError with the command that makes it when there is none.
    """
    name = reference.strip()
    wiki, colon, slug = name.rpartition(":")
    if colon and wiki in (*OWN_WIKI_NAMES, *(one.name for one in list_wikis(store))):
        return _get_page(store, find_wiki(store, "" if wiki in OWN_WIKI_NAMES else wiki), slug.removesuffix(".md"))
    try:
        found = get_excerpt(store, index, name)
    except NotFoundError as error:
        raise explain_missing(store, index, name) or error from error
    path = found.document.path
    if found.is_whole and found.document.kind == "daily" and (day := day_called(store, name)):
        return ReadResult(found, _sessions_beyond(store, index, day))
    if found.is_whole and path.parent == store.layout.wiki and path.stem != INDEX_SLUG:
        return _get_page(store, find_wiki(store), path.stem)
    return ReadResult(found)


def explain_missing(store: Store, index: Callable[[], Index], name: str) -> NotFoundError | None:
    """The error for a name that is one of a day, a week, a month or a fixed file, with the next step; else None."""
    day = day_called(store, name)
    told = _missing_message(store, f"{day}" if day else name.strip().removesuffix(".md"))
    if told and day and (held := sessions_on_day(store, index(), day)):
        told = told[0], _show_commands("sessions of that day", held)
    return NotFoundError(*told) if told else None


def _sessions_beyond(store: Store, index: Callable[[], Index], day: date) -> str:
    """The note on sessions that began by a day and went on after it: their words stand with the day they ended on."""
    held = [one for one in sessions_on_day(store, index(), day) if one.day != day]
    return _show_commands(f"went on after {day}", held) if held else ""


def _show_commands(what: str, held: Sequence[PastSession]) -> str:
    more = f" and {len(held) - MAX_NAMED_SESSIONS} more" if len(held) > MAX_NAMED_SESSIONS else ""
    shown = (f"recall-tui show {one.session_id or one.reference}" for one in held[:MAX_NAMED_SESSIONS])
    return f"{what}: {'; '.join(shown)}{more}"


def _get_page(store: Store, place: WikiLocation, slug: str) -> ReadResult:
    """A page of a wiki, or the one that it became; one that is malformed is read as it stands."""
    wiki = read_wiki(store, place.folder)
    there = slug
    if slug == INDEX_SLUG and wiki.path(slug).is_file():
        return ReadResult(_page_result(store, place, slug))
    if all(one.slug != slug for one in wiki.malformed):
        there = wiki.page(slug).slug
    return ReadResult(_page_result(store, place, there), f"{slug} is now {there}" if there != slug else "")


def _page_result(store: Store, place: WikiLocation, slug: str) -> Excerpt:
    path = place.folder / f"{slug}.md"
    expect_readable(store, place.folder, path)
    title = path.name if place.name == PRIVATE_WIKI else f"{place.name}:{path.name}"
    return whole_document(Document(path, title, read_text(path), "wiki"))


def _missing_message(store: Store, name: str) -> tuple[str, str] | None:
    """What to say of a name that is one of a day, a week, a month or a fixed file, and the next step."""
    if (fixed := _COMMANDS.get(name.lower())) is not None:
        return f"there is no {fixed[0]} yet", fixed[1]
    try:
        if _DATE.fullmatch(name):
            return _missing_day_message(store, date.fromisoformat(name))
        if week := _WEEK.fullmatch(name):
            return _missing_period_message(store, iso_week(date.fromisocalendar(int(week[1]), int(week[2]), 1)))
        if _MONTH.fullmatch(name):
            return _missing_period_message(store, month_containing(date.fromisoformat(f"{name}-01")))
    except (ValueError, OverflowError):
        return f"{name} is in no calendar", "such as 2026-03-06, 2026-W10, 2026-03"
    return None


def _missing_day_message(store: Store, day: date) -> tuple[str, str]:
    today = store.now().date()
    hint = 'recall-tui log "…"' if day == today else "the days that have one: recall-tui list daily"
    return f"there is no log of {day}" + (", which is in the future" if day > today else ""), hint


def _missing_period_message(store: Store, period: Period) -> tuple[str, str]:
    """Why a week or a month has no page, and what makes one."""
    words = "week" if period.span == "weekly" else "month"
    missing = f"there is no page of the {words} {period.key}"
    if period.last >= store.now().date():
        return f"{missing}: it is not over", f"recall-tui compact {period.span}, from {period.last} on"
    child = "days with a log" if period.span == "weekly" else "weeks with a page"
    least, held = MIN_CHILDREN[period.span], _count_children(store, period)
    if held < least:
        return f"{missing}: it needs {least} {child} and has {held or 'none'}", f"recall-tui list {_lower_span(period)}"
    return missing, f"recall-tui compact {period.span}"


def _count_children(store: Store, period: Period) -> int:
    if period.span == "weekly":
        return sum(
            len(paths) for day, paths in period_files.list_day_logs(store.layout).items() if iso_week(day) == period
        )
    layout = store.layout
    months = month_documents(period_files.list_day_logs(layout), period_files.list_weeklies(layout))
    return count_weeks(months.get(period, ()))


def _lower_span(period: Period) -> str:
    return "daily" if period.span == "weekly" else "weekly"
