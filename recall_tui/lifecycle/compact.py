"""Days become weeks and weeks become months: pages that are drawn from what is there, and point at it.

Nothing is ever deleted for it. A page is made anew when one of its documents changed or came late; one that somebody
else wrote or edited is only ever proposed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Literal, NamedTuple

from recall_tui.domain import Create, Plan, Replace
from recall_tui.lifecycle.period_extract import body, drawn
from recall_tui.lifecycle.salience import shares
from recall_tui.storage import dated_pages
from recall_tui.storage.atomic import digest, read_text
from recall_tui.storage.period_page import (
    Period,
    PeriodPage,
    Span,
    digest_of,
    month_of,
    month_of_week,
    parse,
    render,
    week_of,
)
from recall_tui.storage.store import Store

LEAST: Mapping[Span, int] = {"weekly": 3, "monthly": 2}
"""Days with a log that make a week, weeks that make a month; a page that is there is refreshed with fewer."""
EXTRACT = "extract"
"""Who made a page without a model."""
Status = Literal["made", "refreshed", "unchanged", "edited"]
Progress = Callable[[int, int], None]


class Compaction(NamedTuple):
    """What becomes of one period."""

    period: Period
    path: Path
    status: Status
    """`edited`: it would be another, and somebody else wrote or changed what is there."""
    text: str
    """The page as it would be."""
    was: str
    """`digest` of the file as it is; empty when there is none."""
    sources: tuple[str, ...] = ()
    """The documents it is drawn from, relative to the memory's root."""


def weeklies(store: Store, progress: Progress = lambda done, total: None) -> tuple[Compaction, ...]:
    """Every week that is over and has days enough, oldest first."""
    weeks: dict[Period, list[Path]] = {}
    for day, paths in dated_pages.day_logs(store.layout).items():
        weeks.setdefault(week_of(day), []).extend(paths)
    there = {week_of(monday): path for monday, path in dated_pages.weeklies(store.layout).items()}
    texts = {period: {store.relative(path): read_text(path) for path in paths} for period, paths in weeks.items()}
    return tuple(_all(store, texts, there, progress))


def monthlies(
    store: Store, weeks: tuple[Compaction, ...] = (), progress: Progress = lambda done, total: None
) -> tuple[Compaction, ...]:
    """Every month that is over and has weeks enough, from the weeks as they are, or as they would be."""
    pages = {path: read_text(path) for path in dated_pages.weeklies(store.layout).values()}
    pages |= {one.path: one.text for one in weeks if one.status in ("made", "refreshed")}
    mondays = {one.path: one.period.first for one in weeks}
    mondays |= {path: monday for monday, path in dated_pages.weeklies(store.layout).items()}
    texts: dict[Period, dict[str, str]] = {}
    for path in sorted(pages, key=lambda path: mondays[path]):
        texts.setdefault(month_of_week(mondays[path]), {})[store.relative(path)] = pages[path]
    there = {month_of(first): path for first, path in dated_pages.monthlies(store.layout).items()}
    return tuple(_all(store, texts, there, progress))


def plan(store: Store, found: tuple[Compaction, ...], *, with_edited: bool = False) -> Plan:
    """The change that makes the pages; those that somebody edited only when they are asked for."""
    wanted = [one for one in found if one.status in ("made", "refreshed") or (with_edited and one.status == "edited")]
    edits = tuple(Replace(one.path, one.was, one.text) if one.was else Create(one.path, one.text) for one in wanted)
    left = [one for one in found if one.status == "edited"] if not with_edited else []
    notes = tuple(f"{store.relative(one.path)} was written or edited by somebody else and stays" for one in left)
    made = ", ".join(one.period.key for one in wanted[:3]) + (", …" if len(wanted) > 3 else "")
    counted = f"{len(wanted)} page{'' if len(wanted) == 1 else 's'}"
    title = f"Compacted {counted}: {made}" if wanted else "Nothing to compact: every page is up to date"
    return Plan(title, edits, notes, {"pages": [store.relative(one.path) for one in wanted]})


def _all(
    store: Store, texts: Mapping[Period, Mapping[str, str]], there: Mapping[Period, Path], progress: Progress
) -> Iterator[Compaction]:
    today = store.now().date()
    wanted = [period for period in sorted(texts, key=lambda one: one.first) if _is_due(period, texts, there, today)]
    for done, period in enumerate(wanted, 1):
        path = there.get(period) or _folder(store, period.span) / f"{period.key}.md"
        yield _one(store, period, path, texts[period])
        progress(done, len(wanted))


def _is_due(
    period: Period, texts: Mapping[Period, Mapping[str, str]], there: Mapping[Period, Path], today: date
) -> bool:
    """Whether the period is over and has enough, or has a page that a late document may change."""
    return period.last < today and (period in there or len(texts[period]) >= LEAST[period.span])


def _one(store: Store, period: Period, path: Path, children: Mapping[str, str]) -> Compaction:
    """What becomes of one period; what stands in a page is not looked at when it was made from the same documents."""
    held = read_text(path)
    page = parse(held, period) if held else None
    was = digest(held) if held else ""
    if page is not None and page.is_of(children):
        return Compaction(period, path, "unchanged", held, was, tuple(children))
    parts = shares(children, store.config.text("salience.strategy"), store.config.numbers("salience.weights"))
    new = PeriodPage(
        period.span,
        period.key,
        tuple(children),
        parts,
        body(period.span, period.title, drawn(children, parts)),
        {path: digest_of(text) for path, text in children.items()},
        EXTRACT,
    )
    if page is None:
        return Compaction(period, path, "made", render(new), "", tuple(children))
    text = render(replace(new, extra=page.extra))
    return Compaction(period, path, "edited" if page.is_edited else "refreshed", text, was, tuple(children))


def _folder(store: Store, span: Span) -> Path:
    return store.layout.weekly if span == "weekly" else store.layout.monthly
