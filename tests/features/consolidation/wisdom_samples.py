"""Lessons in daily logs, and the compaction that they are taken from."""

from __future__ import annotations

from pathlib import Path

from recall_tui.features.consolidation.periods import month_results, plan_pages, week_results
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.memory_context import Store


def compact(store: Store) -> None:
    """Write the pages of all weeks and months that are over."""
    weeks = week_results(store)
    found = (*weeks, *month_results(store, weeks))
    Journal(store.state, store.now).commit(lambda: plan_pages(store, found), by="person")


def lesson(days: list[Path], number: int, text: str) -> None:
    """Add a line to one of the daily logs."""
    days[number].write_text(days[number].read_text() + f"\n{text}\n")
