"""A memory of an older make brought up to hierarchical Recall's form, as one change.

Weeks and months get the pointers and the salience that they lack, typed memories and insights become pages of the wiki.
A pointer that leads nowhere is named and stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TypedDict

from recall_tui.domain import Edit, Plan, Replace
from recall_tui.features.consolidation.periods import document_weights
from recall_tui.features.documents.citations import resolve_path
from recall_tui.features.wiki.import_notes import ImportedPages, import_insights, import_typed_memories
from recall_tui.features.wiki.page_changes import open_wiki, plan_pages
from recall_tui.storage.documents import period_files
from recall_tui.storage.documents.month_documents import month_documents
from recall_tui.storage.documents.period_page import (
    Period,
    iso_week,
    month_containing,
    parse_period_page,
    round_shares,
)
from recall_tui.storage.files.atomic import content_digest, read_text
from recall_tui.storage.markdown import frontmatter, frontmatter_edit
from recall_tui.storage.memory_context import Store

TARGETS = ("hierarchical",)
"""What a memory can be migrated to."""


@dataclass(slots=True)
class _ParentPages:
    """What becomes of the weeks and months."""

    edits: list[Edit] = field(default_factory=list)
    pointers: int = 0
    """Pointers that were filled in."""
    broken: list[dict[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class MigrationFacts(TypedDict):
    """Facts of a plan that brings a memory up to the form of today: counts, pointers and slugs of pages."""

    parents_upgraded: int
    pointers_backfilled: int
    broken_pointers: list[dict[str, str]]
    typed_memories: list[str]
    insights: list[str]


def migrate(store: Store) -> Plan[MigrationFacts]:
    """Return the change that brings the memory up to that form."""
    parents = _update_parents(store)
    taken = ImportedPages(open_wiki(store))
    import_typed_memories(store, taken)
    typed = [*taken.pages]
    import_insights(store, taken)
    insights = [slug for slug in taken.pages if slug not in typed]
    facts: MigrationFacts = {
        "parents_upgraded": len(parents.edits),
        "pointers_backfilled": parents.pointers,
        "broken_pointers": parents.broken,
        "typed_memories": typed,
        "insights": insights,
    }
    pages = plan_pages(store, taken.wiki, "", taken.pages).edits if taken.pages else ()
    edits = (*parents.edits, *pages, *taken.moves)
    notes = (*parents.notes, *taken.notes)
    if not edits:
        return Plan("There is nothing to migrate", notes=notes, facts=facts)
    counted = (
        (len(parents.edits), "week or month", "weeks and months"),
        (len(typed), "typed memory", "typed memories"),
    )
    told = [f"{count} {one if count == 1 else many}" for count, one, many in counted if count]
    told += [f"{len(insights)} insight{'' if len(insights) == 1 else 's'}"] if insights else []
    return Plan(f"Migrated {', '.join(told)}", edits, notes, facts)


def _update_parents(store: Store) -> _ParentPages:
    found = _ParentPages()
    for period, path, children in _period_pages(store):
        held = read_text(path)
        page = parse_period_page(held, period)
        for words in page.pointers:
            if not resolve_path(store.layout, words).is_there:
                found.broken.append({"page": store.relative(path), "pointer": words})
                found.notes.append(f"{store.relative(path)}: its pointer {words} is broken; it stays")
        if page.pointers and page.salience:
            continue
        pointers = page.pointers or tuple(children)
        weighed = _document_weights(store, pointers) if not page.salience else {}
        if not weighed and pointers == page.pointers:
            if not pointers:
                found.notes.append(f"{store.relative(path)}: nothing of its period is there to point at")
            continue
        values = {} if page.pointers else {"pointers": list(pointers)}
        text = _set_head_values(held, values | ({"salience": weighed} if weighed else {}), period)
        if text is None:
            found.notes.append(f"{store.relative(path)}: its frontmatter is not YAML; it stays unchanged")
            continue
        found.edits.append(Replace(path, content_digest(held), text))
        found.pointers += 0 if page.pointers else len(pointers)
    return found


def _period_pages(store: Store) -> Iterator[tuple[Period, Path, list[str]]]:
    """The pages of weeks and months in their folders, each with the documents of its time that there are."""
    layout = store.layout
    days = {day: [store.relative(path) for path in paths] for day, paths in period_files.list_day_logs(layout).items()}
    weeks = {
        monday: path for monday, path in period_files.list_weeklies(layout).items() if path.parent == layout.weekly
    }
    for monday, path in weeks.items():
        yield iso_week(monday), path, _documents_in(days, iso_week(monday))
    months = month_documents(period_files.list_day_logs(layout), weeks)
    for first, path in period_files.list_monthlies(layout).items():
        month = month_containing(first)
        below = [store.relative(document) for document in months.get(month, ())]
        yield month, path, below or _documents_in(days, month)


def _documents_in(days: Mapping[date, list[str]], period: Period) -> list[str]:
    return [path for day, paths in days.items() if period.first <= day <= period.last for path in paths]


def _document_weights(store: Store, pointers: tuple[str, ...]) -> dict[str, float]:
    """The share of each document that is there, in hundredths."""
    found = {
        words: store.root / one.reference for words in pointers if (one := resolve_path(store.layout, words)).is_there
    }
    texts = {words: read_text(path) for words, path in found.items()}
    strategy, weights = store.config.text("salience.strategy"), store.config.numbers("salience.weights")
    return round_shares(document_weights(texts, strategy, weights))


def _set_head_values(held: str, values: Mapping[str, object], period: Period) -> str | None:
    """The page with these values at its head, and all else as it is; one without a head gets one.

    None when there is a head that cannot be read.
    """
    if frontmatter.is_closed(held):
        return frontmatter_edit.with_values(held, values) if frontmatter.is_lossless(held) else None
    return frontmatter.join_frontmatter({"type": period.span, "period": period.key, **values}, held)
