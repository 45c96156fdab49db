"""Apply the new proposals that the settings allow automatically, and return the rest.

Automatic changes are reported with their undo command.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from recall_tui.cli.output import one_line
from recall_tui.memory import bound

if TYPE_CHECKING:
    from recall_tui.cli.click_ext import CommandContext
    from recall_tui.storage.state.proposals import Proposal
    from recall_tui.workbench import Workbench


def apply_automatic(run: CommandContext, bench: Workbench, put: Sequence[Proposal]) -> tuple[Proposal, ...]:
    """Return the proposals that await review after the automatic ones were applied as one change."""
    from recall_tui.features.curation import review
    from recall_tui.storage.state import proposals

    if not put or not review.automatic_kinds(bench.store):
        return tuple(put)
    ids = [one.id for one in put]
    notes = bench.preview(review.accept_automatic, ids).notes
    entry = bench.store.commit(bound(review.accept_automatic, ids), by="schedule")
    if entry is not None:
        run.out.note(one_line(f"{entry.title} (taken back with: recall-tui undo {entry.id})"))
    for note in notes:
        run.out.note(one_line(note))
    waiting = {one.id for one in proposals.list_open(bench.store)}
    return tuple(one for one in put if one.id in waiting)
