"""The time for which each agent keeps its own transcripts, as its settings say, or its documentation."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from recall_tui.storage.memory_context import Store
from recall_tui.transcripts.reader import Retention
from recall_tui.transcripts.registry import discover_all, own_readers


class AgentRetention(NamedTuple):
    """The time for which an agent keeps its transcripts."""

    agent: str
    title: str
    """As its maker writes it."""
    retention: Retention
    oldest: datetime
    """The last write of its oldest transcript."""

    def describe(self, now: datetime) -> str:
        """Return a sentence, such as `deletes after 30 days (default) · oldest 29 days`."""
        age = max(0, (now - self.oldest).days)
        oldest = f"oldest {age:,} day{'s' * (age != 1)}" if age else "oldest today"
        kept = self.retention
        if not kept.is_documented:
            return f"not documented whether it deletes sessions · {oldest}"
        if kept.days is None:
            return f"keeps its sessions until you delete them · {oldest}"
        return f"deletes after {kept.describe()} ({'default' if kept.is_default else 'its settings'}) · {oldest}"


def agent_retention(store: Store) -> Iterator[AgentRetention]:
    """Yield the agents that have transcripts on this machine."""
    environment = store.environment
    oldest: dict[str, datetime] = {}
    for file in discover_all(environment):
        oldest.setdefault(file.agent, file.modified)
    for reader in own_readers():
        if reader.agent in oldest:
            yield AgentRetention(reader.agent, reader.label, reader.retention(environment), oldest[reader.agent])
