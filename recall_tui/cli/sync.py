"""Bring the index up to date for commands that need it, with progress and Ctrl-C.

Entries indexed before an interruption stay; the next sync continues there. A search waits for a few seconds only, for a
long build just until the newest sessions are indexed: the rest is indexed in the background, and the person is told how
far it is.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from recall_tui.cli.output import one_line
from recall_tui.cli.sigint import catch_interrupt
from recall_tui.errors import RecallError

if TYPE_CHECKING:
    from recall_tui.cli.click_ext import CommandContext
    from recall_tui.index.ingest.refresh import RefreshResult
    from recall_tui.index.vectors.build import BuildResult
    from recall_tui.workbench import Workbench


SEARCH_BUDGET_SECONDS = 10.0
"""The longest time that a search spends on the index before it answers."""
LONG_BUILD_BUDGET_SECONDS = 1.5
"""The same where much is to be read: it would not be done in time, and the newest sessions are there by then."""
_LOOK_SECONDS = 0.5
"""Between two looks at an index that another process begins to fill."""


def sync_index(
    run: CommandContext, bench: Workbench, *, anew: bool = False, budget: float = math.inf, patience: float = 0.0
) -> RefreshResult:
    """Index new and changed documents, or all of them with `anew`; KeyboardInterrupt with the progress after Ctrl-C.

    The result is cancelled when it took more than `budget` seconds, or a moment if much is to be read, and skipped when
    another process was indexing for `patience` seconds.
    """
    from recall_tui.index.ingest.refresh import LONG_RUN_BYTES

    started, to_do = run.stopwatch(), 0

    def is_late() -> bool:
        most = min(budget, LONG_BUILD_BUDGET_SECONDS) if budget < math.inf and to_do > LONG_RUN_BYTES else budget
        return run.stopwatch() - started > most

    with catch_interrupt() as is_stopped:
        with run.out.progress("indexing", run.stopwatch) as progress:

            def note_progress(done: int, total: int) -> None:
                nonlocal to_do
                to_do = total
                if progress:
                    progress(done, total)

            done = bench.sync(
                note_progress, anew=anew, patience=patience, is_cancelled=lambda: is_stopped() or is_late()
            )
        for note in done.notes:
            run.out.note(one_line(note))
        if is_stopped():
            raise KeyboardInterrupt(_interrupted_message(done))
    return done


def try_sync_index(run: CommandContext, bench: Workbench) -> str:
    """Sync before a search, within its budget; return what is not indexed yet, in words, or an empty string.

    Where the index cannot be written, warn and search it as it is.
    """
    try:
        done = sync_index(run, bench, budget=SEARCH_BUDGET_SECONDS)
        until = run.stopwatch() + SEARCH_BUDGET_SECONDS
        if done.is_skipped and bench.index.build_progress() is None:
            # A short run, such as that of a hook, is over in a moment.
            done = sync_index(run, bench, budget=SEARCH_BUDGET_SECONDS, patience=_LOOK_SECONDS)
        # An index that holds nothing cannot answer before another process, which writes it, committed something.
        while done.is_skipped and not bench.index.session_counts() and run.stopwatch() < until:
            done = sync_index(run, bench, budget=SEARCH_BUDGET_SECONDS, patience=_LOOK_SECONDS)
        if done.passages or done.removed:
            from recall_tui.features.health.embeddings import embed_batch

            embed_batch(bench.store, bench.index, done)
    except (RecallError, OSError) as error:
        run.out.warn(one_line(f"the index is not up to date: {error}"))
        return ""
    if not (done.is_skipped or done.is_cancelled):
        return ""
    progress = bench.index.build_progress()
    so_far = f", {progress.label(bench.store.now())}" if progress else ""
    if done.is_skipped:
        return f"another process is indexing{so_far}; search again for more"
    return f"indexing{so_far}; {_continue_indexing(bench)}"


def _continue_indexing(bench: Workbench) -> str:
    """Index the rest in the background; return what the person is told of it."""
    from recall_tui.features.hooks.catch_up import start_detached

    try:
        start_detached(bench.store, "index", "--incremental", "--quiet")
    except OSError:
        return "index the rest with: recall-tui sync"
    return "the rest is indexed in the background: search again for more"


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
