"""`hook`, as it explains itself, and `catch-up`, which hooks start and nobody waits for.

The hook itself is answered before any command is looked up: see `cli.hooking`.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from time import monotonic, perf_counter
from typing import TYPE_CHECKING

import click

from recall_tui.cli.click_ext import Run, command
from recall_tui.cli.output import one_line

if TYPE_CHECKING:
    from recall_tui.domain.hook import Decision
    from recall_tui.features.hooks.catch_up import CaughtUp
    from recall_tui.storage.state.live_sessions import Mark
    from recall_tui.workbench import Workbench

_MOST_STREAMS = 4_096
_NICE = 10


@command()
@click.argument("event", required=False)
@click.option("--agent", metavar="NAME", help="whose hook it is, when the JSON does not tell")
@click.option("--memory", is_flag=True, help="hand over MEMORY.md at a start, for an agent that does not load it")
def hook(run: Run, event: str | None, agent: str | None, memory: bool) -> None:
    """Answer an agent's hook: its JSON on stdin, the answer on stdout, always exit 0.

    EVENT only where the JSON does not name it: start, prompt, compact, compacted, stop or end. What hooks decided is in
    the memory's log.
    """


@command()
def catch_up(run: Run) -> None:
    """Capture sessions that ended unseen, retain transcripts that expire soon, bring the index up to date.

    With keep.days, retained transcripts that are older go.
    """
    from recall_tui.domain.hook import GUARD

    started = perf_counter()
    if run.places.env.get(GUARD):
        _become_background()
    bench = run.open()
    from recall_tui.features.hooks import catch_up as catching

    until = monotonic() + catching.SECONDS
    done = bench.hooks.catch_up(lambda: monotonic() > until)
    for mark, decision in done.decisions:
        _log(run, bench, mark, decision, perf_counter() - started)
        run.out.line(one_line(f"{decision.did:<10} {mark.session_id}  ({decision.why})"))
    _log_rest(run, bench, done, perf_counter() - started)
    words = (
        "another process is at it"
        if done.is_skipped
        else f"{done.retained} transcripts retained, {done.pruned} removed"
    )
    run.out.note(words)


def _become_background() -> None:
    """Let go of everything that was inherited, stay out of the way, and end for certain."""
    from recall_tui.cli.watchdog import lift_limits
    from recall_tui.features.hooks.catch_up import SECONDS

    lift_limits()
    os.closerange(3, _MOST_STREAMS)
    with suppress(OSError):
        os.nice(_NICE)
    with suppress(OSError):
        os.chdir("/")
    # The signal's own effect is to end the process, whatever it is at.
    signal.alarm(2 * SECONDS)


def _log(run: Run, bench: Workbench, mark: Mark | None, decision: Decision, seconds: float) -> None:
    from recall_tui.storage.state import hook_log

    line = hook_log.Logged(
        at=run.now().isoformat(timespec="milliseconds"),
        event="catch-up",
        agent=mark.agent if mark else "",
        session_id=mark.session_id if mark else "",
        ms=seconds * 1_000,
        decision=decision,
    )
    with suppress(OSError):
        hook_log.append(bench.store.state, line)


def _log_rest(run: Run, bench: Workbench, done: CaughtUp, seconds: float) -> None:
    """One line for what is not about one session, where something was done."""
    from recall_tui.domain.hook import Decision
    from recall_tui.storage.state.live_sessions import Mark

    for words in done.failed:
        _log(run, bench, None, Decision("troubled", words), seconds)
    for one in done.deferred:
        mark = Mark(one.job.session_id)
        _log(run, bench, mark, Decision(one.did, f"{one.job.kind}: {one.why}" if one.why else one.job.kind), seconds)
        run.out.line(one_line(f"{one.did:<10} {one.job.session_id}  ({one.job.kind}{f': {one.why}' * bool(one.why)})"))
    indexed = done.indexed
    if done.retained or done.pruned or (indexed is not None and (indexed.added or indexed.changed or indexed.removed)):
        facts = (("retained", done.retained), ("pruned", done.pruned), ("passages", indexed.passages if indexed else 0))
        _log(run, bench, None, Decision("indexed", "", facts), seconds)
