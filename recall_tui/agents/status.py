"""How an agent stands: found or not, what of ours is in it and in which state, and whether its hooks run.

Nothing is changed; a hook is started with an event that says nothing, and answers nothing. What a project's folder
says is started only when it is, word for word, what an installation would write: the folder may be somebody else's.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from recall_tui.agents.hook_command import split_command
from recall_tui.agents.install import (
    find_other_memory,
    find_predecessors,
    pieces_with_predecessors,
    read_target,
)
from recall_tui.agents.pieces.hook_settings import HookSettings
from recall_tui.agents.target import SERVER_PIECE, Piece, Scope, Site, State, Target, client_names
from recall_tui.domain.hook import MEMORY_OPTION
from recall_tui.environment import Environment
from recall_tui.errors import RecallError

if TYPE_CHECKING:
    from recall_tui.storage.state.server_log import ServerCall

HOOK_TIMEOUT_SECONDS = 10
"""A hook that takes longer would be ended by its agent, too."""
Condition = Literal[
    "not installed",
    "installed",
    "out of date",
    "of an earlier tool",
    "changed by others",
    "broken",
    "for another memory",
]
"""An agent's state in a person's words; `broken` when a file makes no sense."""
_STATE_LABELS: dict[State, Condition] = {
    State.ABSENT: "not installed",
    State.CURRENT: "installed",
    State.OUTDATED: "out of date",
    State.PREDECESSOR: "of an earlier tool",
    State.CHANGED: "changed by others",
}


class PieceStatus(NamedTuple):
    """One piece as it is in its file."""

    what: str
    path: Path
    state: State | None
    """None when the file makes no sense."""
    trouble: str = ""
    """What is wrong with the file."""
    hands_memory: bool = False
    """It holds hooks that hand over MEMORY.md."""
    predecessors: tuple[str, ...] = ()
    """What earlier tools left in it."""


class AgentStatus(NamedTuple):
    """An agent as it stands in one scope."""

    target: Target
    scope: Scope
    is_found: bool
    pieces: tuple[PieceStatus, ...]
    trouble: str = ""
    """Why it cannot be looked into, or why its hooks do not run."""
    other: Path | None = None
    """The memory that it is installed for, when that is another one."""
    server_tokens: int = 0
    """Tokens that the tools of its MCP server take; 0 when the server is not registered, or was not started."""

    last_call: datetime | None = None
    """The last time that the agent called a tool of the memory's MCP server; None when that is not known."""

    @property
    def has_server(self) -> bool:
        """True if the memory's MCP server is registered as an installation registers it."""
        return any(piece.what == SERVER_PIECE and piece.state is State.CURRENT for piece in self.pieces)

    @property
    def state(self) -> State | None:
        """Of all pieces together; None when one of their files makes no sense."""
        states = {piece.state for piece in self.pieces if not self._is_left_out(piece)}
        if not states or None in states:
            return None
        if len(states) == 1:
            return states.pop()
        if State.PREDECESSOR in states and not states & {State.CURRENT, State.OUTDATED}:
            return State.PREDECESSOR
        return State.CHANGED if State.CHANGED in states and State.OUTDATED not in states else State.OUTDATED

    def _is_left_out(self, piece: PieceStatus) -> bool:
        """Return True for a server that a person installed the rest without, or the rest where only it is installed."""
        is_server = piece.what == SERVER_PIECE
        others = [one.state for one in self.pieces if (one.what == SERVER_PIECE) != is_server]
        same = [one.state for one in self.pieces if (one.what == SERVER_PIECE) == is_server]
        is_absent = all(state is State.ABSENT for state in same)
        return is_absent and any(state in (State.CURRENT, State.OUTDATED) for state in others)

    @property
    def predecessors(self) -> tuple[str, ...]:
        """What earlier tools left in the agent, and an installation replaces."""
        return tuple(words for piece in self.pieces for words in piece.predecessors)

    @property
    def words(self) -> Condition:
        """The state for a person."""
        state = self.state
        if self.other is not None:
            return "for another memory"
        return "broken" if state is None else _STATE_LABELS[state]


def with_last_calls(found: Iterable[AgentStatus], calls: Iterable[ServerCall]) -> tuple[AgentStatus, ...]:
    """Return the statuses with the last call that each agent made under one of its names as a client.

    It stands where the server is registered, or else in the agent's first scope.
    """
    at = {call.client: call.at for call in calls}
    every = tuple(found)
    registered = {one.target.name for one in every if one.has_server}
    first = {one.target.name: one for one in reversed(every)}

    def last(one: AgentStatus) -> datetime | None:
        is_its_place = one.has_server if one.target.name in registered else first[one.target.name] is one
        return (
            max((at[name] for name in client_names(one.target) if name in at), default=None) if is_its_place else None
        )

    return tuple(one._replace(last_call=last(one)) for one in every)


def agent_status(target: Target, site: Site, *, runs_hooks: bool = True) -> AgentStatus:
    """How the target stands at the site."""
    is_found = target.is_found(site.environment)
    try:
        pieces = pieces_with_predecessors(target, site)
    except RecallError as error:
        return AgentStatus(target, site.scope, is_found, (), error.message)
    seen = tuple(_piece_status(piece, site) for piece in pieces)
    trouble = next((one.trouble for one in seen if one.trouble), "")
    if not trouble and runs_hooks:
        trouble = _hooks_error(pieces, site)
    other = find_other_memory(pieces, site) if all(one.state is not None for one in seen) else None
    return AgentStatus(target, site.scope, is_found, seen, trouble, other)


def _piece_status(piece: Piece, site: Site) -> PieceStatus:
    try:
        text = read_target(piece.path, site)
        commands = piece.commands(text) if isinstance(piece, HookSettings) else ()
        hands_memory = any(MEMORY_OPTION in split_command(command) for command in commands)
        left = find_predecessors(piece, text)
        return PieceStatus(piece.what, piece.path, piece.state(text), "", hands_memory, left)
    except RecallError as error:
        return PieceStatus(piece.what, piece.path, None, error.message)
    except OSError as error:
        return PieceStatus(piece.what, piece.path, None, f"{error.strerror}: {piece.path}")


def _hooks_error(pieces: Sequence[Piece], site: Site) -> str:
    for piece in pieces:
        if isinstance(piece, HookSettings):
            text = read_target(piece.path, site)
            commands = piece.commands(text)
            if commands and piece.is_off(text):
                return f"{piece.path} turns all hooks off (disableAllHooks)"
            for command in commands:
                if site.scope == "project" and command != piece.command:
                    continue
                if trouble := command_error(command, site.environment):
                    return trouble
    return ""


def command_error(command: str, environment: Environment, patience: float = HOOK_TIMEOUT_SECONDS) -> str:
    """What keeps a hook's command from running; empty when it runs."""
    try:
        done = subprocess.run(
            ["/bin/sh", "-c", f"exec {command}"],
            input=b"{}",
            capture_output=True,
            timeout=patience,
            cwd=environment.home,
            env=dict(environment.env),
        )
    except subprocess.TimeoutExpired:
        return f"the hook did not end within {patience:g} s: {command}"
    except OSError as error:
        return f"the hook cannot be started: {error.strerror}"
    if done.returncode == 0:
        return ""
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return f"the hook ends with {done.returncode}{f' ({said[-1]})' if said else ''}: {command}"
