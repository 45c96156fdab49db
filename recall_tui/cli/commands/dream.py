"""`dream`: what the memory shows that nobody asked for, as proposals; and how dreaming stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from recall_tui.cli.click_ext import CommandContext, command
from recall_tui.cli.output import one_line
from recall_tui.errors import UsageError

if TYPE_CHECKING:
    from recall_tui.features.dreaming.dream import DreamResult
    from recall_tui.features.dreaming.signals import Signal
    from recall_tui.storage.memory_context import Store
    from recall_tui.storage.state.proposals import Proposal
    from recall_tui.workbench import Workbench

_MAX_SIGNAL_LINES = 20
_INSIGHT_LABELS = {"insights": "insight      ", "contradictions": "contradiction", "gaps": "gap          "}
"""What a dream finds beside its proposals, and how a line of it begins."""


@command()
@click.argument("what", type=click.Choice(["status"]), required=False)
@click.option("--phase", type=click.Choice(["gather", "analyze", "write"]), help="run only this phase")
@click.option(
    "--max-candidates", type=click.IntRange(1), default=20, metavar="N", help="maximum signals to examine (20)"
)
@click.option("--max-pages", type=click.IntRange(1), default=5, metavar="N", help="maximum new pages (5)")
@click.option("--agent", default="", metavar="MODEL", help="the model for this run, as in llm.dream; off: none")
@click.option("--dry-run", is_flag=True, help="show the signals without storing them")
def dream(
    run: CommandContext,
    what: str | None,
    phase: str | None,
    max_candidates: int,
    max_pages: int,
    agent: str,
    dry_run: bool,
) -> None:
    """Find contradictions, gaps and recurring topics in days, wiki and searches, and propose wiki updates.

    An interrupted run resumes next time. A model is asked about each signal once, and its answer is checked against
    the lines it cites.
    """
    bench = run.open()
    if what == "status":
        if phase or dry_run:
            raise UsageError("status takes no phase", hint="recall-tui dream status")
        _print_status(run, bench)
    elif dry_run:
        from recall_tui.features.dreaming.dream import new_signals

        _print_signals(run, new_signals(bench.store))
    elif phase is None:
        _run_all_phases(run, bench, agent, max_candidates, max_pages)
    else:
        _run_phase(run, bench, phase, agent, max_candidates, max_pages)


def _run_all_phases(run: CommandContext, bench: Workbench, agent: str, most: int, most_pages: int) -> None:
    """All three phases, and the diary."""
    from recall_tui.cli.model_option import with_provider
    from recall_tui.cli.sigint import catch_interrupt
    from recall_tui.features.dreaming import dream as dreaming

    bench = with_provider(bench, agent)
    store = bench.store
    with catch_interrupt() as is_stopped, _analysis_progress(run, store) as told:
        dreamt = dreaming.run_session(store, most, is_stopped, told, most_pages)
    _print_result(run, bench, dreamt)
    if is_stopped():
        raise KeyboardInterrupt("interrupted; finished signals are kept. Continue with: recall-tui dream")


def _run_phase(run: CommandContext, bench: Workbench, phase: str, agent: str, most: int, most_pages: int) -> None:
    from recall_tui.cli.model_option import with_provider
    from recall_tui.cli.sigint import catch_interrupt
    from recall_tui.features.dreaming import dream as dreaming
    from recall_tui.features.dreaming.state import dream_lock

    bench = with_provider(bench, agent)
    store = bench.store
    with dream_lock(store), catch_interrupt() as is_stopped:
        if phase == "gather":
            _print_signals(run, dreaming.gather_signals(store))
            return
        if phase == "analyze":
            with _analysis_progress(run, store) as told:
                dreaming.analyze_signals(store, most, told, is_stopped)
            count = dreaming.dream_status(store).analysed
            if run.json:
                run.out.document({"analysed": count})
            run.out.note(f"{count} analysed; write it into review with: recall-tui dream --phase write")
            if is_stopped():
                raise KeyboardInterrupt(
                    "interrupted; finished signals are kept. Continue with: recall-tui dream --phase analyze"
                )
            return
        dreamt = dreaming.write_proposals(store, most_pages)
        dreaming.write_diary(store)
    _print_result(run, bench, dreamt)


@contextmanager
def _analysis_progress(run: CommandContext, store: Store) -> Iterator[Callable[[int, int], None]]:
    """What says in the block how far the analysis is, when a model is asked; without one it is over at once."""
    from recall_tui.cli.model_option import has_model

    if not has_model(run, store, "dream"):
        yield lambda done, total: None
        return
    run.out.note("asking the model about signals; Ctrl-C stops, and the next dream goes on from there")
    with run.out.progress("dreaming", run.stopwatch, "signals") as meter:
        yield meter or (lambda done, total: None)


def _print_result(run: CommandContext, bench: Workbench, dreamt: DreamResult) -> None:
    from recall_tui.cli.review_notice import apply_automatic
    from recall_tui.features.dreaming.dream import dream_status

    waiting = apply_automatic(run, bench, dreamt.proposed)
    if run.json:
        rows = [_proposal_as_json(one) for one in waiting]
        found = {name: [one._asdict() for one in getattr(dreamt, name)] for name in _INSIGHT_LABELS}
        facts = {"failed": dreamt.failed, "notes": dreamt.notes, "calls": dreamt.calls}
        total = dreamt.signals + dream_status(bench.store).waiting
        run.out.document({"examined": dreamt.signals, "signals": total, "proposals": rows, **found, **facts})
        return
    for one in waiting:
        run.out.line(f"{one.id}  {one_line(one.title)} — {one_line(one.why)}")
    for name in _INSIGHT_LABELS:
        for found_one in getattr(dreamt, name):
            run.out.line(f"{_INSIGHT_LABELS[name]}  {one_line(found_one.text)}")
    for failure in dreamt.failed:
        run.out.note(one_line(f"without a model: {failure}"))
    for note in dreamt.notes:
        run.out.note(one_line(f"left out: {note}"))
    if waiting:
        run.out.note(f"{len(waiting)} wait in review: recall-tui review")
    elif not dreamt.proposed:
        run.out.note(f"{_label_count(dreamt.signals, 'signal')} looked into; nothing new to propose")


def _print_signals(run: CommandContext, found: tuple[Signal, ...]) -> None:
    if run.json:
        run.out.document({"signals": [one._asdict() for one in found]})
        return
    _print_signal_lines(run, found)
    if not found:
        run.out.note("nothing shows yet; days are logged with: recall-tui log")


def _print_signal_lines(run: CommandContext, found: tuple[Signal, ...]) -> None:
    for one in found[:_MAX_SIGNAL_LINES]:
        run.out.line(f"{one.score:.3f}  {one.kind:<20} {one_line(one.subject)} — {one_line(one.description)}")
    if len(found) > _MAX_SIGNAL_LINES:
        run.out.note(f"and {len(found) - _MAX_SIGNAL_LINES} more; all of them with --json")


def _print_status(run: CommandContext, bench: Workbench) -> None:
    from recall_tui.features.dreaming.dream import dream_status
    from recall_tui.text.dates import relative_time

    now = dream_status(bench.store)
    enabled = bool(bench.config.get("dream.enabled"))
    if run.json:
        signals = [one._asdict() for one in now.signals]
        run.out.document({**now._asdict(), "signals": signals, "enabled": enabled})
        return
    last = relative_time(now.last_run, bench.store.now()) if now.last_run else "never"
    run.out.line(f"Last dream:        {last}")
    run.out.line(f"Signals waiting:   {now.waiting}")
    written = ": recall-tui dream --phase write" if now.analysed else ""
    run.out.line(f"Analysed, waiting: {now.analysed}{written}")
    run.out.line(f"Searches logged:   {now.searches}" + ("" if enabled else " (dream.enabled is off: none is logged)"))
    if now.oldest_search:
        run.out.line(f"Oldest search:     {relative_time(now.oldest_search, bench.store.now())}")
    _print_signal_lines(run, now.signals)


def _proposal_as_json(one: Proposal) -> dict[str, object]:
    return {"id": one.id, "kind": one.kind, "subject": one.subject, "title": one.title, "why": one.why}


def _label_count(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
