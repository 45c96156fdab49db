"""Taking changes back: `undo` and `redo`.

A bare undo takes back the newest change that a person made, never a hook's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from recall_tui.cli.frame import Run, as_json, command

if TYPE_CHECKING:
    from recall_tui.domain import JournalEntry
    from recall_tui.workbench import Workbench


@command()
@click.argument("number", type=int, required=False)
@click.option("--list", "is_list", is_flag=True, help="the changes that can be taken back, newest first")
def undo(run: Run, number: int | None, is_list: bool) -> int | None:
    """Take back the last change that a person made, or the change NUMBER of --list."""
    bench = run.open()
    if is_list:
        _list(run, bench)
        return None
    return _report(run, bench.undo(number), "nothing to undo")


@command()
def redo(run: Run) -> int | None:
    """Make the change again that undo took back."""
    return _report(run, run.open().redo(), "nothing to redo")


def _report(run: Run, entry: JournalEntry | None, nothing: str) -> int | None:
    run.report(entry, nothing=nothing)
    return 1 if entry is None else None


def _list(run: Run, bench: Workbench) -> None:
    entries = bench.journal.entries()
    if run.json:
        run.out.document({"changes": [as_json(entry) for entry in entries]})
        return
    if not entries:
        run.out.note("nothing was changed yet")
        return
    rows = [(entry.id, f"{entry.at.astimezone():%Y-%m-%d %H:%M}", entry.by, _state(entry)) for entry in entries]
    run.out.table(("n", "when", "by", "what"), rows, right=(0,))


def _state(entry: JournalEntry) -> str:
    return f"{entry.title} (undone)" if entry.is_undone else entry.title
