"""Asks for a folder: typed, completed, with what is there said beside it.

Nothing is opened or created here; the folder that was typed is handed back. What cannot be entered is as if it were not
there.
"""

from __future__ import annotations

import asyncio
import os
from itertools import islice
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.suggester import Suggester
from textual.widgets import Input, Static

from recall_tui.environment import Environment
from recall_tui.errors import RecallError, UsageError
from recall_tui.storage.layout import find_memory
from recall_tui.tui.keys.keymap import ExplainsDisabledKeys
from recall_tui.tui.screens.first_run.messages import FolderInspected
from recall_tui.tui.screens.prompt_modal import PromptModal
from recall_tui.tui.text import plain_line
from recall_tui.tui.workers import Debouncer, run_in_thread

LOOKUP_DELAY_SECONDS = 0.05
"""Seconds between the last key and a look at the disk."""
_MAX_FOLDERS = 60
"""Folders whose names are shown at most; more do not fit."""
_MAX_ENTRIES = 5_000
"""Entries of one folder that are looked at."""


class FolderSuggester(Suggester):
    """Completes the folder that is being typed; it is looked up in a thread."""

    def __init__(self, environment: Environment) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._environment = environment

    async def get_suggestion(self, value: str) -> str | None:
        """The whole text that is suggested for a beginning; None when there is nothing to suggest."""
        return await asyncio.to_thread(complete_folder, value, self._environment) or None


def parse_folder(text: str, environment: Environment) -> Path:
    """The folder that is meant: `~` is the home folder, and what does not begin at the root begins here."""
    typed = text.strip()
    if typed == "~" or typed.startswith("~/"):
        return environment.home / typed[2:]
    return Path(os.path.normpath(environment.cwd / typed))


def complete_folder(text: str, environment: Environment) -> str:
    """The text with the name of the first folder that begins as its last part does; empty when there is none."""
    beginning = text.rpartition("/")[2]
    name = next(iter(matching_folders(text, environment)), "") if beginning else ""
    return f"{text[: len(text) - len(beginning)]}{name}/" if name else ""


def matching_folders(text: str, environment: Environment) -> tuple[str, ...]:
    """The folders that the last part of the text may become, by name; hidden ones only when its dot was typed."""
    above, _, beginning = text.lstrip().rpartition("/")
    folder = parse_folder(f"{above}/", environment) if text.lstrip().rpartition("/")[1] else environment.cwd
    try:
        with os.scandir(folder) as entries:
            found = [entry.name for entry in islice(entries, _MAX_ENTRIES) if _may_match(entry, beginning)]
    except (OSError, ValueError):
        return ()
    return tuple(sorted(found, key=lambda name: (not name.startswith(beginning), name.casefold(), name)))


def _may_match(entry: os.DirEntry[str], beginning: str) -> bool:
    name = entry.name
    if not name.casefold().startswith(beginning.casefold()) or not name.isprintable():
        return False
    try:
        return name.startswith(".") <= beginning.startswith(".") and entry.is_dir()
    except OSError:
        return False


def describe_folder(text: str, environment: Environment) -> str:
    """What is in the folder that is typed, in words."""
    if not text.strip():
        return "→ completes"
    try:
        folder = parse_folder(text, environment)
        if folder.exists() and not folder.is_dir():
            return "▲ this is a file; choose a folder"
        return f"● a memory, layout {find_memory(environment, folder).layout.name}"
    except RecallError:
        return "○ no memory there; enter sets one up" if folder.is_dir() else "▲ no such folder; enter would make it"
    except (OSError, ValueError):
        return "▲ cannot be opened"


class FolderBox(ExplainsDisabledKeys, Input):
    """Where the folder is typed."""

    LEFT_OUT = frozenset(("complete",))
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Open", tooltip="Open the memory of this folder, or set one up", id="open_folder"),
        Binding("tab", "complete", "Complete", tooltip="Accept the suggested completion", id="complete_folder"),
        Binding("escape", "screen.close", "Back", tooltip="Back without opening one", id="close_folder"),
    ]

    def watch__suggestion(self) -> None:
        """Let the footer speak of the suggestion."""
        self.refresh_bindings()

    def action_complete(self) -> None:
        """Take the suggested ending."""
        self.value = self._suggestion
        self.cursor_position = len(self.value)

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Without a suggestion there is nothing to take."""
        return "No folder starts with that" if action == "complete" and not self._suggestion else ""


class FolderNameModal(PromptModal[Path]):
    """A folder."""

    PANEL = "folder-name"

    def __init__(self, environment: Environment) -> None:
        super().__init__()
        self.delays = Debouncer(self)
        self._environment = environment
        self._number = 0

    def title_words(self) -> str:
        """What is asked for."""
        return "Open another folder"

    def box(self) -> Input:
        """The folder."""
        return FolderBox(
            id="folder", placeholder="a folder, such as ~/agent", suggester=FolderSuggester(self._environment)
        )

    def below(self) -> Static:
        """How it may go on."""
        return Static(id="inside")

    def on_mount(self) -> None:
        """Say what is here."""
        self._look("")

    def typed(self, text: str) -> None:
        """Look at the disk when the typing rests."""
        self.delays.after("look", LOOKUP_DELAY_SECONDS, lambda: self._look(text))

    def _look(self, text: str) -> None:
        self._number += 1
        number, environment = self._number, self._environment
        run_in_thread(
            self,
            lambda: FolderInspected(number, describe_folder(text, environment), matching_folders(text, environment)),
            "look",
        )

    @on(FolderInspected)
    def _looked_at(self, message: FolderInspected) -> None:
        if message.number == self._number:
            self.say(message.words)
            shown = "  ".join(f"{plain_line(name)}/" for name in message.names[:_MAX_FOLDERS])
            self.query_one("#inside", Static).update(Content(shown))

    def value(self, text: str) -> Path:
        """The folder."""
        if not text.strip():
            raise UsageError("enter a folder")
        return parse_folder(text, self._environment)
