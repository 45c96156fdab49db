"""Changes: what a verb wants, and what was made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal

Actor = Literal["person", "hook", "schedule"]
"""Who asked for a change; only a person's changes are taken back by a bare undo."""


@dataclass(frozen=True, slots=True)
class Create:
    """A file that must not exist yet."""

    path: Path
    text: str
    body: Path | None = None
    """A spooled file whose bytes follow the text; the journal takes it over."""
    is_private: bool = True
    """Mode 0600; else what the umask says, for files that belong to a project."""
    owns_folders: bool = False
    """Folders that are made for it go with it when it is taken back, as long as nothing else is in them."""


@dataclass(frozen=True, slots=True)
class Append:
    """Text at the end of a file, which is made when it is missing."""

    path: Path
    text: str


@dataclass(frozen=True, slots=True)
class Replace:
    """A file's whole new content."""

    path: Path
    was: str
    """`digest` of the content that the verb read; any other content is a conflict."""
    text: str
    """Without a body, its lines end as those of the file do."""
    body: Path | None = None
    """A spooled file whose bytes follow the text; the journal takes it over."""
    is_exact: bool = False
    """Its lines end as they do in the text: it brings back what was there before."""


@dataclass(frozen=True, slots=True)
class Delete:
    """A file that goes; the journal keeps what it held."""

    path: Path
    was: str
    """`digest` of the content that the verb read."""
    folders: tuple[Path, ...] = ()
    """Folders that go with it when nothing else is in them, innermost first."""


Edit = Create | Append | Replace | Delete


@dataclass(frozen=True, slots=True)
class Plan:
    """What a verb wants to change; nothing is changed yet."""

    title: str
    """One line for the journal and the toast, such as `Extracted Debugging (38 lines) → debugging.md`."""
    edits: tuple[Edit, ...] = ()
    notes: tuple[str, ...] = ()
    """What a person should know beside it, such as what was left out and why."""
    facts: Mapping[str, object] = field(default_factory=dict)
    """The same for programs: stable keys, plain JSON values."""
    no_way_back: str = ""
    """What a person is told who would take it back; when set, the journal keeps nothing of what was there before."""
    took_words: str = ""
    """A person's words that it takes out of a file, as a person is told of them: such as `3 lines of notes.md`."""


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """A change that was made."""

    id: int
    title: str
    at: datetime
    by: Actor
    paths: tuple[Path, ...]
    undoes: int = 0
    """The entry that this one took back, else 0."""
    is_undone: bool = False
    is_done: bool = True
    facts: Mapping[str, object] = field(default_factory=dict)
    no_way_back: str = ""
    """Why it cannot be taken back, and what to do instead; empty when it can."""
    stamp: datetime | None = None
    """The time that it was given, where that lies ahead; `at` is then that of the change after it."""
    took_words: str = ""
    """A person's words that it took out of a file; it is offered to be taken back, whoever made it."""
    notes: tuple[str, ...] = ()
    """What a person should know of how another change was just taken back by it."""
