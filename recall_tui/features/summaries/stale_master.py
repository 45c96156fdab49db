"""What is said of a master that is behind its summaries; a memory without summaries of its own is never behind."""

from __future__ import annotations

from recall_tui.features.summaries.synthesis_state import count_new_summaries
from recall_tui.storage.memory_context import Store


def stale_notice(store: Store) -> str:
    """What is to be said about it, as a fact; empty when the master is up to date."""
    count = count_new_summaries(store)
    if not count:
        return ""
    many = f"{count} new conversation summar{'y' if count == 1 else 'ies'}"
    return f"{many} since the last synthesis; the master may be outdated. /synthesize brings it up to date."
