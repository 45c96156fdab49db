"""Asks for a line to remember, and shows as a diff, while it is typed, what saving it changes.

Nothing is written here; the line is handed back with the plan that was shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from recall_tui.errors import UsageError
from recall_tui.memory import bound
from recall_tui.tui.memory_view_model import DisplayError
from recall_tui.tui.messages import ChangeCommitted
from recall_tui.tui.screens.prompt_modal import PromptModal
from recall_tui.tui.screens.text_modal import color_diff
from recall_tui.tui.workers import Debouncer, run_in_thread

if TYPE_CHECKING:
    from recall_tui.domain import Plan
    from recall_tui.workbench import Workbench

PLAN_DELAY_SECONDS = 0.1
"""Seconds between the last key and a look at what the line would change."""


class RememberedLine(NamedTuple):
    """A line to save, with the plan that was shown for it; None when it was not shown yet."""

    text: str
    plan: Plan | None


class LinePlanned(Message):
    """It is known what saving the line would change."""

    def __init__(self, line: RememberedLine, diff: str) -> None:
        super().__init__()
        self.line = line
        self.diff = diff


class LineRefused(Message):
    """The line cannot be saved."""

    def __init__(self, text: str, trouble: DisplayError) -> None:
        super().__init__()
        self.text = text
        self.trouble = trouble


class RememberBox(Input):
    """Where the line is typed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Save", tooltip="Save the line in MEMORY.md; u undoes it", id="save_line"),
        Binding("escape", "screen.close", "Back", tooltip="Back without saving", id="close_line"),
    ]


class RememberModal(PromptModal[RememberedLine]):
    """A line for MEMORY.md."""

    PANEL = "remember"

    def __init__(self, bench: Workbench) -> None:
        super().__init__()
        self.delays = Debouncer(self)
        self._bench = bench
        self._planned: RememberedLine | None = None

    def title_words(self) -> str:
        """What is asked for."""
        return "Remember"

    def box(self) -> Input:
        """The line."""
        return RememberBox(placeholder="a lesson, a decision or a fact, in one line", id="line")

    def below(self) -> Static:
        """What it would change."""
        return Static(id="change")

    def typed(self, text: str) -> None:
        """Look at what the line would change when the typing rests."""
        self._planned = None
        if text.strip():
            self.delays.after("plan", PLAN_DELAY_SECONDS, lambda: self._look(text))
        else:
            self.delays.stop("plan")
            self._show("", Content(""))

    def _look(self, text: str) -> None:
        bench = self._bench
        run_in_thread(self, lambda: plan_line(bench, text), "plan", lambda trouble: LineRefused(text, trouble))

    def _show(self, words: str, change: Content) -> None:
        self.say(words)
        self.query_one("#change", Static).update(change)

    @on(LinePlanned)
    def _line_planned(self, message: LinePlanned) -> None:
        plan = message.line.plan
        if message.line.text != self.query_one(RememberBox).value or plan is None:
            return
        self._planned = message.line
        self._show(
            "" if plan.edits else plan.title, color_diff(_changed_lines(message.diff)) if plan.edits else Content("")
        )

    @on(LineRefused)
    def _line_refused(self, message: LineRefused) -> None:
        if message.text == self.query_one(RememberBox).value:
            self._show(f"▲ {message.trouble.message}", Content(""))

    def value(self, text: str) -> RememberedLine:
        """The line, with the plan that is shown for it."""
        if not text.strip():
            raise UsageError("there is nothing to remember")
        if self._planned is None or self._planned.text != text:
            return RememberedLine(text, None)
        if self._planned.plan is not None and not self._planned.plan.edits:
            raise UsageError(self._planned.plan.title)
        return self._planned


def plan_line(bench: Workbench, text: str) -> LinePlanned:
    """Return what saving the line would change, and that as a diff."""
    from recall_tui.features.curation.remember import remember
    from recall_tui.storage.journal.plan_diff import plan_as_diff

    plan = bench.preview(remember, text)
    return LinePlanned(RememberedLine(text, plan), plan_as_diff(plan, bench.store.root, bench.store.environment.home))


def save_line(bench: Workbench, line: RememberedLine) -> ChangeCommitted:
    """Save the line as it was shown."""
    from recall_tui.features.curation.remember import remember

    plan = line.plan or bench.preview(remember, line.text)
    return ChangeCommitted(bench.store.commit(bound(remember, line.text), expected=plan), "", plan.title)


def _changed_lines(diff: str) -> str:
    """The file's name and its added and removed lines: what is typed stays in sight on a small terminal."""
    lines = diff.split("\n")
    names = dict.fromkeys(line.removeprefix("+++ b/") for line in lines if line.startswith("+++ b/"))
    changed = (line for line in lines if line[:1] in ("+", "-") and line[:4] not in ("+++ ", "--- ") and line != "+")
    return "\n".join((*names, *changed))
