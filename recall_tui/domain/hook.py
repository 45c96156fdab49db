"""The input and the answer of a hook, independent of any agent."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple

EventName = Literal["start", "prompt", "compact", "compacted", "stop", "end"]
"""Session start, prompt submitted, before and after a compaction, end of a reply, session end."""
GUARD_VARIABLE = "RECALL_CHILD"
"""Set in the environment of every process that we start: a hook that finds it does nothing."""
BACKGROUND_VALUE = "catch-up"
"""Its value in the background process that finishes the hooks' work: only this process may call a model."""
MEMORY_OPTION = "--memory"
"""The option with which hooks request MEMORY.md for an agent that does not load it itself."""


class HookEvent(NamedTuple):
    """A call of a hook; every field but the name may be missing from the agent's input."""

    name: EventName
    agent: str = ""
    """The target's name, such as `claude`."""
    session_id: str = ""
    transcript: Path | None = None
    """The agent's transcript; it may be behind, or not exist."""
    cwd: Path | None = None
    prompt: str = ""
    source: str = ""
    """The cause of a session start: startup, resume, clear, compact or fork."""
    reason: str = ""
    """The cause of a session end or of a compaction."""
    summary: str = ""
    """The summary left by a compaction."""
    wants_memory: bool = False
    """The agent does not load MEMORY.md itself."""
    is_child: bool = False
    """Of a sub-agent, or of a session that a program started."""
    is_subagent: bool = False
    """Of a sub-agent: its work belongs to the session that started it."""


class HookAnswer(NamedTuple):
    """The answer of a hook; an empty answer prints nothing."""

    context: str = ""
    """Text for the agent, already framed and safe."""
    message: str = ""
    """Text for the user."""

    def __bool__(self) -> bool:
        return bool(self.context or self.message)


class HookDecision(NamedTuple):
    """The logged decision of a hook and its reason."""

    did: str
    """The action, such as `handed`, `silent`, `captured`, `spooled`, `skipped` or `failed`."""
    why: str = ""
    """For a person, such as `nothing about it was found`."""
    facts: tuple[tuple[str, object], ...] = ()
    """Plain values, such as the ids of the passages handed over."""
