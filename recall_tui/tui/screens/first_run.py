"""The first run: no memory was found, so it says where it looked and what can be done.

Nothing is written before the person chose it and saw what it would be.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from recall_tui.domain import LayoutName
from recall_tui.errors import RecallError
from recall_tui.paths import Places
from recall_tui.storage.layout import layout_at
from recall_tui.tui.screens.app_screen import AppScreen
from recall_tui.tui.seen import Trouble
from recall_tui.tui.text import plain, shown_path
from recall_tui.tui.widgets.key_line import KeyLine
from recall_tui.tui.widgets.rows import Rows

if TYPE_CHECKING:
    from recall_tui.tui.first_run_app import FirstRunApp


@dataclass(frozen=True, slots=True)
class Offer:
    """One way to begin."""

    title: str
    detail: str
    root: Path | None = None
    """Where a memory would be made; None: only sample data is looked at."""
    layout: LayoutName = "entity"

    def plan(self, places: Places) -> str:
        """What it would write, one path a line."""
        if self.root is None:
            return "A copy of the sample memory in a temporary folder. It is deleted when you leave."
        layout = layout_at(self.root, self.layout)
        files = (layout.memory_file, layout.window, layout.rows)
        folders = [f"{shown_path(path, places.home)}/" for path in layout.folders()]
        return "\n".join([*folders, *(shown_path(path, places.home) for path in files)])


class Offers(Rows[Offer]):
    """What can be done."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Choose", tooltip="See what it would make, then make it", id="choose"),
    ]

    def draw(self, item: Offer, width: int) -> Content:
        """An offer's row."""
        return Content.assemble(" ", f"{item.title:<28}", (plain(item.detail).plain, "$text-muted"))

    def key_of(self, item: Offer) -> object:
        """Its title."""
        return item.title


class FirstRun(AppScreen):
    """No memory yet."""

    AUTO_FOCUS = "#offers"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", id="back"),
    ]

    def __init__(self, places: Places, root: Path | None) -> None:
        super().__init__()
        self._places = places
        self._root = root
        self._chosen: Offer | None = None

    @property
    def newcomer(self) -> FirstRunApp:
        """The app, with what can be begun."""
        return cast("FirstRunApp", self.app)

    def compose(self) -> ComposeResult:
        """What was looked for, what can be done, and what it would make."""
        panel = Vertical(id="first", classes="panel")
        panel.border_title = "recall-tui"
        with panel:
            yield Static(self._looked_for(), id="looked")
            yield Offers(id="offers")
            yield Static(id="plan")
        yield KeyLine()

    def on_mount(self) -> None:
        """Make the offers."""
        home = self._places.home
        here = self._root or self._places.cwd
        offers = [
            Offer("Set up here", shown_path(here, home), here),
            Offer("Set up for all projects", shown_path(self._places.claude, home), self._places.claude, "user"),
            Offer("Look around", "with sample data"),
        ]
        self.query_one(Offers).show(offers)

    def _looked_for(self) -> Content:
        return Content.assemble(
            ("No memory found\n\n", "bold"),
            self._where(),
            (
                "\n\nA memory is a folder of markdown files: what is known, what happened lately, and every past "
                "session. Agents are handed the right part of it; you see and change all of it here.",
                "$text-muted",
            ),
        )

    def _where(self) -> Content:
        home = self._places.home
        if self._root is not None:
            return plain(f"{shown_path(self._root, home)} holds none.")
        here, claude = shown_path(self._places.cwd, home), shown_path(self._places.claude, home)
        return plain(f"Looked for one from {here} upward, then in {claude}.")

    @on(Rows.Moved)
    def _moved(self) -> None:
        offer = self.query_one(Offers).current
        self._chosen = None
        if offer is not None:
            self._show_plan(offer, "enter shows what it would make" if offer.root else "enter opens it")

    def _show_plan(self, offer: Offer, words: str) -> None:
        self.query_one("#plan", Static).update(Content(words).stylize("$text-muted"))

    @on(Rows.Opened)
    def _opened(self) -> None:
        offer = self.query_one(Offers).current
        if offer is None:
            return
        if offer.root is None:
            self.newcomer.open_demo()
        elif self._chosen != offer:
            self._chosen = offer
            plan = plain(offer.plan(self._places)).stylize("$text-muted")
            words = Content.assemble(
                ("It would make, and keep what exists:\n", "bold"), plan, "\nenter makes it · esc not"
            )
            self.query_one("#plan", Static).update(words)
        else:
            self._make(offer.root, offer.layout)

    def _make(self, root: Path, layout: LayoutName) -> None:
        try:
            self.newcomer.set_up(root, layout)
        except (RecallError, OSError) as error:
            self.host.complain(Trouble.of(error))

    def action_back(self) -> None:
        """Take the choice back."""
        self._moved()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There is nothing to go back from until an offer was chosen."""
        return self._chosen is not None if action == "back" else True
