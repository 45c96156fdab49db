"""How weeks and months stand: which have no page yet though they could, which are behind, which wait in review.

Nothing is drawn for it: a page is held against the documents that it was made from by their digests.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

from recall_tui.features.consolidation.compact import Level, preview_compaction, propose_page
from recall_tui.storage.documents import period_files
from recall_tui.storage.documents.period_page import (
    MIN_CHILDREN,
    Period,
    PeriodKind,
    iso_week,
    month_containing,
    month_of_week,
    parse_period_page,
)
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import proposals
from recall_tui.storage.state.proposals import Proposal

PeriodStatus = Literal["", "due", "behind", "waits"]
"""`due`: it is over, has documents enough and no page; `behind`: a document changed since its page was made; `waits`: a
page of it waits in review; else nothing is to be done."""


def period_statuses(store: Store) -> dict[str, PeriodStatus]:
    """The weeks and months of which something is to be done, by what they are called: `2026-W10`, `2026-03`."""
    layout = store.layout
    weeks: dict[Period, list[Path]] = {}
    for day, paths in period_files.list_day_logs(layout).items():
        weeks.setdefault(iso_week(day), []).extend(paths)
    weeklies = period_files.list_weeklies(layout)
    months: dict[Period, list[Path]] = {}
    for monday, path in weeklies.items():
        months.setdefault(month_of_week(monday), []).append(path)
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
    store: Store, documents: Mapping[Period, list[Path]], pages: Mapping[Period, Path]
) -> Iterator[tuple[str, PeriodStatus]]:
    today = store.now().date()
    for period, paths in documents.items():
        if period.last >= today:
            continue
        if period not in pages:
            if len(paths) >= MIN_CHILDREN[period.span]:
                yield period.key, "due"
            continue
        page = parse_period_page(read_text(pages[period]), period)
        # Of a page that somebody else made nobody knows from which documents.
        if page.made_from and not page.is_of({store.relative(path): read_text(path) for path in paths}):
            yield period.key, "behind"
