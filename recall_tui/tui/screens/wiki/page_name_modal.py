"""Asks for the name of a new wiki page, and then for what it is about.

Nothing is written here; what was meant is handed back.
"""

from __future__ import annotations

from collections.abc import Container
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Label

from recall_tui.errors import UsageError
from recall_tui.storage.documents.wiki_page import MAX_SLUG_CHARS, Category, make_slug
from recall_tui.tui.modal import Modal
from recall_tui.tui.screens.prompt_modal import PromptModal
from recall_tui.tui.text import plain_line, plain_text
from recall_tui.tui.widgets.footer import KeyFooter
from recall_tui.tui.widgets.row_list import RowList

CATEGORY_LABELS: dict[Category, str] = {
    "entity": "a person, a system or a place",
    "concept": "a decision or a practice: what, why and when it applies",
    "project": "work in progress: what, why and when it applies",
    "reference": "something to look up, and when to use it",
}
"""What a page can begin as."""


class PageNameBox(Input):
    """Where the name is typed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Next", tooltip="Choose the page's category", id="use_page_name"),
        Binding("escape", "screen.close", "Back", tooltip="Back without creating a page", id="close_page_name"),
    ]


class PageNameModal(PromptModal[str]):
    """The name of a new page."""

    PANEL = "page-name"

    def __init__(self, taken: Container[str]) -> None:
        super().__init__()
        self._taken = taken

    def title_words(self) -> str:
        """What is asked for."""
        return "New page"

    def box(self) -> Input:
        """The name."""
        return PageNameBox(id="page", placeholder="a name such as Token refresh", max_length=MAX_SLUG_CHARS)

    def below(self) -> Label:
        """What comes of it."""
        return Label(Content("It starts as a stub with today's log as its source; o edits it."), id="page-about")

    def meaning(self, text: str) -> str:
        """The file that it will be."""
        return f"a new page: {self._slug(text)}.md" if text.strip() else ""

    def value(self, text: str) -> str:
        """The name, if a page may have it."""
        self._slug(text)
        return plain_line(text)

    def _slug(self, text: str) -> str:
        slug = make_slug(text)
        if not slug:
            raise UsageError("a name needs a letter or a digit")
        if slug in self._taken:
            raise UsageError(f"the wiki already has {slug}")
        return slug


class CategoryList(RowList[Category]):
    """What a page can be about."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Create", tooltip="Create the page", id="create_page"),
    ]

    def draw(self, item: Category, width: int) -> Content:
        """`concept    how we do something`."""
        return Content.assemble(" ", (f"{item:<10}", "bold"), " ", (CATEGORY_LABELS[item], "$text-muted"))

    def key_of(self, item: Category) -> object:
        """Its name."""
        return item


class CategoryModal(Modal[Category | None]):
    """What the page is about; dismissed with it."""

    AUTO_FOCUS = "#links"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Back", tooltip="Back without creating a page", id="close_categories"),
    ]

    def __init__(self, name: str) -> None:
        super().__init__()
        self._title = name

    def compose(self) -> ComposeResult:
        """The categories in their panel."""
        panel = Vertical(id="category", classes="panel")
        panel.border_title = plain_text(plain_line(f"{self._title} is …"))
        with panel:
            yield CategoryList(id="links")
        yield KeyFooter(has_palette=False)

    def on_mount(self) -> None:
        """Show them."""
        self.query_one(CategoryList).show(tuple(CATEGORY_LABELS))

    @on(CategoryList.Opened)
    def _chosen(self, message: CategoryList.Opened) -> None:
        message.stop()
        self.dismiss(message.rows.current)

    def action_close(self) -> None:
        """Begin none."""
        self.dismiss(None)
