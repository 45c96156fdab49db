"""What is wrong with the installations of a memory: parts that are missing or old, hooks that do not run.

Where nothing of this memory is installed nothing is wrong; what an earlier tool left there is worth a note.
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


def agents_with_hooks(conditions: Iterable[AgentStatus]) -> Iterator[AgentStatus]:
    """Those that have hooks of this memory, so that a session is given something without being asked."""
    ours = (State.CURRENT, State.OUTDATED)
    return (
        one
        for one in conditions
        if one.other is None and any(piece.what == "hooks" and piece.state in ours for piece in one.pieces)
    )


def agent_problems(conditions: Iterable[AgentStatus]) -> Iterator[Problem]:
    """The problems of the agents that the memory is installed into, and what earlier tools left in any."""
    every = tuple(conditions)
    installed = tuple(installed_agents(every))
    for one in every:
        again = f"recall-tui install {one.target.name} --scope {one.scope}"
        for words in one.predecessors:
            yield Problem(
                "agents", f"{one.target.title} has {words}; replace it: {again}", is_note=one not in installed
            )
    for one in installed:
        if one.trouble:
            yield Problem("agents", f"{one.target.title}: {one.trouble}")
        elif one.state is State.OUTDATED and one.target.has_hooks and not one.predecessors:
            # Rules alone do not tell whether they are old or for another memory.
            again = f"recall-tui install {one.target.name} --scope {one.scope}"
            yield Problem("agents", f"what is in {one.target.title} is out of date; run: {again}")
