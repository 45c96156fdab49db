"""An agent to install rules and hooks into: the places of its files and the pieces of an installation.

A target only describes: nothing here writes. A piece gets the text of its file and returns the new text.
"""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Literal, NamedTuple, Protocol, runtime_checkable

from recall_tui.environment import Environment
from recall_tui.errors import RecallError
from recall_tui.storage.layout import Layout

Scope = Literal["user", "project"]
Parts = Literal["all", "server", "rest"]
"""The pieces of an installation: all of them, the MCP server alone, or all but the server."""
SERVER_PIECE = "server"
"""`Piece.what` of the MCP server."""
ENTRY_POINTS = "recall_tui.targets"
"""The entry point group with which packages add targets."""


class Site(NamedTuple):
    """The place of an installation and its memory."""

    scope: Scope
    project: Path
    """The project's folder, for scope `project`."""
    layout: Layout
    """The memory that it uses."""
    environment: Environment
    command: tuple[str, ...]
    """The command line for hooks: an absolute path and its arguments."""


class State(Enum):
    """The state of a piece in its file."""

    ABSENT = "absent"
    CURRENT = "current"
    OUTDATED = "outdated"
    """Ours, from an older release or for another memory."""
    PREDECESSOR = "predecessor"
    """Content of an earlier tool and none of ours: it is replaced, with a copy kept."""
    CHANGED = "changed"
    """Changed or written by a person: not replaced without confirmation."""


class Piece(Protocol):
    """One part of one file: an own file, a marked block, hooks in a settings file, a list entry."""

    @property
    def path(self) -> Path:
        """The file that contains it."""

    @property
    def what(self) -> str:
        """The label for a person: `rules`, `hooks`, `skill`."""

    def state(self, text: str | None) -> State:
        """Return its state in the file's text (None: no file); BrokenFileError if the file cannot be parsed."""

    def installed(self, text: str | None) -> str:
        """Return the file's text with it; the same text if it is already current."""

    def removed(self, text: str) -> str | None:
        """Return the file's text without it, byte for byte otherwise; None if nothing is left."""


@runtime_checkable
class BoundPiece(Piece, Protocol):
    """A piece that names the program and the memory by paths of this machine: hooks, a server."""

    def roots(self, text: str | None) -> tuple[Path, ...]:
        """Return the memories that ours in the file's text is for."""


@runtime_checkable
class ReplacingPiece(Piece, Protocol):
    """A piece that takes the place of what earlier tools, or earlier installations, left in its file."""

    def predecessors(self, text: str | None) -> tuple[str, ...]:
        """Describe what is there of them."""


@runtime_checkable
class ServerPiece(ReplacingPiece, BoundPiece, Protocol):
    """The MCP server, which never takes the place of another one that bears its name."""

    def conflict(self, text: str) -> RecallError:
        """Return the refusal for a text with such a server: file, line and next step."""


class Target(Protocol):
    """An agent to install into."""

    @property
    def name(self) -> str:
        """The name on the command line: `claude`."""

    @property
    def title(self) -> str:
        """The product's name: `Claude Code`."""

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """The supported scopes, the default first."""

    @property
    def has_hooks(self) -> bool:
        """True if it runs hooks, so that capture and recall are automatic."""

    def is_found(self, environment: Environment) -> bool:
        """Return True if the agent's folder or program exists."""

    def pieces(self, site: Site) -> tuple[Piece, ...]:
        """Return the pieces of an installation, in display order."""


def client_names(target: Target) -> tuple[str, ...]:
    """Return the names that the agent gives itself as a client of the MCP server: its `clients`, if it has any."""
    names: tuple[str, ...] = getattr(target, "clients", ())
    return names
