"""`dream`: what the memory shows that nobody asked for, as proposals; and how dreaming stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from recall_tui.cli.frame import Run, command
from recall_tui.cli.output import one_line
from recall_tui.errors import UsageError

if TYPE_CHECKING:
    from recall_tui.lifecycle.dream import Dreamt
    from recall_tui.lifecycle.dream_signals import Signal
    from recall_tui.storage.proposals import Proposal
    from recall_tui.workbench import Workbench

_SHOWN = 20


@command()
@click.argument("what", type=click.Choice(["status"]), required=False)
@click.option("--phase", type=click.Choice(["gather", "analyze", "write"]), help="this phase alone")
@click.option("--max-candidates", type=click.IntRange(1), default=20, help="signals to look into at most (20)")
@click.option("--dry-run", is_flag=True, help="show the signals and keep nothing")
def dream(run: Run, what: str | None, phase: str | None, max_candidates: int, dry_run: bool) -> None:
    """Gather signals from days, wiki and searches, and put what they come to into review."""
    bench = run.open()
    if what == "status":
        if phase or dry_run:
            raise UsageError("status takes no phase", hint="recall-tui dream status")
        _status(run, bench)
    elif dry_run:
        from recall_tui.lifecycle.dream_signals import signals

        _signals(run, signals(bench.store))
    elif phase is None:
        _whole(run, bench, max_candidates)
    else:
        _phase(run, bench, phase, max_candidates)


def _whole(run: Run, bench: Workbench, most: int) -> None:
    """All three phases, and the diary."""
    from recall_tui.lifecycle import dream as dreaming
    from recall_tui.lifecycle.dream import Dreamt

    found = dreaming.gather(bench.store)
    dreaming.analyze(bench.store, most)
    dreamt = Dreamt(found[:most], (), dreaming.write(bench.store))
    if found:
        bench.apply(dreaming.diary, dreamt, by="schedule")
    _told(run, dreamt, len(found))


def _phase(run: Run, bench: Workbench, phase: str, most: int) -> None:
    from recall_tui.lifecycle import dream as dreaming
    from recall_tui.lifecycle.dream import Dreamt

    if phase == "gather":
        _signals(run, dreaming.gather(bench.store))
    elif phase == "analyze":
        dreaming.analyze(bench.store, most)
        run.out.note("analysed; write it into review with: recall-tui dream --phase write")
    else:
        waiting = dreaming.gathered(bench.store)
        dreamt = Dreamt(waiting[:most], (), dreaming.write(bench.store))
        if dreamt.proposed:
            bench.apply(dreaming.diary, dreamt, by="schedule")
        _told(run, dreamt, len(waiting))


def _told(run: Run, dreamt: Dreamt, total: int) -> None:
    if run.json:
        rows = [_proposal(one) for one in dreamt.proposed]
        run.out.document({"examined": len(dreamt.signals), "signals": total, "proposals": rows})
        return
    for one in dreamt.proposed:
        run.out.line(f"{one.id}  {one_line(one.title)} — {one_line(one.why)}")
    if dreamt.proposed:
        run.out.note(f"{len(dreamt.proposed)} wait in review: recall-tui review")
    else:
        run.out.note(f"{len(dreamt.signals)} of {total} signals looked into; nothing new to propose")


def _signals(run: Run, found: tuple[Signal, ...]) -> None:
    if run.json:
        run.out.document({"signals": [one._asdict() for one in found]})
        return
    for one in found[:_SHOWN]:
        run.out.line(f"{one.score:.3f}  {one.kind:<20} {one_line(one.subject)} — {one_line(one.description)}")
    if len(found) > _SHOWN:
        run.out.note(f"and {len(found) - _SHOWN} more; all of them with --json")
    elif not found:
        run.out.note("nothing shows yet; days are logged with: recall-tui log")


def _status(run: Run, bench: Workbench) -> None:
    from recall_tui.lifecycle.dream import status
    from recall_tui.text.dates import ago

    now = status(bench.store)
    enabled = bool(bench.config.get("dream.enabled"))
    if run.json:
        run.out.document({**now._asdict(), "enabled": enabled})
        return
    last = ago(now.last_run, bench.store.now()) if now.last_run else "never"
    run.out.line(f"Last dream:        {last}")
    run.out.line(f"Signals waiting:   {now.waiting}")
    run.out.line(f"Searches logged:   {now.searches}" + ("" if enabled else " (dream.enabled is off: none is logged)"))


def _proposal(one: Proposal) -> dict[str, object]:
    return {"id": one.id, "kind": one.kind, "subject": one.subject, "title": one.title, "why": one.why}
