"""A summary worked out for a person to look at: told by the memory's model, or in the session's own words.

Nothing is saved here before it was shown, and what was shown is what is saved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recall_tui.domain import JournalEntry, Plan
    from recall_tui.features.summaries.session_draft import Subject
    from recall_tui.workbench import Workbench


@dataclass(frozen=True, slots=True)
class Summarised:
    """A summary that waits to be saved."""

    subject: Subject
    plan: Plan
    diff: str
    note: str = ""
    """Why no model told it, where one was asked."""

    @property
    def title(self) -> str:
        """What saving it does, such as `Creating 000a11ce.md`."""
        name = Path(str(self.plan.facts["path"])).name
        return f"{'Creating' if self.plan.facts['status'] == 'created' else 'Updating'} {name}"

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know before they save it."""
        guarded = str(self.plan.facts["guarded"])
        return tuple(filter(None, (f"▲ {guarded}" if guarded else "", self.note, *self.plan.notes)))


def summarised(bench: Workbench, reference: str, is_stopped: Callable[[], bool]) -> Summarised:
    """The summary of the session that `reference` names."""
    from recall_tui.features.summaries.session_draft import subject, told_by_model
    from recall_tui.llm.client import Calls
    from recall_tui.llm.model import Failure
    from recall_tui.llm.selection import trouble
    from recall_tui.storage.journal.plan_diff import diff

    one, note = subject(bench.store, reference), ""
    calls = Calls(bench.store, is_stopped)
    if calls.is_offered("summary"):
        said = told_by_model(one, calls)
        if isinstance(said, Failure):
            note = f"in the conversation's own words: {said.reason}"
        else:
            one = said
    elif why := trouble(bench.store, "summary"):
        note = f"without a model: {why.words}"
    plan = bench.preview(one.summarize)
    return Summarised(one, plan, diff(plan), note)


def saved(bench: Workbench, one: Summarised) -> JournalEntry | None:
    """Save it as it was shown."""
    try:
        return bench.apply(one.subject.summarize, seen=one.plan)
    finally:
        one.subject.draft.discard()
