"""Bringing the index up to date, as every command does that needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recall_tui.cli.output import one_line

if TYPE_CHECKING:
    from recall_tui.cli.frame import Run
    from recall_tui.index.refresh import Refreshed
    from recall_tui.workbench import Workbench


def synced(run: Run, bench: Workbench, *, anew: bool = False) -> Refreshed:
    """Index what is new or changed, or everything again, and say what a person should know of it."""
    done = bench.sync(run.out.progress("indexing"), anew=anew)
    run.out.end_progress()
    for note in done.notes:
        run.out.note(one_line(note))
    return done
