"""A screen whose rows are sessions that can be summarised: the summary is shown as a diff, and saved on a yes.

It is told by the memory's model, or in the session's own words. What was shown is what is saved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content

from recall_tui.tui import messages
from recall_tui.tui.document_pointer import document_reference
from recall_tui.tui.keys.key_labels import busy_reason
from recall_tui.tui.runtime.background_tasks import BUSY_AFTER_SECONDS
from recall_tui.tui.screens.home.bulk_screen import BulkActions
from recall_tui.tui.text import plain_line, plain_text
from recall_tui.tui.widgets.row_list import NO_ROW
from recall_tui.tui.workers import run_in_thread

if TYPE_CHECKING:
    from recall_tui.domain import JournalEntry, Plan
    from recall_tui.features.summaries.session_draft import SessionToSummarize
    from recall_tui.features.summaries.summarize import SummaryFacts
    from recall_tui.workbench import Workbench


class SummaryActions(BulkActions):
    """A page with rows that can be summarised."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "s", "summarize", "Summarize", show=False, tooltip="Summarize this session, with a preview", id="summarize"
        ),
    ]

    def action_summarize(self) -> None:
        """Work out the summary of the session under the cursor, and show it."""
        if (item := self.current) is None:
            return
        reference, bench = item.session_id or document_reference(item), self.bench
        self._stop = stop = Event()
        self.host.delays.after("summary", BUSY_AFTER_SECONDS, lambda: self.archive.tell("summarizing · esc stops"))

        def work() -> messages.SummaryReady:
            return messages.SummaryReady(summarize_session(bench, reference, stop.is_set), is_stopped=stop.is_set())

        run_in_thread(self, work, "bulk", messages.WorkFailed)

    @on(messages.SummaryReady)
    def _summary_made(self, message: messages.SummaryReady) -> None:
        self.host.delays.stop("summary")
        self._end()
        one = message.made
        if message.is_stopped or not one.plan.edits or not self.is_active:
            one.subject.draft.discard()
            self.host.say("Stopped; nothing was summarized" if message.is_stopped else one.plan.title)
            return

        def answered(is_wanted: bool | None) -> None:
            if is_wanted:
                run_in_thread(
                    self, lambda: messages.ChangeCommitted(save_summary(self.bench, one), "", one.plan.title), "change"
                )
            else:
                one.subject.draft.discard()

        from recall_tui.tui.screens.text_modal import PlanModal, color_diff

        notes = Content("".join(f"{plain_line(note)}\n" for note in one.notes))
        words = Content.assemble(notes, "\n" if one.notes else "", color_diff(one.diff))
        self.app.push_screen(PlanModal(str(plain_text(one.title)), words), answered)

    @on(messages.WorkFailed)
    def _not_summarised(self) -> None:
        self.host.delays.stop("summary")

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """One thing after the other, and of something."""
        if action != "summarize":
            return super().why_not(action, parameters)
        if self.is_at_work:
            return busy_reason(self._stop_key)
        return "" if self.current is not None else NO_ROW


@dataclass(frozen=True, slots=True)
class PendingSummary:
    """A summary that waits to be saved."""

    subject: SessionToSummarize
    plan: Plan[SummaryFacts]
    diff: str
    note: str = ""
    """Why no model told it, where one was asked."""

    @property
    def title(self) -> str:
        """What saving it does, such as `Creating 000a11ce.md`."""
        name = Path(self.plan.facts["path"]).name
        return f"{'Creating' if self.plan.facts['status'] == 'created' else 'Updating'} {name}"

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know before they save it."""
        guarded = self.plan.facts["guarded"]
        return tuple(filter(None, (f"▲ {guarded}" if guarded else "", self.note, *self.plan.notes)))


def summarize_session(bench: Workbench, reference: str, is_stopped: Callable[[], bool]) -> PendingSummary:
    """The summary of the session that `reference` names."""
    from recall_tui.features.summaries.session_draft import prepare_session, with_model_summary
    from recall_tui.llm.client import ModelClient
    from recall_tui.llm.model import Failure
    from recall_tui.llm.selection import configuration_error
    from recall_tui.storage.journal.plan_diff import plan_as_diff

    one, note = prepare_session(bench.store, reference), ""
    calls = ModelClient(bench.store, is_stopped)
    if calls.is_offered("summary"):
        said = with_model_summary(one, calls)
        if isinstance(said, Failure):
            note = f"quoted from the conversation: {said.reason}"
        else:
            one, note = said, said.draft.digest.rejected
    elif why := configuration_error(bench.store, "summary"):
        note = f"without a model: {why.words}"
    plan = bench.preview(one.summarize)
    return PendingSummary(one, plan, plan_as_diff(plan, bench.store.root, bench.store.environment.home), note)


def save_summary(bench: Workbench, one: PendingSummary) -> JournalEntry | None:
    """Save it as it was shown."""
    try:
        return bench.store.commit(one.subject.summarize, expected=one.plan)
    finally:
        one.subject.draft.discard()
