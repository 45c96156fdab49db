"""Days become weeks and weeks become months: pages that are drawn from what is there, and point at it.

Nothing is ever deleted for it. A page is made anew when one of its documents changed or came late; one that somebody
else wrote or edited is only ever proposed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple

from recall_tui.domain import Create, Plan, Replace
from recall_tui.features.consolidation.salience import shares
from recall_tui.features.grounding.source_line import SHARE, Weighed, body, drawn, grouped, room_of, weighed
from recall_tui.storage.documents import period_files as dated_pages
from recall_tui.storage.documents.period_page import (
    MIN_CHILDREN,
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
from recall_tui.storage.files.atomic import digest, read_text
from recall_tui.storage.memory_context import Store

EXTRACT = "extract"
"""Who made a page without a model."""
Status = Literal["made", "refreshed", "unchanged", "edited"]


@dataclass(frozen=True)
class Task:
    """A page that is to be written; what its documents say is read when it is asked for."""

    period: Period
    children: Mapping[str, str]
    """Its documents: texts by path, oldest first."""
    parts: Mapping[str, float]
    """The share of each in the page."""
    share: float = SHARE

    @cached_property
    def found(self) -> Sequence[Weighed]:
        """All that they say."""
        return weighed(self.children)

    @cached_property
    def drawn(self) -> Sequence[Weighed]:
        """What of it a page without a model holds."""
        return drawn(self.found, self.parts, self.room)

    @property
    def room(self) -> float:
        """Characters that the page may take."""
        return room_of(self.children, self.share)


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
    task: Task | None = None
    """How it was written; None when it was not looked at."""

    @property
    def children(self) -> Mapping[str, str]:
        """The documents it is drawn from: texts by path relative to the memory's root, oldest first."""
        return self.task.children if self.task else {}

    @property
    def page(self) -> PeriodPage:
        """The page as it would be, read."""
        return parse(self.text, self.period)


class Draft(NamedTuple):
    """A page as somebody else than the extract writes it."""

    body: str
    made_by: str


class Watch(NamedTuple):
    """How a compaction is looked at while it goes on, and who writes its pages."""

    progress: Callable[[Span, int, int], None] = lambda span, done, total: None
    made: Callable[[Compaction], None] = lambda one: None
    """Told of each page that is behind as soon as it is there."""
    is_stopped: Callable[[], bool] = lambda: False
    """Looked at before and after each page; what was being made then is dropped."""
    write: Callable[[Task], Draft | None] = lambda task: None
    """Writes a page; with None it is drawn from its documents."""
    share: float = SHARE
    """Of what the documents hold, in characters, that a page takes."""


_ALONE = Watch()


def weeklies(store: Store, watch: Watch = _ALONE) -> tuple[Compaction, ...]:
    """Every week that is over and has days enough, oldest first."""
    weeks: dict[Period, list[Path]] = {}
    for day, paths in dated_pages.day_logs(store.layout).items():
        weeks.setdefault(week_of(day), []).extend(paths)
    there = {week_of(monday): path for monday, path in dated_pages.weeklies(store.layout).items()}
    texts = {period: {store.relative(path): read_text(path) for path in paths} for period, paths in weeks.items()}
    return tuple(_all(store, texts, there, watch))


def monthlies(store: Store, weeks: tuple[Compaction, ...] = (), watch: Watch = _ALONE) -> tuple[Compaction, ...]:
    """Every month that is over and has weeks enough, from the weeks as they are, or as they would be."""
    pages = {path: read_text(path) for path in dated_pages.weeklies(store.layout).values()}
    pages |= {one.path: one.text for one in weeks if one.status in ("made", "refreshed")}
    mondays = {one.path: one.period.first for one in weeks}
    mondays |= {path: monday for monday, path in dated_pages.weeklies(store.layout).items()}
    texts: dict[Period, dict[str, str]] = {}
    for path in sorted(pages, key=lambda path: mondays[path]):
        texts.setdefault(month_of_week(mondays[path]), {})[store.relative(path)] = pages[path]
    there = {month_of(first): path for first, path in dated_pages.monthlies(store.layout).items()}
    return tuple(_all(store, texts, there, watch))


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
    store: Store, texts: Mapping[Period, Mapping[str, str]], there: Mapping[Period, Path], watch: Watch
) -> Iterator[Compaction]:
    today = store.now().date()
    wanted = [period for period in sorted(texts, key=lambda one: one.first) if _is_due(period, texts, there, today)]
    for done, period in enumerate(wanted, 1):
        if watch.is_stopped():
            return
        path = there.get(period) or _folder(store, period.span) / f"{period.key}.md"
        one = _one(store, period, path, texts[period], watch)
        if watch.is_stopped():
            return
        if one.status != "unchanged":
            watch.made(one)
        yield one
        watch.progress(period.span, done, len(wanted))


def _is_due(
    period: Period, texts: Mapping[Period, Mapping[str, str]], there: Mapping[Period, Path], today: date
) -> bool:
    """Whether the period is over and has enough, or has a page that a late document may change."""
    return period.last < today and (period in there or len(texts[period]) >= MIN_CHILDREN[period.span])


def _one(store: Store, period: Period, path: Path, children: Mapping[str, str], watch: Watch) -> Compaction:
    """What becomes of one period; what stands in a page is not looked at when it was made from the same documents."""
    held = read_text(path)
    page = parse(held, period) if held else None
    was = digest(held) if held else ""
    if page is not None and page.is_of(children):
        return Compaction(period, path, "unchanged", held, was)
    parts = shares(children, store.config.text("salience.strategy"), store.config.numbers("salience.weights"))
    task = Task(period, children, parts, watch.share)
    draft = watch.write(task) or Draft(body(period.span, period.title, grouped(task.drawn)), EXTRACT)
    new = PeriodPage(
        period.span,
        period.key,
        tuple(children),
        parts,
        draft.body,
        {path: digest_of(text) for path, text in children.items()},
        draft.made_by,
        extra=page.extra if page else {},
    )
    status: Status = "made" if page is None else "edited" if page.is_edited else "refreshed"
    return Compaction(period, path, status, render(new), was, task)


def _folder(store: Store, span: Span) -> Path:
    return store.layout.weekly if span == "weekly" else store.layout.monthly
