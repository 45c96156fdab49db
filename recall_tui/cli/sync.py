"""Bringing the index up to date, as every command does that needs it: seen on the way, and stopped by Ctrl-C.

What was indexed until then stays; the next sync goes on from there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recall_tui.cli.output import one_line
from recall_tui.cli.sigint import stoppable
from recall_tui.errors import RecallError

if TYPE_CHECKING:
    from recall_tui.cli.click_ext import Run
    from recall_tui.index.ingest.refresh import Refreshed
    from recall_tui.index.vectors.build import Built
    from recall_tui.workbench import Workbench


def synced(run: Run, bench: Workbench, *, anew: bool = False) -> Refreshed:
    """Index what is new or changed, or everything again; KeyboardInterrupt, with what became of it, after Ctrl-C."""
    with stoppable() as is_stopped:
        with run.out.progress("indexing", run.stopwatch) as progress:
            done = bench.sync(progress, anew=anew, is_cancelled=is_stopped)
        for note in done.notes:
            run.out.note(one_line(note))
        if is_stopped():
            raise KeyboardInterrupt(_how_far(done))
    return done


def synced_if_possible(run: Run, bench: Workbench) -> None:
    """Sync before a search: where the index cannot be written that is said, and it answers as it is."""
    from recall_tui.features.health.embeddings import make_some

    try:
        make_some(bench.store, bench.index, synced(run, bench))
    except (RecallError, OSError) as error:
        run.out.warn(one_line(f"the index is not up to date: {error}"))


def vectors_made(run: Run, bench: Workbench, *, anew: bool = False) -> Built | None:
    """Make the vectors that are missing; a note says what became of it. KeyboardInterrupt after Ctrl-C."""
    from recall_tui.features.health.embeddings import is_on, make

    done: Built | None = None
    if not is_on(bench.store):
        return done
    with stoppable() as is_stopped:
        try:
            with run.out.progress("making vectors", run.stopwatch) as progress:
                done = make(bench.store, bench.index, progress, is_cancelled=is_stopped, anew=anew)
        except (RecallError, OSError) as error:
            hint = f"; {error.hint}" if isinstance(error, RecallError) and error.hint else ""
            run.out.warn(one_line(f"vectors were not brought up to date: {error}{hint}"))
        if is_stopped():
            raise KeyboardInterrupt(
                "interrupted; the vectors that were made stay, and the next sync goes on from there"
            )
    for note in done.notes if done else ():
        run.out.note(one_line(note))
    return done


def _how_far(done: Refreshed) -> str:
    from recall_tui.cli.progress import amounts

    if not done.is_cancelled:
        return "interrupted" if done.is_skipped else "interrupted; the index is up to date"
    amount = amounts(done.bytes_done, done.bytes_to_do)
    if done.is_anew:
        return f"interrupted after {amount}; the index is as it was; from the start again: recall-tui index"
    return f"interrupted after {amount}; what is indexed stays, and the next sync goes on from there"
