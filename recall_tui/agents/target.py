"""An agent that rules and hooks are installed into: where it keeps them, and which pieces make up an installation.

A target only describes: nothing here writes, and a piece is given the text of its file and returns another.
"""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

from recall_tui.environment import Environment
from recall_tui.storage.layout import Layout

Scope = Literal["user", "project"]
ENTRY_POINTS = "recall_tui.targets"
"""The group by which other packages add targets."""


class Site(NamedTuple):
    """Where something is installed, and for which memory."""

    scope: Scope
    project: Path
    """The project's folder, for the scope of one project."""
    layout: Layout
    """The memory that it is bound to."""
    environment: Environment
    command: tuple[str, ...]
    """The program as a hook starts it: an absolute path, and words of its own after it."""


class State(Enum):
    """How a piece is in its file."""

    ABSENT = "absent"
    CURRENT = "current"
    OUTDATED = "outdated"
    """Ours, from an older release or for another memory."""
    PREDECESSOR = "predecessor"
    """What an earlier tool left there, and nothing of ours: it is replaced, and kept in a copy."""
    CHANGED = "changed"
    """A person changed it, or wrote it: it is not replaced without a yes."""


class Piece(Protocol):
    """One thing in one file: a file of our own, a marked block, hooks among the settings, an entry of a list."""

    @property
    def path(self) -> Path:
        """The file that it is in."""

    @property
    def what(self) -> str:
        """What it is, for a person: `rules`, `hooks`, `skill`."""

    def state(self, text: str | None) -> State:
        """How it is in the file's text, None when there is no file; BrokenFileError when the file makes no sense."""

    def installed(self, text: str | None) -> str:
        """The file's text with it; the same text when it is there as it should be."""

    def removed(self, text: str) -> str | None:
        """The file's text without it, all else byte for byte as it was; None when nothing is left."""


class Target(Protocol):
    """An agent."""

    @property
    def name(self) -> str:
        """As the command line names it: `claude`."""

    @property
    def title(self) -> str:
        """As its maker writes it: `Claude Code`."""

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """Where it can be installed, the usual one first."""

    @property
    def has_hooks(self) -> bool:
        """Whether it starts hooks, so that capture and recall need nobody to think of them."""

    def is_found(self, environment: Environment) -> bool:
        """Whether the person has the agent: its folder or its program is there."""

    def pieces(self, site: Site) -> tuple[Piece, ...]:
        """What an installation there is made of, in the order in which it is shown."""
