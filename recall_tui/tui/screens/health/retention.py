"""A longer retention of Claude Code's transcripts: the change is shown as a diff, applied, and can be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.message import Message

from recall_tui.tui import messages
from recall_tui.tui.screens.health.messages import RetentionPlanned
from recall_tui.tui.screens.health.panels import CaptureList, HealthPanels
from recall_tui.tui.screens.text_modal import PlanModal, color_diff
from recall_tui.tui.workers import run_in_thread

if TYPE_CHECKING:
    from recall_tui.domain import JournalEntry, Plan


class RetentionActions(HealthPanels):
    """The health screen's panels, with the key that makes the retention longer."""

    @on(CaptureList.RetentionWanted)
    def _retention_wanted(self) -> None:
        from recall_tui.agents.retention import plan_retention
        from recall_tui.storage.journal.plan_diff import plan_as_diff

        def planned() -> Message:
            plan = self.bench.preview(plan_retention)
            store = self.bench.store
            return RetentionPlanned(plan, plan_as_diff(plan, store.root, store.environment.home))

        run_in_thread(self, planned, "fix")

    @on(RetentionPlanned)
    def _retention_planned(self, message: RetentionPlanned) -> None:
        plan = message.plan
        if not self.is_active:
            return
        if not plan.edits:
            self.host.say(plan.title)
            return

        def answered(is_wanted: bool | None) -> None:
            if is_wanted:
                run_in_thread(self, lambda: messages.ChangeCommitted(self._keep_longer(plan), "", plan.title), "fix")

        self.app.push_screen(PlanModal(plan.title, color_diff(message.diff)), answered)

    def _keep_longer(self, plan: Plan) -> JournalEntry | None:
        from recall_tui.agents.retention import plan_retention

        return self.bench.store.commit(plan_retention, expected=plan)
