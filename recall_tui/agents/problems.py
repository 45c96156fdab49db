"""What is wrong with the installations of a memory: parts that are missing or old, hooks that do not run.

Where nothing of this memory is installed nothing is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from recall_tui.agents.status import AgentStatus
from recall_tui.agents.target import State
from recall_tui.domain import Problem


def installed_agents(conditions: Iterable[AgentStatus]) -> Iterator[AgentStatus]:
    """Those of agents that this memory is installed into, as far as can be told."""
    ours = (State.CURRENT, State.OUTDATED)
    return (one for one in conditions if one.other is None and any(piece.state in ours for piece in one.pieces))


def agent_problems(conditions: Iterable[AgentStatus]) -> Iterator[Problem]:
    """The problems of the agents that the memory is installed into."""
    for one in installed_agents(conditions):
        if one.trouble:
            yield Problem("agents", f"{one.target.title}: {one.trouble}")
        elif one.state is State.OUTDATED and one.target.has_hooks:
            # Rules alone do not tell whether they are old or for another memory.
            again = f"recall-tui install {one.target.name} --scope {one.scope}"
            yield Problem("agents", f"what is in {one.target.title} is out of date; run: {again}")
