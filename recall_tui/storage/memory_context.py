"""One opened memory: its places, its settings, its clock, and the documents in it.

What every verb is handed. Opening it reads nothing but the settings; each document is read when asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui import config as settings
from recall_tui import files
from recall_tui.environment import Places, expand_home
from recall_tui.errors import RecallError
from recall_tui.storage import trust
from recall_tui.storage.files.atomic import note_state
from recall_tui.storage.files.symlinks import memory_enclosure
from recall_tui.storage.layout import JSON_CONFIG_NAME, Layout

if TYPE_CHECKING:
    from recall_tui.config import Config
    from recall_tui.storage.archives.archive_cache import ArchiveRegister


@dataclass(frozen=True)
class Store:
    """A memory at its places."""

    layout: Layout
    places: Places
    now: Callable[[], datetime]
    """The clock; always with an offset."""
    _settings: dict[str, tuple[object, Config]] = field(default_factory=dict, init=False, repr=False, compare=False)
    """The settings as they are written and those in force, with the state of their files then."""

    def __post_init__(self) -> None:
        """Enclose the memory."""
        self.enclose()
        note_state(self.places.state)

    def enclose(self) -> None:
        """Have what lies below the root be opened as the layout says, by whoever opens it.

        What is of another account and was not confirmed is not.
        """
        enclosure = memory_enclosure(self.layout)._replace(owners=trust.file_owners(self))
        files.register_root(enclosure, self.places.apart)

    @property
    def root(self) -> Path:
        """The memory's folder."""
        return self.layout.root

    @cached_property
    def state(self) -> Path:
        """The memory's own state folder: journal, lock, spool, logs."""
        return self.places.of_memory(self.layout.root)

    @cached_property
    def register(self) -> ArchiveRegister:
        """What is known of the archives; take a `look` before asking it."""
        from recall_tui.storage.archives.archive_cache import ArchiveRegister

        return ArchiveRegister(self.layout)

    @property
    def spool(self) -> Path:
        """The folder of files being made; whole ones are handed to the journal."""
        return self.state / "spool"

    @property
    def config(self) -> Config:
        """The settings in force; what reaches out of the memory is so when the person confirmed it."""
        written = self.written
        was = self._settings.get("in force")
        state = written, trust.declared_settings(self), _state_of(self.state / trust.TRUST_FILE)
        if was is None or was[0] != state:
            was = self._settings["in force"] = (state, trust.effective_settings(self, written))
        return was[1]

    @property
    def written(self) -> Config:
        """The settings as they are written; read again as soon as their file is another."""
        path = self.layout.config
        if (
            not path.is_file()
            and self.layout.design.reads_json_settings
            and (other := self.root / JSON_CONFIG_NAME).is_file()
        ):
            path = other
        state = path, _state_of(path)
        was = self._settings.get("written")
        if was is None or was[0] != state:
            was = self._settings["written"] = (state, settings.load_config(path, self.places.env))
        return was[1]

    def named(self, text: str) -> Path:
        """The path that a setting writes: from a home folder with `~`, else from the memory's folder on.

        What names the home of nobody is a folder of the memory by that name: a bad value never stops anything.
        """
        try:
            return self.root / expand_home(text, self.places.home)
        except RecallError:
            return self.root / text

    def relative(self, path: Path) -> str:
        """`path` as a person knows it: relative to the root when inside, else absolute."""
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else str(path)


def _state_of(path: Path) -> tuple[int, int, int] | None:
    """What changes when the file is written; None when there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
