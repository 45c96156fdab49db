"""The time for which each agent keeps its own transcripts, as its settings say, or its documentation."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from recall_tui.storage.memory_context import Store
from recall_tui.transcripts.claude.project_folder import has_own_retention, retention_days
from recall_tui.transcripts.gemini.retention import gemini_retention
from recall_tui.transcripts.registry import discover_all

_TITLES = {"claude": "Claude Code", "codex": "Codex", "gemini": "Gemini CLI"}


class AgentRetention(NamedTuple):
    """The time for which an agent keeps its transcripts."""

    agent: str
    title: str
    """As its maker writes it."""
    days: int | None
    """None when it deletes nothing by itself."""
    is_default: bool
    oldest: datetime
    """The last write of its oldest transcript."""

    def describe(self, now: datetime) -> str:
        """Return a sentence, such as `deletes after 30 days (default) · oldest 29 days`."""
        age = max(0, (now - self.oldest).days)
        oldest = f"oldest {age:,} day{'s' * (age != 1)}" if age else "oldest today"
        if self.days is None:
            return f"keeps its sessions until you delete them · {oldest}"
        origin = "default" if self.is_default else "its settings"
        return f"deletes after {self.days:,} day{'s' * (self.days != 1)} ({origin}) · {oldest}"


def agent_retention(store: Store) -> Iterator[AgentRetention]:
    """Yield the agents that have transcripts on this machine."""
    environment = store.environment
    oldest: dict[str, datetime] = {}
    for file in discover_all(environment):
        oldest.setdefault(file.agent, file.modified)
    for agent in filter(oldest.__contains__, _TITLES):
        days: int | None
        match agent:
            case "claude":
                days, is_default = retention_days(environment), not has_own_retention(environment)
            case "gemini":
                days, is_default = gemini_retention(environment)
            case _:
                days, is_default = None, True
        yield AgentRetention(agent, _TITLES[agent], days, is_default, oldest[agent])
