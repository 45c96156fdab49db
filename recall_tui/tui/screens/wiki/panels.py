"""The panels of the wiki: the pages, or what is wrong in them, the page that is read, and what it is tied to.

The page under the list's cursor is the one that is read, until a link leads to another; the files are read in a thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content

from recall_tui.storage.documents.shared_wikis import PRIVATE_WIKI
from recall_tui.storage.documents.wiki_page import InvalidPage
from recall_tui.tui import messages
from recall_tui.tui.memory_view_model import DisplayError
from recall_tui.tui.page import Page
from recall_tui.tui.screens.wiki.page_view import LinkedPage, WikiPageView
from recall_tui.tui.screens.wiki.view_model import (
    LintRow,
    PageKey,
    PageLink,
    PageRow,
    WikiView,
    load_wiki,
    page_links,
    page_text,
)
from recall_tui.tui.text import plain_line, plain_text
from recall_tui.tui.widgets.row_list import RowList
from recall_tui.tui.workers import run_in_thread

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench

_NO_SELECTION = Content("The selected page appears here.")


class WikiPanels(Page):
    """The pages of a memory, as they are."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self.seen: WikiView | None = None
        self.shown: PageKey | None = None
        """The page that is read."""
        self.trail: list[PageKey] = []
        """The pages that were left by a link, the last one last."""
        self.stop: Event | None = None
        """Stops the rebuilding of a page; None when none is rebuilt."""

    def panels(self) -> ComposeResult:
        """The lists on the left, the page on the right."""
        with Horizontal(id="sides"):
            yield WikiList()
            yield LintList()
            with Vertical(id="page", classes="panel"):
                yield WikiPageView(id="text")
                yield PageLinkList(id="ties")

    def on_mount(self) -> None:
        """Read the wiki."""
        self.tell(_NO_SELECTION)
        self.look_again()

    @property
    def pages(self) -> WikiList:
        """The list of pages."""
        return self.query_one(WikiList)

    @property
    def findings(self) -> LintList:
        """What is wrong."""
        return self.query_one(LintList)

    @property
    def is_linting(self) -> bool:
        """Whether what is wrong stands in place of the pages."""
        return self.has_class("-linting")

    @property
    def view(self) -> WikiPageView:
        """The page that is read."""
        return self.query_one(WikiPageView)

    @property
    def ties(self) -> PageLinkList:
        """What it is tied to."""
        return self.query_one(PageLinkList)

    @property
    def entry(self) -> PageRow | None:
        """The page that is read."""
        return self.seen.entry(self.shown) if self.seen is not None and self.shown is not None else None

    def look_again(self) -> None:
        """Read the wiki anew, in the background."""
        bench = self.bench
        run_in_thread(self, lambda: messages.WikiLoaded(load_wiki(bench)), "look", messages.WikiLoaded)

    @on(messages.WikiLoaded)
    def _wiki_read(self, message: messages.WikiLoaded) -> None:
        if isinstance(message.seen, DisplayError):
            self.seen = None
            self.pages.border_subtitle = "▲ unreadable"
            self.pages.show((), plain_text(str(message.seen)))
            self.findings.take(())
            self.tell(_NO_SELECTION)
            return
        self.seen = seen = message.seen
        self.trail = [key for key in self.trail if seen.entry(key)]
        self.pages.take(seen.entries, len(seen.wrong))
        self.findings.take(seen.wrong)
        current = self.pages.current
        entry = self.entry or current
        if entry is None:
            self.shown = None
            self.tell(_NO_SELECTION)
        else:
            self.read(entry)

    def read(self, entry: PageRow) -> None:
        """Show a page; the one that is shown already stays where it was scrolled to."""
        seen = self.seen
        assert seen is not None
        page = LinkedPage(page_text(seen, entry))
        was, self.shown = self.shown, entry.key
        panel = self.query_one("#page")
        panel.border_title = plain_text(plain_line(entry.name))
        panel.border_subtitle = plain_text(plain_line(_page_state(entry)))
        view = self.view
        if was == entry.key and view.page is not None:
            if view.page.text != page.text:
                page.chosen = min(view.page.chosen, len(page.links) - 1)
                view.show_again(page)
        else:
            view.show(page)
        self.ties.take(page_links(self.bench, seen, entry))
        self.ties.display = not isinstance(entry.page, InvalidPage)
        self.refresh_bindings()

    def say_state(self, words: str = "") -> None:
        """Say something at the page's edge, or again what state it is in."""
        state = _page_state(self.entry) if self.entry is not None else ""
        self.query_one("#page").border_subtitle = plain_text(plain_line(words or state))

    def tell(self, words: Content) -> None:
        """Show words in place of a page."""
        panel = self.query_one("#page")
        panel.border_title, panel.border_subtitle = "Page", ""
        self.view.say(words)
        self.ties.take(())
        self.ties.display = False
        self.refresh_bindings()

    @on(RowList.Moved, "#pages")
    def show_current(self) -> None:
        """Show the page under the cursor."""
        current = self.pages.current
        if self.is_linting or self.seen is None or current is None:
            return
        if current.key != self.shown:
            self.trail.clear()
            self.read(current)

    @on(RowList.Moved, "#findings")
    def show_finding(self) -> None:
        """Show the page that the finding under the cursor is about."""
        current = self.findings.current
        if self.seen is not None and current is not None and self.is_linting:
            entry = self.seen.entry((current.target, current.finding.slug))
            if entry is not None and entry.key != self.shown:
                self.read(entry)


def _page_state(entry: PageRow) -> str:
    """What kind of page it is, in a line."""
    page = entry.page
    if isinstance(page, InvalidPage):
        return "▲ no page"
    where = "" if entry.target == PRIVATE_WIKI else f"{entry.target} · "
    gone = f" · {len(page.supersedes)} superseded" if page.supersedes else ""
    stub = " · ○ stub" if page.is_stub else ""
    told = f" · updated {page.updated}" if page.updated else ""
    sure = f" · {page.confidence} confidence" if page.confidence else ""
    return f"{where}{page.category}{stub}{sure}{gone}{told}"


_LINK_SIGNS = {"backlink": "←", "related": "↔", "source": "→"}
_LINK_LABELS = {"backlink": "links here", "related": "related", "source": ""}
_WIDE_MIN_CELLS = 44
"""Cells of a name from which there is room for what the page is about."""
_MIN_NAME_CELLS = 18
EMPTY_WIKI = Content(
    "No pages yet. A page collects what is known about one subject, with its sources.\n\n"
    "n starts a page. Pages that are proposed from your sessions wait in Review (5) until you accept them."
)


class WikiList(RowList[PageRow]):
    """The pages, by category."""

    def __init__(self) -> None:
        super().__init__(id="pages", classes="panel")
        self.border_title = "Pages"

    def take(self, entries: Sequence[PageRow], wrong: int) -> None:
        """Show the pages as they are now."""
        count = len(entries)
        found = f"▲ {wrong} to fix" if wrong else "● in order"
        self.border_subtitle = f"{count} page{'' if count == 1 else 's'} · {found}" if count else ""
        self.show(tuple(entries), EMPTY_WIKI)

    def draw(self, item: PageRow, width: int) -> Content:
        """`JWT auth        concept    3 sources`."""
        page = item.page
        if isinstance(page, InvalidPage):
            word, state, style = "", "▲ no page", "$warning"
        elif page.is_stub:
            word, state, style = page.category, "○ stub", "$text-muted"
        else:
            word, state, style = page.category, f"● {len(page.sources)} sources", "$success"
        right = Content.assemble((f"{word:<9}", "$text-muted"), " ", (f"{state:<12}", style))
        lead = "" if item.target == PRIVATE_WIKI else f"{item.target}: "
        room = max(0, width - right.cell_length - 3)
        name = Content(plain_line(lead + item.name)).truncate(room, ellipsis=True)
        about = "" if isinstance(page, InvalidPage) else plain_line(page.description)
        about = "" if about.casefold() == item.name.casefold() else about
        if about and room >= _WIDE_MIN_CELLS:
            name = name.truncate(_MIN_NAME_CELLS, ellipsis=True)
            gap = " " * (_MIN_NAME_CELLS + 2 - name.cell_length)
            name = Content.assemble(name, gap, (about, "$text-muted")).truncate(room, ellipsis=True)
        return Content.assemble(" ", name, " " * max(0, room - name.cell_length), " ", right, " ")

    def key_of(self, item: PageRow) -> object:
        """Its wiki and slug."""
        return item.key


class LintList(RowList[LintRow]):
    """What lint found."""

    def __init__(self) -> None:
        super().__init__(id="findings", classes="panel")
        self.border_title = "To fix"

    def take(self, wrong: Sequence[LintRow]) -> None:
        """Show what is wrong now."""
        self.border_subtitle = f"{len(wrong)} · esc back" if wrong else "esc back"
        self.show(tuple(wrong), Content("No problems: every link works, and every page has sources."))

    def draw(self, item: LintRow, width: int) -> Content:
        """`▲ broken-link  jwt-auth  [[nowhere]] is not there`."""
        found = item.finding
        slug = found.slug if item.target == PRIVATE_WIKI else f"{item.target}: {found.slug}"
        lead = Content.assemble(" ", ("▲ ", "$warning"), f"{found.rule:<12}  ", (plain_line(slug), "bold"), "  ")
        return Content.assemble(lead, (plain_line(found.what), "$text-muted"))

    def key_of(self, item: LintRow) -> object:
        """What it is about."""
        return item.target, item.finding.slug, item.finding.rule, item.finding.what


class PageLinkList(RowList[PageLink]):
    """What the page is tied to."""

    def take(self, ties: Sequence[PageLink]) -> None:
        """Show other ties."""
        back, sources = (sum(one.kind == kind for one in ties) for kind in ("backlink", "source"))
        self.border_title = f"{back} backlink{'' if back == 1 else 's'} · {sources} source{'' if sources == 1 else 's'}"
        self.show(tuple(ties), Content("No backlinks and no sources."), keep=self.current in ties)

    def draw(self, item: PageLink, width: int) -> Content:
        """`← API  links here`, `→ memory/days/2026-03-05.md:4-6`."""
        is_gone = item.source is not None and not item.source.is_there
        right = "▲ not there" if is_gone else _LINK_LABELS[item.kind]
        words = plain_text(plain_line(item.words)).truncate(max(0, width - len(right) - 5), ellipsis=True)
        gap = max(0, width - words.cell_length - len(right) - 4)
        style = "$text-muted" if is_gone else "underline"
        sign = (f"{_LINK_SIGNS[item.kind]} ", "$accent")
        return Content.assemble(" ", sign, words.stylize(style), " " * gap, (right, "$text-muted"), " ")

    def key_of(self, item: PageLink) -> object:
        """What it leads to."""
        return item.kind, item.words
