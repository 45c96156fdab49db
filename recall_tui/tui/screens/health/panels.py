"""The panels of the health screen: each part is looked at in the background and shown in its own.

Where there is little room the panel with the focus takes it, and of the others the first rows are seen. Nothing is
changed here; while another screen is shown nothing is looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.content import Content
from textual.events import Resize
from textual.message import Message

from recall_tui.domain import HealthReport
from recall_tui.tui.page import Page
from recall_tui.tui.runtime.background_tasks import BUSY_AFTER_SECONDS
from recall_tui.tui.screens.health.agents_view_model import ActionKind, AgentActionPreview, agent_rows, context_rows
from recall_tui.tui.screens.health.checklist_view_model import checklist_rows, session_rows
from recall_tui.tui.screens.health.messages import HealthPartLoaded
from recall_tui.tui.screens.health.view_model import (
    HealthPart,
    HealthRow,
    PartName,
    RowState,
    capture_rows,
    index_rows,
    load_part,
    problem_rows,
    usage_rows,
)
from recall_tui.tui.screens.text_modal import TextModal, color_diff
from recall_tui.tui.text import plain_line, plain_text, shorten_home
from recall_tui.tui.widgets.row_list import NO_ROW, RowList
from recall_tui.tui.workers import Debouncer, run_in_thread

if TYPE_CHECKING:
    from recall_tui.index.maintenance.verify import VerifyResult
    from recall_tui.workbench import Workbench


_MIN_TWO_COLUMN_CELLS = 160
"""Cells of a terminal in which two panels have room beside each other."""


class HealthPanels(Page):
    """Checklist, index, capture, agents, the next session's context, spend and doctor, as they are."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self.delays = Debouncer(self)
        self.skipped: dict[Path, str] = {}
        """Transcripts that hold nothing to archive, and why."""
        self.proof: VerifyResult | None = None
        self._is_stale = False

    def panels(self) -> ComposeResult:
        """The checklist first, then the parts of the memory, and problems last."""
        with Container(id="parts"):
            yield HealthList("state", "Is it working?")
            yield HealthList("index", "Index")
            yield CaptureList("capture", "Capture")
            yield AgentList("agents", "Agents")
            yield HealthList("injection", "Next session gets")
            yield HealthList("spend", "Model use")
            yield HealthList("doctor", "Doctor")

    def on_resize(self, event: Resize) -> None:
        """Set the panels in two columns where there is room."""
        self.set_class(event.size.width >= _MIN_TWO_COLUMN_CELLS, "-two-columns")

    def on_mount(self) -> None:
        """Show what the app knows, and look at the rest."""
        self.watch(self.app, "health", self._health_taken)
        self.host.index_changed.subscribe(self, lambda _: self.look("index"))
        self.look_again()

    def list_of(self, part: PartName) -> HealthList:
        """The panel of a part."""
        return self.query_one(f"#{part}", HealthList)

    def look_again(self) -> None:
        """Look at every part; what was proven of other files counts no more."""
        self.proof = None
        self.look("capture", "index", "agents", "injection", "spend", "doctor")

    def _health_taken(self, report: HealthReport | None) -> None:
        if report is not None:
            self.list_of("state").take(
                load_part(lambda: checklist_rows(self.bench, report), self.bench.store.environment.home)
            )
            self.look("capture", "index", "agents", "injection", "spend", "doctor")

    def look(self, *parts: PartName) -> None:
        """Look at some parts in the background, or later when another screen is shown."""
        self._is_stale = not self.is_current
        if self._is_stale:
            return
        bench, skipped, proof = self.bench, dict(self.skipped), self.proof
        looks: dict[PartName, Callable[[], HealthPart]] = {
            "capture": lambda: capture_rows(bench, skipped, session_rows(bench)),
            "index": lambda: index_rows(bench),
            "agents": lambda: agent_rows(bench),
            "injection": lambda: context_rows(bench),
            "spend": lambda: usage_rows(bench),
            "doctor": lambda: problem_rows(bench, proof),
        }
        self.delays.after("busy", BUSY_AFTER_SECONDS, self._say_looking)
        for part in parts:
            run_in_thread(self, partial(_load_part, part, looks[part], bench.store.environment.home), part)

    def on_screen_resume(self) -> None:
        """Look at what changed while another screen was shown."""
        if self._is_stale:
            self.look_again()

    def _say_looking(self) -> None:
        for panel in self.query(HealthList):
            if not panel.items and not panel.empty.plain:
                panel.say("loading …")

    @on(HealthPartLoaded)
    def _part_seen(self, message: HealthPartLoaded) -> None:
        self.list_of(message.part).take(message.looked)
        self.refresh_bindings()

    @on(RowList.Opened)
    def _opened(self, message: RowList.Opened) -> None:
        row = message.rows.current
        # A second key may come before the first one's screen is there.
        if isinstance(row, HealthRow) and self.is_active:
            text = row.whole or " ".join(filter(None, (row.lead, row.text)))
            words = Content.assemble((f"{plain_line(row.word)}\n\n", "bold"), plain_text(text))
            self.app.push_screen(TextModal(str(message.rows.border_title), words))


def _load_part(part: PartName, look: Callable[[], HealthPart], home: Path) -> Message:
    return HealthPartLoaded(part, load_part(look, home))


class AgentPlanModal(TextModal):
    """A plan for an agent; dismissed with True when it shall be made, or made anew for more files."""

    def __init__(self, title: str, wished: AgentActionPreview, home: Path) -> None:
        notes = [f"{shorten_home(note, home)}\n" for note in (*wished.about, *wished.notes)]
        words = Content.assemble(plain_text("".join(notes)), "\n" if notes and wished.diff else "")
        super().__init__(title, words + color_diff(wished.diff) if wished.diff else words)
        self.wished = wished
        self.takes_changed = False
        """Files that the person changed shall be replaced, too."""

    def action_do(self) -> None:
        """Have it done."""
        self.dismiss(True)

    def action_take_changed(self) -> None:
        """Have what replaces the changed files shown as well."""
        self.takes_changed = True
        self.dismiss(True)

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Only a plan that changes something can be made."""
        if action == "do" and not self.wished.plan.edits:
            return "Nothing else to do: only files that you changed are left"
        if action == "take_changed" and not self.wished.changed:
            return "No file was changed by others"
        return super().why_not(action, parameters)


class InstallModal(AgentPlanModal):
    """What installing changes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,i", "do", "Install", tooltip="Apply these changes; u undoes them", id="do_install"),
        Binding(
            "c", "take_changed", "Changed too", tooltip="Show the replacements of files you changed", id="take_changed"
        ),
    ]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What was changed by others is spoken of only where something was."""
        if action == "take_changed" and not self.wished.changed:
            return False
        return super().check_action(action, parameters)


class UninstallModal(AgentPlanModal):
    """What uninstalling changes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,x", "do", "Uninstall", tooltip="Apply these changes; u undoes them", id="do_uninstall"),
    ]


STATE_SIGNS: dict[RowState, tuple[str, str]] = {
    "good": ("● ", "$success"),
    "plain": ("○ ", "$text-muted"),
    "warn": ("▲ ", "$warning"),
    "bad": ("■ ", "$error"),
}
_WORD_WIDTH = 12


class HealthList(RowList[HealthRow]):
    """One part of the memory's health."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Whole", show=False, tooltip="Show the whole row", id="whole"),
    ]

    def __init__(self, part: PartName, title: str) -> None:
        super().__init__(id=part, classes="panel")
        self.part = part
        self.border_title = title
        self._summary = self._progress = ""
        self._lead_width = 0

    def take(self, looked: HealthPart) -> None:
        """Show what was looked at."""
        self._summary = looked.summary
        self._lead_width = max((len(plain_line(row.lead)) for row in looked.rows), default=0)
        self.border_subtitle = plain_text(plain_line(self._progress or looked.summary))
        self.show(looked.rows, Content(looked.words))

    def say(self, words: str) -> None:
        """Say in the border what goes on; nothing brings the summary back."""
        self.border_subtitle = plain_text(plain_line(words or self._summary))

    def tell(self, words: str) -> None:
        """Say in the border how far work is, also while the rows are read anew; nothing ends it."""
        self._progress = words
        self.say(words)

    def draw(self, item: HealthRow, width: int) -> Content:
        """A row."""
        # A row without a word continues the one above it.
        sign, style = STATE_SIGNS[item.state] if item.word else ("  ", "")
        word = Content(f"{plain_line(item.word):<{_WORD_WIDTH}}").truncate(_WORD_WIDTH, ellipsis=True)
        word = word if item.state == "plain" else word.stylize("bold")
        # Numbers of continued rows stand below each other.
        place = "<" if item.word else ">"
        lead = f"{plain_line(item.lead):{place}{self._lead_width}}  " if item.lead else ""
        start = Content.assemble(" ", (sign, style), word, " ", (lead, "$text-muted"))
        end = f" · {plain_line(item.key)}" if item.key else ""
        room = max(width - start.cell_length - len(end), 0)
        return Content.assemble(start, Content(plain_line(item.text)).truncate(room, ellipsis=True), end)

    def key_of(self, item: HealthRow) -> object:
        """What it says; a transcript and an agent are the same whatever became of them meanwhile."""
        return item.path or ((item.agent, item.scope) if item.agent else (item.word, item.lead, item.text))


class CaptureList(HealthList):
    """The sessions that expire soon."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "archive", "Archive", tooltip="Archive the selected session", id="archive_session"),
        Binding(
            "f", "keep_longer", "Keep longer", tooltip="Preview a longer retention in Claude Code", id="keep_longer"
        ),
    ]

    LEFT_OUT = RowList.LEFT_OUT | {"archive"}

    class RetentionWanted(Message):
        """Claude Code is to keep its transcripts longer."""

    class Wanted(RowList.FromRows):
        """The session under the cursor shall be archived."""

    def watch_cursor(self) -> None:
        """Not every session can be archived."""
        super().watch_cursor()
        self.refresh_bindings()

    def action_archive(self) -> None:
        """Ask for it to be archived."""
        self.post_message(self.Wanted(self))

    def action_keep_longer(self) -> None:
        """Ask for a longer retention."""
        self.post_message(self.RetentionWanted())

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Only what is not archived can be."""
        if action != "archive" or (self.current is not None and self.current.path is not None):
            return super().why_not(action, parameters)
        return "This session is archived or empty" if self.current is not None else NO_ROW


class AgentList(HealthList):
    """The agents that the memory can be installed into."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("i", "wish('install')", "Install", tooltip="Preview the installation", id="install"),
        Binding("x", "wish('uninstall')", "Uninstall", tooltip="Preview the uninstallation", id="uninstall"),
    ]

    LEFT_OUT = RowList.LEFT_OUT | {"wish"}

    class Wished(RowList.FromRows):
        """Something shall be done to the agent under the cursor."""

        def __init__(self, rows: RowList[HealthRow], way: ActionKind) -> None:
            super().__init__(rows)
            self.way = way

    def watch_cursor(self) -> None:
        """Not every agent is there, and not in every one is something installed."""
        super().watch_cursor()
        self.refresh_bindings()

    def choose(self, way: ActionKind) -> None:
        """Put the cursor on the first agent for which this can be done, unless it stands on one."""
        able = [row for row in self.items if row.agent and row.is_installed == (way == "uninstall")]
        if able and self.current not in able:
            self.cursor = self.items.index(able[0])

    def action_wish(self, way: ActionKind) -> None:
        """Ask for what it would change."""
        self.post_message(self.Wished(self, way))

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Only what is there can be installed into, and only what is installed be taken out."""
        row = self.current
        if action != "wish":
            return super().why_not(action, parameters)
        if row is None:
            return NO_ROW
        if not row.agent:
            return "These agents were not found on this machine"
        if parameters == ("uninstall",) and not row.is_installed:
            return f"This memory is not installed in {row.lead}"
        return ""
