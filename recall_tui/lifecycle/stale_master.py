"""How far the master is behind: the summaries that are newer than it.

It is told by the times of the files; a memory without summaries of its own is never behind.
"""

from __future__ import annotations

from recall_tui.storage.store import Store


def new_summaries(store: Store) -> int:
    """How many summaries were written since the last synthesis; all of them before the first."""
    folder = store.layout.summaries
    if folder is None or not folder.is_dir():
        return 0
    try:
        since = store.layout.master.stat().st_mtime_ns
    except OSError:
        since = 0
    return sum(path.stat().st_mtime_ns > since for path in folder.glob("*.md") if path.is_file())


def notice(store: Store) -> str:
    """What is to be said about it, as a fact; empty when the master is up to date."""
    count = new_summaries(store)
    if not count:
        return ""
    many = f"{count} new conversation summar{'y' if count == 1 else 'ies'}"
    return f"{many} since the last synthesis; the master may be outdated. /synthesize brings it up to date."
