"""What every screen of the table has: the top bar, its own panels, the footer.

A page is told when the memory changed and reads again in the background.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from recall_tui import resources
from recall_tui.tui.app_screen import WIDE_MIN_COLUMNS, AppScreen
from recall_tui.tui.screen_table import DEFAULT_SCREEN
from recall_tui.tui.text import display_path
from recall_tui.tui.widgets.footer import KeyFooter
from recall_tui.tui.widgets.top_bar import TopBar

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench


class Page(AppScreen):
    """One screen of the table."""

    NAME: ClassVar[str]
    """Its name in the table."""
    SHEET: ClassVar[str] = ""
    """Its style sheet, loaded with it; empty for a page that is styled from the start."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "look_again", "Refresh", show=False, tooltip="Read the memory's files again", id="refresh"),
    ]

    def __init__(self, bench: Workbench) -> None:
        super().__init__()
        self.bench = bench
        if self.SHEET:
            self.css_path = [resources.styles_folder() / self.SHEET]
        # Textual sets this class at the first resize, after the first paint; set here, nothing moves at the start.
        self.add_class("-wide" if self.app.size.width >= WIDE_MIN_COLUMNS else "-narrow")

    def compose(self) -> ComposeResult:
        """The bar, the panels and the footer."""
        bench = self.bench
        yield TopBar(self.NAME, display_path(bench.layout.base, bench.store.environment.home))
        yield from self.panels()
        yield KeyFooter()

    def panels(self) -> ComposeResult:
        """The page's own panels."""
        raise NotImplementedError

    def on_mount(self) -> None:
        """Show what the app knows, and hear of changes."""
        bar = self.query_one(TopBar)
        self.watch(self.app, "health", lambda health: setattr(bar, "health", health))
        self.watch(self.app, "busy", lambda busy: setattr(bar, "busy", busy))
        self.watch(self.app, "proposals", lambda count: setattr(bar, "proposals", count))
        self.host.memory_changed.subscribe(self, self._memory_changed)
        if (bookmarking := self.host.bookmarking) is not None:
            bookmarking.take_up(self)

    @on(TopBar.TabClicked)
    def _tab_clicked(self, message: TopBar.TabClicked) -> None:
        self.host.action_go(message.name)

    def _memory_changed(self, _: Any) -> None:
        self.look_again()

    def action_look_again(self) -> None:
        """Have every screen read its files again, and the index brought up to date."""
        self.host.memory_changed.publish(None)
        self.host.refresh_index()

    def action_search(self) -> None:
        """Go to the search of Home."""

        async def search() -> None:
            if isinstance(self.app.screen, Page) and DEFAULT_SCREEN.name == self.app.screen.NAME:
                await self.app.run_action("search", self.app.screen)

        self.host.action_go(DEFAULT_SCREEN.name)
        self.app.call_later(search)

    def look_again(self) -> None:
        """Read what the page shows anew, without moving a cursor."""
        raise NotImplementedError
