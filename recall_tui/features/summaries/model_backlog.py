"""Sessions that no model has told of yet: how many, the estimated cost, and having them told one after another."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from recall_tui.domain import Actor
from recall_tui.features.summaries.resummarize import apply_resummary, find_candidate
from recall_tui.llm.client import ModelClient
from recall_tui.llm.model import Failure, Usage
from recall_tui.llm.selection import with_cost
from recall_tui.memory import Memory
from recall_tui.storage.archives.folder import ArchiveFolder

TOKENS_ASKED, TOKENS_ANSWERED = 2_500, 600
"""Means of twenty real sessions; a long one takes up to 7,000."""


class ModelBacklog(NamedTuple):
    """The sessions whose summary is in their own words, and what it may cost to have them told."""

    sessions: tuple[str, ...]
    """Ids, the newest first."""
    tokens: int
    cost: float | None
    """In dollars; None without configured prices."""


class BacklogResult(NamedTuple):
    """The sessions that were told, and why the rest was not."""

    told: tuple[str, ...]
    failed: dict[str, str]
    """Why, by the session's id."""
    left: int
    reason: str = ""
    """Why it ended early; empty when all were asked about."""


def collect_backlog(memory: Memory) -> ModelBacklog:
    """Find the sessions that a model may tell of; none in a layout that keeps no summaries."""
    if memory.layout.design.retains_transcripts:
        return ModelBacklog((), 0, None)
    known = dict.fromkeys(entry.session_id for entry in reversed(ArchiveFolder(memory.layout).entries()))
    sessions = tuple(one for one in known if one and find_candidate(memory, one) is not None)
    usage = with_cost(Usage(TOKENS_ASKED * len(sessions), TOKENS_ANSWERED * len(sessions)), memory.config)
    return ModelBacklog(sessions, usage.asked + usage.answered, usage.cost)


def work_off(
    memory: Memory, backlog: ModelBacklog, calls: ModelClient, *, by: Actor, report: Callable[[int], None]
) -> BacklogResult:
    """Have each session told, the newest first; `report` gets the number of sessions done.

    It ends early when the model refuses, as at the day's limit, or when it is cancelled; what is left is done by the
    next run.
    """
    told: list[str] = []
    failed: dict[str, str] = {}
    for done, session_id in enumerate(backlog.sessions):
        report(done)
        said = apply_resummary(memory, session_id, calls, by=by)
        if isinstance(said, Failure) and said.is_refusal:
            return BacklogResult(tuple(told), failed, len(backlog.sessions) - done, said.words)
        if isinstance(said, Failure):
            failed[session_id] = said.words
        elif said:
            told.append(session_id)
    report(len(backlog.sessions))
    return BacklogResult(tuple(told), failed, 0)
