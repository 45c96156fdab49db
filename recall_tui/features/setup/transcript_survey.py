"""What the agents have left on this machine, for a person who has no memory yet.

Nothing is read but names and times.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from recall_tui.environment import Environment
from recall_tui.features.capture.expiry import WARNING_DAYS
from recall_tui.transcripts.registry import discover_all, present_readers


@dataclass(frozen=True, slots=True)
class AgentTranscripts:
    """The transcripts of one agent."""

    agent: str
    """As a person calls it."""
    sessions: int
    oldest: datetime | None
    """When the oldest of them ended; None when there is none."""
    expiring: int
    """How many the agent deletes within `WARNING_DAYS`; 0 for one that is not known to delete any."""


def survey_transcripts(environment: Environment, now: datetime) -> tuple[AgentTranscripts, ...]:
    """What each agent with a folder on this machine has left; a session counts once however many files it has."""
    readers = list(present_readers(environment))
    ended: dict[str, dict[str, datetime]] = {reader.agent: {} for reader in readers}
    for file in discover_all(environment):
        ended.setdefault(file.agent, {})[file.session_id] = file.modified
    last = now + timedelta(days=WARNING_DAYS)
    found = []
    for reader in readers:
        sessions = ended[reader.agent]
        days = reader.retention(environment).days
        expiring = 0 if days is None else sum(at + timedelta(days=days) <= last for at in sessions.values())
        found.append(AgentTranscripts(reader.label, len(sessions), min(sessions.values(), default=None), expiring))
    return tuple(found)
