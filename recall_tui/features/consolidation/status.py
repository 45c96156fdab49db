"""How weeks and months stand: which have no page yet though they could, which are behind, which wait in review.

Nothing is drawn for it: a page is held against the documents that it was made from by their digests.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

from recall_tui.features.consolidation.compact import Level, compacted, propose_page
from recall_tui.storage.documents import period_files as dated_pages
from recall_tui.storage.documents.period_page import MIN_CHILDREN, Period, Span, month_of, month_of_week, parse, week_of
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import proposals
from recall_tui.storage.state.proposals import Proposal

Standing = Literal["", "due", "behind", "waits"]
"""`due`: it is over, has documents enough and no page; `behind`: a document changed since its page was made; `waits`: a
page of it waits in review; else nothing is to be done."""


def standings(store: Store) -> dict[str, Standing]:
    """The weeks and months of which something is to be done, by what they are called: `2026-W10`, `2026-03`."""
    layout = store.layout
    weeks: dict[Period, list[Path]] = {}
    for day, paths in dated_pages.day_logs(layout).items():
        weeks.setdefault(week_of(day), []).extend(paths)
    weeklies = dated_pages.weeklies(layout)
    months: dict[Period, list[Path]] = {}
    for monday, path in weeklies.items():
        months.setdefault(month_of_week(monday), []).append(path)
    found = dict(_of_span(store, weeks, {week_of(monday): path for monday, path in weeklies.items()}))
    monthlies = {month_of(first): path for first, path in dated_pages.monthlies(layout).items()}
    found |= dict(_of_span(store, months, monthlies))
    kinds: tuple[Span, ...] = ("weekly", "monthly")
    return found | {one.subject: "waits" for one in proposals.waiting(store) if one.kind in kinds}


def propose_period(store: Store, key: str) -> Proposal | None:
    """Put the page of a week or a month into review; None when there is nothing to do, or it was decided on before."""
    level: Level = "weekly" if "W" in key else "monthly"
    one = next((one for one in compacted(store, level).behind if one.period.key == key), None)
    return propose_page(store, one) if one is not None else None


def _of_span(
    store: Store, documents: Mapping[Period, list[Path]], pages: Mapping[Period, Path]
) -> Iterator[tuple[str, Standing]]:
    today = store.now().date()
    for period, paths in documents.items():
        if period.last >= today:
            continue
        if period not in pages:
            if len(paths) >= MIN_CHILDREN[period.span]:
                yield period.key, "due"
            continue
        page = parse(read_text(pages[period]), period)
        # Of a page that somebody else made nobody knows from which documents.
        if page.made_from and not page.is_of({store.relative(path): read_text(path) for path in paths}):
            yield period.key, "behind"
