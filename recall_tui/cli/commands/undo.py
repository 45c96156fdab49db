"""Taking changes back: `undo` and `redo`; and looking at one: `journal show`.

A bare undo takes back the newest change that a person made, never a hook's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from recall_tui.cli.click_ext import CliGroup, CommandContext, change_as_json, command, dry_run_option
from recall_tui.cli.commands.forget import EXIT_DECLINED, is_confirmed
from recall_tui.cli.output import one_line
from recall_tui.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from recall_tui.domain import JournalEntry
    from recall_tui.features.transfer.journal_entry import PastChange, PastFile
    from recall_tui.workbench import Workbench


_ACTOR_LABELS = {"person": "a person", "hook": "a hook", "schedule": "a schedule"}
_EDIT_LABELS = {"create": "made", "append": "added to", "replace": "changed", "delete": "removed"}


@command()
@click.argument("number", type=int, required=False)
@click.option("--list", "is_list", is_flag=True, help="list the changes that can be undone, newest first")
@dry_run_option
def undo(run: CommandContext, number: int | None, is_list: bool, dry_run: bool) -> int | None:
    """Undo the last change that a person made, or the change NUMBER of --list.

    On a terminal it asks before it changes an agent's configuration or removes the memory or many sessions, unless
    NUMBER names the change. Lines added or
    edited since then are kept. If both changed the same lines, they are shown and nothing is written; `journal show
    NUMBER --to FILE` saves the earlier content.
    """
    bench = run.open()
    if is_list:
        _print_changes(run, bench)
        return None
    if dry_run:
        return _preview_reversal(run, bench, number, parity=0)
    if number is None:
        is_declined, number = _ask(run, bench, parity=0)
        if is_declined:
            return EXIT_DECLINED
    return _print_change(run, bench.undo(number), "nothing to undo")


@command()
@dry_run_option
def redo(run: CommandContext, dry_run: bool) -> int | None:
    """Repeat the change that undo reverted."""
    bench = run.open()
    if dry_run:
        return _preview_reversal(run, bench, None, parity=1)
    is_declined, number = _ask(run, bench, parity=1)
    if is_declined:
        return EXIT_DECLINED
    return _print_change(run, bench.redo(number), "nothing to redo")


def _ask(run: CommandContext, bench: Workbench, *, parity: int) -> tuple[bool, int | None]:
    """Ask on a terminal before what should be confirmed; return whether the person said no, and to what.

    The number of the change is None when nobody was asked. Another may be made while the question waits, so that the
    newest is not the one that was agreed to.
    """
    if not run.out.can_ask or run.json:
        return False, None
    from recall_tui.storage.journal.history import preview_reversal
    from recall_tui.workbench import reversal_effects

    with preview_reversal(bench.journal.folder, None, parity) as found:
        if found is None:
            return False, None
        plan, record = found
        effects = reversal_effects(bench, plan)
        if not effects:
            return False, None
    word = "Redo" if parity else "Undo"
    question = f'{word} "{record.subject}"? It {" and ".join(effects)}.'
    return not is_confirmed(run, one_line(question)), record.id


def _preview_reversal(run: CommandContext, bench: Workbench, number: int | None, *, parity: int) -> int | None:
    """Print the change that undo (`parity` 0) or redo (1) would make; 1 when there is none."""
    from recall_tui.storage.journal.history import preview_reversal

    with preview_reversal(bench.journal.folder, number, parity) as found:
        if found is None:
            run.report(None, nothing="nothing to redo" if parity else "nothing to undo")
            return 1
        run.show(found[0])
    return None


@click.group(cls=CliGroup, invoke_without_command=True)
@click.pass_context
def journal(ctx: click.Context) -> None:
    """List the changes, or show one: journal show N."""
    if ctx.invoked_subcommand is None:
        _print_changes(ctx.obj, ctx.obj.open())


@journal.command()
@click.argument("number", type=int)
@click.option("--to", metavar="FILE", help="save the replaced content to this file or folder")
@click.option("--file", "files", multiple=True, metavar="PATH", help="only this file of the change; repeatable")
@click.option("--force", is_flag=True, help="with --to: overwrite an existing file")
@click.pass_obj
def show(run: CommandContext, number: int, to: str | None, files: tuple[str, ...], force: bool) -> int | None:
    """Print the change NUMBER of `undo --list`: its title, its time, who made it, and each file's old and new lines.

    With --to, the earlier content is saved exactly, outside the memory, instead of printed. A change of several files
    needs --file, or a folder for all of them.
    """
    from recall_tui.features.transfer.journal_entry import read_change, save_before

    if force and to is None:
        raise UsageError("--force goes with --to FILE")
    bench = run.open()
    change = read_change(bench.journal, number)
    if to is not None:
        saved = save_before(bench.store, change, files, run.path(to, "--to"), is_forced=force)
        if run.json:
            run.out.document({"id": number, "saved": saved})
        for place in saved if not run.json else ():
            run.out.line(one_line(f"{place}: as it was before change {number}"))
        return None
    root = bench.store.root
    shown = [change.file(root, name) for name in files] or list(change.files)
    if run.json:
        run.out.document(
            {
                **change_as_json(change.entry),
                "undone_by": change.undone_by or None,
                "files": _files_as_json(run, shown, root),
            }
        )
        return None
    _print_head(run, change)
    for one in shown if not change.entry.no_way_back else ():
        _print_file(run, one, root)
    return None


def _files_as_json(run: CommandContext, files: Sequence[PastFile], root: Path) -> list[dict[str, object]]:
    from recall_tui.features.transfer.journal_entry import display_path
    from recall_tui.storage.journal.plan_diff import display_name

    return [
        {
            "path": display_path(root, one.path),
            "kind": one.kind,
            "before": one.before,
            "after": one.after,
            "is_lost": one.is_lost,
            "diff": one.diff(display_name(one.path, root, run.environment.home)),
        }
        for one in files
    ]


def _print_head(run: CommandContext, change: PastChange) -> None:
    entry = change.entry
    run.out.line(one_line(f"change {entry.id}: {entry.title}"))
    undone = f", undone by change {change.undone_by}" if change.undone_by else ""
    run.out.line(f"{_time_label(entry)}, by {_ACTOR_LABELS[entry.by]}{undone}")
    if entry.took_words:
        run.out.line(one_line(f"it took out what a person wrote: {entry.took_words}"))
    if entry.no_way_back:
        run.out.line(one_line(f"it cannot be undone, and the content of its files is not kept: {entry.no_way_back}"))


def _print_file(run: CommandContext, one: PastFile, root: Path) -> None:
    from recall_tui.storage.journal.plan_diff import display_name

    name = display_name(one.path, root, run.environment.home)
    run.out.line("")
    run.out.line(one_line(f"{_EDIT_LABELS[one.kind]} {name}"))
    if one.is_lost and one.kind != "append":
        run.out.line("  its earlier content is no longer kept")
    elif one.kind in ("create", "replace") and one.after is None:
        run.out.line("  its later content is no longer kept")
    run.out.patch(one.diff(name))


def _print_change(run: CommandContext, entry: JournalEntry | None, nothing: str) -> int | None:
    run.report(entry, nothing=nothing)
    for note in entry.notes if entry is not None and not run.json else ():
        run.out.note(one_line(note))
    return 1 if entry is None else None


def _print_changes(run: CommandContext, bench: Workbench) -> None:
    entries = bench.journal.entries()
    if run.json:
        run.out.document({"changes": [change_as_json(entry) for entry in entries]})
        return
    if not entries:
        run.out.note("nothing was changed yet")
        return
    rows = [(entry.id, _time_label(entry), entry.by, _state_label(entry)) for entry in entries]
    run.out.table(("n", "when", "by", "what"), rows, right=(0,))


def _time_label(entry: JournalEntry) -> str:
    """The time of a change; one of the future is no later than the change after it, and says what its clock said."""
    at = f"{entry.at.astimezone():%Y-%m-%d %H:%M}"
    return at if entry.stamp is None else f"{at} (its clock said {entry.stamp.astimezone():%Y-%m-%d})"


def _state_label(entry: JournalEntry) -> str:
    if entry.is_undone:
        return f"{entry.title} (undone)"
    if entry.took_words:
        return f"{entry.title} (took out what a person wrote: {entry.took_words}; undo {entry.id} brings it back)"
    return f"{entry.title} (cannot be undone)" if entry.no_way_back else entry.title
