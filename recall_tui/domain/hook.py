"""What an agent tells a hook, and what the hook answers; the words of no agent in particular."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple

EventName = Literal["start", "prompt", "compact", "compacted", "stop", "end"]
"""A session starts, a prompt is sent, a compaction begins, it is done, a reply ends, the session ends."""
GUARD_VARIABLE = "RECALL_CHILD"
"""The variable in the environment of every process that we start: a hook that finds it does nothing."""
BACKGROUND_VALUE = "catch-up"
"""Its value in the process that catches up with what hooks left, which alone of them may ask a model."""
MEMORY_OPTION = "--memory"
"""The option by which the hooks of an agent that does not load MEMORY.md ask for it."""


class HookEvent(NamedTuple):
    """One call of a hook; every field but the name may be missing in what the agent said."""

    name: EventName
    agent: str = ""
    """The target's name, such as `claude`."""
    session_id: str = ""
    transcript: Path | None = None
    """Where the agent writes the session; it may lag behind, and it may not exist."""
    cwd: Path | None = None
    prompt: str = ""
    """What the person typed."""
    source: str = ""
    """How a session starts: startup, resume, clear, compact or fork."""
    reason: str = ""
    """Why a session ends, or what asked for a compaction."""
    summary: str = ""
    """What a compaction left."""
    wants_memory: bool = False
    """The agent does not load MEMORY.md by itself."""
    is_child: bool = False
    """A sub-agent's, or a session that a program started."""
    is_subagent: bool = False
    """A sub-agent's: what it does belongs to the session that started it."""


class HookAnswer(NamedTuple):
    """What a hook gives back; an empty one is silence."""

    context: str = ""
    """What the agent is to read, framed and safe already."""
    message: str = ""
    """What the person is to read."""

    def __bool__(self) -> bool:
        return bool(self.context or self.message)


class HookDecision(NamedTuple):
    """What a hook did and why, as it is logged."""

    did: str
    """One word, such as `handed`, `silent`, `captured`, `spooled`, `skipped` or `failed`."""
    why: str = ""
    """For a person, such as `nothing about it was found`."""
    facts: tuple[tuple[str, object], ...] = ()
    """Plain values beside it, such as the ids of what was shown."""
