"""Health: whether the memory can be trusted, with the key beside what is wrong that mends it.

Every part is looked at in the background and on its own; nothing is changed but by a key, and all of it can be undone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message

from recall_tui.domain import HealthReport
from recall_tui.tui import messages
from recall_tui.tui.archiving import archive_all
from recall_tui.tui.health_seen import Looked, Part, StateRow, looked, of_capture, of_index, of_problems, of_report
from recall_tui.tui.screens.page import Page
from recall_tui.tui.screens.words import PlanShown, Words, coloured
from recall_tui.tui.tending import BUSY_AFTER
from recall_tui.tui.text import one_line, plain
from recall_tui.tui.widgets.rows import Rows
from recall_tui.tui.widgets.state_list import CaptureList, StateList
from recall_tui.tui.work import Delays, in_thread

if TYPE_CHECKING:
    from recall_tui.index.proof import Proof
    from recall_tui.workbench import Workbench

Work = Callable[[Callable[[str], None], Callable[[], bool]], Message]
"""Work that tells how far it is and asks whether it shall stop."""


class _StoppedError(Exception):
    """The person wants no more of it."""


class Health(Page):
    """How the memory is, and why."""

    NAME = "health"
    SHEET = "health.tcss"
    AUTO_FOCUS = "#capture"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("A", "archive_all", "Archive all", tooltip="Archive every session that is listed", id="archive_all"),
        Binding("f", "fix", "Fix", tooltip="Show what would mend the memory, then do it", id="fix"),
        Binding("p", "prove", "Prove", tooltip="Prove the index: read sources again and compare", id="prove"),
        Binding("escape", "stop", "Stop", tooltip="Stop the work that is shown; what is done stays", id="stop"),
    ]

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self.delays = Delays(self)
        self._stop = Event()
        self._working: Part | None = None
        """The panel that tells of the work that goes on."""
        self._skipped: dict[Path, str] = {}
        self._proof: Proof | None = None
        self._is_stale = False

    def panels(self) -> ComposeResult:
        """Memory and index above, sessions and problems below."""
        yield StateList("state", "Memory")
        yield StateList("index", "Index")
        yield CaptureList("capture", "Capture")
        yield StateList("doctor", "Doctor")

    def on_mount(self) -> None:
        """Show what the app knows, and look at the rest."""
        self.watch(self.app, "health", self._health_taken)
        self.look_again()

    def on_unmount(self) -> None:
        """Leave no work behind."""
        self._stop.set()

    def list_of(self, part: Part) -> StateList:
        """The panel of a part."""
        return self.query_one(f"#{part}", StateList)

    def look_again(self) -> None:
        """Look at every part; what was proven of other files counts no more."""
        self._proof = None
        self._look("capture", "index", "doctor")

    def _health_taken(self, report: HealthReport | None) -> None:
        if report is not None:
            self.list_of("state").take(looked(lambda: of_report(report), self.bench.store.places.home))
            self._look("capture", "index", "doctor")

    def _look(self, *parts: Part) -> None:
        self._is_stale = not self.is_current
        if self._is_stale:
            return
        bench, skipped, proof = self.bench, dict(self._skipped), self._proof
        looks: dict[Part, Callable[[], Looked]] = {
            "capture": lambda: of_capture(bench, skipped),
            "index": lambda: of_index(bench),
            "doctor": lambda: of_problems(bench, proof),
        }
        self.delays.after("busy", BUSY_AFTER, self._say_looking)
        for part in parts:
            in_thread(self, partial(_look_at, part, looks[part], bench.store.places.home), part)

    def on_screen_resume(self) -> None:
        """Look at what changed while another screen was shown."""
        if self._is_stale:
            self.look_again()

    def _say_looking(self) -> None:
        for panel in self.query(StateList):
            if not panel.items and not panel.empty.plain:
                panel.say("looking …")

    @on(messages.PartSeen)
    def _part_seen(self, message: messages.PartSeen) -> None:
        self.list_of(message.part).take(message.looked)
        self.refresh_bindings()

    @on(Rows.Opened)
    def _opened(self, message: Rows.Opened) -> None:
        row = message.rows.current
        # A second key may come before the first one's screen is there.
        if isinstance(row, StateRow) and self.app.screen is self:
            text = " ".join(filter(None, (row.lead, row.text)))
            words = Content.assemble((f"{one_line(row.word)}\n\n", "bold"), plain(text))
            self.app.push_screen(Words(str(message.rows.border_title), words))

    def _begin(self, part: Part, work: Work) -> None:
        """Do work in the background that the panel tells of and `esc` stops."""
        if self._working is not None:
            self.host.say("One thing after the other: esc stops what goes on")
            return
        self._working, self._stop = part, Event()
        stop, app = self._stop, self.app

        def tell(words: str) -> None:
            self.post_message(messages.WorkProgressed(f"{words} · esc stops"))

        in_thread(self, lambda: work(tell, lambda: stop.is_set() or not app.is_running), "work", messages.WorkFailed)
        self.refresh_bindings()

    @on(messages.WorkProgressed)
    def _work_progressed(self, message: messages.WorkProgressed) -> None:
        if self._working is not None:
            self.list_of(self._working).say(message.words)

    def _end(self) -> None:
        if self._working is not None:
            self.list_of(self._working).say("")
        self._working = None
        self.refresh_bindings()

    @on(messages.WorkFailed)
    def _work_failed(self, message: messages.WorkFailed) -> None:
        self._end()
        self.host.complain(message.trouble)

    def action_stop(self) -> None:
        """Stop what goes on."""
        self._stop.set()

    @on(CaptureList.Wanted)
    def _archive_wanted(self, message: CaptureList.Wanted) -> None:
        row = message.rows.current
        if row is not None and row.path is not None:
            self._archive([row.path])

    def action_archive_all(self) -> None:
        """Archive every session that is listed and not archived."""
        self._archive(self._unarchived())

    def _unarchived(self) -> list[Path]:
        return [row.path for row in self.list_of("capture").items if row.path is not None]

    def _archive(self, paths: Sequence[Path]) -> None:
        bench, count = self.bench, len(paths)

        def work(tell: Callable[[str], None], is_stopped: Callable[[], bool]) -> Message:
            done = archive_all(bench, paths, lambda done: tell(f"archiving {done + 1} of {count}"), is_stopped)
            return messages.SessionsArchived(done)

        self._begin("capture", work)

    @on(messages.SessionsArchived)
    def _sessions_archived(self, message: messages.SessionsArchived) -> None:
        self._end()
        self._skipped |= message.done.skipped
        self.host.say(message.done.words)
        self.action_look_again()

    def action_prove(self) -> None:
        """Read sources again and compare with what is indexed."""
        from recall_tui.index.proof import prove

        bench = self.bench

        def work(tell: Callable[[str], None], is_stopped: Callable[[], bool]) -> Message:
            def progress(done: int, total: int) -> None:
                if is_stopped():
                    raise _StoppedError
                tell(f"reading again {done * 100 // max(total, 1)} %")

            tell("comparing")
            try:
                return messages.IndexProven(prove(bench.index, bench.store, progress))
            except _StoppedError:
                return messages.IndexProven(None)

        self._begin("index", work)

    @on(messages.IndexProven)
    def _index_proven(self, message: messages.IndexProven) -> None:
        self._end()
        if message.proof is None:
            self.host.say("Stopped; nothing is proven")
            return
        self._proof = message.proof
        self._look("doctor")

    def action_fix(self) -> None:
        """Work out what would mend the memory."""
        from recall_tui.lifecycle import doctor
        from recall_tui.storage.plan_diff import diff

        def planned() -> Message:
            plan = self.bench.preview(doctor.fix)
            return messages.FixPlanned(plan, diff(plan))

        in_thread(self, planned, "fix")

    @on(messages.FixPlanned)
    def _fix_planned(self, message: messages.FixPlanned) -> None:
        plan = message.plan
        if self.app.screen is not self:
            return
        if not plan.edits and not any(row.is_fixable for row in self.list_of("doctor").items):
            self.host.say("There is nothing here that can be mended without your judgement")
            return

        def answered(is_wanted: bool | None) -> None:
            if is_wanted:
                self._fix(plan)

        words = (
            coloured(message.diff, self.bench.store.places.home)
            if plan.edits
            else Content("What was interrupted is finished or put aside.")
        )
        files = f"{len(plan.edits)} file{'s' * (len(plan.edits) != 1)}"
        self.app.push_screen(PlanShown(f"What mends it: {files}", words), answered)

    def _fix(self, plan: Any) -> None:
        from recall_tui.lifecycle import doctor

        def fixed() -> Message:
            aside = tuple(f"left aside: {words}" for words in self.bench.journal.recover())
            entry = self.bench.apply(doctor.fix, seen=plan)
            return messages.ChangeMade(entry, "", "\n".join(("What was interrupted is finished", *aside)), aside)

        in_thread(self, fixed, "fix")

    @on(messages.ChangeMade)
    def _changed(self) -> None:
        """Look again even when nothing but a journal was mended; the app says the rest."""
        self.look_again()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what goes on can be stopped, and only what is not archived can be archived."""
        if action == "stop":
            return self._working is not None
        if action == "archive_all":
            return self.is_mounted and bool(self._unarchived())
        return True


def _look_at(part: Part, look: Callable[[], Looked], home: Path) -> Message:
    return messages.PartSeen(part, looked(look, home))
