"""Distill: what weighs on MEMORY.md, what each suggestion would change, and the keys that make the change.

Every key makes one entry of the journal, at once, and only if the files are still as they are shown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from recall_tui.tui import messages
from recall_tui.tui.memory_view_model import DisplayError
from recall_tui.tui.page import Page
from recall_tui.tui.screens.distill.lists import VERBS, ChangeView, DistillLists
from recall_tui.tui.screens.distill.view_model import (
    Choice,
    DistillView,
    SectionRow,
    SuggestionRow,
    apply_all_safe,
    apply_change,
    choice_pointer,
    load_view,
)
from recall_tui.tui.widgets.budget_gauge import BudgetGauge
from recall_tui.tui.widgets.row_list import NO_ROW, RowList
from recall_tui.tui.workers import run_in_thread

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench

_NO_SELECTION = Content("The diff of the selected suggestion appears here.")
_TOO_SHORT = Content("This section is too short for a topic file: the pointer to it would take as many lines.")


class Distill(Page):
    """Keeping MEMORY.md under its budget."""

    NAME = "distill"
    AUTO_FOCUS = "#offers"
    LEFT_OUT = frozenset(("extract", "name_topic", "merge", "drop", "apply_safe", "copy"))
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e", "extract", "Extract", tooltip="Move the section to a topic file, leave a pointer", id="extract"),
        Binding("m", "merge", "Merge", tooltip="Drop the line that repeats an earlier one", id="merge"),
        Binding("x", "drop", "Drop", tooltip="Delete the suggested lines", id="drop"),
        Binding("E", "name_topic", "Name", tooltip="Choose the topic file the section goes to", id="name_topic"),
        Binding("A", "apply_safe", "All safe", tooltip="Apply every safe suggestion", id="apply_safe"),
        Binding("slash", "search", "Search", show=False, tooltip="Search everything in this memory", id="search"),
        Binding("escape", "app.go('home')", "Back", show=False, tooltip="Back to Home", id="back"),
        Binding("y", "copy", "Copy", show=False, tooltip="Copy the lines with their source", id="copy"),
        Binding("o", "edit", "Editor", show=False, tooltip="Open MEMORY.md in $EDITOR at this place", id="editor"),
    ]

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self._weighed: DistillView | None = None
        self._targets: dict[tuple[object, ...], str] = {}
        """Topic files that the person named, by the key of what goes there."""
        self._made: dict[int, int] = {}
        """The lines won by each entry of the journal that was made here."""
        self._is_changing = False
        """A change is being made, or what it left is not shown yet."""

    def panels(self) -> ComposeResult:
        """The budget above, the lists side by side, the change below."""
        yield BudgetGauge()
        yield DistillLists()
        yield ChangeView(self.bench)

    def on_mount(self) -> None:
        """Weigh MEMORY.md."""
        self.look_again()

    @property
    def weights(self) -> DistillLists:
        """The sections and the suggestions."""
        return self.query_one(DistillLists)

    @property
    def change(self) -> ChangeView:
        """What the choice would change."""
        return self.query_one(ChangeView)

    def look_again(self) -> None:
        """Weigh MEMORY.md anew."""
        made = dict(self._made)
        run_in_thread(self, lambda: load_view(self.bench, made), "weigh", messages.DistillLoaded)

    @on(messages.DistillLoaded)
    def _memory_weighed(self, message: messages.DistillLoaded) -> None:
        self._is_changing = False
        weighed = message.weighed
        self._weighed = None if isinstance(weighed, DisplayError) else weighed
        gauge = self.query_one(BudgetGauge)
        gauge.show(weighed if isinstance(weighed, DisplayError) else weighed.memory)
        self.weights.show(weighed)
        if self._weighed is not None:
            gauge.show_ready(sum(offer.suggestion.kind == "extract" for offer in self._weighed.offers))
            gauge.show_won(self._weighed.won)
        self._follow()

    @on(DistillLists.Moved)
    def _follow(self) -> None:
        """Show the change of the choice, and mark its section."""
        choice = self.weights.current
        self.query_one(BudgetGauge).light(self.weights.mark())
        if choice is None or self._weighed is None:
            self.change.say(_empty_text(self._weighed, self.weights.place))
        else:
            self.change.follow(self._weighed, choice, self._target(choice))
        self.refresh_bindings()

    def _target(self, choice: Choice) -> str:
        return self._targets.get(choice.key, "")

    def action_extract(self) -> None:
        """Move the section to its topic file."""
        self._make()

    def action_merge(self) -> None:
        """Drop the line that repeats an earlier one."""
        self._make()

    def action_drop(self) -> None:
        """Delete the suggested lines."""
        self._make()

    def _make(self) -> None:
        weighed, choice = self._weighed, self.weights.current
        if weighed is None or choice is None:
            return
        target, shown = self._target(choice), self.change.draft
        seen = shown.plan if shown is not None and shown.choice == choice else None
        self._begin(lambda: apply_change(self.bench, weighed, choice, target, seen))

    def action_apply_safe(self) -> None:
        """Apply every safe suggestion, as one entry."""
        weighed = self._weighed
        if weighed is None:
            return
        named = {offer.suggestion.number: self._targets[offer.key] for offer in weighed.safe if self._target(offer)}
        self._begin(lambda: apply_all_safe(self.bench, weighed, named))

    def _begin(self, job: Callable[[], messages.ChangeCommitted]) -> None:
        """Make a change, one at a time."""
        if not self._is_changing:
            self._is_changing = True
            run_in_thread(self, job, "make")

    @on(messages.ChangeCommitted)
    def _change_made(self, message: messages.ChangeCommitted) -> None:
        """Count what was won; the app tells of it and has every screen look again."""
        if message.entry is not None:
            self._made[message.entry.id] = message.won
        else:
            self.look_again()

    @on(messages.ActionFailed)
    def _failed(self, message: messages.ActionFailed) -> None:
        """Say why nothing was changed, and look again."""
        message.stop()
        self.host.complain(message.trouble)
        self.look_again()

    def action_name_topic(self) -> None:
        """Ask for the topic file that the section goes to."""
        from recall_tui.tui.screens.distill.topic_name_modal import TopicNameModal

        choice = self.weights.current
        if choice is None:
            return
        draft = self.change.draft
        suggested = choice.suggestion.target if isinstance(choice, SuggestionRow) else draft.target if draft else ""
        title = choice.suggestion.title if isinstance(choice, SuggestionRow) else choice.title

        def named(name: str | None) -> None:
            if name is not None:
                self._targets[choice.key] = name
                self._follow()

        self.app.push_screen(TopicNameModal(self.bench.layout, title, self._target(choice) or suggested), named)

    @on(RowList.Opened)
    def _opened(self) -> None:
        from recall_tui.tui.screens.reader.screen import ReaderScreen

        if (place := self.weights.place) is not None:
            self.app.push_screen(ReaderScreen(self.bench, choice_pointer(self.bench, place), None))

    def action_copy(self) -> None:
        """Copy the lines under the cursor."""
        if (place := self.weights.place) is not None:
            self.host.copy_passage(choice_pointer(self.bench, place))

    def action_edit(self) -> None:
        """Open MEMORY.md in the editor."""
        place = self.weights.place
        self.host.edit(lambda: self.bench.layout.memory_file, place.start if place is not None else 1)

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Only what can be done to what is under the cursor is offered."""
        if action not in self.LEFT_OUT:
            return ""
        place = self.weights.place if self.is_mounted else None
        if action == "apply_safe":
            is_safe = self._weighed is not None and bool(self._weighed.safe)
            return "" if is_safe else "No suggestion is marked safe"
        if place is None:
            return NO_ROW
        if action == "copy":
            return ""
        choice = self.weights.current
        verb = "extract" if isinstance(choice, SectionRow) else VERBS[choice.suggestion.kind] if choice else ""
        if verb == ("extract" if action == "name_topic" else action):
            return ""
        return f"The selected row can only be used to {verb}" if verb else _TOO_SHORT.plain


def _empty_text(weighed: DistillView | None, place: Choice | None) -> Content:
    """What is said when there is no choice."""
    if place is not None:
        return _TOO_SHORT
    if weighed is not None and weighed.won > 0 and not weighed.offers:
        return Content(f"Done: MEMORY.md is {weighed.won} line{'' if weighed.won == 1 else 's'} shorter.")
    return _NO_SELECTION
