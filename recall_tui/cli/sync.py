"""Bring the index up to date for commands that need it, with progress and Ctrl-C.

Entries indexed before an interruption stay; the next sync continues there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recall_tui.cli.output import one_line
from recall_tui.cli.sigint import catch_interrupt
from recall_tui.errors import RecallError

if TYPE_CHECKING:
    from recall_tui.cli.click_ext import CommandContext
    from recall_tui.index.ingest.refresh import RefreshResult
    from recall_tui.index.vectors.build import BuildResult
    from recall_tui.workbench import Workbench


def sync_index(run: CommandContext, bench: Workbench, *, anew: bool = False) -> RefreshResult:
    """Index new and changed documents, or all of them with `anew`; KeyboardInterrupt with the progress after Ctrl-C."""
    with catch_interrupt() as is_stopped:
        with run.out.progress("indexing", run.stopwatch) as progress:
            done = bench.sync(progress, anew=anew, is_cancelled=is_stopped)
        for note in done.notes:
            run.out.note(one_line(note))
        if is_stopped():
            raise KeyboardInterrupt(_interrupted_message(done))
    return done


def try_sync_index(run: CommandContext, bench: Workbench) -> None:
    """Sync before a search; where the index cannot be written, warn and search it as it is."""
    try:
        done = sync_index(run, bench)
        if done.passages or done.removed:
            from recall_tui.features.health.embeddings import embed_batch

            embed_batch(bench.store, bench.index, done)
    except (RecallError, OSError) as error:
        run.out.warn(one_line(f"the index is not up to date: {error}"))


def embed_index(run: CommandContext, bench: Workbench, *, anew: bool = False) -> BuildResult | None:
    """Build the missing vectors and print notes about the result; KeyboardInterrupt after Ctrl-C."""
    from recall_tui.features.health.embeddings import embed_missing, is_enabled

    done: BuildResult | None = None
    if not is_enabled(bench.store):
        return done
    with catch_interrupt() as is_stopped:
        try:
            with run.out.progress("making vectors", run.stopwatch) as progress:
                done = embed_missing(bench.store, bench.index, progress, is_cancelled=is_stopped, anew=anew)
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


def _interrupted_message(done: RefreshResult) -> str:
    from recall_tui.cli.progress import amount_label

    if not done.is_cancelled:
        return "interrupted" if done.is_skipped else "interrupted; the index is up to date"
    amount = amount_label(done.bytes_done, done.bytes_to_do)
    if done.is_anew:
        return f"interrupted after {amount}; the index is as it was; from the start again: recall-tui index"
    return f"interrupted after {amount}; indexed text is kept, and the next sync continues"
