"""An opened memory: its paths, settings, clock and documents, the context passed to every verb.

Opening reads nothing but the settings; each document is read on demand.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from recall_tui import config as settings
from recall_tui import files
from recall_tui.environment import Environment, expand_home
from recall_tui.errors import RecallError
from recall_tui.storage import trust
from recall_tui.storage.files.atomic import note_state
from recall_tui.storage.files.symlinks import memory_enclosure
from recall_tui.storage.layout import JSON_CONFIG_NAME, Layout

if TYPE_CHECKING:
    from recall_tui.config import Config
    from recall_tui.storage.archives.archive_cache import ArchiveRegister


class Store:
    """A memory at its paths."""

    def __init__(self, layout: Layout, environment: Environment, now: Callable[[], datetime]) -> None:
        """Register the root's boundary; the times of the clock `now` always have an offset."""
        self.layout: Final[Layout] = layout
        self.environment: Final[Environment] = environment
        self.now: Final[Callable[[], datetime]] = now
        self._settings: Final[dict[str, tuple[object, Config]]] = {}
        """Cached settings, as written and in force, each with the state of its files."""
        self.enclose()
        note_state(self.environment.state)

    def _replace(self, **changes: Any) -> Self:
        """Return a memory with other values of these names, as of a NamedTuple; what is cached begins anew."""
        return type(self)(**{**self._values(), **changes})

    def _values(self) -> dict[str, Any]:
        return {"layout": self.layout, "environment": self.environment, "now": self.now}

    def enclose(self) -> None:
        """Register which files below the root may be opened, according to the layout.

        Files of another account are refused until the user confirms them.
        """
        enclosure = memory_enclosure(self.layout)._replace(owners=trust.file_owners(self))
        files.register_root(enclosure, self.environment.apart)

    @property
    def root(self) -> Path:
        return self.layout.root

    @cached_property
    def state(self) -> Path:
        """The memory's own state folder: journal, lock, staged files, logs."""
        return self.environment.of_memory(self.layout.root)

    @cached_property
    def register(self) -> ArchiveRegister:
        """The cache of the archives; call `look` before reading it."""
        from recall_tui.storage.archives.archive_cache import ArchiveRegister

        return ArchiveRegister(self.layout)

    @property
    def spool(self) -> Path:
        """The staging folder; complete files in it are handed to the journal."""
        return self.state / "spool"

    @property
    def config(self) -> Config:
        """The settings in force; those that allow external access count only once the user has confirmed them."""
        written = self.written
        was = self._settings.get("in force")
        state = written, trust.declared_settings(self), _state_of(self.state / trust.TRUST_FILE)
        if was is None or was[0] != state:
            was = self._settings["in force"] = (state, trust.effective_settings(self, written))
        return was[1]

    @property
    def written(self) -> Config:
        """The settings as written, read again when their file changes."""
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
            was = self._settings["written"] = (state, settings.load_config(path, self.environment.env))
        return was[1]

    def named(self, text: str) -> Path:
        """Return the path in a setting: `~` is a home folder, anything else is relative to the memory's root.

        If the home folder is unknown, the text names a folder of the memory: a bad value never stops anything.
        """
        try:
            return self.root / expand_home(text, self.environment.home)
        except RecallError:
            return self.root / text

    def relative(self, path: Path) -> str:
        """Return `path` as shown to the user: relative to the root when inside, else absolute."""
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else str(path)


def _state_of(path: Path) -> tuple[int, int, int] | None:
    """Return values that change when the file is written; None when there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
