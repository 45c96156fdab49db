"""`migrate`: an older memory in the form of hierarchical Recall, as one change that is shown and asked about."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from recall_tui.cli.commands.forget import DECLINED, confirmed
from recall_tui.cli.frame import Run, as_json, command
from recall_tui.cli.output import one_line

if TYPE_CHECKING:
    from recall_tui.domain import JournalEntry, Plan

_NAMES = {
    "parents_upgraded": "weeks and months",
    "pointers_backfilled": "pointers filled in",
    "broken_pointers": "broken pointers",
    "typed_memories": "typed memories",
    "insights": "insights",
}


@command()
@click.option(
    "--to", "target", type=click.Choice(["hierarchical"]), default="hierarchical", help="the form to bring it to"
)
@click.option("--dry-run", is_flag=True, help="show the change and do not make it")
@click.option("--yes", is_flag=True, help="do not ask")
def migrate(run: Run, target: str, dry_run: bool, yes: bool) -> int | None:
    """Give weeks and months the pointers and salience that they lack, and take older notes into the wiki.

    Typed memories become pages, and their originals go to the archive; insights become theme pages and stay. A pointer
    that leads nowhere is named, and stays.
    """
    from recall_tui.lifecycle.migrate import migrate as migrating
    from recall_tui.storage.plan_diff import diff

    bench = run.open()
    seen = bench.preview(migrating)
    if seen.edits and not run.json:
        run.out.patch(diff(seen, bench.store.root))
    if dry_run or not seen.edits:
        _told(run, seen, None, target, dry_run=dry_run)
        return None
    if not yes and not confirmed(run, "Migrate this memory?"):
        return DECLINED
    _told(run, seen, bench.apply(migrating, seen=seen), target, dry_run=False)
    return None


def _told(run: Run, plan: Plan, entry: JournalEntry | None, target: str, *, dry_run: bool) -> None:
    """What it comes to, and what a person should know beside it."""
    if run.json:
        change = None if entry is None else as_json(entry)
        told = {"to": target, "dry_run": dry_run, "change": change, "message": plan.title, "notes": plan.notes}
        run.out.document({**told, **plan.facts})
        return
    for key, name in _NAMES.items():
        value = plan.facts[key]
        count = len(value) if isinstance(value, list) else value
        run.out.line(f"{name:<19} {count}")
    for note in plan.notes:
        run.out.note(one_line(note))
    words = f"{plan.title} (not done: --dry-run)" if dry_run and plan.edits else plan.title
    run.out.note(one_line(words))
    if entry is not None:
        run.out.detail("take it back with: recall-tui undo")
