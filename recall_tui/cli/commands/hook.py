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

from recall_tui.cli.click_ext import CommandContext, command
from recall_tui.cli.output import one_line

if TYPE_CHECKING:
    from recall_tui.domain.hook import HookDecision
    from recall_tui.features.hooks.catch_up import CatchUpResult
    from recall_tui.storage.state.live_sessions import LiveSession
    from recall_tui.workbench import Workbench

_MAX_STREAMS = 4_096
_NICENESS = 10


@command()
@click.argument("event", required=False)
@click.option("--agent", metavar="NAME", help="the agent, if the JSON does not name it")
@click.option("--memory", is_flag=True, help="include MEMORY.md at a start, for an agent that does not load it")
def hook(run: CommandContext, event: str | None, agent: str | None, memory: bool) -> None:
    """Answer an agent's hook: its JSON on stdin, the answer on stdout, always exit 0.

    EVENT is needed only if the JSON does not name it: start, prompt, compact, compacted, stop or end. The memory's log
    has every decision.
    """


@command()
def catch_up(run: CommandContext) -> None:
    """Capture sessions that ended unseen, retain transcripts that expire soon, bring the index up to date.

    With keep.days, retained transcripts that are older go.
    """
    from recall_tui.domain.hook import GUARD_VARIABLE

    started = perf_counter()
    if run.environment.env.get(GUARD_VARIABLE):
        _become_background()
    bench = run.open()
    from recall_tui.features.hooks import catch_up

    until = monotonic() + catch_up.TIMEOUT_SECONDS
    done = bench.hooks.catch_up(lambda: monotonic() > until)
    for mark, decision in done.decisions:
        _log_decision(run, bench, mark, decision, perf_counter() - started)
        run.out.line(one_line(f"{decision.did:<10} {mark.session_id}  ({decision.why})"))
    _log_remaining(run, bench, done, perf_counter() - started)
    words = (
        "another process is at it"
        if done.is_skipped
        else f"{done.retained} transcripts retained, {done.pruned} removed"
    )
    run.out.note(words)


def _become_background() -> None:
    """Let go of everything that was inherited, stay out of the way, and end for certain."""
    from recall_tui.cli.hook_watchdog import lift_limits
    from recall_tui.features.hooks.catch_up import TIMEOUT_SECONDS

    lift_limits()
    os.closerange(3, _MAX_STREAMS)
    with suppress(OSError):
        os.nice(_NICENESS)
    with suppress(OSError):
        os.chdir("/")
    # The signal's own effect is to end the process, whatever it is at.
    signal.alarm(2 * TIMEOUT_SECONDS)


def _log_decision(
    run: CommandContext, bench: Workbench, mark: LiveSession | None, decision: HookDecision, seconds: float
) -> None:
    from recall_tui.storage.state import hook_log

    line = hook_log.HookLogEntry(
        at=run.now().isoformat(timespec="milliseconds"),
        event="catch-up",
        agent=mark.agent if mark else "",
        session_id=mark.session_id if mark else "",
        ms=seconds * 1_000,
        decision=decision,
    )
    with suppress(OSError):
        hook_log.append_entry(bench.store.state, line)


def _log_remaining(run: CommandContext, bench: Workbench, done: CatchUpResult, seconds: float) -> None:
    """One line for what is not about one session, where something was done."""
    from recall_tui.domain.hook import HookDecision
    from recall_tui.storage.state.live_sessions import LiveSession

    for words in done.failed:
        _log_decision(run, bench, None, HookDecision("troubled", words), seconds)
    for one in done.deferred:
        mark = LiveSession(one.job.session_id)
        _log_decision(
            run, bench, mark, HookDecision(one.did, f"{one.job.kind}: {one.why}" if one.why else one.job.kind), seconds
        )
        run.out.line(one_line(f"{one.did:<10} {one.job.session_id}  ({one.job.kind}{f': {one.why}' * bool(one.why)})"))
    indexed = done.indexed
    if done.retained or done.pruned or (indexed is not None and (indexed.added or indexed.changed or indexed.removed)):
        facts = (("retained", done.retained), ("pruned", done.pruned), ("passages", indexed.passages if indexed else 0))
        _log_decision(run, bench, None, HookDecision("indexed", "", facts), seconds)
