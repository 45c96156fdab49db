"""Wiki: pages by topic, the links between them, and the keys that tend them.

Every change is one entry of the journal; putting a page in order is shown as a diff first.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.binding import Binding, BindingType

from recall_tui.memory import bound
from recall_tui.storage.documents.shared_wikis import PRIVATE_WIKI
from recall_tui.storage.documents.wiki_page import Category, InvalidPage, make_slug
from recall_tui.tui import messages
from recall_tui.tui.document_pointer import Item
from recall_tui.tui.keys.key_labels import busy_reason
from recall_tui.tui.runtime.background_tasks import BUSY_AFTER_SECONDS
from recall_tui.tui.screens.wiki.page_view import WikiPageView
from recall_tui.tui.screens.wiki.panels import WikiPanels
from recall_tui.tui.screens.wiki.view_model import PageKey, PageRow, page_citation, source_item
from recall_tui.tui.widgets.row_list import RowList
from recall_tui.tui.workers import run_in_thread

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench

_NO_PAGE = "No page is shown"


class WikiScreen(WikiPanels):
    """The pages of a memory."""

    NAME = "wiki"
    SHEET = "wiki.tcss"
    AUTO_FOCUS = "#pages"
    LEFT_OUT = frozenset(("back", "copy", "edit", "rebuild"))
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "back", "Back", tooltip="Back to the page before the last link", id="page_back"),
        Binding("n", "begin", "New", tooltip="Start a page: its name, then its category", id="begin_page"),
        Binding("o", "edit", "Edit", tooltip="Open the page in $EDITOR", id="edit_page"),
        Binding("l", "lint", "Lint", tooltip="List the wiki's problems, or return to the pages", id="lint"),
        Binding("R", "rebuild", "Rebuild", tooltip="Rebuild the page from its sources, as a diff", id="rebuild"),
        Binding("slash", "search", "Search", show=False, tooltip="Search everything in this memory", id="search"),
        Binding("escape", "leave", "Out", show=False, tooltip="Back", id="leave_wiki"),
        Binding("y", "copy", "Copy", show=False, tooltip="Copy the page with its source", id="copy_page"),
    ]

    def go_to(self, key: PageKey) -> None:
        """Go to a page that a link leads to."""
        entry = self.seen.entry(key) if self.seen is not None else None
        if entry is None:
            self.host.say(f"No page {key[1]} yet: n begins one")
            return
        if self.shown is not None and entry.key != self.shown:
            self.trail.append(self.shown)
        self._stand_on(entry)

    def _stand_on(self, entry: PageRow) -> None:
        """Show a page, with the cursor of the list on it."""
        self.read(entry)
        places = [place for place, one in enumerate(self.pages.items) if one.key == entry.key]
        if places:
            self.pages.cursor = places[0]
        self.add_class("-reading")
        self._focus_page()

    def _focus_page(self) -> None:
        """Focus the page, once it is shown."""
        self.call_after_refresh(self.view.focus)

    @on(RowList.Opened, "#pages")
    @on(RowList.Opened, "#findings")
    def _opened(self) -> None:
        """Go into the page."""
        if self.entry is not None:
            self.add_class("-reading")
            self._focus_page()

    @on(WikiPageView.Followed)
    def _followed(self, message: WikiPageView.Followed) -> None:
        if self.seen is not None and self.shown is not None:
            self.go_to(self.seen.led_to(message.link, self.shown[0]))

    @on(RowList.Opened, "#ties")
    def _tie_opened(self) -> None:
        tie = self.ties.current
        if tie is None:
            return
        if tie.key is not None:
            self.go_to(tie.key)
        elif tie.source is not None and tie.source.is_there:
            self._read_document(source_item(tie.source))
        else:
            self.host.say(f"{tie.words} is not there")

    def _read_document(self, item: Item) -> None:
        from recall_tui.tui.screens.reader.screen import ReaderScreen

        # A second key may come before the first one's screen is there.
        if self.is_active:
            self.app.push_screen(ReaderScreen(self.bench, item, None))

    def action_back(self) -> None:
        """Go back to the page that the last link was followed from."""
        seen = self.seen
        while self.trail and seen is not None:
            entry = seen.entry(self.trail.pop())
            if entry is not None:
                self._stand_on(entry)
                return

    def action_leave(self) -> None:
        """Stop what is rebuilt; else leave the page for the list, what is wrong for the pages, and those for Home."""
        if self.stop is not None:
            self.stop.set()
        elif self.view.has_focus or self.ties.has_focus:
            self.remove_class("-reading")
            self._focus_list()
        elif self.is_linting:
            self.action_lint()
        else:
            self.host.action_go("home")

    def action_lint(self) -> None:
        """Show what is wrong in place of the pages, or the pages again."""
        self.remove_class("-reading")
        self.toggle_class("-linting")
        self._focus_list()
        (self.show_finding if self.is_linting else self.show_current)()

    def _focus_list(self) -> None:
        """Focus the list that is shown, once it is."""
        rows = self.findings if self.is_linting else self.pages
        self.call_after_refresh(rows.focus)

    def action_rebuild(self) -> None:
        """Have it worked out what putting the page in order changes."""
        entry, bench = self.entry, self.bench
        if entry is None:
            return
        shared = "" if entry.target == PRIVATE_WIKI else entry.target

        app, self.stop = self.app, Event()
        stop = self.stop
        self.host.delays.after("rebuild", BUSY_AFTER_SECONDS, lambda: self.say_state("rebuilding · esc stops"))

        def worked_out() -> messages.RebuildPlanned:

            return plan_rebuild(bench, entry.slug, shared, lambda: stop.is_set() or not app.is_running)

        run_in_thread(self, worked_out, "rebuild")

    def _rebuilding_over(self) -> bool:
        """Say no more that a page is rebuilt; whether that was stopped."""
        self.host.delays.stop("rebuild")
        stop, self.stop = self.stop, None
        self.say_state()
        return stop is not None and stop.is_set()

    @on(messages.RebuildPlanned)
    def _rebuild_planned(self, message: messages.RebuildPlanned) -> None:
        from recall_tui.features.wiki.rebuild import rebuild
        from recall_tui.tui.screens.text_modal import PlanModal, color_diff

        bench = self.bench
        if self._rebuilding_over():
            self.host.say("Stopped; nothing was rebuilt")
            return
        if message.note:
            self.host.say(message.note)
        if not message.plan.edits:
            self.host.say(message.plan.title)
            return

        def answered(is_wanted: bool | None) -> None:
            if is_wanted:
                run_in_thread(
                    self,
                    lambda: messages.ChangeCommitted(
                        bench.store.commit(bound(rebuild, *message.words), expected=message.plan),
                        "",
                        message.plan.title,
                    ),
                    "make",
                )

        if self.is_active:
            self.app.push_screen(PlanModal(message.plan.title, color_diff(message.diff)), answered)

    def action_begin(self) -> None:
        """Ask for the name of a new page, then for what it is about, and begin it."""
        from recall_tui.tui.screens.wiki.page_name_modal import CategoryModal, PageNameModal

        wiki = self.seen.wikis.get(PRIVATE_WIKI) if self.seen is not None else None
        if wiki is None or not self.is_active:
            return
        taken = frozenset((*wiki.pages, *(one.slug for one in wiki.malformed)))

        def named(name: str | None) -> None:
            def chosen(category: Category | None) -> None:
                if name is not None and category is not None:
                    self._begin(name, category)

            if name is not None:
                self.app.push_screen(CategoryModal(name), chosen)

        self.app.push_screen(PageNameModal(taken), named)

    def _begin(self, name: str, category: Category) -> None:
        bench, slug = self.bench, make_slug(name)

        def made() -> messages.ChangeCommitted:
            from recall_tui.features.wiki.page_changes import NewPage, stub
            from recall_tui.features.wiki.page_sources import log_of_today

            source = log_of_today(bench.store)
            return messages.ChangeCommitted(
                bench.apply(stub, NewPage(slug, category, source, name)), "", "No page was created"
            )

        self.shown = (PRIVATE_WIKI, slug)
        self.pages.wish(str(self.shown))
        run_in_thread(self, made, "make")

    @on(messages.ActionFailed)
    def _failed(self, message: messages.ActionFailed) -> None:
        """Say why nothing was changed, and look again."""
        message.stop()
        self._rebuilding_over()
        self.host.complain(message.trouble)
        self.look_again()

    def action_copy(self) -> None:
        """Copy the page."""
        entry, seen = self.entry, self.seen
        if entry is not None and seen is not None:
            self.host.copy_cited(page_citation(self.bench, seen, entry))

    def action_edit(self) -> None:
        """Open the page in the editor."""
        entry, seen = self.entry, self.seen
        if entry is not None and seen is not None:
            line = entry.page.line if isinstance(entry.page, InvalidPage) else entry.page.body_line
            self.host.edit(lambda: seen.wikis[entry.target].path(entry.slug), line)

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """What needs a page, or a page before it, is not offered without."""
        entry = self.entry if self.is_mounted else None
        if action == "back":
            return "" if self.trail else "No link followed yet"
        if action in ("copy", "edit"):
            return "" if entry is not None else _NO_PAGE
        if action == "rebuild":
            if entry is None or self.stop is not None:
                return _NO_PAGE if entry is None else busy_reason("esc")
            return "Only pages can be rebuilt" if isinstance(entry.page, InvalidPage) else ""
        if action == "begin":
            return "" if self.seen is not None else "The wiki cannot be read"
        return ""


def plan_rebuild(bench: Workbench, slug: str, shared: str, is_stopped: Callable[[], bool]) -> messages.RebuildPlanned:
    """What putting the page in order changes, and with which words it is made."""
    from recall_tui.features.wiki.rebuild import rebuild
    from recall_tui.features.wiki.rebuild_model import rebuild_with_model
    from recall_tui.llm.client import ModelClient
    from recall_tui.llm.model import Failure
    from recall_tui.llm.selection import configuration_error
    from recall_tui.storage.journal.plan_diff import plan_as_diff

    words: tuple[Any, ...] = (slug, shared)
    note = ""
    calls = ModelClient(bench.store, is_stopped)
    if calls.is_offered("dream"):
        said = rebuild_with_model(bench.store, slug, calls, shared)
        if isinstance(said, Failure):
            note = f"Quoted from its sources: {said.reason}"
        else:
            words, note = (*words, said.body, said.stale), said.note
    elif why := configuration_error(bench.store, "dream"):
        note = f"Without a model: {why.words}"
    plan = bench.preview(rebuild, *words)
    return messages.RebuildPlanned(
        plan, plan_as_diff(plan, bench.store.root, bench.store.environment.home), words, note
    )
