"""Days become weeks and weeks become months: pages that are drawn from what is there, and point at it.

Nothing is ever deleted for it. A page is made anew when one of its documents changed or came late; one that somebody
else wrote or edited is only ever proposed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from recall_tui.domain import Create, Plan, Replace
from recall_tui.features.consolidation.month_sources import clip_to_month, month_room
from recall_tui.features.grounding.extractive_summary import (
    PAGE_FRACTION,
    ScoredLine,
    extract_lines,
    group_lines,
    page_budget,
    render_body,
    score_lines,
    select_fitting,
)
from recall_tui.features.grounding.session_texts import SessionTexts
from recall_tui.storage.documents import period_files
from recall_tui.storage.documents.conflicts import conflict_note
from recall_tui.storage.documents.month_documents import count_weeks, month_documents
from recall_tui.storage.documents.period_page import (
    MIN_CHILDREN,
    Period,
    PeriodKind,
    PeriodPage,
    iso_week,
    month_containing,
    month_of_week,
    parse_period_page,
    render_period_page,
    text_digest,
)
from recall_tui.storage.documents.statements import page_statements
from recall_tui.storage.files.atomic import content_digest, read_text
from recall_tui.storage.memory_context import Store
from recall_tui.text.classify.mentions import find_names
from recall_tui.text.classify.tags import decision_score

EXTRACT_AUTHOR = "extract"
"""Who made a page without a model."""
PeriodChange = Literal["made", "refreshed", "unchanged", "edited", "empty"]


@dataclass(frozen=True)
class PeriodTask:
    """A page that is to be written; what its documents say is read when it is asked for."""

    period: Period
    children: Mapping[str, str]
    """Its documents: texts by path, oldest first."""
    texts: Mapping[str, str]
    """The same without what is of other periods."""
    parts: Mapping[str, float]
    """The share of each in the page."""
    share: float = PAGE_FRACTION
    logs: Mapping[str, str] | None = None
    """The logs of a month's days, which its weeks cite; None for a week, which is made of them."""

    removals: Callable[[str], Sequence[str]] = lambda archive: ()
    """Gives what else an archived session says is gone."""

    @cached_property
    def found(self) -> Sequence[ScoredLine]:
        """All that they say of the period's days."""
        return score_lines(self.texts, self.logs, self.removals)

    @cached_property
    def drawn(self) -> Sequence[ScoredLine]:
        """What of it a page without a model holds."""
        drawn = extract_lines(self.found, self.parts, self.room)
        return drawn if self.period.span == "weekly" else select_fitting(drawn, self.room)

    @cached_property
    def room(self) -> float:
        """Characters that the page may take."""
        if self.period.span == "weekly":
            return page_budget(self.children, self.share)
        return month_room(self.children, self.logs or {}, self.period, self.share)


class PeriodResult(NamedTuple):
    """What becomes of one period."""

    period: Period
    path: Path
    status: PeriodChange
    """`edited`: it would be another, and somebody else wrote or changed what is there. `empty`: there is no page, and
    its documents say nothing that is worth one."""
    text: str
    """The page as it would be."""
    was: str
    """`digest` of the file as it is; empty when there is none."""
    task: PeriodTask | None = None
    """How it was written; None when it was not looked at."""

    @property
    def is_behind(self) -> bool:
        """Whether the page would be made, or made anew."""
        return self.status not in ("unchanged", "empty")

    @property
    def children(self) -> Mapping[str, str]:
        """The documents it is drawn from: texts by path relative to the memory's root, oldest first."""
        return self.task.children if self.task else {}

    @property
    def page(self) -> PeriodPage:
        """The page as it would be, read."""
        return parse_period_page(self.text, self.period)


class PeriodDraft(NamedTuple):
    """A page as somebody else than the extract writes it."""

    body: str
    made_by: str


_MAX_CACHED_PERIODS = 64
"""Periods whose worth is remembered in a process."""
WEEK_GRACE = timedelta(days=7)
"""For so long after its end a week waits for late entries, unless weeks are asked for."""


class CompactionHooks(NamedTuple):
    """How a compaction is looked at while it goes on, and who writes its pages."""

    progress: Callable[[PeriodKind, int, int], None] = lambda span, done, total: None
    made: Callable[[PeriodResult], None] = lambda one: None
    """Told of each page that is behind as soon as it is there."""
    is_stopped: Callable[[], bool] = lambda: False
    """Looked at before and after each page; what was being made then is dropped."""
    write: Callable[[PeriodTask], PeriodDraft | None] = lambda task: None
    """Writes a page; with None it is drawn from its documents."""
    share: float = PAGE_FRACTION
    """Of what the documents hold, in characters, that a page takes."""
    is_asked: bool = False
    """Weeks are asked for by name, and need not wait."""


_DEFAULT_HOOKS = CompactionHooks()


def week_results(store: Store, watch: CompactionHooks = _DEFAULT_HOOKS) -> tuple[PeriodResult, ...]:
    """Every week that is over and has days enough, oldest first."""
    weeks: dict[Period, list[Path]] = {}
    for day, paths in period_files.list_day_logs(store.layout).items():
        weeks.setdefault(iso_week(day), []).extend(paths)
    there = {iso_week(monday): path for monday, path in period_files.list_weeklies(store.layout).items()}
    texts = {period: {store.relative(path): read_text(path) for path in paths} for period, paths in weeks.items()}
    return tuple(_period_results(store, texts, there, watch))


def month_results(
    store: Store, weeks: tuple[PeriodResult, ...] = (), watch: CompactionHooks = _DEFAULT_HOOKS
) -> tuple[PeriodResult, ...]:
    """Every month that is over and has weeks enough, from the weeks as they are, or as they would be."""
    pages = {path: read_text(path) for path in period_files.list_weeklies(store.layout).values()}
    pages |= {one.path: one.text for one in weeks if one.status in ("made", "refreshed")}
    mondays = {one.path: one.period.first for one in weeks}
    mondays |= {path: monday for monday, path in period_files.list_weeklies(store.layout).items()}
    weeklies = {monday: path for path, monday in mondays.items() if path in pages}
    texts: dict[Period, dict[str, str]] = {}
    for month, paths in month_documents(period_files.list_day_logs(store.layout), weeklies).items():
        texts[month] = {store.relative(path): pages[path] if path in pages else read_text(path) for path in paths}
    there = {month_containing(first): path for first, path in period_files.list_monthlies(store.layout).items()}
    made = tuple(_period_results(store, texts, there, watch))
    known = {*there, *(one.period for one in made)}
    return (*made, *_months_without_weeks(store, known)) if not watch.is_stopped() else made


def _months_without_weeks(store: Store, known: Collection[Period]) -> Iterator[PeriodResult]:
    """Yield the months that are over and have logs in weeks of their own, and too few of these for a page."""
    today = store.now().date()
    days = sorted(period_files.list_day_logs(store.layout))
    months = dict.fromkeys(month_of_week(iso_week(day).first) for day in days)
    for month in months:
        if month.last <= today - WEEK_GRACE and month not in known:
            yield PeriodResult(month, _period_folder(store, month.span) / f"{month.key}.md", "empty", "", "")


def plan_pages(store: Store, found: tuple[PeriodResult, ...], *, with_edited: bool = False) -> Plan:
    """The change that makes the pages; those that somebody edited only when they are asked for."""
    wanted = [one for one in found if one.status in ("made", "refreshed") or (with_edited and one.status == "edited")]
    edits = tuple(Replace(one.path, one.was, one.text) if one.was else Create(one.path, one.text) for one in wanted)
    left = [one for one in found if one.status == "edited"] if not with_edited else []
    notes = tuple(f"{store.relative(one.path)} was written or edited by hand and stays" for one in left)
    notes += tuple(f"{one.period.key} gets no page: {_omission_reason(one)}" for one in found if one.status == "empty")
    made = ", ".join(one.period.key for one in wanted[:3]) + (", …" if len(wanted) > 3 else "")
    counted = f"{len(wanted)} page{'' if len(wanted) == 1 else 's'}"
    title = f"Compacted {counted}: {made}" if wanted else "Nothing to compact: every page is up to date"
    return Plan(title, edits, notes, {"pages": [store.relative(one.path) for one in wanted]})


def _find_conflict(children: Mapping[str, str]) -> str:
    """Name the first document that holds a conflict of git; empty when none does."""
    return next((f"{path} holds a conflict of git" for path, text in children.items() if conflict_note("", text)), "")


def _omission_reason(one: PeriodResult) -> str:
    """Why a period has no page."""
    if conflict := _find_conflict(one.children):
        return f"{conflict}; settle it in the file"
    if not one.children:
        return f"fewer than {MIN_CHILDREN['monthly']} of its weeks have one"
    return f"its {len(one.children)} documents say nothing that is worth a line"


def _period_results(
    store: Store, texts: Mapping[Period, Mapping[str, str]], there: Mapping[Period, Path], watch: CompactionHooks
) -> Iterator[PeriodResult]:
    today = store.now().date()
    wanted = [period for period in sorted(texts, key=lambda one: one.first) if _is_due(period, texts, there, today)]
    if not watch.is_asked:
        # A page that is there is brought up to date at once.
        wanted = [one for one in wanted if one.span != "weekly" or one in there or one.last <= today - WEEK_GRACE]
    removals = SessionTexts(store).removals
    for done, period in enumerate(wanted, 1):
        if watch.is_stopped():
            return
        path = there.get(period) or _period_folder(store, period.span) / f"{period.key}.md"
        one = _period_result(store, period, path, texts[period], watch, removals)
        if watch.is_stopped():
            return
        if one.is_behind:
            watch.made(one)
        yield one
        watch.progress(period.span, done, len(wanted))


def _is_due(
    period: Period, texts: Mapping[Period, Mapping[str, str]], there: Mapping[Period, Path], today: date
) -> bool:
    """Whether the period is over and has enough, or has a page that a late document may change."""
    held = len(texts[period]) if period.span == "weekly" else count_weeks(texts[period])
    return period.last < today and (period in there or held >= MIN_CHILDREN[period.span])


def is_worth_a_page(store: Store, period: Period, children: Mapping[str, str]) -> bool:
    """Return whether the documents of a period (texts by path) hold a line for a page, as compaction would draw it."""
    strategy = store.config.text("salience.strategy")
    return _has_lines(period, tuple(children.items()), strategy, store.config.numbers("salience.weights"))


@lru_cache(maxsize=_MAX_CACHED_PERIODS)
def _has_lines(
    period: Period, children: tuple[tuple[str, str], ...], strategy: str, weights: tuple[float, ...]
) -> bool:
    is_month = period.span == "monthly"
    texts = {path: clip_to_month(path, text, period) if is_month else text for path, text in children}
    return bool(PeriodTask(period, dict(children), texts, document_weights(texts, strategy, weights)).drawn)


def _period_result(
    store: Store,
    period: Period,
    path: Path,
    children: Mapping[str, str],
    watch: CompactionHooks,
    removals: Callable[[str], Sequence[str]],
) -> PeriodResult:
    """What becomes of one period; what stands in a page is not looked at when it was made from the same documents."""
    held = read_text(path)
    page = parse_period_page(held, period) if held else None
    was = content_digest(held) if held else ""
    if page is not None and page.is_of(children):
        return PeriodResult(period, path, "unchanged", held, was)
    if _find_conflict(children):
        # Which of two versions holds is for a person to say; the page waits for it.
        waits: PeriodChange = "empty" if page is None else "unchanged"
        return PeriodResult(period, path, waits, held, was, PeriodTask(period, children, children, {}))
    is_month = period.span == "monthly"
    texts = {path: clip_to_month(path, text, period) if is_month else text for path, text in children.items()}
    parts = document_weights(texts, store.config.text("salience.strategy"), store.config.numbers("salience.weights"))
    task = PeriodTask(
        period, children, texts, parts, watch.share, _month_logs(store, period) if is_month else None, removals
    )
    draft = watch.write(task)
    if draft is None and page is None and not task.drawn:
        return PeriodResult(period, path, "empty", "", "", task)
    draft = draft or PeriodDraft(render_body(period.span, period.title, group_lines(task.drawn)), EXTRACT_AUTHOR)
    new = PeriodPage(
        period.span,
        period.key,
        tuple(children),
        parts,
        draft.body,
        {path: text_digest(text) for path, text in children.items()},
        draft.made_by,
        extra=page.extra if page else {},
    )
    status: PeriodChange = "made" if page is None else "edited" if page.is_edited else "refreshed"
    return PeriodResult(period, path, status, render_period_page(new), was, task)


def _month_logs(store: Store, month: Period) -> dict[str, str]:
    """The logs of a month's days: texts by path, oldest first."""
    logs = sorted(period_files.list_day_logs(store.layout).items())
    inside = (path for day, paths in logs if month.first <= day <= month.last for path in paths)
    return {store.relative(path): read_text(path) for path in inside}


def _period_folder(store: Store, span: PeriodKind) -> Path:
    return store.layout.weekly if span == "weekly" else store.layout.monthly


HALF_LIFE_DOCUMENTS = 2.0
"""With `recency`: documents back from the newest until one weighs half."""


def document_weights(
    children: Mapping[str, str], strategy: str = "salience", weights: tuple[float, ...] = (0.4, 0.3, 0.3)
) -> dict[str, float]:
    """The share of each document (texts by path, oldest first).

    `salience` weighs words, names and decisions, each beside the most that one of them has; `recency` halves every
    `HALF_LIFE_DOCUMENTS` documents back; `uniform` is the same for all.
    """
    if not children:
        return {}
    if strategy == "uniform":
        raw = dict.fromkeys(children, 1.0)
    elif strategy == "recency":
        newest = len(children) - 1
        raw = {path: 0.5 ** ((newest - place) / HALF_LIFE_DOCUMENTS) for place, path in enumerate(children)}
    else:
        raw = _salience_weights(children, weights)
    total = sum(raw.values())
    return {path: value / total if total else 1 / len(raw) for path, value in raw.items()}


def _salience_weights(children: Mapping[str, str], weights: tuple[float, ...]) -> dict[str, float]:
    counts = {
        path: (
            len(text.split()),
            len(find_names(text)),
            sum(decision_score(one.text) > 0 for one in page_statements(text)),
        )
        for path, text in children.items()
    }
    most = [max(1, *column) if len(column) > 1 else max(1, column[0]) for column in zip(*counts.values(), strict=True)]
    return {
        path: sum(weight * count / top for weight, count, top in zip(weights, row, most, strict=True))
        for path, row in counts.items()
    }
