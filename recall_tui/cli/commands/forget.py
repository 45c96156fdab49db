"""Removing for good: `forget`.

What would go is shown first, and nothing goes before a person says so; afterwards it cannot be taken back.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from recall_tui.cli.click_ext import CommandContext, change_as_json, command
from recall_tui.cli.output import one_line
from recall_tui.errors import UsageError

if TYPE_CHECKING:
    from recall_tui.domain import JournalEntry, Plan
    from recall_tui.features.erasure.purge import PurgeResult

EXIT_DECLINED = 1
"""The exit code when a person says no."""


@command()
@click.argument("targets", nargs=-1, required=True, metavar="SESSION|PATH...")
@click.option("--undo", "is_undo", is_flag=True, help="allow it again; the next sync indexes what still exists")
@click.option("--dry-run", is_flag=True, help="list what would be removed, without removing it")
@click.option("--yes", is_flag=True, help="skip the confirmation")
def forget(run: CommandContext, targets: tuple[str, ...], is_undo: bool, dry_run: bool, yes: bool) -> int | None:
    """Remove a session or a document everywhere, and exclude it from now on.

    Name a session by its id, a prefix of it, or its archive's number or name. Its archives, their rows, its window
    entry, retained copies, lines that other pages took from it, and its traces in the index and in earlier changes are
    removed. This cannot be undone. The agents' own transcripts stay.
    """
    from recall_tui.features.erasure import forget as forgetting

    bench = run.open()
    if not dry_run:
        # What a killed process began is finished first, so that what is shown is what is made.
        bench.journal.recover()
    verb = forgetting.unforget if is_undo else forgetting.forget
    seen = bench.preview(verb, targets)
    if dry_run:
        _print_dry_run(run, seen)
        return None
    if is_undo:
        return _print_result(run, seen, bench.eraser.unforget(*targets, seen=seen), None)
    if seen.edits and not yes:
        _print_plan(run, seen)
        if not is_confirmed(run, "Forget this? It cannot be undone."):
            return EXIT_DECLINED
    with run.out.progress("clearing the index", run.stopwatch) as progress:
        entry, cleared = bench.eraser.forget(*targets, seen=seen, progress=progress)
    return _print_result(run, seen, entry, cleared)


def is_confirmed(run: CommandContext, question: str) -> bool:
    """Ask a person; UsageError where the answer would be one JSON document."""
    if run.json:
        raise UsageError("--json cannot ask for confirmation", hint="say --yes, or --dry-run to see what would go")
    is_yes = run.out.asked(question)
    if not is_yes:
        run.out.note("nothing was done")
    return is_yes


def _print_plan(run: CommandContext, plan: Plan) -> None:
    """What goes by name, and what changes as a diff."""
    for path in _plan_paths(plan, "removed"):
        run.out.line(f"{run.out.style('-', fg='red')} {run.out.style(one_line(path))}")
    run.out.patch(_remaining_diff(run, plan))
    for note in plan.notes:
        run.out.note(one_line(note))


def _remaining_diff(run: CommandContext, plan: Plan) -> str:
    """The diff of the files that stay."""
    from recall_tui.domain import Replace
    from recall_tui.storage.state.tombstones import TOMBSTONES_FILE

    kept = tuple(edit for edit in plan.edits if isinstance(edit, Replace) and edit.path.name != TOMBSTONES_FILE)
    return run.diff(replace(plan, edits=kept))


def _plan_paths(plan: Plan, name: str) -> list[str]:
    paths = plan.facts.get(name, [])
    return [str(path) for path in paths] if isinstance(paths, list) else []


def _print_dry_run(run: CommandContext, plan: Plan) -> None:
    if run.json:
        run.out.document(
            {"title": plan.title, "diff": _remaining_diff(run, plan), "notes": plan.notes, "facts": plan.facts}
        )
        return
    _print_plan(run, plan)
    run.out.note(one_line(f"{plan.title} (not done: --dry-run)" if plan.edits else f"nothing to do: {plan.title}"))


def _print_result(
    run: CommandContext, plan: Plan, entry: JournalEntry | None, cleared: PurgeResult | None
) -> int | None:
    left = cleared.left if cleared else ()
    if run.json:
        change = None if entry is None else change_as_json(entry)
        changes = cleared.changes if cleared else 0
        told = {"message": plan.title, "notes": plan.notes, "earlier_changes": changes, "left": left}
        run.out.document({"change": change, **told, **plan.facts})
        return 1 if left else None
    run.out.line(one_line(plan.title))
    for note in plan.notes:
        run.out.note(one_line(note))
    if cleared and cleared.changes:
        some = "1 earlier change" if cleared.changes == 1 else f"{cleared.changes} earlier changes"
        run.out.note(f"{some} can no longer be taken back, or only what is not of it")
    for words in left:
        run.out.warn(one_line(f"not cleared yet: {words}; run this again"))
    return 1 if left else None
