"""The stream of days: what is written down, and what weeks and months are made of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from recall_tui.cli.frame import Run, command
from recall_tui.cli.output import one_line
from recall_tui.errors import NotFoundError, UsageError

if TYPE_CHECKING:
    from recall_tui.lifecycle.compacting import Compacted, Level
    from recall_tui.workbench import Workbench


@command()
@click.argument("words", nargs=-1, metavar="[ENTRY]...")
@click.option("--file", "source", metavar="F", help="the entry from this file, or from stdin with -")
def log(run: Run, words: tuple[str, ...], source: str | None) -> int | None:
    """Add an entry to the log of today."""
    from recall_tui.lifecycle.day_entry import log_entry

    if bool(words) == bool(source):
        raise UsageError("either an entry or a file", hint='recall-tui log "…", or: recall-tui log --file F')
    text = " ".join(words) if source is None else _read(run, source)
    return run.report(run.open().apply(log_entry, text), nothing="nothing was logged")


def _read(run: Run, source: str) -> str:
    if source == "-":
        import sys

        return sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
    path = run.places.cwd / source
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except OSError as error:
        raise NotFoundError(f"{path}: {error.strerror}", hint="name a file that can be read") from None


@command()
@click.argument("what", type=click.Choice(["weekly", "monthly", "wisdom", "all", "memory"]), default="all")
@click.option("--dry-run", is_flag=True, help="show the change and do not make it")
@click.option("--yes", is_flag=True, help="make the change now; without it, it waits in review")
@click.option("--edited", is_flag=True, help="with --yes: also pages that somebody else wrote or edited")
def compact(run: Run, what: str, dry_run: bool, yes: bool, edited: bool) -> int | None:
    """Make weeks of days, months of weeks and wisdom of months; `memory` applies what distill holds for safe."""
    bench = run.open()
    if what == "memory":
        from recall_tui.cli.commands.curate import apply_suggestions

        apply_suggestions(run, bench, None, None, dry_run=dry_run)
        return None
    level: Level = what  # type: ignore[assignment]
    found = _looked_at(run, bench, level)
    from recall_tui.lifecycle.compacting import compact as compacting
    from recall_tui.lifecycle.compacting import plan_of

    if dry_run:
        run.show(plan_of(bench.store, found, with_edited=edited))
        return None
    if yes:
        seen = plan_of(bench.store, found, with_edited=edited)
        for note in seen.notes:
            run.out.note(one_line(note))
        return run.report(bench.apply(compacting, level, with_edited=edited), nothing=seen.title)
    _proposed(run, bench, found)
    return None


def _looked_at(run: Run, bench: Workbench, level: Level) -> Compacted:
    from recall_tui.lifecycle.compacting import compacted

    def tell(done: int, total: int) -> None:
        if done == total or done % 10 == 0:
            run.out.detail(f"{done} of {total} periods")

    return compacted(bench.store, level, tell)


def _proposed(run: Run, bench: Workbench, found: Compacted) -> None:
    from recall_tui.cli.proposed import left_waiting
    from recall_tui.lifecycle.compacting import propose

    made = propose(bench.store, found)
    put = left_waiting(run, bench, made)
    if run.json:
        rows = [{"id": one.id, "kind": one.kind, "subject": one.subject, "title": one.title} for one in put]
        run.out.document({"proposals": rows})
        return
    for one in put:
        run.out.line(f"{one.id}  {one_line(one.title)}")
    if put:
        run.out.note(f"{len(put)} wait in review: recall-tui review, or at once: recall-tui compact --yes")
    elif not made:
        run.out.note("nothing to compact: every page is up to date, or was decided on")
