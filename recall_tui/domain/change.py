"""Changes to files: planned ones and journal entries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Literal

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    F = TypeVar("F", bound=Mapping[str, object], default=Mapping[str, object], covariant=True)
else:
    from typing import TypeVar

    F = TypeVar("F", covariant=True)

Actor = Literal["person", "hook", "schedule"]
"""The origin of a change; a bare undo reverts only a person's changes."""


@dataclass(frozen=True, slots=True)
class Create:
    """A file that must not exist yet."""

    path: Path
    text: str
    body: Path | None = None
    """A staged file whose bytes follow the text; the journal takes ownership of it."""
    is_private: bool = True
    """Mode 0600; otherwise the umask applies, for files of a project."""
    owns_folders: bool = False
    """An undo also deletes the folders created for the file, if they are empty."""


@dataclass(frozen=True, slots=True)
class Append:
    """Text appended to a file, which is created if missing."""

    path: Path
    text: str


@dataclass(frozen=True, slots=True)
class Replace:
    """A file's whole new content."""

    path: Path
    was: str
    """The `digest` of the content that the plan is based on; any other content is a conflict."""
    text: str
    """Without a body, its line ends are adapted to the file's."""
    body: Path | None = None
    """A staged file whose bytes follow the text; the journal takes ownership of it."""
    is_exact: bool = False
    """Keep the text's line ends as they are, for restoring earlier content."""


@dataclass(frozen=True, slots=True)
class Delete:
    """A file to delete; the journal stores its content."""

    path: Path
    was: str
    """The `digest` of the content that the plan is based on."""
    folders: tuple[Path, ...] = ()
    """Folders to delete with it if empty, innermost first."""


Edit = Create | Append | Replace | Delete


@dataclass(frozen=True, slots=True)
class Plan(Generic[F]):
    """A planned change; nothing is changed yet. `Plan[ArchiveFacts]` names the type of its facts."""

    title: str
    """A single line for the journal and the toast, such as `Extracted Debugging (38 lines) → debugging.md`."""
    edits: tuple[Edit, ...] = ()
    notes: tuple[str, ...] = ()
    """Remarks for the user, such as omissions and their reasons."""
    facts: F = field(default_factory=dict)  # type: ignore[assignment]
    """The same for programs: stable keys, plain JSON values; a TypedDict where code reads them."""
    no_way_back: str = ""
    """If set, the change is irreversible: the message for an undo; the journal stores nothing of
    the previous content.
    """
    took_words: str = ""
    """The user's text that the change removes from a file, such as `3 lines of notes.md`."""


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """An applied change."""

    id: int
    title: str
    at: datetime
    by: Actor
    paths: tuple[Path, ...]
    undoes: int = 0
    """The id of the entry that this one reverts, else 0."""
    is_undone: bool = False
    is_done: bool = True
    facts: Mapping[str, object] = field(default_factory=dict)
    no_way_back: str = ""
    """The reason that it cannot be undone and the alternative; empty when it can."""
    stamp: datetime | None = None
    """The recorded time if it lies in the future; `at` is then the time of the following change."""
    took_words: str = ""
    """The user's text that it removed from a file; its undo is offered whatever its origin."""
    notes: tuple[str, ...] = ()
    """Remarks for the user about the change that it has just reverted."""
