"""Health: whether the memory can be trusted, with the key beside what is wrong that fixes it.

Every part is looked at in the background and on its own; nothing is changed but by a key, and all of it can be undone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message

from recall_tui.tui import messages
from recall_tui.tui.keys.key_labels import busy_reason, key_label
from recall_tui.tui.screens.health import agents_view_model
from recall_tui.tui.screens.health.agents_view_model import ActionKind, AgentAction, AgentActionPreview
from recall_tui.tui.screens.health.messages import AgentPlanned, FixPlanned, IndexVerified
from recall_tui.tui.screens.health.panels import (
    AgentList,
    AgentPlanModal,
    CaptureList,
    InstallModal,
    UninstallModal,
)
from recall_tui.tui.screens.health.retention import RetentionActions
from recall_tui.tui.screens.health.view_model import PartName
from recall_tui.tui.screens.home.archive_progress import archive_all
from recall_tui.tui.screens.home.publication_notice import PublicationNotice
from recall_tui.tui.screens.text_modal import PlanModal, color_diff
from recall_tui.tui.workers import run_in_thread

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench

Work = Callable[[Callable[[str], None], Callable[[], bool]], Message]
"""Work that tells how far it is and asks whether it shall stop."""


class _StoppedError(Exception):
    """The person wants no more of it."""


class HealthScreen(PublicationNotice, RetentionActions):
    """How the memory is, and why."""

    NAME = "health"
    SHEET = "health.tcss"
    AUTO_FOCUS = "#state"
    LEFT_OUT = frozenset(("archive_all",))
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "A", "archive_all", "Archive all", tooltip="Archive every session that is not archived", id="archive_all"
        ),
        Binding("i", "agent('install')", "Install", show=False, tooltip="Preview the installation", id="install"),
        Binding(
            "x", "agent('uninstall')", "Uninstall", show=False, tooltip="Preview the uninstallation", id="uninstall"
        ),
        Binding("f", "fix", "Fix", tooltip="Preview the repairs, then apply them", id="fix"),
        Binding("p", "prove", "Verify", tooltip="Verify the index: read the sources and compare", id="prove"),
        Binding("escape", "stop", "Stop", tooltip="Stop the running work; results so far are kept", id="stop"),
    ]

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self._stop = Event()
        self._working: PartName | None = None
        """The panel that tells of the work that goes on."""

    def on_unmount(self) -> None:
        """Leave no work behind."""
        self._stop.set()

    def _begin(self, part: PartName, work: Work) -> None:
        """Do work in the background that the panel tells of and `esc` stops."""
        if self._working is not None:
            self.host.say(busy_reason(_stop_key(self.bench)))
            return
        self._working, self._stop = part, Event()
        stop, app, key = self._stop, self.app, _stop_key(self.bench)

        def tell(words: str) -> None:
            self.post_message(messages.WorkProgressed(f"{words} · {key} stops"))

        run_in_thread(
            self, lambda: work(tell, lambda: stop.is_set() or not app.is_running), "work", messages.WorkFailed
        )
        self.refresh_bindings()

    @on(messages.WorkProgressed)
    def _work_progressed(self, message: messages.WorkProgressed) -> None:
        if self._working is not None:
            self.list_of(self._working).tell(message.words)

    def _end(self) -> None:
        if self._working is not None:
            self.list_of(self._working).tell("")
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
            path = row.path
            self.archive_with_notice(lambda: [path], self._archive)

    def action_archive_all(self) -> None:
        """Archive every session that is not archived; those that expire first come first."""
        bench, listed = self.bench, self._unarchived()

        def find() -> list[Path]:
            others = [] if bench.layout.design.retains_transcripts else bench.unarchived()
            return list(dict.fromkeys((*listed, *others)))

        self.archive_with_notice(find, self._archive)

    def _unarchived(self) -> list[Path]:
        return [row.path for row in self.list_of("capture").items if row.path is not None]

    def _is_anything_missing(self) -> bool:
        return bool(self._unarchived()) or any(
            row.word == "kept" and row.is_fixable for row in self.list_of("state").items
        )

    def _archive(self, find: Callable[[], Sequence[Path]]) -> None:
        bench = self.bench

        def work(tell: Callable[[str], None], is_stopped: Callable[[], bool]) -> Message:
            paths = find()
            count = len(paths)
            done = archive_all(bench, paths, lambda done: tell(f"archiving {done + 1} of {count}"), is_stopped)
            return messages.SessionsArchived(done)

        self._begin("capture", work)

    @on(messages.SessionsArchived)
    def _sessions_archived(self, message: messages.SessionsArchived) -> None:
        self._end()
        self.skipped |= message.done.skipped
        self.host.say(message.done.words)
        self.action_look_again()

    def action_prove(self) -> None:
        """Read sources again and compare with what is indexed."""
        from recall_tui.index.maintenance.verify import verify_index

        bench = self.bench

        def work(tell: Callable[[str], None], is_stopped: Callable[[], bool]) -> Message:
            def progress(done: int, total: int) -> None:
                if is_stopped():
                    raise _StoppedError
                tell(f"comparing {done * 100 // max(total, 1)} %")

            tell("comparing")
            try:
                return IndexVerified(verify_index(bench.index, bench.store, progress))
            except _StoppedError:
                return IndexVerified(None)

        self._begin("index", work)

    @on(IndexVerified)
    def _index_proven(self, message: IndexVerified) -> None:
        self._end()
        if message.proof is None:
            self.host.say("Stopped; the index is not verified")
            return
        self.proof = message.proof
        self.look("doctor")

    def action_fix(self) -> None:
        """Work out what would mend the memory."""
        from recall_tui.features.health import doctor
        from recall_tui.storage.journal.plan_diff import plan_as_diff

        def planned() -> Message:
            plan = self.bench.preview(doctor.plan_fixes)
            store = self.bench.store
            return FixPlanned(plan, plan_as_diff(plan, store.root, store.environment.home))

        run_in_thread(self, planned, "fix")

    @on(FixPlanned)
    def _fix_planned(self, message: FixPlanned) -> None:
        plan = message.plan
        if not self.is_active:
            return
        if not plan.edits and not any(row.is_fixable for row in self.list_of("doctor").items):
            self.host.say("Nothing can be fixed automatically")
            return

        def answered(is_wanted: bool | None) -> None:
            if is_wanted:
                self._fix(plan)

        words = (
            color_diff(message.diff) if plan.edits else Content("Finishes the interrupted change, or sets it aside.")
        )
        files = f"{len(plan.edits)} file{'s' * (len(plan.edits) != 1)}"
        self.app.push_screen(PlanModal(f"Fix: {files}", words), answered)

    def _fix(self, plan: Any) -> None:
        from recall_tui.features.health import backup_problems, doctor

        def fixed() -> Message:
            aside = tuple(f"set aside: {words}" for words in self.bench.journal.recover())
            doctor.remove_leftovers(self.bench.store)
            entry = self.bench.store.commit(doctor.plan_fixes, expected=plan)
            aside += tuple(f"left: {words}" for words in self.bench.eraser.finish_forgetting().left)
            aside += tuple(filter(None, (backup_problems.repair_backups(self.bench.store, self.bench.journal),)))
            return messages.ChangeCommitted(entry, "", "\n".join(("Finished the interrupted change", *aside)), aside)

        run_in_thread(self, fixed, "fix")

    def action_agent(self, way: ActionKind) -> None:
        """Preview the change to the agent that needs it first, from wherever the cursor stands."""
        agents = self.query_one(AgentList)
        agents.focus()
        agents.choose(way)
        if words := agents.why_not("wish", (way,)):
            self.host.say(words)
        else:
            agents.action_wish(way)

    @on(AgentList.Wished)
    def _agent_wished(self, message: AgentList.Wished) -> None:
        row = message.rows.current
        if row is not None and row.agent:
            self._plan_for_agent(AgentAction(message.way, row.agent, row.scope))

    def _plan_for_agent(self, wish: AgentAction) -> None:
        run_in_thread(self, lambda: AgentPlanned(agents_view_model.preview_action(self.bench, wish)), "agent")

    @on(AgentPlanned)
    def _agent_planned(self, message: AgentPlanned) -> None:
        wished = message.wished
        if not self.is_active:
            return
        if not wished.plan.edits and not wished.changed:
            self.host.say(wished.plan.title)
            return
        files = f"{len(wished.plan.edits)} file{'s' * (len(wished.plan.edits) != 1)}"
        if wished.wish.way == "install":
            shown: AgentPlanModal = InstallModal(
                f"Install into {wished.title}: {files}", wished, self.bench.store.environment.home
            )
        else:
            shown = UninstallModal(f"Uninstall from {wished.title}: {files}", wished, self.bench.store.environment.home)

        def answered(is_wanted: bool | None) -> None:
            if is_wanted and shown.takes_changed:
                self._plan_for_agent(replace(wished.wish, over=wished.changed))
            elif is_wanted:
                self._change_agent(wished)

        self.app.push_screen(shown, answered)

    def _change_agent(self, wished: AgentActionPreview) -> None:
        def changed() -> Message:
            entry = agents_view_model.apply_action(self.bench, wished)
            return messages.ChangeCommitted(entry, "", f"{wished.title}: nothing to change")

        run_in_thread(self, changed, "agent")

    @on(messages.ChangeCommitted)
    def _changed(self) -> None:
        """Look again even when nothing but a journal was mended; the app says the rest."""
        self.look_again()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what goes on can be stopped."""
        return self._working is not None if action == "stop" else super().check_action(action, parameters)

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """One thing after the other, and only what is not archived can be archived."""
        if action in ("archive_all", "prove") and self._working is not None:
            return busy_reason(_stop_key(self.bench))
        if action == "archive_all" and not (self.is_mounted and self._is_anything_missing()):
            return "No ended session waits to be archived"
        return ""


def _stop_key(bench: Workbench) -> str:
    return key_label(bench, "stop", "escape")
