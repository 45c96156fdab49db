"""The first run: no memory was found, so it says where it looked, what agents have left, and what can be done.

Nothing is written before the person chose it and saw what it would be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from recall_tui.domain import LayoutName
from recall_tui.environment import Environment
from recall_tui.features.setup.transcript_survey import AgentTranscripts
from recall_tui.storage.existing_memory import memory_place
from recall_tui.storage.project_root import find_project
from recall_tui.text.dates import local_time
from recall_tui.tui.app_screen import AppScreen
from recall_tui.tui.screens.first_run.messages import TranscriptsFound
from recall_tui.tui.text import display_path, plain_line, plain_text
from recall_tui.tui.widgets.footer import KeyFooter
from recall_tui.tui.widgets.row_list import RowList

if TYPE_CHECKING:
    from recall_tui.tui.screens.first_run.app import FirstRunApp

_MUTED = "$text-muted"
_MIN_NAME_CELLS = 12
_TITLE_WIDTH = 24


@dataclass(frozen=True, slots=True)
class StartOption:
    """One way to begin."""

    title: str
    detail: str
    words: str
    """What choosing it does."""
    root: Path | None = None
    """Where a memory would be made."""
    layout: LayoutName | None = None
    """The layout that it would have; None: what the place suggests."""


class StartOptions(RowList[StartOption]):
    """What can be done."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Choose", tooltip="Preview, then create", id="choose"),
    ]

    def draw(self, item: StartOption, width: int) -> Content:
        """An offer's row."""
        return Content.assemble(" ", f"{item.title:<{_TITLE_WIDTH}}", (plain_line(item.detail), _MUTED))

    def key_of(self, item: StartOption) -> object:
        """Its title."""
        return item.title


_OPEN_OPTION = StartOption(
    "Open another folder", "…", "Press enter and type its path. If it has no memory, one can be set up there."
)
_DEMO_OPTION = StartOption(
    "Look around",
    "with sample data",
    "Press enter to open a sample memory in a temporary folder, which is deleted when you leave.",
)


class FirstRun(AppScreen):
    """No memory yet."""

    AUTO_FOCUS = "#offers"

    def __init__(self, environment: Environment, root: Path | None, zone: tzinfo | None) -> None:
        super().__init__()
        self._environment = environment
        self._root = root
        self._zone = zone

    @property
    def newcomer(self) -> FirstRunApp:
        """The app, with what can be begun."""
        return cast("FirstRunApp", self.app)

    def compose(self) -> ComposeResult:
        """What was looked for, what was found instead, and what can be done."""
        panel = VerticalScroll(id="first", classes="panel", can_focus=False)
        panel.border_title = "recall-tui"
        with panel:
            yield Static(self._looked_for(), id="looked")
            yield Static(Content("looking for sessions of your agents …").stylize(_MUTED), id="found")
            yield StartOptions(id="offers")
            yield Static(id="about")
        yield KeyFooter()

    def on_mount(self) -> None:
        """Make the offers, and have the transcripts looked for."""
        here, claude = self._here(), self._environment.claude
        is_named = self._root is not None or self._environment.memory is not None
        place = here if is_named else memory_place(here, self._environment.home)
        which = "folder" if place == here else "project"
        folder = StartOption(
            f"Set up in this {which}",
            self._shown(place),
            f"A memory of your own, in memory/ of this {which}; git commits nothing of it. In a project it takes the "
            "sessions of that project, elsewhere those of all. Press enter for a preview.",
            place,
        )
        person = StartOption(
            "Set up for all projects",
            f"{self._shown(claude)}, your own",
            "A memory of your own for all projects, in your home folder; projects stay untouched. Press enter for a "
            "preview.",
            claude,
        )
        offers = [folder] if here == claude else [folder, person] if is_named else [person, folder]
        self.query_one(StartOptions).show([*offers, *self._team_option(here), _OPEN_OPTION, _DEMO_OPTION])
        self.newcomer.look_for_transcripts(self)

    def _team_option(self, here: Path) -> tuple[StartOption, ...]:
        """The memory that the team of a repository shares; none outside any repository."""
        project = find_project(here, self._environment.home)
        if project is None or not project.system or here.is_relative_to(self._environment.claude):
            return ()
        words = (
            "A memory that everyone with this repository reads and adds to, in _memory/: MEMORY.md, topics and "
            "summaries of the sessions you choose are committed. Press enter for a preview."
        )
        return (StartOption("Share with the team", self._shown(project.top), words, project.top, "project"),)

    def _here(self) -> Path:
        """Where a memory was asked for, and the one that is made is found again."""
        folder = self._root or self._environment.memory or self._environment.cwd
        return (self._environment.cwd / folder).absolute()

    def _shown(self, path: Path) -> str:
        return display_path(path, self._environment.home)

    def _looked_for(self) -> Content:
        return Content.assemble(
            ("No memory found\n", "bold"),
            plain_text(self._where()),
            (
                "\n\nA memory is a folder of Markdown files: facts, recent sessions, and every past session. Agents "
                "receive the part they need; you see and change all of it here.",
                _MUTED,
            ),
        )

    def _where(self) -> str:
        if self._root is not None:
            return f"{self._shown(self._here())} has no memory."
        if self._environment.env.get("RECALL_ECHO_HOME"):
            return f"RECALL_ECHO_HOME names {self._shown(self._here())}, which has no memory."
        here, claude = self._shown(self._environment.cwd), self._shown(self._environment.claude)
        return f"Looked in {here} and every folder above it, then in {claude}."

    @on(TranscriptsFound)
    def _transcripts_found(self, message: TranscriptsFound) -> None:
        self.query_one("#found", Static).update(transcript_lines(message.found, self._zone))
        self._show_offers()

    def on_resize(self) -> None:
        """Keep the offers in sight."""
        self._show_offers()

    def _show_offers(self) -> None:
        # A person may have more agents than the terminal has rows, and what can be done stands below them.
        panel = self.query_one("#first", VerticalScroll)
        panel.call_after_refresh(panel.scroll_end, animate=False)

    @on(RowList.Moved)
    def _moved(self) -> None:
        if (offer := self.query_one(StartOptions).current) is not None:
            self.query_one("#about", Static).update(Content(offer.words).stylize(_MUTED))

    @on(RowList.Opened)
    def _opened(self) -> None:
        offer = self.query_one(StartOptions).current
        # A second key may come before the first one's screen is there, or between two steps of a set-up.
        if offer is None or not self.is_active or not self.query_one("#first").display:
            return
        if offer.root is not None:
            self.newcomer.plan(offer.root, offer.layout)
        elif offer is _DEMO_OPTION:
            self.newcomer.open_demo()
        else:
            from recall_tui.tui.screens.first_run.folder_name_modal import FolderNameModal

            def named(folder: Path | None) -> None:
                if folder is not None:
                    self.newcomer.open_folder(folder)

            self.app.push_screen(FolderNameModal(self._environment), named)


def transcript_lines(found: Sequence[AgentTranscripts], zone: tzinfo | None) -> Content:
    """What each agent has left, an agent a line."""
    if not any(one.sessions for one in found):
        return Content("No sessions of a coding agent on this machine yet.").stylize(_MUTED)
    width = max(len(f"{one.sessions:,}") for one in found)
    names = max(len(one.agent) for one in found) + 1
    return Content("\n").join(_transcript_line(one, zone, max(names, _MIN_NAME_CELLS), width) for one in found)


def _transcript_line(one: AgentTranscripts, zone: tzinfo | None, names: int, width: int) -> Content:
    """One agent's line; the widths are those of the longest name, with a gap, and number."""
    name = f"{one.agent:<{names}}"
    if one.oldest is None:
        return Content.assemble(("○ ", _MUTED), name, ("none", _MUTED))
    count = f"{one.sessions:>{width},} session{'s' * (one.sessions != 1):<1}"
    oldest = f"  oldest file {local_time(one.oldest, zone):%Y-%m-%d}"
    words = f"  ▲ {one.expiring:,} expire this week" if one.expiring else ""
    return Content.assemble(("● ", "$success"), name, count, (oldest, _MUTED), (words, "$warning"))
