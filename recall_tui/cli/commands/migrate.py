"""`migrate`: an older memory in the form of hierarchical Recall, as one change that is shown and asked about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from recall_tui.cli.click_ext import CommandContext, change_as_json, command
from recall_tui.cli.commands.forget import EXIT_DECLINED, is_confirmed
from recall_tui.cli.output import one_line
from recall_tui.errors import NotFoundError, UsageError

if TYPE_CHECKING:
    from recall_tui.domain import JournalEntry, Plan
    from recall_tui.features.setup.migrate import MigrationFacts

TARGETS = ("hierarchical",)
_COUNT_LABELS = {
    "parents_upgraded": "weeks and months",
    "pointers_backfilled": "pointers filled in",
    "broken_pointers": "broken pointers",
    "typed_memories": "typed memories",
    "insights": "insights",
}


@command()
@click.option("--to", "target", metavar="FORM|ROOT", help="the form to upgrade to (hierarchical)")
@click.option(
    "--other-projects",
    is_flag=True,
    help="move sessions of other projects to the memory at ROOT, or to your own in the agent's home",
)
@click.option("--dry-run", is_flag=True, help="preview the change without making it")
@click.option("--yes", is_flag=True, help="skip the confirmation")
def migrate(run: CommandContext, target: str | None, other_projects: bool, dry_run: bool, yes: bool) -> int | None:
    """Add missing pointers and salience to weeks and months, and convert older notes to wiki pages.

    Typed memories become pages, and their originals move to the archive; insights become theme pages and stay. Broken
    pointers are reported and stay. --other-projects moves only sessions of other projects; each is removed here once
    the other memory has it. Both memories get one change each.
    """
    if other_projects:
        return _move_projects(run, target, dry_run=dry_run, yes=yes)
    if target not in (None, *TARGETS):
        raise UsageError(f"{target!r} is no form of a memory", hint=", ".join(TARGETS))
    from recall_tui.features.setup.migrate import migrate as migrating

    bench = run.open()
    seen = bench.preview(migrating)
    if seen.edits and not run.json:
        run.out.patch(run.diff(seen))
    if dry_run or not seen.edits:
        _print_migration(run, seen, None, TARGETS[0], dry_run=dry_run)
        return None
    if not yes and not is_confirmed(run, "Migrate this memory?"):
        return EXIT_DECLINED
    _print_migration(run, seen, bench.store.commit(migrating, expected=seen), TARGETS[0], dry_run=False)
    return None


def _move_projects(run: CommandContext, root: str | None, *, dry_run: bool, yes: bool) -> int | None:
    """Copy the sessions of other projects to another memory, then take out what that holds."""
    from recall_tui.features.capture.project_extent import home_relative
    from recall_tui.features.transfer import other_projects
    from recall_tui.workbench import Workbench

    bench = run.open()
    entries = other_projects.find_foreign_archives(bench.store)
    if not entries:
        _print_moved(run, None, None, "no session of another project is in this memory")
        return None
    try:
        target = Workbench.open(
            run.path(root) if root else run.environment.claude, environment=run.environment, now=run.now
        )
    except NotFoundError as error:
        raise NotFoundError(
            error.message, hint="run: recall-tui init --layout user, or name another: --to ROOT"
        ) from None
    if target.store.root.resolve() == bench.store.root.resolve():
        raise UsageError("that is this memory itself", hint="name another memory: --to ROOT")
    where = home_relative(bench.store, target.store.root)
    count = f"{len(entries)} session{'s' * (len(entries) != 1)} of other projects"
    if not run.json:
        for entry in entries:
            name = bench.store.relative(entry.path)
            run.out.line(run.out.style(one_line(f"{name}  ({home_relative(bench.store, entry.cwd)})")))
    if dry_run:
        _print_moved(run, None, None, f"{count} would be moved to {where} (not done: --dry-run)")
        return None
    if not yes and not is_confirmed(run, f"Move {count} to {where}?"):
        return EXIT_DECLINED
    came = target.apply(other_projects.plan_copy, bench.store)
    seen = bench.preview(other_projects.plan_removal, target.store)
    went = bench.apply(other_projects.plan_removal, target.store)
    for note in seen.notes:
        run.out.note(one_line(note))
    _print_moved(run, came, went, seen.title)
    return 1 if seen.facts["left"] else None


def _print_moved(run: CommandContext, came: JournalEntry | None, went: JournalEntry | None, words: str) -> None:
    if run.json:
        changes = {"came": came and change_as_json(came), "went": went and change_as_json(went)}
        run.out.document({"message": words, **changes})
        return
    run.out.note(one_line(words))


def _print_migration(
    run: CommandContext, plan: Plan[MigrationFacts], entry: JournalEntry | None, target: str, *, dry_run: bool
) -> None:
    """What it comes to, and what a person should know beside it."""
    if run.json:
        change = None if entry is None else change_as_json(entry)
        told = {"to": target, "dry_run": dry_run, "change": change, "message": plan.title, "notes": plan.notes}
        run.out.document({**told, **plan.facts})
        return
    facts: Mapping[str, object] = plan.facts
    for key, name in _COUNT_LABELS.items():
        value = facts[key]
        count = len(value) if isinstance(value, list) else value
        run.out.line(f"{name:<19} {count}")
    for note in plan.notes:
        run.out.note(one_line(note))
    words = f"{plan.title} (not done: --dry-run)" if dry_run and plan.edits else plan.title
    run.out.note(one_line(words))
    if entry is not None:
        run.out.detail("undo with: recall-tui undo")
