"""Folders as a person types them: what is meant, how it may go on, and whether a memory is there.

Nothing is created, and what cannot be entered is as if it were not there.
"""

from __future__ import annotations

import asyncio
import os
from itertools import islice
from pathlib import Path

from textual.suggester import Suggester

from recall_tui.environment import Places
from recall_tui.errors import RecallError
from recall_tui.storage.layout import find

_MOST = 5_000
"""Entries of one folder that are looked at."""


class FolderSuggestions(Suggester):
    """Completes the folder that is being typed; it is looked up in a thread."""

    def __init__(self, places: Places) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._places = places

    async def get_suggestion(self, value: str) -> str | None:
        """The whole text that is suggested for a beginning; None when there is nothing to suggest."""
        return await asyncio.to_thread(completed, value, self._places) or None


def folder_of(text: str, places: Places) -> Path:
    """The folder that is meant: `~` is the home folder, and what does not begin at the root begins here."""
    typed = text.strip()
    if typed == "~" or typed.startswith("~/"):
        return places.home / typed[2:]
    return Path(os.path.normpath(places.cwd / typed))


def completed(text: str, places: Places) -> str:
    """The text with the name of the first folder that begins as its last part does; empty when there is none."""
    beginning = text.rpartition("/")[2]
    name = next(iter(names(text, places)), "") if beginning else ""
    return f"{text[: len(text) - len(beginning)]}{name}/" if name else ""


def names(text: str, places: Places) -> tuple[str, ...]:
    """The folders that the last part of the text may become, by name; hidden ones only when its dot was typed."""
    above, _, beginning = text.lstrip().rpartition("/")
    folder = folder_of(f"{above}/", places) if text.lstrip().rpartition("/")[1] else places.cwd
    try:
        with os.scandir(folder) as entries:
            found = [entry.name for entry in islice(entries, _MOST) if _may_be(entry, beginning)]
    except (OSError, ValueError):
        return ()
    return tuple(sorted(found, key=lambda name: (not name.startswith(beginning), name.casefold(), name)))


def _may_be(entry: os.DirEntry[str], beginning: str) -> bool:
    name = entry.name
    if not name.casefold().startswith(beginning.casefold()) or not name.isprintable():
        return False
    try:
        return name.startswith(".") <= beginning.startswith(".") and entry.is_dir()
    except OSError:
        return False


def about(text: str, places: Places) -> str:
    """What is in the folder that is typed, in words."""
    if not text.strip():
        return "→ completes"
    try:
        folder = folder_of(text, places)
        if folder.exists() and not folder.is_dir():
            return "▲ a file; a folder is asked for"
        return f"● a memory, layout {find(places, folder).layout.name}"
    except RecallError:
        return "○ no memory there; enter offers to set one up"
    except (OSError, ValueError):
        return "▲ cannot be looked into"
